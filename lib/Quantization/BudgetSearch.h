//===- BudgetSearch.h - Products that a budget keeps precise ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_BUDGETSEARCH_H
#define KILN_LIB_QUANTIZATION_BUDGETSEARCH_H

#include "kiln/Pipeline/Compile.h"
#include "kiln/Quantization/AccuracyBudget.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace kiln::quantization {

/// Compiles a model by policies and measures what each of them loses.
class TrialModel {
public:
  virtual ~TrialModel() = default;

  /// The loss against full precision. quick: over as few samples as blame needs. report:
  /// gets what the compile did.
  virtual llvm::Expected<double> loss(const PrecisionPolicy &policy, bool quick,
                                      CompileReport &report) = 0;
  /// True if the quick loss is over fewer samples.
  virtual bool hasQuick() const = 0;
  /// Describes what the model is measured on: "32768 tokens of a text".
  virtual std::string samples() const = 0;
};

struct BudgetControl {
  /// No measurement begins that would likely end later, by the clock; 0: none.
  double deadline = 0;
  std::function<double()> clock;       ///< seconds
  std::function<bool()> isInterrupted; ///< null: it never is
  std::function<void(llvm::StringRef)> progress = nullptr;
};

struct BudgetResult {
  PrecisionPolicy policy; ///< with rules that keep products in f32
  AccuracyRecord record;
};

/// Finds the products that have to stay in f32 for the budget. Each policy is measured
/// once. Errors: KILN-E0127 if the budget is not met, the time is up, or the search is
/// interrupted, with the best that was found; and those of the model.
llvm::Expected<BudgetResult> searchBudget(TrialModel &model,
                                          const PrecisionPolicy &policy,
                                          const AccuracyBudget &budget,
                                          const BudgetControl &control);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_BUDGETSEARCH_H
