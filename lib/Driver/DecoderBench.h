//===- DecoderBench.h - Times of a decoder ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_DECODERBENCH_H
#define KILN_LIB_DRIVER_DECODERBENCH_H

#include "kiln/Execution/Generator.h"

namespace kiln::driver {

/// Returns the fraction of a step's time that reading the step's bytes would take, where
/// the sequence is then `length` tokens long: on a CPU as measured now with the threads
/// of all ranks, on a GPU by its data sheet. Nullopt on a simulated GPU, or one that is
/// not known.
llvm::Expected<std::optional<double>>
shareOfBandwidth(const execution::Generator &generator, uint64_t length,
                 double stepSeconds);

struct DecoderBenchSettings {
  std::string package;
  execution::SessionSettings session;
  uint64_t prompt = 0, generated = 0; ///< tokens
  double duration = 2;                ///< seconds; 3 rounds at least
  uint64_t seed = 0;
  bool json = false;
};

/// Rounds of a prompt and as many steps of one token, of random tokens; prints what they
/// take.
llvm::Error benchDecoder(const DecoderBenchSettings &settings);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_DECODERBENCH_H
