//===- LastPosition.cpp - Computes the last position only -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LastPosition.h"
#include "kiln/Analysis/Indexing.h"
#include "kiln/Analysis/Match.h"
#include "llvm/ADT/SetVector.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
class LastPosition {
public:
  LastPosition(func::FuncOp program, Value counts, const SymbolicExpr &positions)
      : program(program), counts(counts), sequences(getDims(counts)[0]),
        positions(positions), builder(program.getContext()) {}

  unsigned run();

private:
  bool isPerPosition(Value value) const;
  bool isRowWise(Operation *op) const;
  bool isState(unsigned result) {
    return bool(program.getResultAttr(result, kStateAttr));
  }
  bool hasOnlyUsers(Operation *op);
  void collect();
  Value makePlaces(Location loc);
  Value atLast(Value value);
  void shorten(Value value);

  func::FuncOp program;
  Value counts;
  SymbolicExpr sequences, positions;
  OpBuilder builder;
  llvm::SmallSetVector<Operation *, 16> moved; ///< ops computed for one position, users
                                               ///< first
  DenseMap<Value, Value> gathered;
  Value places; ///< [sequences, 1]: the last position of each, as an index into all
                ///< positions
};
} // namespace

bool LastPosition::isPerPosition(Value value) const {
  Dims dims = getDims(value);
  return dims.size() >= 2 && dims[0] == sequences && dims[1] == positions;
}

/// Whether element [s, p, ...] of the result depends only on the operands' elements [s,
/// p, ...].
bool LastPosition::isRowWise(Operation *op) const {
  if (op->getNumResults() != 1 || !isPerPosition(op->getResult(0)))
    return false;
  OpIndexing indexing(op);
  std::optional<AxisReads> sequence = readsAlong(op, indexing, 0),
                           position = readsAlong(op, indexing, 1);
  if (!position || (!sequence && !sequences.isConstant(1)))
    return false;
  bool readsPositions = false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    bool isPerRow = (*position)[i] == AxisRead{1, 0} && isPerPosition(operand) &&
                    (!sequence || (*sequence)[i] == AxisRead{0, 0});
    bool isShared = !(*position)[i] && !(sequence && (*sequence)[i]);
    if (!isPerRow && !isShared)
      return false;
    readsPositions |= isPerRow;
  }
  return readsPositions;
}

bool LastPosition::hasOnlyUsers(Operation *op) {
  return llvm::all_of(op->getResult(0).getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<func::ReturnOp>(user))
      return !isState(use.getOperandNumber());
    return moved.contains(user);
  });
}

/// Collects the ops all of whose users need one position, from the results backward.
void LastPosition::collect() {
  for (Operation &op : llvm::reverse(program.front().without_terminator()))
    if (isRowWise(&op) && !op.use_empty() && hasOnlyUsers(&op))
      moved.insert(&op);
}

static Value scalar(OpBuilder &b, Location loc, int64_t value) {
  auto type = RankedTensorType::get({}, b.getI64Type());
  return ConstantOp::create(b, loc, DenseElementsAttr::get(type, value));
}

/// Builds sequence * positions + min(max(count - 1, 0), positions - 1).
Value LastPosition::makePlaces(Location loc) {
  auto binary = [&](BinaryKind kind, Value a, Value b) -> Value {
    return BinaryOp::create(builder, loc, kind, a, b);
  };
  auto number = [&](const SymbolicExpr &value) { return makeSize(builder, loc, value); };
  Value last = binary(BinaryKind::sub, counts, scalar(builder, loc, 1));
  last = binary(BinaryKind::max, last, scalar(builder, loc, 0));
  last = binary(BinaryKind::min, last, number(positions - 1));
  Value sequence =
      IotaOp::create(builder, loc, counts.getType(), 0, APFloat(0.0), APFloat(1.0));
  Value first = binary(BinaryKind::mul, sequence, number(positions));
  Value place = binary(BinaryKind::add, first, last);
  return ReshapeOp::create(
      builder, loc, makeTensorType({sequences, SymbolicExpr(1)}, builder.getI64Type()),
      place);
}

Value LastPosition::atLast(Value value) {
  auto [it, inserted] = gathered.try_emplace(value);
  if (!inserted)
    return it->second;
  Location loc = value.getLoc();
  if (!places) {
    builder.setInsertionPointToStart(&program.front());
    places = makePlaces(loc);
  }
  builder.setInsertionPointAfterValue(value);
  if (value.getParentBlock() == &program.front() && isa<BlockArgument>(value))
    builder.setInsertionPointAfter(places.getDefiningOp());
  Dims flat = getDims(value);
  flat.erase(flat.begin());
  flat[0] = sequences * positions;
  Value rows =
      ReshapeOp::create(builder, loc, makeTensorType(flat, elementTypeOf(value)), value);
  Value taken = GatherOp::create(builder, loc, rows, places, /*axis=*/0);
  return gathered[value] = taken;
}

/// Changes the type of a value that is computed for one position: dim 1 becomes 1.
void LastPosition::shorten(Value value) {
  Dims dims = getDims(value);
  dims[1] = 1;
  value.setType(makeTensorType(dims, elementTypeOf(value)));
}

unsigned LastPosition::run() {
  auto ret = cast<func::ReturnOp>(program.front().getTerminator());
  collect();
  // Slices the operands of the first ops that are computed for one position.
  for (Operation *op : moved)
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      bool isMoved = producer && moved.contains(producer);
      if (!isMoved && isPerPosition(operand.get()))
        operand.set(atLast(operand.get()));
    }
  unsigned changed = 0;
  for (OpOperand &operand : ret->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (isState(operand.getOperandNumber()) || !isPerPosition(operand.get()))
      continue;
    ++changed;
    if (!producer || !moved.contains(producer))
      operand.set(atLast(operand.get()));
  }
  for (Operation *op : moved)
    shorten(op->getResult(0));
  program.setType(FunctionType::get(program.getContext(), program.getArgumentTypes(),
                                    ret.getOperandTypes()));
  return changed;
}

unsigned kiln::graph::keepLastPosition(func::FuncOp program, Value counts,
                                       const SymbolicExpr &positions) {
  // With a single position, the index is 0.
  if (positions.isConstant(1))
    return 0;
  return LastPosition(program, counts, positions).run();
}
