//===- BudgetSearch.h - Search for policies within a budget -----*- C++ -*-===//
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

/// Compiles a model with policies and measures the loss of each.
class TrialModel {
public:
  virtual ~TrialModel() = default;

  /// Returns the loss against full precision; with `quick`, on a limited number of
  /// samples. `report` receives the compile's report.
  virtual llvm::Expected<double> loss(const PrecisionPolicy &policy, bool quick,
                                      CompileReport &report) = 0;
  /// Returns true if the quick loss uses fewer samples.
  virtual bool hasQuick() const = 0;
  /// Describes the samples, for example "32768 tokens of a text".
  virtual std::string samples() const = 0;
};

struct BudgetControl {
  /// Time by `clock` beyond which no measurement should end; 0: none.
  double deadline = 0;
  std::function<double()> clock;       ///< seconds
  std::function<bool()> isInterrupted; ///< null: never
  std::function<void(llvm::StringRef)> progress = nullptr;
};

struct BudgetResult {
  PrecisionPolicy policy; ///< has rules that keep matmuls in f32
  AccuracyRecord record;
};

/// Finds the matmuls that must stay in f32 to meet the budget. Each policy is measured
/// once. Errors: KILN-E0127, with the best result so far, if the budget is not met, time
/// is up, or the search is interrupted; and those of the model.
llvm::Expected<BudgetResult> searchBudget(TrialModel &model,
                                          const PrecisionPolicy &policy,
                                          const AccuracyBudget &budget,
                                          const BudgetControl &control);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_BUDGETSEARCH_H
