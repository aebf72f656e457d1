//===- DecoderBench.h - Benchmark of a decoder ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_DECODERBENCH_H
#define KILN_LIB_DRIVER_DECODERBENCH_H

#include "kiln/Execution/Generator.h"

namespace kiln::driver {

/// Returns the fraction of a step's time that reading the step's bytes would take if the
/// sequence then has `length` tokens: on a CPU at the bandwidth measured now with the
/// threads of all ranks, on a GPU at that of its data sheet. Nullopt on a simulated or
/// unknown GPU.
llvm::Expected<std::optional<double>>
shareOfBandwidth(const execution::Generator &generator, uint64_t length,
                 double stepSeconds);

struct DecoderBenchSettings {
  std::string package;
  execution::SessionSettings session;
  uint64_t prompt = 0, generated = 0; ///< numbers of tokens
  double duration = 2;                ///< seconds; at least 3 rounds
  uint64_t seed = 0;
  bool json = false;
};

/// Runs rounds of a random prompt and of steps of one random token each, and prints the
/// times.
llvm::Error benchDecoder(const DecoderBenchSettings &settings);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_DECODERBENCH_H
