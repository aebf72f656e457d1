//===- PackWeights.cpp - Packing of matmul weights ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/BlockScaledWeight.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/PassOptions.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Bake/ScaledLayout.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_PACKWEIGHTSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kPackWeightsPass = "kiln-pack-weights";

/// Returns why the right operand is not packed; empty if it is.
static StringRef packRefusal(MatmulOp op) {
  Value weight = op.getRhs();
  if (auto scaled = BlockScaledWeight::of(weight))
    weight = scaled->numbers.getInput();
  else if (CastOp widened = asWidenedWeight(weight))
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

/// Returns the table [N, K] of which a matmul's weight is the transpose; null if it is
/// not one.
static Value tableOf(MatmulOp op, Value weight) {
  if (op.getTransposeB())
    return weight;
  auto transpose = weight.getDefiningOp<TransposeOp>();
  return transpose && swapsLastTwo(transpose.getPermutation()) ? transpose.getInput()
                                                               : Value();
}

/// Lets gathers from a table that is also packed, as for tied embeddings, read the
/// panels, so that the package has the table once. A row becomes a column of a panel,
/// whose elements are strided, but few compared to the panels that the matmul reads.
static void shareWithGathers(Value table, UnpackOp unpacked) {
  SmallVector<GatherOp> gathers;
  for (Operation *user : table.getUsers())
    if (auto gather = dyn_cast<GatherOp>(user))
      if (gather.getData() == table && gather.getAxis() == 0 &&
          !isCompileTime(gather.getIndices()))
        gathers.push_back(gather);
  if (gathers.empty())
    return;
  // Moves the panels' ops, which depend on the table alone, before all gathers.
  Operation *place = table.getDefiningOp();
  for (Operation *part : collectTree(unpacked))
    if (place->isBeforeInBlock(part)) {
      part->moveAfter(place);
      place = part;
    }
  OpBuilder builder(unpacked->getContext());
  builder.setInsertionPointAfter(unpacked);
  Value rows = swapLastTwo(builder, unpacked.getLoc(), unpacked);
  for (GatherOp gather : gathers)
    gather.getDataMutable().assign(rows);
}

static int64_t widthFor(RankedTensorType matrix, const PanelWidths &widths) {
  if (matrix.getElementTypeBitWidth() > 16)
    return widths.width;
  auto columns = getDims(matrix)[1].getConstant();
  return columns && *columns % widths.narrow == 0 ? widths.narrow : widths.narrowTile;
}

static UnpackOp throughPanels(OpBuilder &builder, Value matrix, int64_t width) {
  Location loc = matrix.getLoc();
  Value panels =
      PackOp::create(builder, loc, matrix, builder.getI64IntegerAttr(width));
  return UnpackOp::create(builder, loc, cast<RankedTensorType>(matrix.getType()), panels);
}

/// Makes the same widening cast for another value.
static Value widenLike(OpBuilder &builder, CastOp widened, Value narrow) {
  auto type = cast<RankedTensorType>(narrow.getType());
  auto cast = CastOp::create(builder, widened.getLoc(),
                             type.clone(elementTypeOf(widened)), narrow);
  cast->setDiscardableAttrs(widened->getDiscardableAttrDictionary());
  return cast;
}

/// Packs the elements and the scales of a block-scaled weight into separate panels of
/// equal width.
static void packBlockScaled(MatmulOp op, BlockScaledWeight weight,
                            const PanelWidths &widths) {
  OpBuilder builder(op);
  Value numbers = weight.numbers.getInput(), scales = weight.scales.getInput();
  int64_t width = widthFor(cast<RankedTensorType>(numbers.getType()), widths);
  numbers = widenLike(builder, weight.numbers, throughPanels(builder, numbers, width));
  scales = widenLike(builder, weight.scales, throughPanels(builder, scales, width));
  LayoutWriter w(builder, op.getLoc());
  op.getRhsMutable().assign(
      w.binary(BinaryKind::mul, numbers, w.repeat(scales, 0, weight.block)));
}

static void pack(MatmulOp op, const PanelWidths &widths) {
  OpBuilder builder(op);
  Value weight = op.getRhs();
  if (auto scaled = BlockScaledWeight::of(weight); scaled && !op.getTransposeB())
    return packBlockScaled(op, *scaled, widths);
  CastOp widened = asWidenedWeight(weight);
  // Tensor cores multiply equal types, except for weights stored as bytes.
  if (widened && op.getTf32() && !widened->hasAttr(kInKernelAttr))
    widened = CastOp();
  if (widened)
    weight = widened.getInput();
  Value table = tableOf(op, weight);
  if (op.getTransposeB())
    weight = swapLastTwo(builder, op.getLoc(), weight);
  auto matrix = cast<RankedTensorType>(weight.getType());
  UnpackOp unpacked = throughPanels(builder, weight, widthFor(matrix, widths));
  op.getRhsMutable().assign(widened ? widenLike(builder, widened, unpacked)
                                    : unpacked.getResult());
  op.setTransposeB(false);
  if (table && table.getDefiningOp())
    shareWithGathers(table, unpacked);
}

unsigned kiln::packWeights(func::FuncOp function, const PanelWidths &widths) {
  unsigned packed = 0;
  if (isBake(function))
    return packed;
  function.walk([&](MatmulOp op) {
    if (StringRef why = packRefusal(op); !why.empty()) {
      remarkMissed(op.getLoc(), kPackWeightsPass, "pack", why);
      return;
    }
    pack(op, widths);
    remarkPassed(op.getLoc(), kPackWeightsPass, "pack",
                 "its weight is stored in panels of columns, which are read in order");
    ++packed;
  });
  return packed;
}

namespace {
class PackWeightsPass : public kiln::impl::PackWeightsPassBase<PackWeightsPass> {
public:
  using PackWeightsPassBase::PackWeightsPassBase;
  LogicalResult initialize(MLIRContext *context) override {
    return success(
        succeeded(checkOption(*this, width, 1, kMaxPanelWidth, context)) &&
        succeeded(checkOption(*this, narrowWidth, 0, kMaxPanelWidth, context)) &&
        succeeded(checkOption(*this, narrowTile, 0, kMaxPanelWidth, context)));
  }
  void runOnGraph() override {
    int64_t narrow = narrowWidth ? narrowWidth : width;
    numPacked +=
        packWeights(getOperation(), {width, narrow, narrowTile ? narrowTile : narrow});
  }
};
} // namespace
