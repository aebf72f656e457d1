//===- PerSequence.cpp - Values per sequence ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PerSequence.h"
#include "kiln/Analysis/Match.h"
#include "kiln/ErrorCodes/Graph.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Dependence on the length
//===----------------------------------------------------------------------===//

bool PerSequence::mentionsPast(const SymbolicExpr &expr) const {
  return llvm::is_contained(expr.getSymbols(), length.past);
}

bool PerSequence::mentionsPast(Type type) const {
  return llvm::any_of(getDims(type),
                      [&](const SymbolicExpr &dim) { return mentionsPast(dim); });
}

bool PerSequence::followsPast(Operation *op) const {
  return dependsOnPast(op) ||
         llvm::any_of(op->getOperands(), [&](Value v) { return lifted.contains(v); });
}

bool PerSequence::dependsOnPast(Operation *op) const {
  if (llvm::any_of(op->getResultTypes(), [&](Type type) { return mentionsPast(type); }))
    return true;
  bool found = false;
  AttrTypeWalker walker;
  walker.addWalk([&](ShapeAttr shape) {
    found |= llvm::is_contained(shape.getSymbols(), length.past);
  });
  walker.walk(op->getAttrDictionary());
  return found;
}

std::optional<unsigned> PerSequence::sequenceDim(ArrayRef<SymbolicExpr> dims) const {
  if (length.sequences.isConstant())
    return std::nullopt;
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] == length.sequences)
      return i;
  return std::nullopt;
}

std::nullptr_t PerSequence::fail(const Twine &why, const Twine &expected,
                                 const Twine &found) {
  problem = {ErrorCode::PastLength, "",          why.str(),
             expected.str(),        found.str(), "compile with --no-state"};
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Conversion between both forms
//===----------------------------------------------------------------------===//

std::optional<Dims> PerSequence::convertDims(ArrayRef<SymbolicExpr> dims) {
  Dims result(dims);
  std::optional<unsigned> own = sequenceDim(dims);
  SymbolicExpr total = SymbolicExpr::symbol(length.past) + length.added;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (own == i)
      result[i] = 1;
    else if (dims[i] == total)
      result[i] = length.capacity;
    else if (mentionsPast(dims[i])) {
      fail("a dim depends on the past's length in another way than past and new rows do",
           total.str(), dims[i].str());
      return std::nullopt;
    } else if (!length.sequences.isConstant() &&
               llvm::is_contained(dims[i].getSymbols(), length.sequences.getSymbol())) {
      fail("sequences are joined with another dim", length.sequences.str(),
           dims[i].str());
      return std::nullopt;
    }
  }
  return result;
}

/// Returns the form [n, ...] of a value. A value that does not depend on the length is
/// the same for all sequences, or has their dim.
Value PerSequence::lift(OpBuilder &b, Value value) {
  if (Value known = lifted.lookup(value))
    return known;
  Dims dims = getDims(value);
  std::optional<Dims> inner = convertDims(dims);
  if (!inner)
    return {};
  std::optional<unsigned> own = sequenceDim(dims);
  SymbolicExpr first = own ? length.sequences : SymbolicExpr(1);
  if (own && *own > 0) {
    SmallVector<int64_t> permutation{*own};
    for (int64_t i = 0; i < int64_t(dims.size()); ++i)
      if (i != *own)
        permutation.push_back(i);
    value = TransposeOp::create(b, value.getLoc(), value, permutation);
  }
  inner->insert(inner->begin(), first);
  return reshapeTo(b, value.getLoc(), value, *inner);
}

/// Inserts dims of size 1 after the first, up to the old value's rank.
Value PerSequence::padRank(OpBuilder &b, Value value, int64_t rank) {
  Dims dims = getDims(value);
  dims.insert(dims.begin() + 1, rank + 1 - dims.size(), SymbolicExpr(1));
  return reshapeTo(b, value.getLoc(), value, dims);
}

Value PerSequence::withSequences(OpBuilder &b, Value value) {
  Dims dims = getDims(value);
  if (dims[0] == length.sequences)
    return value;
  dims[0] = length.sequences;
  return BroadcastOp::create(b, value.getLoc(),
                             makeTensorType(dims, elementTypeOf(value)), value);
}

/// Converts a lifted value to the old type, which has the sequences' dim unless the value
/// is the same for all sequences.
Value PerSequence::settle(OpBuilder &b, Value value, Type type) {
  Dims dims = getDims(type);
  std::optional<unsigned> own = sequenceDim(dims);
  if (own)
    value = withSequences(b, value);
  if (!own || *own == 0)
    return reshapeTo(b, value.getLoc(), value, dims);
  Dims front = dims;
  front.erase(front.begin() + *own);
  front.insert(front.begin(), dims[*own]);
  value = reshapeTo(b, value.getLoc(), value, front);
  SmallVector<int64_t> permutation;
  for (int64_t i = 1; i < int64_t(dims.size()); ++i)
    permutation.push_back(i);
  permutation.insert(permutation.begin() + *own, 0);
  return TransposeOp::create(b, value.getLoc(), value, permutation);
}

/// Whether a lifted value among these differs between sequences.
static bool differsBySequence(ArrayRef<Value> values, int64_t rank) {
  return llvm::any_of(values, [&](Value value) {
    return rankOf(value) == rank && !getDims(value)[0].isConstant(1);
  });
}

/// Clones an op with an additional leading dim of its result and of operands of equal
/// rank, so that axes are larger by one.
Value PerSequence::cloneLifted(OpBuilder &b, Operation *op, ArrayRef<Value> operands) {
  std::optional<Dims> dims = convertDims(getDims(op->getResult(0)));
  if (!dims)
    return {};
  bool differs = differsBySequence(operands, dims->size() + 1);
  dims->insert(dims->begin(), differs ? length.sequences : SymbolicExpr(1));
  Operation *clone = b.clone(*op);
  clone->setOperands(operands);
  if (auto axis = op->getAttrOfType<IntegerAttr>("axis"))
    clone->setAttr("axis", IntegerAttr::get(axis.getType(), axis.getInt() + 1));
  if (auto transpose = dyn_cast<TransposeOp>(clone)) {
    SmallVector<int64_t> permutation{0};
    for (int64_t dim : transpose.getPermutation())
      permutation.push_back(dim + 1);
    transpose.setPermutation(permutation);
  }
  clone->getResult(0).setType(makeTensorType(*dims, elementTypeOf(op->getResult(0))));
  return clone->getResult(0);
}

void PerSequence::define(Value value, Value state) {
  OpBuilder b(state.getContext());
  b.setInsertionPointAfterValue(state);
  Dims dims = getDims(state);
  if (sequenceDim(dims) == 0u) {
    dims[0] = 1;
    dims.insert(dims.begin(), length.sequences);
  } else {
    dims.insert(dims.begin(), SymbolicExpr(1));
  }
  lifted[value] = reshapeTo(b, state.getLoc(), state, dims);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value kiln::graph::makeNumber(OpBuilder &b, Location loc, const SymbolicExpr &expr,
                              Type element) {
  if (auto constant = expr.getConstant())
    return makeSplat(b, loc, element, double(*constant));
  return makeSize(b, loc, expr, element);
}

static Value add(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  return BinaryOp::create(b, loc, BinaryKind::add, lhs, rhs);
}

Value PerSequence::convertDimsOp(OpBuilder &b, DimsOp op) {
  Location loc = op.getLoc();
  Type element = elementTypeOf(op.getResult());
  SmallVector<Value> parts;
  for (const SymbolicExpr &expr : getDims(op.getValue())) {
    std::optional<SymbolicExpr> rest = expr;
    int64_t factor = 0;
    for (const SymbolicExpr::Term &term : expr.getTerms())
      if (term.factors.size() == 1 && term.factors[0].symbol == length.past)
        factor = term.coefficient;
    SymbolicExpr fixed = expr - SymbolicExpr(factor) * SymbolicExpr::symbol(length.past);
    if (mentionsPast(fixed))
      return fail("a number is no multiple of the past's length and a sum",
                  "n * " + length.past.getValue() + " + ...", expr.str());
    Value value = length.lengths;
    if (element != b.getI64Type())
      value = CastOp::create(b, loc, makeTensorType({length.sequences}, element), value);
    if (factor != 1)
      value = BinaryOp::create(b, loc, BinaryKind::mul, value,
                               makeNumber(b, loc, factor, element));
    if (!fixed.isConstant(0))
      value = add(b, loc, value, makeNumber(b, loc, fixed, element));
    parts.push_back(value);
  }
  if (getDims(op.getResult()).empty())
    return parts.front();
  for (Value &part : parts)
    part = reshapeTo(b, loc, part, {length.sequences, SymbolicExpr(1)});
  return parts.size() == 1 ? parts.front()
                           : ConcatOp::create(b, loc, parts, /*axis=*/1).getResult();
}

//===----------------------------------------------------------------------===//
// Elementwise ops and data movement
//===----------------------------------------------------------------------===//

/// Matches past + new rows + constant as a scalar, and returns the number of valid rows
/// of each sequence plus the constant; null for other values.
Value PerSequence::countedLength(OpBuilder &b, Value value) {
  Value number = value;
  while (isa_and_present<CastOp, ReshapeOp>(number.getDefiningOp()))
    number = number.getDefiningOp()->getOperand(0);
  auto dims = number.getDefiningOp<DimsOp>();
  if (!dims || !numElements(getDims(value)).isConstant(1))
    return {};
  SymbolicExpr total = SymbolicExpr::symbol(length.past) + length.added;
  auto rest = (getDims(dims.getValue()).front() - total).getConstant();
  if (!rest)
    return {};
  Location loc = value.getLoc();
  Value result = add(b, loc, length.lengths, length.counts);
  if (*rest != 0)
    result = add(b, loc, result, makeNumber(b, loc, *rest, b.getI64Type()));
  if (elementTypeOf(value) != b.getI64Type())
    result = CastOp::create(
        b, loc, makeTensorType({length.sequences}, elementTypeOf(value)), result);
  Dims shape(rankOf(value) + 1, SymbolicExpr(1));
  shape.front() = length.sequences;
  return reshapeTo(b, loc, result, shape);
}

/// Returns an operand of an elementwise op. If a length is compared with a constant, only
/// valid rows count, so that the results of a sequence do not depend on the lengths of
/// others.
Value PerSequence::liftOperand(OpBuilder &b, Operation *op, OpOperand &operand) {
  if (isa<CompareOp>(op) && splatOf(op->getOperand(1 - operand.getOperandNumber())))
    if (Value counted = countedLength(b, operand.get()))
      return counted;
  return lift(b, operand.get());
}

/// Converts an op whose elements are computed from elements at the same index, or moved.
Value PerSequence::convertElementwise(OpBuilder &b, Operation *op) {
  int64_t rank = rankOf(op->getResult(0));
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = liftOperand(b, op, operand);
    if (!value)
      return {};
    operands.push_back(padRank(b, value, rank));
  }
  // A rope's input does not broadcast: it has all dims of the result.
  if (isa<RopeOp>(op) && differsBySequence(operands, rank + 1))
    operands.front() = withSequences(b, operands.front());
  return cloneLifted(b, op, operands);
}

/// Converts a quantization with one scale, or with scales along an axis.
Value PerSequence::convertQuantization(OpBuilder &b, Operation *op) {
  auto block = op->getAttr("block");
  Value input = block ? Value() : lift(b, op->getOperand(0));
  bool isFixed = llvm::none_of(op->getOperands().drop_front(), [&](Value scale) {
    return lifted.contains(scale) || mentionsPast(scale.getType());
  });
  if (block || !isFixed)
    return fail("a quantization of past and new rows has scales of blocks or of rows",
                "one scale, or one along another dim");
  if (!input)
    return {};
  SmallVector<Value> operands(op->getOperands());
  operands.front() = input;
  return cloneLifted(b, op, operands);
}

/// Converts a reshape; dims of sequences and of state rows must have as many elements
/// before them as in the input.
Value PerSequence::convertReshape(OpBuilder &b, ReshapeOp op) {
  Value input = lift(b, op.getInput());
  std::optional<Dims> dims = input ? convertDims(getDims(op.getResult())) : std::nullopt;
  if (!dims)
    return {};
  Dims before = getDims(op.getInput()), after = getDims(op.getResult());
  std::optional<unsigned> own = sequenceDim(after);
  for (size_t i = 0; i < after.size(); ++i) {
    bool isKept = own == i || mentionsPast(after[i]);
    auto from = ArrayRef(before).take_until(
        [&](const SymbolicExpr &dim) { return dim == after[i]; });
    if (isKept && numElements(from) != numElements(ArrayRef(after).take_front(i)))
      return fail("a reshape joins past and new rows with another dim",
                  "a dim of their own", printDims(after));
  }
  dims->insert(dims->begin(), getDims(input)[0]);
  return reshapeTo(b, op.getLoc(), input, *dims);
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

Value PerSequence::convertConcat(OpBuilder &b, ConcatOp op) {
  SmallVector<Value> inputs;
  for (Value input : op.getInputs()) {
    inputs.push_back(lift(b, input));
    if (!inputs.back())
      return {};
    if (getDims(inputs.back())[op.getAxis() + 1] == length.capacity)
      return fail("rows are put beside past and new ones",
                  "a past with new rows behind it, as its present is");
  }
  if (mentionsPast(getDims(op.getResult())[op.getAxis()]))
    return fail("a past is joined with rows that are no present of it",
                "a past with new rows behind it, as its present is");
  if (differsBySequence(inputs, rankOf(inputs.front())))
    for (Value &input : inputs)
      input = withSequences(b, input);
  return cloneLifted(b, op, inputs);
}

/// Converts an attention: queries, keys, values and scales have the sequences' dim first
/// again; mask and keep are [n, heads, queries, rows].
Value PerSequence::convertAttention(OpBuilder &b, AttentionOp op) {
  Location loc = op.getLoc();
  if (op.getLengths())
    return fail("an attention has lengths of its own", "none beside the past's");
  SymbolicExpr total = SymbolicExpr::symbol(length.past) + length.added;
  if (getDims(op.getKey())[2] != total)
    return fail("an attention's keys are not all rows, past and new", total.str(),
                getDims(op.getKey())[2].str());
  auto plain = [&](Value value) -> Value {
    Value known = value ? lifted.lookup(value) : Value();
    if (!known)
      return value;
    Dims dims = getDims(withSequences(b, known));
    dims.erase(dims.begin() + 1); // the sequences' own dim, which is 1
    return reshapeTo(b, loc, withSequences(b, known), dims);
  };
  auto perScore = [&](Value value) -> Value {
    Value known = lift(b, value);
    if (!known)
      return {};
    known = padRank(b, known, 4);
    Dims dims = getDims(known);
    dims.erase(dims.begin() + 1);
    return reshapeTo(b, loc, known, dims);
  };
  Value mask = op.getMask(), keep = op.getKeep();
  if (mask && !(mask = perScore(mask)))
    return {};
  if (keep && !(keep = perScore(keep)))
    return {};
  // Without `causal`, invalid rows must not be keys; with it, no valid query sees them.
  bool causal = op.getCausal();
  Value seen = causal ? makeNumber(b, loc, length.added, b.getI64Type()) : length.counts;
  Value lengths = add(b, loc, length.lengths, seen);
  return AttentionOp::create(
      b, loc, plain(op.getQuery()), plain(op.getKey()), plain(op.getValue()), mask,
      lengths, op.getSinks(), plain(op.getKeyScales()), plain(op.getValueScales()), keep,
      op.getScaleAttr(), op.getCausalAttr(), op.getCausalAttr(), op.getMaskedZeroAttr(),
      op.getNanZeroAttr(), op.getSoftcapAttr(), op.getWindowAttr(),
      op.getMaskHidesAttr());
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

/// Whether operands broadcast as for elementwise ops, as a rope's tables do.
static bool broadcastsOperands(Operation *op) {
  return op->hasTrait<kiln::graph::Elementwise>() || isa<RopeOp>(op);
}

/// Converts an elementwise op whose result has the sequences' dim first in place.
bool PerSequence::convertInPlace(Operation *op) {
  Value result = op->getNumResults() == 1 ? op->getResult(0) : Value();
  if (!broadcastsOperands(op) || mentionsPast(result.getType()) ||
      sequenceDim(getDims(result)) != 0u)
    return false;
  OpBuilder b(op);
  int64_t rank = rankOf(result);
  for (OpOperand &operand : op->getOpOperands()) {
    Value known = lifted.lookup(operand.get());
    if (!known)
      continue;
    Value padded = padRank(b, known, rank);
    Dims dims = getDims(padded);
    dims.erase(dims.begin() + 1);
    operand.set(reshapeTo(b, op->getLoc(), known, dims));
  }
  return true;
}

bool PerSequence::convert(Operation *op) {
  OpBuilder b(op);
  problem = {};
  if (convertInPlace(op))
    return true;
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    Value result = convertAttention(b, attention);
    if (result)
      op->getResult(0).replaceAllUsesWith(result);
    return bool(result);
  }
  Value value =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](DimsOp dims) { return convertDimsOp(b, dims); })
          .Case([&](ReshapeOp reshape) { return convertReshape(b, reshape); })
          .Case<FillOp, IotaOp, TransposeOp, BroadcastOp>(
              [&](auto same) { return convertElementwise(b, same); })
          .Case([&](SliceOp slice) { return convertSlice(b, slice); })
          .Case([&](ConcatOp concat) { return convertConcat(b, concat); })
          .Case([&](GatherOp gather) { return convertGather(b, gather); })
          .Case([&](MatmulOp matmul) { return convertSum(b, matmul, 0); })
          .Case([&](SoftmaxOp softmax) { return convertSum(b, softmax, -INFINITY); })
          .Case<QuantizeOp, DequantizeOp>(
              [&](auto rounding) { return convertQuantization(b, rounding); })
          .Default([&](Operation *other) -> Value {
            if (broadcastsOperands(other))
              return convertElementwise(b, other);
            return fail("it depends on the past's length",
                        "positions, masks, views and "
                        "attention",
                        other->getName().getStringRef());
          });
  if (!value)
    return false;
  Value result = op->getResult(0);
  bool settles = !mentionsPast(result.getType()) &&
                 (sequenceDim(getDims(result)) || length.sequences.isConstant());
  if (settles)
    result.replaceAllUsesWith(settle(b, value, result.getType()));
  else
    lifted[result] = value;
  return true;
}

/// Returns the ops that results depend on, except through values that are now states.
llvm::DenseSet<Operation *> PerSequence::neededOps() {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Value> worklist(main.front().getTerminator()->getOperands());
  for (KvWriteOp write : main.front().getOps<KvWriteOp>())
    worklist.push_back(write.getResult());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *op = lifted.contains(value) ? nullptr : value.getDefiningOp();
    if (op && needed.insert(op).second)
      llvm::append_range(worklist, op->getOperands());
  }
  return needed;
}

LogicalResult PerSequence::checkNone() {
  for (Operation &op : main.front())
    if (dependsOnPast(&op)) {
      fail("it still depends on the past's length");
      kiln::emitError(op.getLoc(), problem);
      return failure();
    }
  return success();
}

LogicalResult PerSequence::run() {
  clampTables();
  llvm::DenseSet<Operation *> needed = neededOps();
  llvm::DenseSet<Value> refused;
  for (Operation &op : llvm::make_early_inc_range(main.front())) {
    bool isOld = needed.contains(&op) && followsPast(&op);
    // Ops that depend on a refused op are not reported.
    bool follows = llvm::any_of(op.getOperands(),
                                [&](Value value) { return refused.contains(value); });
    if (!needed.contains(&op) || (!isOld && !follows))
      continue;
    if (follows) {
      refused.insert(op.result_begin(), op.result_end());
    } else if (!convert(&op)) {
      kiln::emitError(op.getLoc(), problem);
      refused.insert(op.getResult(0));
    }
  }
  return success(refused.empty());
}
