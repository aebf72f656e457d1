//===- CaseRunner.h - A kernel case on all its devices ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_CASERUNNER_H
#define KILN_TEST_UNIT_KERNELS_CASERUNNER_H

#include "KernelCase.h"
#include "TestPackage.h"
#include "kiln/Execution/Inputs.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/SessionSettings.h"

namespace kiln::test {

/// Compiles a case, runs it on this host and on simulated GPUs, in this process, and
/// compares every kernel with the reference in double precision on the operands that it
/// got. Failures are those of the current test.
class CaseRunner {
public:
  explicit CaseRunner(const KernelCase &test);
  void run();

private:
  using Outputs = execution::OutputSet;
  using Reference = std::map<std::string, OracleTensor>;

  void runAt(const SymbolValues &values);
  Outputs runOnHost(const execution::InputSet &inputs);
  /// Needs a package for the host, whose run gives kernels their operands.
  void interpret(const execution::InputSet &inputs);
  Outputs runOnGpu(const std::string &target, const execution::InputSet &inputs);
  /// A run of single launches with an observer that checks each.
  Outputs checkedRun(kiln_model *model, const execution::SessionSettings &settings,
                     const execution::InputSet &inputs);
  /// The CUDA graph under every schedule gives the same bits.
  void checkSchedules(kiln_model *model, const execution::SessionSettings &settings,
                      const execution::InputSet &inputs, const Outputs &expected);
  void checkOutputs(const Outputs &found, const Reference &expected,
                    kiln_model *model) const;

  const KernelCase &test;
  TempFolder folder;
  std::string source, package;
  /// Package for the host, of a case for GPUs alone that is compared with one; otherwise
  /// `package`.
  std::string hostPackage;
};

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_CASERUNNER_H
