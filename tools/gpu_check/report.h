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

/// An output of a package against what was stored.
struct VerifyResult {
  std::string name, output, dtype;
  double error = 0, tolerance = 0; ///< of the element that is off most
  std::string failure;             ///< why there is no result; empty
  bool passed() const { return failure.empty() && error <= tolerance; }
};

/// An instruction against the simulator.
struct BitsResult {
  std::string instruction;
  uint64_t vectors = 0, different = 0;
  uint64_t inexact = 0; ///< sums of small whole numbers that are wrong
  std::string patterns; ///< of operands that differ
  bool passed() const { return !different && !inexact; }
};

/// A measurement: medians in microseconds; 0 where not measured.
struct SpeedResult {
  std::string kind, name;
  double kiln = 0, copy = 0;
  std::string peer; ///< the library measured beside: "cuBLAS", "cuDNN"
  double peerTime = 0;
  double flops = 0, bytes = 0; ///< what Kiln's kernels do
  double error = 0;            ///< of Kiln's result against the peer's
  double roofline = 0;         ///< sum over the steps, by what this run reached
  uint32_t clockMhz = 0;       ///< of the multiprocessors, median; 0: unknown
  uint32_t sets = 0;           ///< of operands in turn
  std::string failure;
};

/// Collects, prints as it goes, and writes the whole at the end.
class Report {
public:
  explicit Report(std::string command) : command(std::move(command)) {}

  void describe(const Gpu &gpu, const std::string &reference);
  void add(const VerifyResult &result);
  void add(const BitsResult &result);
  void add(const SpeedResult &result);
  /// Something was not done, and why: never silent.
  void skip(const std::string &part, const std::string &name, const std::string &why);
  /// A sentence for people and the file.
  void note(const std::string &text);

  /// Whether nothing differs or failed, and something was looked at.
  bool passed() const;
  void printSummary() const;
  /// Throws KILN-E0003.
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
