//===- Accuracy.h - kiln compile --accuracy ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_QUANTIZATION_ACCURACY_H
#define KILN_QUANTIZATION_ACCURACY_H

#include "kiln/Pipeline/Compile.h"
#include "kiln/Quantization/AccuracyBudget.h"
#include <functional>
#include <optional>

namespace kiln::quantization {

struct AccuracySettings {
  std::optional<AccuracyBudget> budget;
  std::string policyOut; ///< a file for the policy that was found
  /// Asked before each measurement, whether the search is to stop; null: it is not.
  std::function<bool()> isInterrupted;
};

/// Adds rules to the policy that keep products in f32 until the budget holds, and writes
/// `options.accuracy`. The model is compiled for this machine's CPU, in full precision
/// and as the policy says, once per measurement; a calibration that the policy has is
/// used by all of them. `deadline`: no measurement begins that would likely end later, in
/// seconds of now(); 0: none.
/// Errors: KILN-E0127 if the budget is not met, and those of compiling and measuring.
llvm::Error meetBudget(CompileOptions &options, const AccuracySettings &settings,
                       double deadline);

/// As --precision reads it.
llvm::Error writePolicy(const std::string &path, const PrecisionPolicy &policy);

} // namespace kiln::quantization

#endif // KILN_QUANTIZATION_ACCURACY_H
