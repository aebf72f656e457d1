//===- DividedWeight.cpp - Weights divided along K ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Transforms/Bake/DividedWeight.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

std::optional<DividedWeights::Found> DividedWeights::find(OpBuilder &builder,
                                                          Value part) {
  if (auto get = part.getDefiningOp<GetWeightOp>()) {
    auto weight = baker.getSymbols().lookup<WeightOp>(get.getWeight());
    std::optional<WeightPart> about = partOf(weight);
    auto whole =
        about ? baker.getSymbols().lookup<WeightOp>(about->of.getValue()) : WeightOp();
    if (!whole || !whole.getFile())
      return std::nullopt; // @bake has repeated or sliced it
    Value read = GetWeightOp::create(builder, part.getLoc(), whole.getType(), about->of);
    return Found{{read, axisOfPart(weight)}, about->axis};
  }
  Operation *op = part.getDefiningOp();
  if (!isa_and_nonnull<CastOp, TransposeOp>(op))
    return std::nullopt;
  std::optional<Found> found = find(builder, op->getOperand(0));
  if (!found)
    return std::nullopt;
  Value whole = found->whole.matrix;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    found->whole.matrix = TransposeOp::create(builder, op->getLoc(), whole, permutation);
    found->axis =
        std::distance(permutation.begin(), llvm::find(permutation, found->axis));
  } else
    found->whole.matrix = CastOp::create(
        builder, op->getLoc(),
        cast<RankedTensorType>(whole.getType()).clone(elementTypeOf(part)), whole);
  return found;
}

DividedWeights::Whole DividedWeights::wholeOf(OpBuilder &builder, Value part) {
  std::optional<Found> found = find(builder, part);
  return found && found->axis == 0 ? found->whole : Whole();
}

Value DividedWeights::divide(OpBuilder &builder, Value whole, int64_t axis,
                             const MeshAxis &ranks) {
  StringRef name = weightNameOf(collectTree(whole));
  WeightOp weight = baker.set(baker.copy(whole), name + "_whole");
  int64_t length = *getDims(whole)[axis].getConstant() / ranks.size;
  return readPart(builder, whole.getLoc(), baker.getSymbols(), weight, axis, length,
                  ranks.stride);
}
