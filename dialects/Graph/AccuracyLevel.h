//===- AccuracyLevel.h - What MatMulNBits asks of activations ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_ACCURACYLEVEL_H
#define KILN_DIALECTS_GRAPH_ACCURACYLEVEL_H

#include "llvm/ADT/StringRef.h"

namespace kiln::graph {

/// Discardable attribute (i64) of the graph.dequantize of a weight of MatMulNBits: the
/// node's accuracy_level. It changes no value; the precision report shows it.
inline constexpr llvm::StringLiteral kAccuracyLevelAttr = "accuracy_level";

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_ACCURACYLEVEL_H
