//===- AccuracyRepair.h - Matmuls kept in full precision --------*- C++ -*-===//
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

/// Measures the model with the given matmuls, by number in ascending order, in full
/// precision and the others quantized.
using MeasureLoss =
    llvm::function_ref<llvm::Expected<double>(llvm::ArrayRef<size_t> kept)>;

struct RepairTask {
  std::vector<uint64_t> bytes; ///< per matmul: bytes added by full precision
  double allowed = 0;          ///< the budget
  /// Maximum number of measurements of blame. If there are more matmuls, groups of
  /// successive ones are measured first, and then the matmuls of the worst groups.
  size_t maxBlames = 64;
};

/// Successive matmuls that are measured together.
struct BlameGroup {
  size_t begin = 0, end = 0;
  uint64_t bytes = 0;
  double blame = 0; ///< decrease of the loss if only these are in full precision
  bool kept = false;

  size_t size() const { return end - begin; }
};

struct RepairResult {
  bool holds = false;
  double quantized = 0; ///< loss without repair
  /// Loss with `kept` in full precision; if the budget does not hold, the loss with all
  /// groups but the last.
  double repaired = 0;
  /// Loss with `kept` in full precision if blames were additive.
  double predicted = 0;
  std::vector<BlameGroup> groups; ///< by falling blame per byte
  std::vector<size_t> kept;       ///< matmuls, ascending
};

/// Greedy repair by measured blame. The blame of a matmul is the decrease of the loss if
/// only this matmul is in full precision and all others remain quantized. Matmuls are
/// kept in full precision in the order of blame per byte, as many as the budget requires;
/// their number is found by measuring, starting from the number that additive blames
/// predict. At least one matmul must remain quantized, or the budget does not hold.
/// `quick` measures blames, possibly on fewer samples; `loss` decides. The order of their
/// calls depends only on what they return. Fails if one of them fails.
llvm::Expected<RepairResult> repairAccuracy(const RepairTask &task, MeasureLoss loss,
                                            MeasureLoss quick);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_ACCURACYREPAIR_H
