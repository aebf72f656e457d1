//===- SimplifyElementwise.cpp - Identities of elementwise ops -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Types/FloatFormat.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/PatternMatch.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

//===----------------------------------------------------------------------===//
// x op constant == x
//===----------------------------------------------------------------------===//

/// Whether x op number == x.
static bool isRightNeutral(BinaryKind kind, double number, bool isFloat) {
  switch (kind) {
  case BinaryKind::mul:
  case BinaryKind::div:
  case BinaryKind::pow:
    return number == 1;
  case BinaryKind::add:
    // -0.0 + 0.0 is 0.0: of both zeros only -0.0 leaves every float unchanged.
    return number == 0 && (!isFloat || std::signbit(number));
  case BinaryKind::sub:
    return number == 0 && (!isFloat || !std::signbit(number));
  case BinaryKind::logical_and:
    return number == 1;
  case BinaryKind::logical_or:
  case BinaryKind::logical_xor:
    return number == 0;
  default:
    return false;
  }
}

static bool isCommutative(BinaryKind kind) {
  return kind != BinaryKind::div && kind != BinaryKind::pow && kind != BinaryKind::sub;
}

namespace {
struct DropNeutral : OpRewritePattern<BinaryOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BinaryOp op, PatternRewriter &rewriter) const override {
    bool isFloat = isa<FloatType>(elementTypeOf(op.getResult()));
    for (bool right : {true, false}) {
      Value kept = right ? op.getLhs() : op.getRhs();
      std::optional<double> number = splatOf(right ? op.getRhs() : op.getLhs());
      // Conditions may be widened by a broadcast: masks are read through broadcasts.
      bool mayWiden =
          elementTypeOf(kept).isInteger(1) && elementTypeOf(op.getResult()).isInteger(1);
      if (!number || (kept.getType() != op.getType() && !mayWiden) ||
          (!right && !isCommutative(op.getKind())) ||
          !isRightNeutral(op.getKind(), *number, isFloat))
        continue;
      if (kept.getType() == op.getType())
        rewriter.replaceOp(op, kept);
      else
        rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), kept);
      return success();
    }
    return failure();
  }
};

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Whether every value of `from` is a value of `to`.
bool holdsAll(Type from, Type to) {
  if (auto a = dyn_cast<FloatType>(from)) {
    auto b = dyn_cast<FloatType>(to);
    // f16 has not the range of f8E8M0FNU, and of narrow floats none holds another's NaN.
    if (b && a != b && (isNarrow(to) || (isPowerOfTwoType(from) && to.isF16())))
      return false;
    // f16 and bf16 have the same width, and neither contains the other.
    return b && (a == b || a.getWidth() < b.getWidth());
  }
  auto a = dyn_cast<IntegerType>(from), b = dyn_cast<IntegerType>(to);
  return a && b && !a.isInteger(1) && a.getSignedness() == b.getSignedness() &&
         a.getWidth() <= b.getWidth();
}

/// Removes casts to the same type, and replaces cast(cast(x)) by cast(x) if the first
/// cast is exact.
struct SimplifyCast : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp op, PatternRewriter &rewriter) const override {
    if (op.getInput().getType() == op.getType()) {
      rewriter.replaceOp(op, op.getInput());
      return success();
    }
    auto inner = op.getInput().getDefiningOp<CastOp>();
    if (!inner ||
        !holdsAll(elementTypeOf(inner.getInput()), elementTypeOf(inner.getResult())))
      return failure();
    if (inner.getInput().getType() == op.getType())
      rewriter.replaceOp(op, inner.getInput());
    else
      rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), inner.getInput(),
                                          op.getOverflows(), op.getRoundingAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Selects
//===----------------------------------------------------------------------===//

/// Whether both are splats of the same value; 0 and -0 differ.
bool areOneSplat(Value a, Value b) {
  std::optional<double> first = splatOf(a), second = splatOf(b);
  return first && second && *first == *second &&
         std::signbit(*first) == std::signbit(*second);
}

struct SimplifySelect : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    std::optional<double> condition = splatOf(op.getCondition());
    Value chosen = condition && *condition == 0 ? op.getOnFalse() : op.getOnTrue();
    if (!condition && op.getOnTrue() != op.getOnFalse() &&
        !areOneSplat(op.getOnTrue(), op.getOnFalse()))
      return failure();
    rewriter.replaceOp(op, broadcastTo(rewriter, op.getLoc(), chosen, op.getType()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

/// Returns the dims that all operands of an elementwise op broadcast to.
std::optional<Dims> broadcastAll(ArrayRef<Value> operands) {
  Dims result;
  for (Value operand : operands) {
    std::optional<Dims> both = broadcastDims(result, getDims(operand));
    if (!both)
      return std::nullopt;
    result = *both;
  }
  return result;
}

/// Replaces op(broadcast(x), y) by op(x, y) if the op broadcasts x implicitly.
struct DropImplicitBroadcast : OpInterfaceRewritePattern<InferTypeOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(InferTypeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasTrait<kiln::graph::Elementwise>())
      return failure();
    SmallVector<Value> operands(op->getOperands());
    for (Value &operand : operands) {
      auto broadcast = operand.getDefiningOp<BroadcastOp>();
      if (!broadcast)
        continue;
      operand = broadcast.getInput();
      std::optional<Dims> dims = broadcastAll(operands);
      if (dims && *dims == getDims(op->getResult(0))) {
        rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
        return success();
      }
      operand = broadcast.getResult();
    }
    return failure();
  }
};

/// Replaces f(broadcast(x)) by broadcast(f(x)), which computes fewer elements.
template <typename OpT> struct SinkBroadcast : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getInput().template getDefiningOp<BroadcastOp>();
    if (!broadcast || !broadcast->hasOneUse())
      return failure();
    Value input = broadcast.getInput();
    Type type = makeTensorType(getDims(input), elementTypeOf(op.getResult()));
    Operation *smaller = rewriter.create(op.getLoc(), op->getName().getIdentifier(),
                                         input, type, op->getAttrs());
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), smaller->getResult(0));
    return success();
  }
};
} // namespace

void kiln::populateSimplifyElementwisePatterns(RewritePatternSet &patterns) {
  patterns.add<DropNeutral, SimplifyCast, SimplifySelect, DropImplicitBroadcast,
               SinkBroadcast<UnaryOp>, SinkBroadcast<CastOp>>(patterns.getContext());
}
