//===- IndexRange.cpp - Intervals of integers -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"
#include "dialects/Graph/Indexing.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;
using Interval = IndexRange::Interval;

/// Limit on the length of chains that are followed, as intervals become wider with each
/// op.
static constexpr unsigned kMaxDepth = 64;

bool IndexRange::isAtLeast(const SymbolicExpr &a, const SymbolicExpr &b) const {
  if (a.dominates(b))
    return true;
  std::optional<Bounds> difference = symbols.boundsOf(a - b);
  return difference && difference->min >= 0;
}

bool IndexRange::isNonNegative(const Interval &interval) const {
  return interval.lo && isAtLeast(*interval.lo, 0);
}

IndexRange::Bound IndexRange::smaller(const Bound &a, const Bound &b) const {
  if (!a || !b)
    return std::nullopt;
  if (isAtLeast(*b, *a))
    return a;
  return isAtLeast(*a, *b) ? b : std::nullopt;
}

IndexRange::Bound IndexRange::larger(const Bound &a, const Bound &b) const {
  if (!a || !b)
    return std::nullopt;
  if (isAtLeast(*a, *b))
    return a;
  return isAtLeast(*b, *a) ? b : std::nullopt;
}

Interval IndexRange::join(const Interval &a, const Interval &b) const {
  return {smaller(a.lo, b.lo), larger(a.hi, b.hi)};
}

Interval IndexRange::fit(Interval interval, Type type) const {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return {};
  unsigned width = integer.getWidth();
  auto fits = [&](const Bound &bound) {
    std::optional<Bounds> range = bound ? symbols.boundsOf(*bound) : std::nullopt;
    if (!range)
      return false;
    if (width >= 64)
      return !integer.isUnsigned() || range->min >= 0;
    bool isUnsigned = integer.isUnsigned() || width == 1;
    int64_t largest = (int64_t(1) << (isUnsigned ? width : width - 1)) - 1;
    return range->min >= (isUnsigned ? 0 : -largest - 1) && range->max <= largest;
  };
  // If one bound may have wrapped around, the other is invalid, too.
  return fits(interval.lo) && fits(interval.hi) ? interval : Interval();
}

bool IndexRange::isInside(Value index, const SymbolicExpr &rows) {
  Interval interval = of(index);
  return interval.lo && interval.hi && isAtLeast(*interval.lo, SymbolicExpr(0) - rows) &&
         isAtLeast(rows - 1, *interval.hi);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Interval IndexRange::visit(Value value, unsigned depth) {
  value = lookThroughKernels(value);
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!op || !type || depth > kMaxDepth)
    return {};
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  Interval result;
  std::optional<IndexUse> part;
  if (assumeParts)
    part = matchWrappedIndex(value);
  if (part)
    result = {SymbolicExpr(0), part->rows - 1};
  else if (type.getElementType().isInteger(1))
    result = {SymbolicExpr(0), SymbolicExpr(1)};
  else
    result = compute(op, depth + 1);
  known[value] = result;
  return result;
}

/// Returns the integer; nullopt if it does not fit into an i64.
static std::optional<int64_t> numberOf(const APInt &value, Type type) {
  if (!type.isUnsignedInteger())
    return value.getSExtValue();
  return value.getActiveBits() > 63 ? std::nullopt
                                    : std::optional<int64_t>(value.getZExtValue());
}

static Interval ofConstant(Attribute value) {
  auto values = dyn_cast<DenseIntElementsAttr>(value);
  if (!values || values.empty())
    return {};
  std::optional<int64_t> lo, hi;
  for (const APInt &element : values) {
    std::optional<int64_t> number = numberOf(element, values.getElementType());
    if (!number)
      return {};
    lo = lo ? std::min(*lo, *number) : *number;
    hi = hi ? std::max(*hi, *number) : *number;
  }
  return {SymbolicExpr(*lo), SymbolicExpr(*hi)};
}

/// Returns the bounds of a constant that @bake sets, or those that the compiler read from
/// the model's files.
static Interval ofWeight(GetWeightOp op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto bake = module ? module.lookupSymbol<func::FuncOp>(kBakeName) : nullptr;
  if (bake)
    for (auto set : bake.getOps<SetWeightOp>())
      if (auto constant = set.getValue().getDefiningOp<ConstantOp>())
        if (set.getWeight() == op.getWeight())
          return ofConstant(constant.getValue());
  auto weight = module ? module.lookupSymbol<WeightOp>(op.getWeight()) : nullptr;
  auto bounds = weight ? weight->getAttrOfType<DenseI64ArrayAttr>(kBoundsAttr) : nullptr;
  return bounds && bounds.size() == 2
             ? Interval{SymbolicExpr(bounds[0]), SymbolicExpr(bounds[1])}
             : Interval();
}

static Interval ofFill(FillOp op) {
  auto value = dyn_cast<IntegerAttr>(op.getValue());
  std::optional<int64_t> number =
      value ? numberOf(value.getValue(), value.getType()) : std::nullopt;
  return number ? Interval{SymbolicExpr(*number), SymbolicExpr(*number)} : Interval();
}

static Interval ofIota(IotaOp op) {
  double start = op.getStart().convertToDouble(), step = op.getStep().convertToDouble();
  constexpr double kExact = 1ll << 53;
  auto isWhole = [&](double x) { return x == std::floor(x) && std::fabs(x) < kExact; };
  if (!isWhole(start) || !isWhole(step))
    return {};
  SymbolicExpr first = int64_t(start),
               last = first + (getDims(op.getResult())[op.getAxis()] - 1) * int64_t(step);
  return step < 0 ? Interval{last, first} : Interval{first, last};
}

Interval IndexRange::ofCast(CastOp op, unsigned depth) {
  auto from = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getInput())),
       to = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getResult()));
  if (!from || !to)
    return {};
  Interval interval = visit(op.getInput(), depth);
  bool keepsAll = from == to || (to.getWidth() > from.getWidth() && !to.isUnsigned());
  return keepsAll ? interval : fit(interval, to);
}

std::optional<bool> IndexRange::decide(CompareOp op, unsigned depth) {
  Interval a = visit(op.getLhs(), depth), b = visit(op.getRhs(), depth);
  CompareKind kind = op.getKind();
  if (kind == CompareKind::greater || kind == CompareKind::greater_equal)
    std::swap(a, b);
  bool isStrict = kind == CompareKind::less || kind == CompareKind::greater;
  if (kind == CompareKind::equal || kind == CompareKind::not_equal)
    return std::nullopt;
  // whether a < b or a <= b always holds
  if (a.hi && b.lo && isAtLeast(*b.lo, isStrict ? *a.hi + 1 : *a.hi))
    return true;
  if (a.lo && b.hi && isAtLeast(isStrict ? *a.lo : *a.lo - 1, *b.hi))
    return false;
  return std::nullopt;
}

std::optional<bool> IndexRange::decide(Value condition, unsigned depth) {
  Operation *op = definingOp(condition);
  if (auto compare = dyn_cast_or_null<CompareOp>(op))
    return depth > kMaxDepth ? std::nullopt : decide(compare, depth);
  auto both = dyn_cast_or_null<BinaryOp>(op);
  if (!both || both.getKind() != BinaryKind::logical_and || depth > kMaxDepth)
    return std::nullopt;
  std::optional<bool> lhs = decide(both.getLhs(), depth + 1);
  return lhs == true ? decide(both.getRhs(), depth + 1) : lhs;
}

Interval IndexRange::ofSelect(SelectOp op, unsigned depth) {
  auto compare = dyn_cast_or_null<CompareOp>(definingOp(op.getCondition()));
  if (std::optional<bool> known = decide(op.getCondition(), depth))
    return visit(*known ? op.getOnTrue() : op.getOnFalse(), depth);
  Interval onTrue = visit(op.getOnTrue(), depth);
  // In select(x < c, x, ...), the true value is also below c.
  if (compare && compare.getKind() == CompareKind::less &&
      lookThroughKernels(compare.getLhs()) == lookThroughKernels(op.getOnTrue()))
    if (Interval limit = visit(compare.getRhs(), depth); limit.hi)
      onTrue.hi =
          onTrue.hi && isAtLeast(*limit.hi - 1, *onTrue.hi) ? *onTrue.hi : *limit.hi - 1;
  return join(onTrue, visit(op.getOnFalse(), depth));
}

Interval IndexRange::ofUnary(UnaryOp op, unsigned depth) {
  Interval a = visit(op.getInput(), depth);
  Type type = getElementTypeOrSelf(op.getResult());
  if (op.getKind() == UnaryKind::relu)
    return {a.lo && isAtLeast(*a.lo, 0) ? *a.lo : SymbolicExpr(0),
            larger(a.hi, SymbolicExpr(0))};
  if (!a.lo || !a.hi)
    return {};
  if (op.getKind() == UnaryKind::neg)
    return fit({SymbolicExpr(0) - *a.hi, SymbolicExpr(0) - *a.lo}, type);
  if (op.getKind() == UnaryKind::abs)
    return fit({SymbolicExpr(0), larger(a.hi, SymbolicExpr(0) - *a.lo)}, type);
  return {};
}

/// Returns the bounds of a truncating division by a positive constant.
static Interval divide(const Interval &a, int64_t divisor) {
  return {SymbolicExpr(0), a.hi->floorDiv(divisor)};
}

static std::optional<int64_t> constantOf(const Interval &interval) {
  return interval.lo && interval.hi && *interval.lo == *interval.hi
             ? interval.lo->getConstant()
             : std::nullopt;
}

/// Returns the bounds of a sum, difference or product without overflow.
Interval IndexRange::combine(BinaryKind kind, Interval a, Interval b) const {
  if (!a.lo || !a.hi || !b.lo || !b.hi)
    return {};
  if (kind == BinaryKind::add)
    return {*a.lo + *b.lo, *a.hi + *b.hi};
  if (kind == BinaryKind::sub)
    return {*a.lo - *b.hi, *a.hi - *b.lo};
  if (isNonNegative(a) && isNonNegative(b))
    return {*a.lo * *b.lo, *a.hi * *b.hi};
  if (constantOf(a))
    std::swap(a, b);
  std::optional<int64_t> factor = constantOf(b);
  if (!factor)
    return {};
  return *factor < 0 ? Interval{*a.hi * *factor, *a.lo * *factor}
                     : Interval{*a.lo * *factor, *a.hi * *factor};
}

Interval IndexRange::ofBinary(BinaryOp op, unsigned depth) {
  Interval a = visit(op.getLhs(), depth), b = visit(op.getRhs(), depth);
  std::optional<int64_t> constant = constantOf(b);
  switch (op.getKind()) {
  case BinaryKind::add:
  case BinaryKind::sub:
  case BinaryKind::mul:
    return fit(combine(op.getKind(), a, b), getElementTypeOrSelf(op.getResult()));
  case BinaryKind::div:
    return constant && *constant > 0 && isNonNegative(a) && a.hi ? divide(a, *constant)
                                                                 : Interval();
  case BinaryKind::mod:
    // The remainder has the divisor's sign; it is 0 for a divisor of 0.
    return isNonNegative(b) && b.hi
               ? Interval{SymbolicExpr(0), larger(*b.hi - 1, SymbolicExpr(0))}
               : Interval();
  case BinaryKind::fmod:
    return isNonNegative(b) && b.hi && isNonNegative(a)
               ? Interval{SymbolicExpr(0), larger(*b.hi - 1, SymbolicExpr(0))}
               : Interval();
  case BinaryKind::bit_and:
    return isNonNegative(b) && b.hi   ? Interval{SymbolicExpr(0), b.hi}
           : isNonNegative(a) && a.hi ? Interval{SymbolicExpr(0), a.hi}
                                      : Interval();
  case BinaryKind::min: {
    // Both upper bounds are valid; if their order is unknown, either one is returned.
    Bound hi = smaller(a.hi, b.hi);
    return {smaller(a.lo, b.lo), hi ? hi : b.hi ? b.hi : a.hi};
  }
  case BinaryKind::max: {
    Bound lo = larger(a.lo, b.lo);
    return {lo ? lo : b.lo ? b.lo : a.lo, larger(a.hi, b.hi)};
  }
  default:
    return {};
  }
}

Interval IndexRange::compute(Operation *op, unsigned depth) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return ofConstant(constant.getValue());
  if (auto fill = dyn_cast<FillOp>(op))
    return ofFill(fill);
  if (auto weight = dyn_cast<GetWeightOp>(op))
    return ofWeight(weight);
  if (auto iota = dyn_cast<IotaOp>(op))
    return ofIota(iota);
  if (auto dims = dyn_cast<DimsOp>(op)) {
    Dims all = getDims(dims.getValue());
    Interval result;
    for (auto [i, dim] : llvm::enumerate(all))
      result = i ? join(result, {dim, dim}) : Interval{dim, dim};
    return result;
  }
  if (SmallVector<OpOperand *> moved = movedOperands(op); !moved.empty()) {
    Interval result = visit(moved.front()->get(), depth);
    for (OpOperand *operand : ArrayRef(moved).drop_front())
      result = join(result, visit(operand->get(), depth));
    return result;
  }
  if (auto cast = dyn_cast<CastOp>(op))
    return ofCast(cast, depth);
  if (auto select = dyn_cast<SelectOp>(op))
    return ofSelect(select, depth);
  if (auto binary = dyn_cast<BinaryOp>(op))
    return ofBinary(binary, depth);
  if (auto unary = dyn_cast<UnaryOp>(op))
    return ofUnary(unary, depth);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return ofReduce(reduce, depth);
  return {};
}

Interval IndexRange::ofReduce(ReduceOp op, unsigned depth) {
  Dims dims = getDims(op.getInput());
  SymbolicExpr count = 1;
  for (int64_t axis : op.getAxes())
    count *= dims[axis];
  ReduceKind kind = op.getKind();
  // max and min of zero elements are their neutral elements.
  if ((kind == ReduceKind::max || kind == ReduceKind::min) && isAtLeast(count, 1))
    return visit(op.getInput(), depth);
  Interval each = kind == ReduceKind::sum ? visit(op.getInput(), depth) : Interval();
  if (!isNonNegative(each) || !each.hi)
    return {};
  return fit({SymbolicExpr(0), *each.hi * count}, getElementTypeOrSelf(op.getResult()));
}
