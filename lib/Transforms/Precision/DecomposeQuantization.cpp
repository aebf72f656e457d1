//===- DecomposeQuantization.cpp - Decomposes scaling to elementwise ops --===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantization that no matmul absorbed. Kernels keep values between 16-bit ops in f32, so
// a division with f16 result is computed in f32 and rounded by a cast.
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Reference/Folding.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_DECOMPOSEQUANTIZATIONPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
template <typename OpT> class QuantizationDecomposition {
public:
  explicit QuantizationDecomposition(OpT op)
      : op(op), b(op), loc(op.getLoc()), f32(b.getF32Type()),
        dims(getDims(op.getInput())) {}

  Value run();

private:
  Value cast(Value value, Type to) {
    if (elementTypeOf(value) == to)
      return value;
    return CastOp::create(b, loc, makeTensorType(getDims(value), to), value);
  }
  /// Casts a scale or zero point to the type of the computation. A constant is converted
  /// directly, as a cast of it would be a separate kernel.
  Value castParameter(Value value, Type to) {
    Value result = cast(value, to);
    if (result == value || !value.getDefiningOp<ConstantOp>())
      return result;
    std::optional<DenseElementsAttr> folded = reference::foldOp(result.getDefiningOp());
    if (!folded)
      return result;
    result.getDefiningOp()->erase();
    return ConstantOp::create(b, loc, *folded);
  }
  Value binary(BinaryKind kind, Value lhs, Value rhs) {
    return BinaryOp::create(b, loc, kind, lhs, rhs);
  }
  /// Reshapes a scale or zero point so that it broadcasts to the input.
  Value spread(Value parameter);
  Value repeat(Value blocks, int64_t axis, int64_t block);

  OpT op;
  OpBuilder b;
  Location loc;
  Type f32;
  Dims dims;
};
} // namespace

template <typename OpT> Value QuantizationDecomposition<OpT>::spread(Value parameter) {
  if (!op.getAxis())
    return parameter;
  int64_t axis = *op.getAxis();
  if (op.getBlock())
    return repeat(parameter, axis, *op.getBlock());
  Dims column(dims.size(), 1);
  column[axis] = dims[axis];
  return reshapeTo(b, loc, parameter, column);
}

/// Repeats every element `block` times along the axis, and truncates to the input's size.
template <typename OpT>
Value QuantizationDecomposition<OpT>::repeat(Value blocks, int64_t axis, int64_t block) {
  Dims own = getDims(blocks), split = own, whole = own;
  split.insert(split.begin() + axis + 1, 1);
  Value single = reshapeTo(b, loc, blocks, split);
  split[axis + 1] = block;
  Value copies =
      BroadcastOp::create(b, loc, makeTensorType(split, elementTypeOf(blocks)), single);
  whole[axis] = own[axis] * SymbolicExpr(block);
  Value result = reshapeTo(b, loc, copies, whole);
  if (whole == dims)
    return result;
  Dims starts(dims.size(), 0);
  return SliceOp::create(b, loc, makeTensorType(dims, elementTypeOf(blocks)), result,
                         makeShape(b.getContext(), starts),
                         SmallVector<int64_t>(dims.size(), 1));
}

template <> Value QuantizationDecomposition<QuantizeOp>::run() {
  Type element = elementTypeOf(op.getInput()), to = elementTypeOf(op.getResult());
  Type wide = element.isF64() ? element : f32;
  Value scale = spread(castParameter(op.getScale(), wide));
  Value result = binary(BinaryKind::div, cast(op.getInput(), wide), scale);
  result = cast(cast(result, element), wide);
  if (isa<IntegerType>(to))
    result = UnaryOp::create(b, loc, UnaryKind::round, result);
  if (Value zero = op.getZeroPoint())
    result = binary(BinaryKind::add, result, spread(castParameter(zero, wide)));
  return CastOp::create(b, loc, op.getType(), result, op.getOverflows(),
                        ScaleRoundingAttr());
}

template <> Value QuantizationDecomposition<DequantizeOp>::run() {
  Value result = cast(op.getInput(), f32);
  if (Value zero = op.getZeroPoint())
    result = binary(BinaryKind::sub, result, spread(castParameter(zero, f32)));
  result = binary(BinaryKind::mul, result, spread(castParameter(op.getScale(), f32)));
  return cast(result, elementTypeOf(op.getResult()));
}

namespace {
struct DecomposeQuantizationPass
    : public kiln::impl::DecomposeQuantizationPassBase<DecomposeQuantizationPass> {
  void runOnGraph() override {
    getOperation()->walk([](Operation *op) {
      Value value;
      if (auto quantize = dyn_cast<QuantizeOp>(op))
        value = QuantizationDecomposition<QuantizeOp>(quantize).run();
      else if (auto dequantize = dyn_cast<DequantizeOp>(op))
        value = QuantizationDecomposition<DequantizeOp>(dequantize).run();
      else
        return;
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    });
  }
};
} // namespace
