//===- options.h - The command line -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_OPTIONS_H
#define KILN_GPU_CHECK_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::gpucheck {

struct Options {
  std::string command;            ///< "run", "replay", "help"
  std::vector<std::string> files; ///< of replay
  std::string device = "cuda:0";
  bool deviceGiven = false;
  std::string
      reference; ///< profile of the simulator to compare bits with; empty: as the GPU
  std::string out = "gpu-check-out";
  std::string archive; ///< the unpacked archive; empty: the program's folder
  std::string only;    ///< "verify", "bits", "speed"; empty: all
  std::string match;   ///< only what has this in its name
  std::string target;  ///< of the packages; empty: the best for the GPU
  std::string line;    ///< the whole command, for the report
  std::string cublas;  ///< path of libcublas; empty: as the loader finds it
  std::string cudnn;   ///< path of libcudnn; empty: as the loader finds it
  uint32_t vectors = 32, rounds = 15;
  uint32_t freeze = 0; ///< vectors of each pattern to write though they agree
  uint64_t seed = 1;

  bool wants(const char *part) const { return only.empty() || only == part; }
  bool matches(const std::string &name) const {
    return name.find(match) != std::string::npos;
  }
};

/// Throws Failure KILN-E0001.
Options parseOptions(int count, const char *const *words);
const char *helpText();

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_OPTIONS_H
