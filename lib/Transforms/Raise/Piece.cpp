//===- Piece.cpp - Parts of the last dims, followed through views ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Piece.h"
#include "kiln/Analysis/Match.h"
#include "mlir/IR/IRMapping.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

std::optional<int64_t> kiln::graph::tailOf(Value value, int64_t tail) {
  Dims dims = getDims(value);
  if (int64_t(dims.size()) < tail)
    return std::nullopt;
  return numElements(ArrayRef(dims).take_back(tail)).getConstant();
}

Dims kiln::graph::leadOf(const Piece &piece) {
  Dims dims = getDims(piece.base);
  dims.truncate(dims.size() - piece.tail);
  return dims;
}

//===----------------------------------------------------------------------===//
// Along one axis of the piece's dims
//===----------------------------------------------------------------------===//

namespace {
/// An axis among the piece's dims: an element is (outer * length + j) * inner + i.
struct PieceAxis {
  int64_t outer = 1, length = 1, inner = 1;
};
} // namespace

/// Returns the axis of `value` among its last `tail` dims; nullopt if it is none of them,
/// or if one of them is not constant.
static std::optional<PieceAxis> axisOf(Value value, int64_t tail, int64_t axis) {
  int64_t first = rankOf(value) - tail;
  if (axis < first)
    return std::nullopt;
  PieceAxis result;
  for (int64_t i = first; i < rankOf(value); ++i) {
    auto extent = getDims(value)[i].getConstant();
    if (!extent)
      return std::nullopt;
    (i < axis ? result.outer : i == axis ? result.length : result.inner) *= *extent;
  }
  return result;
}

/// The positions [first, last] on the axis that the piece lies at.
static std::pair<int64_t, int64_t> positions(const Piece &piece, const PieceAxis &axis) {
  int64_t end = piece.start + (piece.count - 1) * piece.step;
  if (piece.step % (axis.length * axis.inner) == 0) {
    int64_t at = piece.start / axis.inner % axis.length;
    return {at, at};
  }
  return {piece.start / axis.inner, end / axis.inner};
}

/// The piece of a value whose axis has another length, where position j of the old one is
/// shift + stride * j. Changes `piece`'s places only.
static bool moveAlong(Piece &piece, const PieceAxis &axis, int64_t length, int64_t shift,
                      int64_t stride) {
  auto [first, last] = positions(piece, axis);
  int64_t block = axis.length * axis.inner, rest = piece.start % axis.inner;
  if (first == last && piece.step % block == 0) {
    int64_t outer = piece.start / block;
    piece.start = (outer * length + shift + stride * first) * axis.inner + rest;
    piece.step = piece.step / block * length * axis.inner;
    return true;
  }
  if (axis.outer != 1)
    return false;
  if (axis.inner == 1 || stride == 1) {
    piece.start = (shift + stride * (piece.start / axis.inner)) * axis.inner + rest;
    piece.step *= axis.inner == 1 ? stride : 1;
    return true;
  }
  if (first != last)
    return false;
  piece.start = (shift + stride * first) * axis.inner + rest;
  return true;
}

//===----------------------------------------------------------------------===//
// Through views
//===----------------------------------------------------------------------===//

static bool throughSlice(Piece &piece, SliceOp op) {
  Dims from = getDims(op.getInput()), to = getDims(op.getResult());
  Dims starts = getDims(op.getStarts());
  int64_t lead = int64_t(from.size()) - piece.tail;
  Piece moved = piece;
  moved.base = op.getInput();
  for (int64_t i = 0; i < int64_t(from.size()); ++i) {
    int64_t stride = op.getSteps()[i];
    if (from[i] == to[i] && starts[i].isConstant(0) && stride == 1)
      continue;
    auto length = from[i].getConstant(), start = starts[i].getConstant();
    auto axis = i < lead ? std::nullopt : axisOf(op.getResult(), piece.tail, i);
    // One sliced dim only: its axis is then the result's.
    if (!axis || !length || !start || moved.start != piece.start ||
        moved.step != piece.step || !moveAlong(moved, *axis, *length, *start, stride))
      return false;
  }
  piece = moved;
  return true;
}

static bool throughConcat(Piece &piece, ConcatOp op) {
  auto axis = axisOf(op.getResult(), piece.tail, op.getAxis());
  if (!axis)
    return false;
  auto [first, last] = positions(piece, *axis);
  int64_t offset = 0;
  for (Value input : op.getInputs()) {
    auto length = getDims(input)[op.getAxis()].getConstant();
    if (!length)
      return false;
    if (first >= offset && last < offset + *length) {
      Piece moved = piece;
      moved.base = input;
      if (!moveAlong(moved, *axis, *length, -offset, 1))
        return false;
      piece = moved;
      return true;
    }
    offset += *length;
  }
  return false;
}

/// How many of the input's last dims the piece's are; `sameLead`: the others are equal.
static std::optional<int64_t> tailBehind(const Piece &piece, Value input, bool sameLead) {
  auto size = tailOf(piece.base, piece.tail);
  Dims lead = leadOf(piece), dims = getDims(input);
  for (int64_t tail = 1; tail <= int64_t(dims.size()) && tail <= 3; ++tail) {
    ArrayRef<SymbolicExpr> rest = ArrayRef(dims).drop_back(tail);
    bool isLead =
        sameLead ? rest == ArrayRef(lead) : numElements(rest) == numElements(lead);
    if (isLead && size && tailOf(input, tail) == size)
      return tail;
  }
  return std::nullopt;
}

static bool throughReshape(Piece &piece, ReshapeOp op) {
  auto tail = tailBehind(piece, op.getInput(), /*sameLead=*/true);
  if (!tail)
    return false;
  piece.base = op.getInput();
  piece.tail = *tail;
  return true;
}

/// Elements of the last dims that are repeated.
static bool throughRepetition(Piece &piece, BroadcastOp op) {
  Dims from = getDims(op.getInput()), to = getDims(op.getResult());
  if (from.size() != to.size())
    return false;
  Piece moved = piece;
  moved.base = op.getInput();
  for (int64_t i = 0; i < int64_t(to.size()); ++i) {
    if (from[i] == to[i])
      continue;
    auto axis = axisOf(op.getResult(), piece.tail, i);
    if (!axis)
      return false;
    auto [first, last] = positions(piece, *axis);
    if (first != last || moved.start != piece.start || moved.step != piece.step ||
        !moveAlong(moved, *axis, 1, -first, 1))
      return false;
  }
  piece = moved;
  return true;
}

Piece kiln::graph::resolve(Piece piece) {
  while (Operation *op = piece.base.getDefiningOp()) {
    bool moved = false;
    if (auto slice = dyn_cast<SliceOp>(op))
      moved = throughSlice(piece, slice);
    else if (auto concat = dyn_cast<ConcatOp>(op))
      moved = throughConcat(piece, concat);
    else if (auto reshape = dyn_cast<ReshapeOp>(op))
      moved = throughReshape(piece, reshape);
    else if (auto broadcast = dyn_cast<BroadcastOp>(op))
      moved = throughRepetition(piece, broadcast);
    if (!moved)
      break;
  }
  return piece;
}

//===----------------------------------------------------------------------===//
// Through what is computed row by row or element by element
//===----------------------------------------------------------------------===//

/// The piece of an operand that elements of an elementwise op's piece are computed of;
/// nullopt if the operand is the same for all of them.
static std::optional<Piece> operandPiece(const Piece &piece, Value operand) {
  int64_t rank = rankOf(operand);
  if (rank == 0 || tailOf(operand, std::min(rank, piece.tail)) == 1)
    return std::nullopt;
  Piece result = piece;
  result.base = operand;
  return result;
}

/// Whether every operand has all of the piece's dims, or one element.
static bool followsOperands(const Piece &piece) {
  Operation *op = piece.base.getDefiningOp();
  return op->hasTrait<kiln::graph::Elementwise>() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !operandPiece(piece, operand) ||
                  tailOf(operand, piece.tail) == tailOf(piece.base, piece.tail);
         });
}

/// A view of other dims, or a gather of rows: the one operand's piece.
static std::optional<Piece> sourcePiece(const Piece &piece) {
  Operation *op = piece.base.getDefiningOp();
  Piece source = piece;
  source.base = op->getNumOperands() ? op->getOperand(0) : Value();
  int64_t lead = rankOf(piece.base) - piece.tail;
  if (auto gather = dyn_cast<GatherOp>(op))
    return int64_t(gather.getAxis()) < rankOf(gather.getData()) - piece.tail
               ? std::optional(source)
               : std::nullopt;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (int64_t i = lead; i < rankOf(piece.base); ++i)
      if (transpose.getPermutation()[i] != i)
        return std::nullopt;
    return source;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    Dims starts = getDims(slice.getStarts());
    for (int64_t i = lead; i < rankOf(piece.base); ++i)
      if (!starts[i].isConstant(0) || slice.getSteps()[i] != 1 ||
          getDims(source.base)[i] != getDims(piece.base)[i])
        return std::nullopt;
    return source;
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    auto tail = tailBehind(piece, source.base, /*sameLead=*/false);
    source.tail = tail.value_or(0);
    return tail ? std::optional(source) : std::nullopt;
  }
  if (isa<BroadcastOp>(op) && rankOf(source.base) >= piece.tail &&
      tailOf(source.base, piece.tail) == tailOf(piece.base, piece.tail))
    return source;
  return std::nullopt;
}

static bool hasEqualElements(DenseElementsAttr elements, const Piece &lhs,
                             const Piece &rhs) {
  if (elements.isSplat())
    return true;
  int64_t row = *tailOf(lhs.base, lhs.tail), rows = elements.getNumElements() / row;
  auto values = elements.getValues<Attribute>();
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < lhs.count; ++i)
      if (values[r * row + lhs.start + i * lhs.step] !=
          values[r * row + rhs.start + i * rhs.step])
        return false;
  return true;
}

bool kiln::graph::isSamePiece(Piece lhs, Piece rhs) {
  lhs = resolve(lhs);
  rhs = resolve(rhs);
  if (lhs == rhs)
    return true;
  Operation *op = lhs.base.getDefiningOp();
  if (!op || lhs.base != rhs.base || lhs.tail != rhs.tail || lhs.count != rhs.count)
    return false;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    return elements && hasEqualElements(elements, lhs, rhs);
  }
  if (auto source = sourcePiece(lhs))
    return isSamePiece(*source, *sourcePiece(rhs));
  return followsOperands(lhs) && llvm::all_of(op->getOperands(), [&](Value operand) {
           auto left = operandPiece(lhs, operand), right = operandPiece(rhs, operand);
           return !left || isSamePiece(*left, *right);
         });
}

//===----------------------------------------------------------------------===//
// Values of pieces
//===----------------------------------------------------------------------===//

Value PieceMaker::cut(const Piece &piece) {
  OpBuilder b(piece.base.getContext());
  b.setInsertionPointAfterValue(piece.base);
  Location loc = piece.base.getLoc();
  Dims dims = leadOf(piece), starts(dims.size(), 0);
  SmallVector<int64_t> steps(dims.size(), 1);
  dims.push_back(*tailOf(piece.base, piece.tail));
  Value whole = reshapeTo(b, loc, piece.base, dims);
  if (piece.start == 0 && piece.step == 1 && dims.back().isConstant(piece.count))
    return whole;
  dims.back() = piece.count;
  starts.push_back(piece.start);
  steps.push_back(piece.step);
  return SliceOp::create(b, loc, makeTensorType(dims, elementTypeOf(whole)), whole,
                         makeShape(b.getContext(), starts), steps);
}

Value PieceMaker::makeElementwise(OpBuilder &b, const Piece &piece) {
  Operation *op = piece.base.getDefiningOp();
  Dims dims = leadOf(piece);
  dims.push_back(piece.count);
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    if (auto part = operandPiece(piece, operand)) {
      mapping.map(operand, make(*part));
    } else if (rankOf(operand) > 0 && piece.tail > 1) {
      // As many dims fewer as the piece's have become one.
      Dims own = getDims(operand);
      own.truncate(own.size() - std::min<size_t>(own.size(), piece.tail));
      own.push_back(1);
      mapping.map(operand, reshapeTo(b, op->getLoc(), operand, own));
    }
  }
  Operation *clone = b.clone(*op, mapping);
  clone->getResult(0).setType(makeTensorType(dims, elementTypeOf(piece.base)));
  return clone->getResult(0);
}

Value PieceMaker::makeThrough(const Piece &piece) {
  Operation *op = piece.base.getDefiningOp();
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  if (followsOperands(piece))
    return makeElementwise(b, piece);
  Value source = make(*sourcePiece(piece));
  Dims dims = leadOf(piece);
  dims.push_back(piece.count);
  Type type = makeTensorType(dims, elementTypeOf(piece.base));
  if (auto gather = dyn_cast<GatherOp>(op))
    return GatherOp::create(b, op->getLoc(), source, gather.getIndices(),
                            gather.getAxis());
  if (isa<ReshapeOp>(op))
    return reshapeTo(b, op->getLoc(), source, dims);
  if (isa<BroadcastOp>(op))
    return BroadcastOp::create(b, op->getLoc(), type, source);
  int64_t lead = rankOf(piece.base) - piece.tail;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    SmallVector<int64_t> permutation(transpose.getPermutation().take_front(lead));
    permutation.push_back(lead);
    return TransposeOp::create(b, op->getLoc(), source, permutation);
  }
  auto slice = cast<SliceOp>(op);
  Dims starts = getDims(slice.getStarts());
  starts.truncate(lead);
  starts.push_back(0);
  SmallVector<int64_t> steps(slice.getSteps().take_front(lead));
  steps.push_back(1);
  return SliceOp::create(b, op->getLoc(), type, source, makeShape(b.getContext(), starts),
                         steps);
}

Value PieceMaker::make(Piece piece) {
  piece = resolve(piece);
  Key key{piece.base.getAsOpaquePointer(), piece.tail, piece.start, piece.step,
          piece.count};
  if (auto it = made.find(key); it != made.end())
    return it->second;
  Operation *op = piece.base.getDefiningOp();
  bool isWhole = piece.tail == 1 && piece.step == 1 && piece.start == 0 &&
                 tailOf(piece.base, 1) == piece.count;
  bool passes = op && !isWhole && (followsOperands(piece) || sourcePiece(piece));
  Value value = isWhole ? piece.base : passes ? makeThrough(piece) : cut(piece);
  return made[key] = value;
}
