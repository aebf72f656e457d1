//===- QuantizeWeight.h - Panels of a weight --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Reference.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_QUANTIZEWEIGHT_H
#define KILN_LIB_REFERENCE_QUANTIZEWEIGHT_H

#include "dialects/Graph/Graph.h"

#include <vector>

namespace kiln::reference {

/// The operand of graph.quantize_weight, row-major.
struct WeightMatrix {
  int64_t rows, columns;
  std::vector<float> values;

  int64_t panels() const;
  /// Returns 16 columns, [rows, 16]; the last panel is padded with zeros.
  std::vector<float> panel(int64_t number) const;
};

/// Computes part `multipliers`; the Hessian is [rows, rows].
std::vector<float> findMultipliers(graph::QuantizeWeightOp op, const WeightMatrix &weight,
                                   const float *hessian);

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_QUANTIZEWEIGHT_H
