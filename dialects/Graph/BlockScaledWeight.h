//===- BlockScaledWeight.h - Weights with scales per block ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_BLOCKSCALEDWEIGHT_H
#define KILN_DIALECTS_GRAPH_BLOCKSCALEDWEIGHT_H

#include "dialects/Graph/Graph.h"

#include <optional>

namespace kiln::graph {

/// A weight [K, N] that kernels dequantize to f32 as they read it: each f8E4M3FN element
/// is multiplied by the scale of its column and block along K (MXFP8: OCP Microscaling
/// Formats v1.0, section 5.1). Both casts carry kInKernelAttr:
///
///     %w = graph.cast %numbers {graph.in_kernel}  // [K, N] of f8E4M3FN
///     %s = graph.cast %scales {graph.in_kernel}   // [K / block, N] of f8E8M0FNU
///     %r = each row of %s `block` times           // reshape, broadcast, reshape
///     %m = graph.binary mul %w, %r
struct BlockScaledWeight {
  CastOp numbers, scales;
  int64_t block;

  /// Matches the graph.binary mul that `value` is the result of; nullopt for all other
  /// values, and where K or the number of blocks is dynamic.
  static std::optional<BlockScaledWeight> of(mlir::Value value);
};

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_BLOCKSCALEDWEIGHT_H
