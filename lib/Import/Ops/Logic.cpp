//===- Logic.cpp - Comparisons, booleans, selection -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/IntFold.h"
#include "lib/Import/Ops/Ops.h"

#include <limits>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::UnaryKind;

static LogicalResult importCompare(Node &n, CompareKind kind) {
  if (std::optional<IntTensor> folded = foldCompare(n, kind))
    return n.result(*folded);
  return n.result(n.compare(kind, n.input(0), n.input(1)));
}

LogicalResult kiln::import::importEqual(Node &n) {
  return importCompare(n, CompareKind::equal);
}
LogicalResult kiln::import::importLess(Node &n) {
  return importCompare(n, CompareKind::less);
}
LogicalResult kiln::import::importLessOrEqual(Node &n) {
  return importCompare(n, CompareKind::less_equal);
}
LogicalResult kiln::import::importGreater(Node &n) {
  return importCompare(n, CompareKind::greater);
}
LogicalResult kiln::import::importGreaterOrEqual(Node &n) {
  return importCompare(n, CompareKind::greater_equal);
}

static LogicalResult importLogical(Node &n, BinaryKind kind) {
  if (std::optional<IntTensor> folded = foldBinary(n, kind))
    return n.result(*folded);
  return n.result(n.binary(kind, n.input(0), n.input(1)));
}

LogicalResult kiln::import::importAnd(Node &n) {
  return importLogical(n, BinaryKind::logical_and);
}
LogicalResult kiln::import::importOr(Node &n) {
  return importLogical(n, BinaryKind::logical_or);
}
LogicalResult kiln::import::importXor(Node &n) {
  return importLogical(n, BinaryKind::logical_xor);
}

LogicalResult kiln::import::importNot(Node &n) {
  if (std::optional<IntTensor> folded = foldUnary(n, UnaryKind::logical_not))
    return n.result(*folded);
  return n.result(n.unary(UnaryKind::logical_not, n.input(0)));
}

LogicalResult kiln::import::importWhere(Node &n) {
  if (std::optional<IntTensor> folded = foldWhere(n))
    return n.result(*folded);
  return n.result(n.select(n.input(0), n.input(1), n.input(2)));
}

LogicalResult kiln::import::importIsNaN(Node &n) {
  return n.result(n.unary(UnaryKind::is_nan, n.input(0)));
}

LogicalResult kiln::import::importIsInf(Node &n) {
  Value x = n.input(0);
  double infinity = std::numeric_limits<double>::infinity();
  bool positive = n.intAttr("detect_positive", 1),
       negative = n.intAttr("detect_negative", 1);
  if (!positive && !negative)
    return n.result(n.fill(n.dims(x), n.builder.getI1Type(), 0));
  if (positive && negative)
    x = n.unary(UnaryKind::abs, x);
  Value limit = n.scalarLike(x, positive ? infinity : -infinity);
  return n.result(n.compare(CompareKind::equal, x, limit));
}

/// Imports Binarizer of ai.onnx.ml: 1 above a threshold, else 0.
LogicalResult kiln::import::importBinarizer(Node &n) {
  Value x = n.input(0);
  if (!x)
    return failure();
  Value isAbove = n.compare(graph::CompareKind::greater, x,
                            n.scalarLike(x, n.floatAttr("threshold", 0)));
  return n.result(n.select(isAbove, n.scalarLike(x, 1), n.scalarLike(x, 0)));
}
