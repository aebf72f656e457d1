//===- PackWeights.cpp - Panels for the weights of matmuls -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_PACKWEIGHTSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kPass = "kiln-pack-weights";

/// Why the right operand stays as it is; empty if it is packed.
static StringRef refusal(MatmulOp op) {
  Value weight = op.getRhs();
  if (CastOp widened = asWidenedWeight(weight))
    weight = widened.getInput();
  if (weight.getDefiningOp<UnpackOp>())
    return "it is packed already";
  if (!isCompileTime(weight))
    return "the right operand is not known at compile time";
  if (rankOf(weight) != 2)
    return "the right operand is no matrix";
  if (!isa<FloatType>(elementTypeOf(weight)))
    return "the elements are no floats";
  return {};
}

unsigned kiln::packWeights(func::FuncOp function, int64_t width, int64_t narrowWidth) {
  unsigned packed = 0;
  if (isBake(function))
    return packed;
  function.walk([&](MatmulOp op) {
    if (StringRef why = refusal(op); !why.empty()) {
      remarkMissed(op, kPass, "pack", why.str());
      return;
    }
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value weight = op.getRhs();
    CastOp widened = op.getTf32() ? CastOp() : asWidenedWeight(weight);
    if (widened)
      weight = widened.getInput();
    if (op.getTransposeB())
      weight = swapLastTwo(builder, loc, weight);
    auto matrix = cast<RankedTensorType>(weight.getType());
    bool isNarrow = matrix.getElementTypeBitWidth() == 16;
    Value panels = PackOp::create(builder, loc, weight,
                                  builder.getI64IntegerAttr(isNarrow ? narrowWidth : width));
    Value unpacked = UnpackOp::create(builder, loc, matrix, panels);
    if (widened)
      unpacked = CastOp::create(builder, loc, matrix.clone(elementTypeOf(widened)), unpacked);
    op.getRhsMutable().assign(unpacked);
    op.setTransposeB(false);
    ++packed;
  });
  return packed;
}

namespace {
class PackWeightsPass : public kiln::impl::PackWeightsPassBase<PackWeightsPass> {
public:
  using PackWeightsPassBase::PackWeightsPassBase;
  void runOnOperation() override {
    if (width <= 0 || narrowWidth < 0) {
      emitError(getOperation().getLoc(), "kiln-pack-weights: expected a positive width, found ")
          << std::min<int64_t>(width, narrowWidth);
      return signalPassFailure();
    }
    numPacked += packWeights(getOperation(), width, narrowWidth ? narrowWidth : width);
  }
};
} // namespace
