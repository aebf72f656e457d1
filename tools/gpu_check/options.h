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
  std::vector<std::string> files; ///< files of `replay`
  std::string device = "cuda:0";
  bool deviceGiven = false;
  std::string reference; ///< simulator's profile to compare bits with; empty: the GPU's
  std::string out = "gpu-check-out";
  std::string archive; ///< the unpacked archive; empty: the program's folder
  std::string only;    ///< "verify", "bits", "speed"; empty: all
  std::string match;   ///< run only cases whose name contains this
  std::string target;  ///< target in the packages; empty: the best for the GPU
  std::string line;    ///< the full command line, for the report
  std::string cublas;  ///< path of libcublas; empty: found by the loader
  std::string cudnn;   ///< path of libcudnn; empty: found by the loader
  uint32_t vectors = 32, rounds = 15;
  uint32_t freeze = 0; ///< number of agreeing vectors to write per pattern
  uint64_t seed = 1;

  bool wants(const char *part) const { return only.empty() || only == part; }
  bool matches(const std::string &name) const {
    return name.find(match) != std::string::npos;
  }
};

/// Parses the command line. Throws Failure KILN-E0001.
Options parseOptions(int count, const char *const *words);
const char *helpText();

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_OPTIONS_H
