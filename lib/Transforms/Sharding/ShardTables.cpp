//===- ShardTables.cpp - Tables divided by rows ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardTables.h"
#include "dialects/Graph/IndexRows.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/Match.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

WeightOp kiln::graph::tableOf(GatherOp gather) {
  if (gather.getAxis() != 0 || isCompileTime(gather.getIndices()))
    return {};
  Value table = gather.getData();
  while (auto cast = table.getDefiningOp<CastOp>())
    table = cast.getInput();
  auto get = table.getDefiningOp<GetWeightOp>();
  return get ? get->getParentOfType<ModuleOp>().lookupSymbol<WeightOp>(get.getWeight())
             : WeightOp();
}

SmallVector<ShardedValue> kiln::graph::tableShards(GatherOp gather, int64_t ranks) {
  SmallVector<ShardedValue> shards;
  for (Value table = gather.getData();;
       table = table.getDefiningOp<CastOp>().getInput()) {
    shards.emplace_back(table, *wholeAxis(table, 0, ranks));
    if (table.getDefiningOp<GetWeightOp>())
      return shards;
  }
}

/// Builds [ranks * rows] of i32, the concatenated index tables of all ranks: each maps a
/// row of the original table to its index in the rank's part, or to -1.
static Value placesOfAll(OpBuilder &builder, Location loc, int64_t rows, int64_t ranks) {
  Type i32 = builder.getI32Type();
  auto count = [&](int64_t axis, int64_t step) -> Value {
    return IotaOp::create(builder, loc, makeTensorType({ranks, rows}, i32),
                          builder.getI64IntegerAttr(axis), builder.getF64FloatAttr(0),
                          builder.getF64FloatAttr(step));
  };
  auto compare = [&](CompareKind kind, Value place, double bound) -> Value {
    return CompareOp::create(builder, loc, kind, place,
                             makeSplat(builder, loc, i32, bound));
  };
  int64_t length = rows / ranks;
  Value place =
      BinaryOp::create(builder, loc, BinaryKind::sub, count(1, 1), count(0, length));
  Value isOwn = BinaryOp::create(builder, loc, BinaryKind::logical_and,
                                 compare(CompareKind::greater_equal, place, 0),
                                 compare(CompareKind::less, place, length));
  Value all =
      SelectOp::create(builder, loc, isOwn, place, makeSplat(builder, loc, i32, -1));
  return reshapeTo(builder, loc, all, {ranks * rows});
}

/// The index table is a weight that this lookup gathers from, so that the original
/// indices are still checked.
Value TableLookup::placesOf(OpBuilder &builder, Location loc, int64_t rows) {
  WeightOp &part = places[rows];
  if (!part) {
    OpBuilder bake(getOrCreateBake(symbols).front().getTerminator());
    Value all = placesOfAll(bake, loc, rows, ranks);
    WeightOp whole = createWeight(symbols, loc, "table_places_whole", all.getType());
    SetWeightOp::create(bake, loc, FlatSymbolRefAttr::get(whole.getSymNameAttr()), all);
    part = createWeight(symbols, loc, "table_places",
                        RankedTensorType::get({rows}, builder.getI32Type()));
    setPart(part, {FlatSymbolRefAttr::get(whole.getSymNameAttr()), 0});
    part->setAttr(kBoundsAttr, builder.getDenseI64ArrayAttr({-1, rows / ranks - 1}));
  }
  return GetWeightOp::create(builder, loc, part.getType(),
                             FlatSymbolRefAttr::get(part.getSymNameAttr()));
}

/// Sums in f32; all ranks but one contribute zeros.
void TableLookup::replace(GatherOp gather, Value part) {
  OpBuilder builder(gather);
  Location loc = gather.getLoc();
  int64_t rows = *getDims(gather.getData())[0].getConstant();
  Value place = GatherOp::create(builder, loc, placesOf(builder, loc, rows),
                                 gather.getIndices(), 0);
  Value zero = makeSplat(builder, loc, builder.getI32Type(), 0);
  Value isOwn = CompareOp::create(builder, loc, CompareKind::greater_equal, place, zero);
  Value row = BinaryOp::create(builder, loc, BinaryKind::max, place, zero);
  Value found = GatherOp::create(builder, loc, part, row, 0);
  if (!elementTypeOf(found).isF32())
    found = CastOp::create(
        builder, loc, cast<RankedTensorType>(found.getType()).clone(builder.getF32Type()),
        found);
  Dims each = getDims(isOwn);
  each.append(rankOf(part) - 1, 1);
  Value own = SelectOp::create(builder, loc, reshapeTo(builder, loc, isOwn, each), found,
                               makeSplat(builder, loc, builder.getF32Type(), 0));
  Value sum = AllReduceOp::create(builder, loc, ReduceKind::sum, own, ranks);
  if (sum.getType() != gather.getType())
    sum = CastOp::create(builder, loc, gather.getType(), sum);
  gather.getResult().replaceAllUsesWith(sum);
}
