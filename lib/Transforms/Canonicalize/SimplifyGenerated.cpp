//===- SimplifyGenerated.cpp - Slices and concats of generated values -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks and positions are computed from iotas, fills and dims alone. A slice of such a
// value is replaced by the value computed at other positions, and a concat by a select on
// the position. Neither needs memory, and in a decoder with state they are correct for
// every sequence whatever the length of its past, unlike a concat with a slice of the
// past.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SymbolBounds.h"
#include "kiln/Analysis/Indexing.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Analysis/PlaceReader.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/PatternMatch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Generated values
//===----------------------------------------------------------------------===//

static bool isWhole(const llvm::APFloat &number) {
  double value = number.convertToDouble();
  return value == double(int64_t(value));
}

/// For each operand, the axis along which the elements read vary with the index along an
/// axis of the result, -1 for none; nullopt if unknown.
static std::optional<SmallVector<int64_t>> axesBefore(Operation *op, int64_t axis) {
  SmallVector<int64_t> axes(op->getNumOperands(), -1);
  if (axis < 0 || getDims(op->getResult(0))[axis].isConstant(1))
    return axes;
  std::optional<AxisReads> reads = readsAlong(op, axis);
  if (!reads)
    return std::nullopt;
  for (auto [before, read] : llvm::zip(axes, *reads))
    if (read)
      before = read->axis;
  return axes;
}

/// Whether `value` is computed from iotas, fills and splats by ops that can be recomputed
/// for other positions along `axis`.
static bool isGenerated(Value value, int64_t axis, unsigned &left) {
  Operation *op = value.getDefiningOp();
  if (!op || left == 0)
    return false;
  --left;
  if (auto iota = dyn_cast<IotaOp>(op))
    return isWhole(iota.getStart()) && isWhole(iota.getStep());
  if (isa<FillOp>(op) || (isa<ConstantOp>(op) && splatOf(value)))
    return true;
  if (isa<DimsOp>(op))
    return getDims(value).empty();
  if (!isa<ReshapeOp, BroadcastOp>(op) && !op->hasTrait<kiln::graph::Elementwise>())
    return false;
  std::optional<SmallVector<int64_t>> axes = axesBefore(op, axis);
  return axes && llvm::all_of(llvm::zip(op->getOperands(), *axes), [&](const auto &each) {
           return isGenerated(std::get<0>(each), std::get<1>(each), left);
         });
}

static bool isGenerated(Value value, int64_t axis) {
  unsigned left = 64;
  return isGenerated(value, axis, left);
}

namespace {
/// The positions start + step * i for i in [0, count).
struct Positions {
  SymbolicExpr start;
  int64_t step;
  SymbolicExpr count;
};

/// Recomputes generated values at other positions.
class Generator {
public:
  Generator(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  /// Returns `value` at these positions along the axis; unchanged if the axis is
  /// negative.
  Value at(Value value, int64_t axis, const Positions &positions);

private:
  Value iotaAt(IotaOp op, const Positions &positions);

  OpBuilder &b;
  Location loc;
};
} // namespace

Value Generator::iotaAt(IotaOp op, const Positions &positions) {
  Dims dims = getDims(op.getResult());
  int64_t axis = op.getAxis();
  dims[axis] = positions.count;
  double step = op.getStep().convertToDouble(), start = op.getStart().convertToDouble();
  auto first = positions.start.getConstant();
  Type element = elementTypeOf(op.getResult()), i64 = b.getI64Type();
  APFloat steps(step * double(positions.step));
  if (first)
    return IotaOp::create(b, loc, makeTensorType(dims, element), axis,
                          APFloat(start + step * double(*first)), steps);
  Value places =
      IotaOp::create(b, loc, makeTensorType(dims, i64), axis, APFloat(start), steps);
  Value offset = makeSize(b, loc, SymbolicExpr(int64_t(step)) * positions.start);
  Value sum = BinaryOp::create(b, loc, BinaryKind::add, places, offset);
  return element == i64
             ? sum
             : CastOp::create(b, loc, makeTensorType(dims, element), sum).getResult();
}

Value Generator::at(Value value, int64_t axis, const Positions &positions) {
  if (axis < 0 || getDims(value)[axis].isConstant(1))
    return value;
  Operation *op = value.getDefiningOp();
  if (auto iota = dyn_cast<IotaOp>(op); iota && int64_t(iota.getAxis()) == axis)
    return iotaAt(iota, positions);
  Dims dims = getDims(value);
  dims[axis] = positions.count;
  Type type = makeTensorType(dims, elementTypeOf(value));
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto number = cast<DenseElementsAttr>(constant.getValue()).getSplatValue<TypedAttr>();
    return FillOp::create(b, loc, type, number);
  }
  SmallVector<Value> operands;
  for (auto [operand, before] : llvm::zip(op->getOperands(), *axesBefore(op, axis)))
    operands.push_back(at(operand, before, positions));
  Operation *moved = b.clone(*op);
  moved->setOperands(operands);
  moved->getResult(0).setType(type);
  return moved->getResult(0);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
/// Recomputes a generated value in place of a slice along symbolic dims.
struct SliceOfGenerated : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    Dims from = getDims(op.getInput()), to = getDims(op.getResult()),
         starts = getDims(op.getStarts());
    auto isSliced = [&](size_t i) {
      return from[i] != to[i] || !starts[i].isConstant(0) || op.getSteps()[i] != 1;
    };
    bool isSymbolic = false;
    for (size_t i = 0; i < from.size(); ++i) {
      if (!isSliced(i))
        continue;
      isSymbolic |= !from[i].isConstant() || !to[i].isConstant();
      if (from[i].isConstant(1) || !isGenerated(op.getInput(), int64_t(i)))
        return failure();
    }
    if (!isSymbolic)
      return failure();
    Generator generator(rewriter, op.getLoc());
    Value value = op.getInput();
    for (size_t i = 0; i < from.size(); ++i)
      if (isSliced(i))
        value = generator.at(value, int64_t(i), {starts[i], op.getSteps()[i], to[i]});
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// Replaces a concat of generated values along a symbolic dim by selects.
struct ConcatOfGenerated : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    // Limited because each part is computed for all positions.
    constexpr size_t kMaxParts = 4;
    int64_t axis = op.getAxis();
    Dims dims = getDims(op.getResult());
    if (op.getInputs().size() > kMaxParts || dims[axis].isConstant() ||
        !llvm::all_of(op.getInputs(),
                      [&](Value part) { return isGenerated(part, axis); }))
      return failure();
    Location loc = op.getLoc();
    Generator generator(rewriter, loc);
    SmallVector<Value> parts;
    SmallVector<SymbolicExpr> ends;
    SymbolicExpr end = 0;
    for (Value part : op.getInputs()) {
      parts.push_back(generator.at(part, axis, {SymbolicExpr(0) - end, 1, dims[axis]}));
      end += getDims(part)[axis];
      ends.push_back(end);
    }
    rewriter.replaceOp(op, choose(rewriter, op, parts, ends));
    return success();
  }

private:
  /// Selects each part for the positions before its end.
  static Value choose(OpBuilder &b, ConcatOp op, ArrayRef<Value> parts,
                      ArrayRef<SymbolicExpr> ends) {
    Location loc = op.getLoc();
    Dims dims = getDims(op.getResult()), along(dims.size(), SymbolicExpr(1));
    along[op.getAxis()] = dims[op.getAxis()];
    Value place = IotaOp::create(b, loc, makeTensorType(along, b.getI64Type()),
                                 op.getAxis(), APFloat(0.0), APFloat(1.0));
    Value result = parts.back();
    for (size_t i = parts.size() - 1; i-- > 0;) {
      Value isBefore =
          CompareOp::create(b, loc, CompareKind::less, place, makeSize(b, loc, ends[i]));
      result = SelectOp::create(b, loc, isBefore, parts[i], result);
    }
    return broadcastTo(b, loc, result, op.getType());
  }
};

/// Simplifies the running sum of a splat, as the importer writes CumSum: reduce
/// sum(select(i <= j, x, 0)) is x * (j + 1).
struct RunningSumOfSplat : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    auto select = op.getInput().getDefiningOp<SelectOp>();
    if (op.getKind() != ReduceKind::sum || op.getAxes().size() != 1 || !select)
      return failure();
    auto order = select.getCondition().getDefiningOp<CompareOp>();
    auto lhs = order ? order.getLhs().getDefiningOp<IotaOp>() : IotaOp();
    auto rhs = order ? order.getRhs().getDefiningOp<IotaOp>() : IotaOp();
    std::optional<double> number = splatOf(select.getOnTrue()),
                          other = splatOf(select.getOnFalse());
    if (!lhs || !rhs || !number || other != 0.0 || !isPlain(lhs) || !isPlain(rhs) ||
        rankOf(lhs) != rankOf(rhs) || rankOf(lhs) != rankOf(op.getInput()))
      return failure();
    CompareKind kind = order.getKind();
    if (kind != CompareKind::less && kind != CompareKind::less_equal)
      return failure();
    // The sum runs up to each position or from each position on, depending on the order
    // of the operands.
    int64_t summed = op.getAxes()[0];
    bool isUpTo = int64_t(lhs.getAxis()) == summed;
    IotaOp place = isUpTo ? rhs : lhs, counted = isUpTo ? lhs : rhs;
    Dims dims = getDims(op.getInput());
    if (int64_t(counted.getAxis()) != summed || place.getAxis() == counted.getAxis() ||
        lengthOf(counted) != dims[summed] || lengthOf(place) != dims[summed] ||
        !isExact(op, *number))
      return failure();
    rewriter.replaceOp(op, count(rewriter, op, int64_t(place.getAxis()), isUpTo,
                                 kind == CompareKind::less, *number));
    return success();
  }

private:
  static bool isPlain(IotaOp op) {
    return op.getStart().isZero() && op.getStep().isExactlyValue(1.0);
  }

  /// Returns the number of elements along the axis of an iota.
  static SymbolicExpr lengthOf(IotaOp op) {
    return getDims(op.getResult())[op.getAxis()];
  }

  /// Whether every sum is an integer that the type, an integer or float of at least 32
  /// bits, contains exactly.
  static bool isExact(ReduceOp op, double number) {
    constexpr double kMaxNumber = 1 << 20, kMaxFloat = 1 << 24;
    Type element = elementTypeOf(op.getInput());
    unsigned bits = element.getIntOrFloatBitWidth();
    if (number != std::trunc(number) || std::abs(number) > kMaxNumber || bits < 32)
      return false;
    SymbolRanges ranges(op->getParentOfType<ModuleOp>());
    std::optional<int64_t> count = ranges.maxOf(getDims(op.getInput())[op.getAxes()[0]]);
    double limit = isa<FloatType>(element) ? kMaxFloat
                   : bits == 32            ? double(INT32_MAX)
                                           : double(INT64_MAX);
    return count && double(*count) * std::abs(number) <= limit;
  }

  static Value count(OpBuilder &b, ReduceOp op, int64_t axis, bool isUpTo,
                     bool isExclusive, double number) {
    Location loc = op.getLoc();
    Type element = elementTypeOf(op.getResult());
    SymbolicExpr size = getDims(op.getInput())[op.getAxes()[0]];
    if (!op.getKeepDims() && axis > op.getAxes()[0])
      --axis;
    // Number of summed elements: j, j + 1, n - 1 - j or n - j.
    SymbolicExpr first = isUpTo ? SymbolicExpr(isExclusive ? 0 : 1)
                                : size - SymbolicExpr(isExclusive ? 1 : 0);
    Dims along(getDims(op.getResult()).size(), SymbolicExpr(1));
    along[axis] = size;
    auto constant = first.getConstant();
    Value result = IotaOp::create(b, loc, makeTensorType(along, element), axis,
                                  APFloat(constant ? double(*constant) * number : 0.0),
                                  APFloat(isUpTo ? number : -number));
    if (!constant) {
      Value offset = makeSize(b, loc, first * SymbolicExpr(int64_t(number)), element);
      result = BinaryOp::create(b, loc, BinaryKind::add, result, offset);
    }
    return broadcastTo(b, loc, result, op.getType());
  }
};

/// Replaces the maximum of positions that ascend along all dims, as exporters of LongRoPE
/// write it, by the last element. Dims must not be empty.
struct LargestPosition : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    Type element = elementTypeOf(op.getResult());
    if (op.getKind() != ReduceKind::max || op.getKeepDims() ||
        !getDims(op.getResult()).empty() ||
        !(element.isInteger(64) || element.isInteger(32)))
      return failure();
    PlaceReader reader(op.getInput());
    std::optional<SymbolicExpr> place = reader.read(op.getInput(), reader.places);
    if (!place)
      return failure();
    SymbolRanges ranges(op->getParentOfType<ModuleOp>());
    SymbolicExpr last = *place;
    for (auto [variable, dim] : llvm::zip(reader.places, getDims(op.getInput()))) {
      std::optional<Bounds> size = ranges.boundsOf(dim);
      SymbolicExpr without = last.substitute([&](StringAttr name) {
        return name == variable.getSymbol() ? std::optional(SymbolicExpr(0))
                                            : std::nullopt;
      });
      auto step = variable.getSymbol() ? (last - without).exactDiv(variable)
                                       : std::optional(SymbolicExpr(0));
      auto growth = step ? step->getConstant() : std::nullopt;
      if (!size || size->min < 1 || !growth || *growth < 0)
        return failure();
      last = without + SymbolicExpr(*growth) * (dim - SymbolicExpr(1));
    }
    rewriter.replaceOpWithNewOp<DimsOp>(op, op.getType(),
                                        makeShape(op.getContext(), {last}));
    return success();
  }
};
} // namespace

void kiln::populateSimplifyGeneratedPatterns(RewritePatternSet &patterns) {
  patterns.add<SliceOfGenerated, ConcatOfGenerated, RunningSumOfSplat, LargestPosition>(
      patterns.getContext());
}
