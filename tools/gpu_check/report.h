//===- report.h - What was found --------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_REPORT_H
#define KILN_GPU_CHECK_REPORT_H

#include "tools/gpu_check/gpu.h"

namespace kiln::gpucheck {

/// Comparison of a package's output with the stored one.
struct VerifyResult {
  std::string name, output, dtype;
  double error = 0, tolerance = 0; ///< of the element with the largest error
  std::string failure;             ///< reason why there is no result; else empty
  bool passed() const { return failure.empty() && error <= tolerance; }
};

/// Comparison of an instruction with the simulator.
struct BitsResult {
  std::string instruction;
  uint64_t vectors = 0, different = 0;
  uint64_t inexact = 0; ///< wrong results for operands of small integers
  std::string patterns; ///< patterns whose results differ
  bool passed() const { return !different && !inexact; }
};

/// A measurement: median times in microseconds; 0 if not measured.
struct SpeedResult {
  std::string kind, name;
  double kiln = 0, copy = 0;
  std::string peer; ///< baseline library: "cuBLAS", "cuDNN"
  double peerTime = 0;
  double flops = 0, bytes = 0; ///< of Kiln's kernels
  double error = 0;            ///< of Kiln's result relative to the baseline's
  double roofline = 0;         ///< by the best rates of this run, sum of the steps
  uint32_t clockMhz = 0;       ///< median SM clock; 0: unknown
  uint32_t sets = 0;           ///< sets of operands, used in rotation
  std::string failure;
};

/// Collects results, prints them as they arrive, and writes a report at the end.
class Report {
public:
  explicit Report(std::string command) : command(std::move(command)) {}

  void describe(const Gpu &gpu, const std::string &reference);
  void add(const VerifyResult &result);
  void add(const BitsResult &result);
  void add(const SpeedResult &result);
  /// Reports that something was not done, and why.
  void skip(const std::string &part, const std::string &name, const std::string &why);
  /// Adds a sentence to the printed and the written report.
  void note(const std::string &text);

  /// Whether nothing differs or failed, and something was checked.
  bool passed() const;
  void printSummary() const;
  /// Writes the report. Throws KILN-E0003.
  void write(const std::string &path) const;

private:
  std::string command, device, gpuName, reference, date;
  int capability = 0, multiprocessors = 0, driverVersion = 0;
  bool simulated = false;
  std::vector<VerifyResult> verified;
  std::vector<BitsResult> bits;
  std::vector<SpeedResult> speeds;
  struct Skipped {
    std::string part, name, why;
  };
  std::vector<Skipped> skipped;
  std::vector<std::string> notes;
};

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_REPORT_H
