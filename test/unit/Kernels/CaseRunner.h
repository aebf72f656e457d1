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
/// compares every kernel with the double precision reference on the same operands.
/// Failures are recorded in the current test.
class CaseRunner {
public:
  explicit CaseRunner(const KernelCase &test);
  void run();

private:
  using Outputs = execution::OutputSet;
  using Reference = std::map<std::string, OracleTensor>;

  void runAt(const SymbolValues &values);
  Outputs runOnHost(const execution::InputSet &inputs);
  /// Interprets kernels for the targets of the case, and for all CPUs whose code runs
  /// here.
  void interpret(const execution::InputSet &inputs);
  /// The first target is the one that runs, and provides the kernels' operands.
  void interpretRun(kiln_model *model, const std::vector<std::string> &targets,
                    const execution::InputSet &inputs);
  Outputs runOnGpu(const std::string &target, const execution::InputSet &inputs);
  /// Runs without CUDA graphs, with an observer that checks each launch.
  Outputs checkedRun(kiln_model *model, const execution::SessionSettings &settings,
                     const execution::InputSet &inputs);
  /// Checks that the CUDA graph gives the same bits under every schedule.
  void checkSchedules(kiln_model *model, const execution::SessionSettings &settings,
                      const execution::InputSet &inputs, const Outputs &expected);
  void checkOutputs(const Outputs &found, const Reference &expected,
                    kiln_model *model) const;

  const KernelCase &test;
  TempFolder folder;
  std::string source, package;
  /// Host package for comparison with a case for GPUs only; otherwise `package`.
  std::string hostPackage;
};

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_CASERUNNER_H
