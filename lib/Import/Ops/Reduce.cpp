//===- Reduce.cpp - Reductions --------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/IntFold.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::ReduceKind;
using graph::UnaryKind;

/// Builds kinds that the dialect defines only for floats from those it defines for
/// integers.
static Value reduceIntegers(Node &n, ReduceKind kind, Value x, ArrayRef<int64_t> axes,
                            bool keep) {
  switch (kind) {
  case ReduceKind::l1:
    return n.reduce(ReduceKind::sum, n.unary(UnaryKind::abs, x), axes, keep);
  case ReduceKind::sum_square:
    return n.reduce(ReduceKind::sum, n.binary(BinaryKind::mul, x, x), axes, keep);
  case ReduceKind::mean: {
    SymbolicExpr count = 1;
    for (int64_t axis : axes)
      count *= n.dims(x)[axis];
    Value sum = n.reduce(ReduceKind::sum, x, axes, keep);
    Value divisor = n.integers(IntTensor::scalar(count, n.builder.getI64Type()));
    return sum ? n.binary(BinaryKind::div, sum, n.cast(divisor, n.elementType(sum)))
               : sum;
  }
  default: {
    Value wide = n.reduce(kind, n.cast(x, n.builder.getF64Type()), axes, keep);
    return n.cast(wide, n.elementType(x));
  }
  }
}

static Value reduceAny(Node &n, ReduceKind kind, Value x, ArrayRef<int64_t> axes,
                       bool keep) {
  if (!x)
    return {};
  Type type = n.elementType(x);
  bool onIntegers = kind == ReduceKind::sum || kind == ReduceKind::prod ||
                    kind == ReduceKind::max || kind == ReduceKind::min;
  if (type.isInteger(1)) {
    Type byte = n.builder.getIntegerType(8, /*isSigned=*/false);
    return n.cast(n.reduce(kind, n.cast(x, byte), axes, keep), type);
  }
  if (isa<FloatType>(type) || onIntegers)
    return n.reduce(kind, x, axes, keep);
  return reduceIntegers(n, kind, x, axes, keep);
}

/// Folds ReduceProd of a shape, which exporters use to count elements.
static std::optional<IntTensor> foldReduce(Node &n, ReduceKind kind,
                                           ArrayRef<int64_t> axes, bool keep) {
  const IntTensor *known = n.content(0);
  if (!known || known->rank() != 1 || axes.size() != 1)
    return std::nullopt;
  std::optional<SymbolicExpr> value;
  if (kind == ReduceKind::prod) {
    value = product(known->elements);
  } else if (kind == ReduceKind::sum) {
    value = SymbolicExpr(0);
    for (const SymbolicExpr &element : known->elements)
      value =
          isReasonable(element) && isReasonable(*value) && !element.isConstant(INT64_MAX)
              ? std::optional(*value + element)
              : std::nullopt;
  } else if ((kind == ReduceKind::max || kind == ReduceKind::min) &&
             !known->elements.empty()) {
    value = known->elements[0];
    for (const SymbolicExpr &element : known->elements)
      value = kind == ReduceKind::max ? n.symbols.maxOf(*value, element)
                                      : n.symbols.minOf(*value, element);
  }
  if (!value)
    return std::nullopt;
  return keep ? IntTensor::vector({*value}, known->elementType)
              : IntTensor::scalar(*value, known->elementType);
}

/// Builds a reduction over no axes, which only applies the kind's pre- and postprocessing
/// to each element.
static Value reduceNothing(Node &n, ReduceKind kind, Value x) {
  if (!x)
    return {};
  switch (kind) {
  case ReduceKind::l1:
  case ReduceKind::l2:
    return n.elementType(x).isUnsignedInteger() ? x : n.unary(UnaryKind::abs, x);
  case ReduceKind::sum_square:
    return n.binary(BinaryKind::mul, x, x);
  case ReduceKind::log_sum:
    return n.unary(UnaryKind::log, x);
  default:
    return x;
  }
}

static LogicalResult reduceAxes(Node &n, ReduceKind kind,
                                const std::optional<SmallVector<int64_t>> &given) {
  int64_t rank = n.inputRank(0);
  bool all = !given || given->empty();
  if (all && n.intAttr("noop_with_empty_axes", 0))
    return n.result(reduceNothing(n, kind, n.input(0)));
  SmallVector<int64_t> list;
  if (all)
    for (int64_t axis = 0; axis < rank; ++axis)
      list.push_back(axis);
  else
    list = *given;
  auto axes = n.axes(list, rank);
  if (!axes)
    return failure();
  bool keep = n.intAttr("keepdims", 1);
  if (std::optional<IntTensor> folded = foldReduce(n, kind, *axes, keep))
    return n.result(*folded);
  return n.result(reduceAny(n, kind, n.input(0), *axes, keep));
}

/// Imports a reduction; axes are an attribute before opset 18 (ReduceSum: 13), then an
/// input.
static LogicalResult importReduce(Node &n, ReduceKind kind, int inputSince = 18) {
  if (n.sinceVersion() < inputSince)
    return reduceAxes(n, kind, n.intsAttr("axes"));
  if (!n.hasInput(1))
    return reduceAxes(n, kind, std::nullopt);
  auto axes = n.requireConstants(1, "list of axes");
  return axes ? reduceAxes(n, kind, axes) : failure();
}

LogicalResult kiln::import::importReduceSum(Node &n) {
  return importReduce(n, ReduceKind::sum, 13);
}
LogicalResult kiln::import::importReduceMean(Node &n) {
  return importReduce(n, ReduceKind::mean);
}
LogicalResult kiln::import::importReduceMax(Node &n) {
  return importReduce(n, ReduceKind::max);
}
LogicalResult kiln::import::importReduceMin(Node &n) {
  return importReduce(n, ReduceKind::min);
}
LogicalResult kiln::import::importReduceProd(Node &n) {
  return importReduce(n, ReduceKind::prod);
}
LogicalResult kiln::import::importReduceL1(Node &n) {
  return importReduce(n, ReduceKind::l1);
}
LogicalResult kiln::import::importReduceL2(Node &n) {
  return importReduce(n, ReduceKind::l2);
}
LogicalResult kiln::import::importReduceSumSquare(Node &n) {
  return importReduce(n, ReduceKind::sum_square);
}
LogicalResult kiln::import::importReduceLogSum(Node &n) {
  return importReduce(n, ReduceKind::log_sum);
}
LogicalResult kiln::import::importReduceLogSumExp(Node &n) {
  return importReduce(n, ReduceKind::log_sum_exp);
}
