//===- PerSequenceTables.cpp - Tables read by position --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of positions are constants of which every sequence reads the rows of its own
// positions: slices whose start depends on the past's length become gathers.
//
//===----------------------------------------------------------------------===//

#include "PerSequence.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Analysis/PlaceReader.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

Value PerSequence::positionsFrom(OpBuilder &b, Location loc, const SymbolicExpr &first,
                                 const SymbolicExpr &count, bool isBackward) {
  Type type = makeTensorType({SymbolicExpr(1), count}, b.getI64Type());
  Value counted =
      IotaOp::create(b, loc, type, /*axis=*/1, llvm::APFloat(0.0), llvm::APFloat(1.0));
  Value lengths = reshapeTo(b, loc, length.lengths, {length.sequences, SymbolicExpr(1)});
  Value place = isBackward ? BinaryOp::create(b, loc, BinaryKind::sub, counted, lengths)
                           : BinaryOp::create(b, loc, BinaryKind::add, lengths, counted);
  return first.isConstant(0)
             ? place
             : BinaryOp::create(b, loc, BinaryKind::add, place,
                                makeNumber(b, loc, first, b.getI64Type()));
}

/// Transposes the dim at `axis` to the front.
static Value moveToFront(OpBuilder &b, Value value, int64_t axis) {
  if (axis == 0)
    return value;
  SmallVector<int64_t> permutation{axis};
  for (int64_t i = 0; i < rankOf(value); ++i)
    if (i != axis)
      permutation.push_back(i);
  return TransposeOp::create(b, value.getLoc(), value, permutation);
}

/// Positions of invalid new rows may exceed the table; this is not an error of the model,
/// so they are clamped.
static Value clampPlaces(OpBuilder &b, Location loc, Value places,
                         const SymbolicExpr &rows) {
  auto count = rows.getConstant();
  if (!count || *count < 1)
    return places;
  Type element = elementTypeOf(places);
  auto clamp = [&](BinaryKind kind, int64_t to) {
    places = BinaryOp::create(b, loc, kind, places, makeNumber(b, loc, to, element));
  };
  clamp(BinaryKind::min, *count - 1);
  clamp(BinaryKind::max, 0);
  return places;
}

/// Notes that a table of positions has, from row `first` on, one row for each row of a
/// sequence, which limits their number.
void PerSequence::noteRows(const SymbolicExpr &rows, const SymbolicExpr &first) {
  auto count = rows.getConstant(), begin = first.getConstant();
  if (count && begin && *begin >= 0)
    limit = std::min(limit.value_or(INT32_MAX), *count - *begin);
}

/// Clamps gathers from tables of positions.
void PerSequence::clampTables() {
  for (GatherOp op : main.front().getOps<GatherOp>()) {
    Value places = op.getIndices();
    PlaceReader reader(places);
    auto index = reader.read(places, reader.places);
    if (!index || !mentionsPast(*index))
      continue;
    SymbolicExpr first = *index - SymbolicExpr::symbol(length.past);
    for (const SymbolicExpr &place : reader.places)
      if (llvm::is_contained(first.getSymbols(), place.getSymbol()))
        first = first - place;
    SymbolicExpr rows = getDims(op.getData())[op.getAxis()];
    noteRows(rows, first);
    OpBuilder b(op);
    op.getIndicesMutable().assign(clampPlaces(b, op.getLoc(), places, rows));
  }
}

/// Finds an axis along which the start of a slice depends on the length, in `moving`;
/// false, with a problem, if the start cannot differ between sequences. from, dims: dims
/// of the lifted input and, without the first, of the result.
bool PerSequence::findMovingStart(SliceOp op, ArrayRef<SymbolicExpr> from,
                                  ArrayRef<SymbolicExpr> dims,
                                  std::optional<MovingStart> &moving) {
  SymbolicExpr past = SymbolicExpr::symbol(length.past);
  for (auto [i, start] : llvm::enumerate(getDims(op.getStarts()))) {
    if (from[i + 1] == length.capacity && !mentionsPast(start) &&
        dims[i] != length.capacity) {
      fail("a slice takes rows of past and new ones by fixed places",
           "all rows, or those from the past's length on", start.str());
      return false;
    }
    if (dims[i] == length.capacity && from[i + 1] != length.capacity &&
        !mentionsPast(start)) {
      auto rows = from[i + 1].getConstant();
      if (!rows || !start.isConstant(0)) {
        fail("a slice as long as past and new rows is of no constant table",
             "a slice from 0 on", from[i + 1].str());
        return false;
      }
      limit = std::min(limit.value_or(*rows), *rows);
    }
    if (!mentionsPast(start))
      continue;
    bool isBackward = !mentionsPast(start + past);
    SymbolicExpr first = isBackward ? start + past : start - past;
    // Backward slices must end with the table, as those of biases by distance (ALiBi).
    bool isKnown =
        isBackward ? (first + length.added).isConstant() : dims[i] != length.capacity;
    if (moving || mentionsPast(first) || !isKnown || op.getSteps()[i] != 1 ||
        !from[0].isConstant(1)) {
      fail("a slice begins at places that cannot be per sequence",
           length.past.getValue() + " + n", start.str());
      return false;
    }
    moving = MovingStart{i, first, isBackward};
  }
  return true;
}

/// Converts a slice: rows of a table from the length on are gathered, others are sliced.
Value PerSequence::convertSlice(OpBuilder &b, SliceOp op) {
  Location loc = op.getLoc();
  Value value = lift(b, op.getInput());
  std::optional<Dims> dims = value ? convertDims(getDims(op.getResult())) : std::nullopt;
  std::optional<MovingStart> moving;
  if (!dims || !findMovingStart(op, getDims(value), *dims, moving))
    return {};
  Dims from = getDims(value), fixed = getDims(op.getStarts()), taken = *dims;
  if (moving) {
    fixed[moving->axis] = 0;
    taken[moving->axis] = from[moving->axis + 1];
  }
  fixed.insert(fixed.begin(), SymbolicExpr(0));
  taken.insert(taken.begin(), from[0]);
  SmallVector<int64_t> steps(op.getSteps());
  steps.insert(steps.begin(), 1);
  if (taken != from)
    value = SliceOp::create(b, loc, makeTensorType(taken, elementTypeOf(value)), value,
                            makeShape(b.getContext(), fixed), steps);
  if (!moving)
    return value;
  auto [axis, first, isBackward] = *moving;
  noteRows(isBackward ? first + length.added : from[axis + 1],
           isBackward ? SymbolicExpr(0) : first);
  Value places = positionsFrom(b, loc, first, (*dims)[axis], isBackward);
  // Takes [1, ..., rows, ...] without its first dim to [..., sequences, count, ...].
  Dims table = taken;
  table.erase(table.begin());
  places = clampPlaces(b, loc, places, table[axis]);
  value = GatherOp::create(b, loc, reshapeTo(b, loc, value, table), places, axis);
  return moveToFront(b, value, axis);
}

Value PerSequence::convertGather(OpBuilder &b, GatherOp op) {
  Location loc = op.getLoc();
  int64_t axis = op.getAxis();
  if (!lifted.contains(op.getIndices())) {
    Value data = lift(b, op.getData());
    if (!data)
      return {};
    if (getDims(data)[axis + 1] == length.capacity)
      return fail("rows of past and new ones are gathered by fixed places");
    if (sequenceDim(getDims(op.getIndices())))
      return fail("a gather from what differs per sequence differs per sequence");
    return GatherOp::create(b, loc, data, op.getIndices(), axis + 1);
  }
  if (lifted.contains(op.getData()) || sequenceDim(getDims(op.getData())))
    return fail("a gather's table and its indices both differ per sequence",
                "one table for all sequences");
  Value result =
      GatherOp::create(b, loc, op.getData(), lifted.lookup(op.getIndices()), axis);
  return moveToFront(b, result, axis);
}
