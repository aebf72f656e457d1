//===- Piece.cpp - Slices of the last dims --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Piece.h"
#include "dialects/Graph/Indexing.h"
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
// Through views
//===----------------------------------------------------------------------===//

namespace {
/// Indices of the slice's elements: variables for the leading dims and for element j.
struct PiecePlaces {
  explicit PiecePlaces(const Piece &piece)
      : vars(piece.base.getContext()), lead(vars.addPlaces(leadOf(piece))) {
    element = vars.addLoop(piece.count);
    if (piece.count != 1)
      index = SymbolicExpr::symbol(element);
    at = lead;
    Dims dims = getDims(piece.base);
    llvm::append_range(
        at, vars.delinearize(position(piece), ArrayRef(dims).take_back(piece.tail)));
  }
  SymbolicExpr position(const Piece &piece) const {
    return SymbolicExpr(piece.start) + SymbolicExpr(piece.step) * index;
  }

  IndexVars vars;
  StringAttr element;
  SymbolicExpr index; ///< 0 for a slice of one element
  Dims lead, at;
};
} // namespace

/// Returns the linear position in the last `tail` dims of a value; nullopt if these are
/// not constant.
static std::optional<SymbolicExpr> tailPosition(const Place &place, int64_t tail) {
  Dims dims = getDims(place.value);
  if (!tailOf(place.value, tail))
    return std::nullopt;
  return IndexVars::linearize(ArrayRef(place.at).take_back(tail),
                              ArrayRef(dims).take_back(tail));
}

/// Returns the slice that the elements are copied from, with the same indices of leading
/// dims.
static std::optional<Piece> movedPiece(const Piece &piece) {
  PiecePlaces places(piece);
  Operation *op = piece.base.getDefiningOp();
  std::optional<Place> from = movedFrom(op, places.at, places.vars);
  int64_t tail = from ? rankOf(from->value) - int64_t(places.lead.size()) : 0;
  if (tail < 1 || ArrayRef(from->at).drop_back(tail) != ArrayRef(places.lead))
    return std::nullopt;
  Piece result{from->value, tail, 0, 1, piece.count};
  std::optional<SymbolicExpr> position = tailPosition(*from, tail);
  std::optional<SymbolicExpr> step =
      position ? coefficientOf(*position, places.element) : std::nullopt;
  if (!step || leadOf(result) != leadOf(piece))
    return std::nullopt;
  auto start = (*position - *step * places.index).getConstant();
  if (!start || !step->isConstant())
    return std::nullopt;
  result.start = *start;
  result.step = piece.count == 1 ? piece.step : *step->getConstant();
  return result;
}

Piece kiln::graph::resolve(Piece piece) {
  while (piece.base.getDefiningOp()) {
    std::optional<Piece> moved = movedPiece(piece);
    if (!moved)
      break;
    piece = *moved;
  }
  return piece;
}

//===----------------------------------------------------------------------===//
// Through row-wise and elementwise ops
//===----------------------------------------------------------------------===//

/// Returns the slice of an operand that a slice of an elementwise op's result is computed
/// from; nullopt if all elements read the same operand element.
static std::optional<Piece> operandPiece(const Piece &piece, Value operand) {
  int64_t rank = rankOf(operand);
  if (rank == 0 || tailOf(operand, std::min(rank, piece.tail)) == 1)
    return std::nullopt;
  Piece result = piece;
  result.base = operand;
  return result;
}

/// Whether every operand has all dims of the slice, or one element.
static bool followsOperands(const Piece &piece) {
  Operation *op = piece.base.getDefiningOp();
  return op->hasTrait<kiln::graph::Elementwise>() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !operandPiece(piece, operand) ||
                  tailOf(operand, piece.tail) == tailOf(piece.base, piece.tail);
         });
}

/// Returns the slice of the only operand, if the op is a reshape of leading dims or a
/// gather of rows.
static std::optional<Piece> sourcePiece(const Piece &piece) {
  PiecePlaces places(piece);
  Operation *op = piece.base.getDefiningOp();
  IndexingMaps maps(places.vars, places.at);
  if (movedOperands(op).size() != 1)
    return std::nullopt;
  cast<IndexingOpInterface>(op).getIndexingMaps(maps);
  const OperandRead &read = maps.reads().back();
  Place from{op->getOperand(read.operand), read.at};
  auto size = tailOf(piece.base, piece.tail);
  for (int64_t tail = 1; tail <= rankOf(from.value) && tail <= 3; ++tail)
    if (size && tailOf(from.value, tail) == size &&
        tailPosition(from, tail) == places.position(piece) &&
        llvm::none_of(ArrayRef(from.at).drop_back(tail), [&](const SymbolicExpr &place) {
          return mentions(place, places.element);
        }))
      return Piece{from.value, tail, piece.start, piece.step, piece.count};
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
  auto left = sourcePiece(lhs), right = sourcePiece(rhs);
  if (left && right)
    return left->tail == right->tail && isSamePiece(*left, *right);
  return followsOperands(lhs) && llvm::all_of(op->getOperands(), [&](Value operand) {
           auto left = operandPiece(lhs, operand), right = operandPiece(rhs, operand);
           return !left || isSamePiece(*left, *right);
         });
}

//===----------------------------------------------------------------------===//
// Materialized slices
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
      // The slice's last dims were collapsed to one, so those of the operand are, too.
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
