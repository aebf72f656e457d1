//===- SplitKeys.cpp - Keys split over several blocks ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitKeys.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Splits whose results are loaded together, before the first of them is merged. More
/// than these would not hide more of the memory latency.
static constexpr int64_t kTogether = 4;

SplitKeys::SplitKeys(const AttentionBuilder &attention, AttentionTile tile, int64_t keys,
                     int64_t maxKeys, VisibleKeys &visible)
    : AttentionBuilder(attention), tile(tile), keys(keys),
      maxSplits(std::max<int64_t>(llvm::divideCeil(maxKeys, keys), 2)),
      rows(std::min(program.knownRows().value_or(tile.rows), tile.rows)),
      visible(visible) {}

//===----------------------------------------------------------------------===//
// The workspace
//===----------------------------------------------------------------------===//

int64_t SplitKeys::elementsPerSplit() const { return rows * (tile.columnLanes + 2); }

void SplitKeys::setWorkspace(tile::KernelOp shell, graph::KernelOp kernel) const {
  SymbolicExpr tiles(1);
  for (const Loop *loop : {&program.batch, &program.keyHead, &program.outer})
    tiles *= loop->extent;
  SymbolicExpr bytesPerTile = count() * SymbolicExpr(elementsPerSplit() * bytes());
  codegen::setWorkspace(shell, kernel, tiles * bytesPerTile, tiles);
}

/// Lays out the workspace of a tile: the results of all splits, then their maxima, then
/// their denominators.
void SplitKeys::openWorkspace(Value number) {
  Value workspace = tile::WorkspaceOp::create(
      b, loc, tile::BufferType::get(b.getContext(), program.accumulator));
  Value splits = emitter.index(count());
  Value begin = mul(mul(number, splits), index(elementsPerSplit()));
  OpFoldResult height = b.getIndexAttr(rows), width = b.getIndexAttr(tile.columnLanes);
  OpFoldResult one = b.getIndexAttr(1), area = b.getIndexAttr(rows * tile.columnLanes);
  results = view(workspace, begin, {splits, height, width}, {area, width, one});
  Value rest = add(begin, mul(splits, index(rows * tile.columnLanes)));
  maxima = view(workspace, rest, {splits, height}, {height, one});
  rest = add(rest, mul(splits, index(rows)));
  denominators = view(workspace, rest, {splits, height}, {height, one});
}

void SplitKeys::store(Value split, const AttentionMainloop::State &state) {
  SmallVector<int64_t> masked;
  if (rows < tile.rows)
    masked.push_back(0);
  tile::StoreOp::create(b, loc, state.result, results,
                        ValueRange{split, index(0), index(0)}, masked);
  tile::StoreOp::create(b, loc, state.maximum, maxima, ValueRange{split, index(0)},
                        masked);
  tile::StoreOp::create(b, loc, state.sum, denominators, ValueRange{split, index(0)},
                        masked);
}

SplitKeys::RowState SplitKeys::load(Value split, Value row) {
  Type element = program.accumulator;
  return {tile::LoadOp::create(b, loc, element, maxima, ValueRange{split, row}),
          tile::LoadOp::create(b, loc, element, denominators, ValueRange{split, row}),
          tile::LoadOp::create(b, loc, fragType({tile.columnLanes}), results,
                               ValueRange{split, row, index(0)})};
}

//===----------------------------------------------------------------------===//
// One split
//===----------------------------------------------------------------------===//

void SplitKeys::emit(Value number, Value split, QueryRows rows,
                     AttentionMainloop &mainloop, function_ref<void()> finish) {
  KeyRange seen = visible.range(rows, tile.keys);
  Value length = index(keys);
  // One split must write the results of rows that see no key, even if `seen` begins past
  // the last split.
  first = minimum(divide(seen.begin, length), sub(emitter.index(count()), index(1)));
  end = b.createOrFold<arith::MaxSIOp>(
      loc, divide(add(seen.end, index(keys - 1)), length), add(first, index(1)));
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  };
  Value hasKeys =
      arith::AndIOp::create(b, loc, compare(arith::CmpIPredicate::sge, split, first),
                            compare(arith::CmpIPredicate::slt, split, end));
  scf::IfOp::create(b, loc, hasKeys, [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    Value begin = mul(split, length);
    KeyRange own{b.createOrFold<arith::MaxSIOp>(loc, begin, seen.begin),
                 minimum(add(begin, length), seen.end)};
    openWorkspace(number);
    store(split, mainloop.attendSplit(rows, own));
    Value isLast = tile::TicketOp::create(b, loc, b.getI1Type(), number, sub(end, first),
                                          uint64_t(maxSplits));
    scf::IfOp::create(b, loc, isLast, [&](OpBuilder &, Location) {
      NodeEmitter::Scope scope(emitter);
      finish();
      scf::YieldOp::create(b, loc);
    });
    scf::YieldOp::create(b, loc);
  });
}

//===----------------------------------------------------------------------===//
// All splits of a row
//===----------------------------------------------------------------------===//

SplitKeys::Values SplitKeys::merge(ValueRange before, const RowState &more,
                                   AttentionMainloop &mainloop) {
  Value maximum = arith::MaximumFOp::create(b, loc, before[0], more.maximum);
  Value older = mainloop.shrinkTo(before[0], maximum),
        newer = mainloop.shrinkTo(more.maximum, maximum);
  Value added = arith::MulFOp::create(b, loc, more.sum, newer);
  Value sum = math::FmaOp::create(b, loc, before[1], older, added);
  Value result = map({before[2], more.result}, [&](OpBuilder &b, ValueRange x) -> Value {
    Value added = arith::MulFOp::create(b, loc, x[1], newer);
    return math::FmaOp::create(b, loc, x[0], older, added);
  });
  return {maximum, sum, result};
}

SplitKeys::Values SplitKeys::mergeRange(Value begin, Value end, int64_t together,
                                        Value row, ValueRange before,
                                        AttentionMainloop &mainloop) {
  auto body = [&](OpBuilder &, Location, Value split, ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    SmallVector<RowState> loaded;
    for (int64_t i = 0; i < together; ++i)
      loaded.push_back(load(add(split, index(i)), row));
    Values state(carried);
    for (const RowState &more : loaded)
      state = merge(state, more, mainloop);
    scf::YieldOp::create(b, loc, state);
  };
  auto loop = scf::ForOp::create(b, loc, begin, end, index(together), before, body);
  return Values(loop.getResults());
}

Value SplitKeys::mergeRow(Value row, Value query, AttentionMainloop &mainloop) {
  auto [maximum, sum] = mainloop.initialRow();
  Values state{maximum, sum,
               tile::FillOp::create(b, loc, fragType({tile.columnLanes}), number(0.0))};
  Value count = sub(end, first);
  Value whole = add(first, mul(divide(count, index(kTogether)), index(kTogether)));
  state = mergeRange(first, whole, kTogether, row, state, mainloop);
  state = mergeRange(whole, end, 1, row, state, mainloop);
  if (!program.lseOutputs.empty())
    storeLse(mainloop.lseOf(b, state[0], state[1]), query, index(1));
  Value inverse = invert(b, state[1]);
  return map({state[2]}, [&](OpBuilder &b, ValueRange x) -> Value {
    return normalize(b, x[0], inverse);
  });
}
