//===- OpIndexing.cpp - The index maps of all ops -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trait Elementwise has the maps of elementwise ops.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Indexing.h"
#include "dialects/Graph/PartialAttention.h"

using namespace kiln::graph;
using namespace mlir;
using Rule = DataVariable::Rule;

/// Returns the indices with the one along `axis` replaced.
static Dims withPlace(ArrayRef<SymbolicExpr> places, int64_t axis, SymbolicExpr place) {
  Dims result(places);
  result[axis] = std::move(place);
  return result;
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

void ReshapeOp::getIndexingMaps(IndexingMaps &maps) {
  maps.setMoves();
  SymbolicExpr position = IndexVars::linearize(maps.places(), getDims(getResult()));
  maps.read(0, maps.vars().delinearize(position, getDims(getInput())));
}

void TransposeOp::getIndexingMaps(IndexingMaps &maps) {
  maps.setMoves();
  Dims at(maps.places().size());
  for (auto [i, from] : llvm::enumerate(getPermutation()))
    at[from] = maps.places()[i];
  maps.read(0, at);
}

void BroadcastOp::getIndexingMaps(IndexingMaps &maps) {
  maps.setMoves();
  maps.readBroadcast(0, getInput());
}

void SliceOp::getIndexingMaps(IndexingMaps &maps) {
  maps.setMoves();
  Dims at;
  for (auto [place, start, step] :
       llvm::zip(maps.places(), getDims(getStarts()), getSteps()))
    at.push_back(start + place * SymbolicExpr(step));
  maps.read(0, at);
}

void ConcatOp::getIndexingMaps(IndexingMaps &maps) {
  maps.setMoves();
  int64_t axis = getAxis();
  SymbolicExpr place = maps.places()[axis], first;
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    SymbolicExpr end = first + getDims(input)[axis];
    maps.read(i, withPlace(maps.places(), axis, place - first)).where(place, first, end);
    first = end;
  }
}

void GatherOp::getIndexingMaps(IndexingMaps &maps) {
  maps.setMoves();
  int64_t axis = getAxis(), rank = getDims(getIndices()).size();
  ArrayRef<SymbolicExpr> places = maps.places();
  Dims at(places.take_front(axis));
  at.push_back(maps.readIndex(1, Dims(places.slice(axis, rank)), Rule::Clamped,
                              getDims(getData())[axis]));
  llvm::append_range(at, places.drop_front(axis + rank));
  maps.read(0, at);
}

/// Update m of a column survives if it is the last update of the element's row.
void ScatterOp::getIndexingMaps(IndexingMaps &maps) {
  if (!getCombine())
    maps.setMoves();
  Dims indices = getDims(getIndices()), at(maps.places());
  maps.read(0, at);
  SymbolicExpr row = at[1], rows = getDims(getData())[1];
  at[1] = maps.reduce(indices[1]);
  Dims ofIndex = withPlace(at, 2, indices[2].isConstant(1) ? SymbolicExpr(0) : at[2]);
  SymbolicExpr index = maps.readIndex(1, ofIndex, Rule::Wrapped, rows);
  maps.read(2, at).where(index - row, 0, 1);
}

/// Columns after the operand's last one are zeros.
void PackOp::getIndexingMaps(IndexingMaps &maps) {
  ArrayRef<SymbolicExpr> places = maps.places();
  SymbolicExpr column = places[0] * SymbolicExpr(getWidth()) + places[2];
  maps.read(0, {places[1], column}).where(column, 0, getDims(getInput())[1]);
}

void UnpackOp::getIndexingMaps(IndexingMaps &maps) {
  maps.setMoves();
  ArrayRef<SymbolicExpr> places = maps.places();
  auto [panel, column] = maps.vars().divMod(places[1], getDims(getInput())[2]);
  maps.read(0, {panel, places[0], column});
}

void IotaOp::getIndexingMaps(IndexingMaps &maps) {
  maps.dependOn(maps.places()[getAxis()]);
}

void FillOp::getIndexingMaps(IndexingMaps &) {} // all elements are equal

/// Row i of sequence b is written at position starts[b] + i.
void KvWriteOp::getIndexingMaps(IndexingMaps &maps) {
  maps.setMoves();
  int64_t axis = getAxis();
  Dims places(maps.places()), dims = getDims(getState());
  SymbolicExpr row = maps.reduce(getDims(getRows())[axis]);
  SymbolicExpr start = maps.readIndex(2, {places[0]}, Rule::Plain),
               count = maps.readIndex(3, {places[0]}, Rule::Plain),
               position = start + row;
  maps.read(0, places);
  OperandRead &rows = maps.read(1, withPlace(places, axis, row));
  rows.where(row, 0, count);
  if (getRing())
    rows.where(0, 0, start + 1).where(position.mod(dims[axis]) - places[axis], 0, 1);
  else
    rows.where(position - places[axis], 0, 1);
}

//===----------------------------------------------------------------------===//
// Reductions and norms
//===----------------------------------------------------------------------===//

/// Reads the element itself, and all elements of its row along axes [first, end).
static void readRow(IndexingMaps &maps, Value input, int64_t first, int64_t end) {
  Dims at(maps.places()), dims = getDims(input);
  maps.read(0, at);
  for (int64_t axis = first; axis < end; ++axis)
    at[axis] = maps.reduce(dims[axis]);
  maps.read(0, at);
}

void SoftmaxOp::getIndexingMaps(IndexingMaps &maps) {
  readRow(maps, getInput(), getAxis(), getAxis() + 1);
}

void LayerNormOp::getIndexingMaps(IndexingMaps &maps) {
  readRow(maps, getInput(), getAxis(), maps.places().size());
  for (OpOperand &operand : llvm::drop_begin(getOperation()->getOpOperands()))
    maps.readBroadcast(operand.getOperandNumber(), operand.get());
}

void RmsNormOp::getIndexingMaps(IndexingMaps &maps) {
  readRow(maps, getInput(), getAxis(), maps.places().size());
  maps.readBroadcast(1, getScale());
}

void ReduceOp::getIndexingMaps(IndexingMaps &maps) {
  Dims at;
  ArrayRef<SymbolicExpr> places = maps.places();
  for (auto [axis, dim] : llvm::enumerate(getDims(getInput()))) {
    bool isReduced = llvm::is_contained(getAxes(), int64_t(axis));
    at.push_back(isReduced ? maps.reduce(dim) : places.front());
    if (!isReduced || getKeepDims())
      places = places.drop_front();
  }
  maps.read(0, at);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

void MatmulOp::getIndexingMaps(IndexingMaps &maps) {
  ArrayRef<SymbolicExpr> lead = maps.places().drop_back(2);
  Dims lhs = getDims(getLhs()), rhs = getDims(getRhs());
  SymbolicExpr k = maps.reduce(getTransposeA() ? lhs[lhs.size() - 2] : lhs.back());
  auto readMatrix = [&](unsigned operand, const Dims &dims, SymbolicExpr row,
                        SymbolicExpr column, bool isTransposed) {
    Dims at = broadcastPlaces(lead, ArrayRef(dims).drop_back(2));
    at.push_back(isTransposed ? column : row);
    at.push_back(isTransposed ? row : column);
    maps.read(operand, at);
  };
  readMatrix(0, lhs, maps.places()[lead.size()], k, getTransposeA());
  readMatrix(1, rhs, k, maps.places().back(), getTransposeB());
}

/// Adds the conditions of causal masks, windows and lengths to the read of keys or
/// values.
template <typename Op>
static void hideKeys(Op op, const SymbolicExpr &query, const SymbolicExpr &key,
                     const SymbolicExpr &length, OperandRead &read) {
  Dims queries = getDims(op.getQuery()), keys = getDims(op.getKey());
  if (op.getLengths())
    read.where(key, 0, length);
  if (!op.getCausal())
    return;
  SymbolicExpr end = op.getFromLength() ? length : keys[2];
  end = end + query - queries[2] + 1;
  read.where(key, op.getWindow() ? end - SymbolicExpr(*op.getWindow()) : 0, end);
}

/// Adds the reads of query and keys at key `key`. Returns the index of the key, whose
/// last dim is the reduction variable, and sets `length` to the number of keys of the
/// sequence.
template <typename Op>
static Dims readScores(Op op, IndexingMaps &maps, const SymbolicExpr &key,
                       SymbolicExpr &length) {
  ArrayRef<SymbolicExpr> places = maps.places();
  Dims queries = getDims(op.getQuery()), keys = getDims(op.getKey());
  SymbolicExpr element = maps.reduce(queries[3]);
  maps.read(0, {places[0], places[1], places[2], element});
  int64_t group = *queries[1].getConstant() / *keys[1].getConstant();
  SymbolicExpr head = maps.vars().divMod(places[1], group).first;
  for (OpOperand &lengths : op.getLengthsMutable())
    length = maps.readIndex(lengths.getOperandNumber(), {places[0]}, Rule::Plain);
  Dims at{places[0], head, key, element};
  hideKeys(op, places[2], key, length, maps.read(1, at));
  return at;
}

void AttentionOp::getIndexingMaps(IndexingMaps &maps) {
  SymbolicExpr key = maps.reduce(getDims(getKey())[2]), length;
  Dims at = readScores(*this, maps, key, length);
  Dims scores(maps.places().drop_back());
  scores.push_back(key);
  for (MutableOperandRange range : {getMaskMutable(), getKeepMutable()})
    for (OpOperand &operand : range)
      maps.read(operand.getOperandNumber(),
                broadcastPlaces(scores, getDims(operand.get())));
  for (OpOperand &sinks : getSinksMutable())
    maps.read(sinks.getOperandNumber(), {scores[1]});
  for (MutableOperandRange range : {getKeyScalesMutable(), getValueScalesMutable()})
    for (OpOperand &scales : range)
      maps.read(scales.getOperandNumber(), {at[0], at[1], key});
  at[3] = maps.places()[3];
  hideKeys(*this, scores[2], key, length, maps.read(2, at));
}

void AttentionLseOp::getIndexingMaps(IndexingMaps &maps) {
  SymbolicExpr key = maps.reduce(getDims(getKey())[2]), length;
  Dims at = readScores(*this, maps, key, length);
  for (OpOperand &scales : getKeyScalesMutable())
    maps.read(scales.getOperandNumber(), {at[0], at[1], key});
}

/// Adds the reads of a pair of elements and of its cosine and sine.
static void readPairs(IndexingMaps &maps, RopeOp op, int64_t pairs) {
  Dims places(maps.places());
  SymbolicExpr element = places.back();
  auto readAt = [&](unsigned operand, Value value, const SymbolicExpr &last) {
    places.back() = last;
    return &maps.read(operand, broadcastPlaces(places, getDims(value)));
  };
  auto readTables = [&](const SymbolicExpr &pair, int64_t first, int64_t end) {
    readAt(1, op.getCosine(), pair)->where(element, first, end);
    readAt(2, op.getSine(), pair)->where(element, first, end);
  };
  if (op.getInterleaved()) {
    auto [pair, side] = maps.vars().divMod(element, 2);
    for (int64_t own : {0, 1})
      readAt(0, op.getInput(), element + SymbolicExpr(1 - 2 * own))
          ->where(element, 0, 2 * pairs)
          .where(side, own, own + 1);
    return readTables(pair, 0, 2 * pairs);
  }
  readAt(0, op.getInput(), element + SymbolicExpr(pairs))->where(element, 0, pairs);
  readAt(0, op.getInput(), element - SymbolicExpr(pairs))
      ->where(element, pairs, 2 * pairs);
  readTables(element, 0, pairs);
  readTables(element - SymbolicExpr(pairs), pairs, 2 * pairs);
}

void RopeOp::getIndexingMaps(IndexingMaps &maps) {
  maps.read(0, Dims(maps.places()));
  readPairs(maps, *this, *getDims(getCosine()).back().getConstant());
}

//===----------------------------------------------------------------------===//
// Quantization
//===----------------------------------------------------------------------===//

/// Adds the read of scales: one per tensor, one per index along the axis, or one per
/// block along it.
template <typename Op> static void readScaled(Op op, IndexingMaps &maps) {
  maps.read(0, Dims(maps.places()));
  Dims at;
  if (op.getBlock()) {
    at = Dims(maps.places());
    SymbolicExpr &place = at[*op.getAxis()];
    place = maps.vars().divMod(place, int64_t(*op.getBlock())).first;
  } else if (getDims(op.getScale()).size() == 1) {
    at.push_back(maps.places()[*op.getAxis()]);
  }
  for (OpOperand &operand : llvm::drop_begin(op->getOpOperands()))
    maps.read(operand.getOperandNumber(), at);
}

void QuantizeOp::getIndexingMaps(IndexingMaps &maps) { readScaled(*this, maps); }
void DequantizeOp::getIndexingMaps(IndexingMaps &maps) { readScaled(*this, maps); }

/// Scales and row sums of the input are indexed by row and by block of K.
void ScaledMatmulOp::getIndexingMaps(IndexingMaps &maps) {
  IndexVars &vars = maps.vars();
  ArrayRef<SymbolicExpr> places = maps.places();
  Dims input = getDims(getInput());
  SymbolicExpr k = maps.reduce(input.back());
  unsigned weightNumber = getWeightMutable().getOperandNumber();
  for (OpOperand &operand : getOperation()->getOpOperands().take_front(weightNumber)) {
    Dims at(places.drop_back());
    SymbolicExpr blocks = getDims(operand.get()).back();
    at.push_back(vars.divMod(k, input.back().exactDiv(blocks).value_or(1)).first);
    maps.read(operand.getOperandNumber(), at);
  }
  auto [panel, column] = vars.divMod(places.back(), getPanelWidth());
  auto [word, step] = vars.divMod(k, getStepsPerWord());
  maps.read(weightNumber, {panel, word, column, step.mod(4)});
  for (OpOperand &operand :
       llvm::drop_begin(getOperation()->getOpOperands(), weightNumber + 1)) {
    Dims dims = getDims(operand.get()),
         at{panel, vars.divMod(k, getWeightFormat().getBlock()).first, column};
    if (dims.size() == 4) { // [panel, group of blocks, column, block in the group]
      auto [group, inner] = vars.divMod(at[1], dims[3]);
      at = {panel, group, column, inner};
    }
    maps.read(operand.getOperandNumber(), at);
  }
}

/// A panel consists of columns of the weight with all of K; results that are scalars per
/// weight read all of it.
void QuantizeWeightOp::getIndexingMaps(IndexingMaps &maps) {
  SymbolicExpr row = maps.reduce(getK());
  bool isPanel = maps.places().size() > 2;
  SymbolicExpr column = isPanel
                            ? maps.places()[0] * SymbolicExpr(kWidth) + maps.places()[2]
                            : maps.reduce(getColumns());
  maps.read(0, {row, column}).where(column, 0, getColumns());
  for (OpOperand &factor : getFactorMutable())
    maps.read(factor.getOperandNumber(), {row, maps.reduce(getK())});
  for (OpOperand &unit : getUnitMutable())
    maps.read(unit.getOperandNumber(), {});
}

//===----------------------------------------------------------------------===//
// Collectives: indices into the tensors of all ranks, with the rank as a variable
//===----------------------------------------------------------------------===//

void AllReduceOp::getIndexingMaps(IndexingMaps &maps) {
  maps.read(0, Dims(maps.places()));
}

void AllGatherOp::getIndexingMaps(IndexingMaps &maps) {
  SymbolicExpr part = getDims(getInput())[getAxis()];
  Dims at(maps.places());
  at[getAxis()] = maps.vars().divMod(at[getAxis()], part).second;
  maps.read(0, at);
}

void ReduceScatterOp::getIndexingMaps(IndexingMaps &maps) {
  SymbolicExpr part = getDims(getResult())[getAxis()];
  Dims at(maps.places());
  at[getAxis()] += maps.reduce(getRanks()) * part;
  maps.read(0, at);
}

void AllToAllOp::getIndexingMaps(IndexingMaps &maps) {
  SymbolicExpr part = *getDims(getInput())[getAxis()].exactDiv(getRanks());
  Dims at(maps.places());
  at[getAxis()] =
      maps.vars().divMod(at[getAxis()], part).second + maps.reduce(getRanks()) * part;
  maps.read(0, at);
}
