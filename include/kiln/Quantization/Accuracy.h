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
  std::string policyOut; ///< output file for the resulting policy
  /// Called before each measurement to ask whether the search must stop; null: never.
  std::function<bool()> isInterrupted;
};

/// Adds rules to the policy that keep matmuls in f32 until the budget holds, and sets
/// `options.accuracy`. The model is compiled for this machine's CPU, once in full
/// precision and once per measurement with the policy; all compiles use the policy's
/// calibration. deadline: in seconds of now(), no measurement begins that would probably
/// end later; 0: none.
/// Errors: KILN-E0127 if the budget is not met, and those of compiling and measuring.
llvm::Error meetBudget(CompileOptions &options, const AccuracySettings &settings,
                       double deadline);

/// Writes a policy in the format that --precision reads.
llvm::Error writePolicy(const std::string &path, const PrecisionPolicy &policy);

} // namespace kiln::quantization

#endif // KILN_QUANTIZATION_ACCURACY_H
