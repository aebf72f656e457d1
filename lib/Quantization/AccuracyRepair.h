//===- AccuracyRepair.h - Products that stay precise ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_ACCURACYREPAIR_H
#define KILN_LIB_QUANTIZATION_ACCURACYREPAIR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace kiln::quantization {

/// Measures the model with these products, by number and in ascending order, in full
/// precision and the others quantized.
using MeasureLoss =
    llvm::function_ref<llvm::Expected<double>(llvm::ArrayRef<size_t> kept)>;

struct RepairTask {
  std::vector<uint64_t> bytes; ///< by product: what keeping it precise adds
  double allowed = 0;          ///< the budget
  /// Measurements that find blames, at most. More products than that are judged in
  /// groups of successive ones, of which the worst are judged one by one.
  size_t maxBlames = 64;
};

/// Successive products that are judged together.
struct BlameGroup {
  size_t begin = 0, end = 0;
  uint64_t bytes = 0;
  double blame = 0; ///< the loss that keeping these alone takes away
  bool kept = false;

  size_t size() const { return end - begin; }
};

struct RepairResult {
  bool holds = false;
  double quantized = 0; ///< the loss without repair
  /// The loss of what is kept; if nothing holds, of all groups kept but the last.
  double repaired = 0;
  /// The loss of what is kept if blames added up.
  double predicted = 0;
  std::vector<BlameGroup> groups; ///< by blame per byte, the most first
  std::vector<size_t> kept;       ///< products, ascending
};

/// Greedy repair by measured blame. The blame of a product is what the loss falls by when
/// this product alone stays precise: what repairing it gains, next to the errors of all
/// others. Products are kept in the order of blame per byte, as many as the budget needs;
/// how many is found by measuring, beginning where the sum of blames predicts it.
/// Something has to be left to quantize: else nothing holds.
/// `quick` measures blames, perhaps on fewer samples; `loss` decides. Both are called in
/// an order that depends on what they return alone. Fails where they fail.
llvm::Expected<RepairResult> repairAccuracy(const RepairTask &task, MeasureLoss loss,
                                            MeasureLoss quick);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_ACCURACYREPAIR_H
