//===- Accuracy.h - kiln compile --accuracy ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_ACCURACY_H
#define KILN_LIB_DRIVER_ACCURACY_H

#include "AccuracyBudget.h"
#include "Options.h"
#include "kiln/Pipeline/Compile.h"
#include <optional>

namespace kiln::driver {

struct AccuracySettings {
  std::optional<AccuracyBudget> budget;
  std::string policyOut; ///< a file for the policy that was found
};

void declareAccuracyOptions(OptionTable &table, AccuracySettings &settings);

/// That the options fit each other. Without samples of its own a budget takes
/// `calibration`, the samples of --calib, which may be empty. Errors: KILN-E0001.
llvm::Error checkAccuracy(AccuracySettings &settings, const CompileOptions &options,
                          const std::string &calibration);

/// Adds rules to the policy that keep products in f32 until the budget holds, and writes
/// `options.accuracy`. The model is compiled for this machine's CPU, in full precision
/// and as the policy says, once per measurement; a calibration that the policy has is
/// used by all of them. `deadline`: no measurement begins that would likely end later, in
/// seconds of now(); 0: none.
/// Errors: KILN-E0127 if the budget is not met, and those of compiling and measuring.
llvm::Error meetBudget(CompileOptions &options, const AccuracySettings &settings,
                       double deadline);

/// The lines of the compile's report.
void printAccuracy(llvm::raw_ostream &os, const AccuracyBudget &budget,
                   const AccuracyRecord &record);

/// As --precision reads it.
llvm::Error writePolicy(const std::string &path, const PrecisionPolicy &policy);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_ACCURACY_H
