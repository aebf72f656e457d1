//===- MergeGates.cpp - Merges the matmuls of gated units -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/PassOptions.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_MERGEGATESPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kMergeGatesPass = "kiln-merge-gates";

namespace {
/// All or some columns of a matmul.
struct Columns {
  MatmulOp product;
  int64_t start = 0, count = 0;
};

/// f(gate) * other, each with an optional bias.
struct GatedUnit {
  BinaryOp mul;
  Value gateValue, otherValue; ///< columns without biases
  Columns gate, other;
};
} // namespace

static std::optional<Columns> columnsOf(Value value) {
  Columns columns;
  auto count =
      getDims(value).empty() ? std::nullopt : getDims(value).back().getConstant();
  if (!count || !value.hasOneUse())
    return std::nullopt;
  columns.count = *count;
  if (auto slice = value.getDefiningOp<SliceOp>()) {
    Dims starts = getDims(slice.getStarts()), from = getDims(slice.getInput());
    Dims to = getDims(value);
    for (size_t i = 0; i < from.size(); ++i)
      if (slice.getSteps()[i] != 1 ||
          (i + 1 < from.size() && (!starts[i].isConstant(0) || from[i] != to[i])))
        return std::nullopt;
    auto start = starts.back().getConstant();
    if (!start)
      return std::nullopt;
    columns.start = *start;
    value = slice.getInput();
  }
  columns.product = value.getDefiningOp<MatmulOp>();
  return columns.product ? std::optional(columns) : std::nullopt;
}

static bool isGateCandidate(MatmulOp op) {
  return !op.getTransposeA() && !op.getResultElement() && !op.getTf32() &&
         rankOf(op.getRhs()) == 2 && isa<FloatType>(elementTypeOf(op.getRhs())) &&
         isCompileTime(op.getRhs());
}

/// Whether they are two matmuls of the same left operand, or halves of one matmul.
static bool arePair(const Columns &gate, const Columns &other) {
  auto width = [](MatmulOp op) { return getDims(op.getResult()).back(); };
  MatmulOp first = gate.product, second = other.product;
  if (!isGateCandidate(first) || !isGateCandidate(second) || gate.count != other.count ||
      first.getLhs() != second.getLhs())
    return false;
  if (first != second)
    return width(first).isConstant(gate.count) && width(second).isConstant(other.count) &&
           first.getType() == second.getType() && first->hasOneUse() &&
           second->hasOneUse();
  return width(first).isConstant(2 * gate.count) && first.getResult().hasNUses(2) &&
         std::min(gate.start, other.start) == 0 &&
         std::max(gate.start, other.start) == gate.count;
}

/// Returns the other summand if `value` adds a bias that is known at compile time and has
/// no other user; else `value`.
static Value withoutBias(Value value) {
  auto add = value.getDefiningOp<BinaryOp>();
  if (!add || add.getKind() != BinaryKind::add || !value.hasOneUse())
    return value;
  for (auto [own, bias] :
       {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())})
    if (isCompileTime(bias) && own.getType() == value.getType())
      return own;
  return value;
}

static std::optional<GatedUnit> matchUnit(BinaryOp mul) {
  if (mul.getKind() != BinaryKind::mul)
    return std::nullopt;
  for (bool swapped : {false, true}) {
    Value active = swapped ? mul.getRhs() : mul.getLhs();
    Value other = swapped ? mul.getLhs() : mul.getRhs();
    auto function = active.getDefiningOp<UnaryOp>();
    if (!function || !active.hasOneUse() || active.getType() != other.getType())
      continue;
    Value gateValue = withoutBias(function.getInput()), otherValue = withoutBias(other);
    auto gate = columnsOf(gateValue), rest = columnsOf(otherValue);
    if (gate && rest && arePair(*gate, *rest))
      return GatedUnit{mul, gateValue, otherValue, *gate, *rest};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// Slices `count` positions of one dim, from `start` on.
static Value take(OpBuilder &b, Location loc, Value value, size_t axis, int64_t start,
                  int64_t count) {
  Dims dims = getDims(value), starts(dims.size(), 0);
  if (start == 0 && dims[axis].isConstant(count))
    return value;
  dims[axis] = count;
  starts[axis] = start;
  return SliceOp::create(b, loc, makeTensorType(dims, elementTypeOf(value)), value,
                         makeShape(b.getContext(), starts),
                         SmallVector<int64_t>(dims.size(), 1));
}

/// Returns columns as blocks [K, N / block, 1, block].
static Value blocksOf(OpBuilder &b, Location loc, Columns columns, int64_t block) {
  Value weight = columns.product.getRhs();
  if (columns.product.getTransposeB())
    weight = swapLastTwo(b, loc, weight);
  weight = take(b, loc, weight, 1, columns.start, columns.count);
  return reshapeTo(b, loc, weight,
                   {getDims(weight)[0], columns.count / block, SymbolicExpr(1), block});
}

static void merge(GatedUnit unit, int64_t block) {
  MatmulOp first = unit.gate.product, second = unit.other.product;
  if (second->isBeforeInBlock(first))
    std::swap(first, second);
  for (MatmulOp product : {first, second})
    moveTreeBefore(product.getRhs(), first);
  OpBuilder b(first);
  Location loc = b.getFusedLoc({first.getLoc(), second.getLoc()});
  Value blocks[] = {blocksOf(b, loc, unit.gate, block),
                    blocksOf(b, loc, unit.other, block)};
  Value weight = ConcatOp::create(b, loc, blocks, b.getI64IntegerAttr(2));
  int64_t count = unit.gate.count;
  weight = reshapeTo(b, loc, weight, {getDims(weight)[0], 2 * count});
  Value product = MatmulOp::create(b, loc, first.getLhs(), weight);
  Dims halves = getDims(product);
  halves.back() = count / block;
  halves.append({SymbolicExpr(2), SymbolicExpr(block)});
  Value split = reshapeTo(b, loc, product, halves);
  Value old[] = {unit.gateValue, unit.otherValue}, parts[2];
  for (int64_t i : {0, 1})
    parts[i] =
        reshapeTo(b, loc, take(b, loc, split, halves.size() - 2, i, 1), getDims(old[i]));
  // Erased last, as the builder inserts at the first matmul.
  for (auto [value, part] : llvm::zip(old, parts))
    replaceAndErase(value.getDefiningOp(), part);
  remarkPassed(unit.mul.getLoc(), kMergeGatesPass, "merge",
               "one product computes a gate and the value that it multiplies");
}

unsigned kiln::mergeGates(func::FuncOp function, int64_t width, int64_t narrowWidth) {
  unsigned merged = 0;
  if (isBake(function))
    return merged;
  SmallVector<BinaryOp> products;
  function.walk([&](BinaryOp op) { products.push_back(op); });
  for (BinaryOp op : products) {
    std::optional<GatedUnit> unit = matchUnit(op);
    if (!unit)
      continue;
    Value weight = unit->gate.product.getRhs();
    bool isNarrow =
        asWidenedWeight(weight) || elementTypeOf(weight).getIntOrFloatBitWidth() == 16;
    int64_t block = (isNarrow ? narrowWidth : width) / 2;
    if (unit->gate.count % block) {
      remarkMissed(op->getLoc(), kMergeGatesPass, "merge",
                   "the " + Twine(unit->gate.count) +
                       " columns of the gate are no multiple of half a panel of packed "
                       "weights, " +
                       Twine(block));
      continue;
    }
    merge(*unit, block);
    ++merged;
  }
  return merged;
}

namespace {
class MergeGatesPass : public kiln::impl::MergeGatesPassBase<MergeGatesPass> {
public:
  using MergeGatesPassBase::MergeGatesPassBase;
  LogicalResult initialize(MLIRContext *context) override {
    for (const auto *option : {&width, &narrowWidth})
      if (failed(checkOption(*this, *option, 2, kMaxPanelWidth, context)))
        return failure();
    if (width % 2 == 0 && narrowWidth % 2 == 0)
      return success();
    return refuseOption(*this, width % 2 ? "width" : "narrow-width", "an even number",
                        std::to_string(width % 2 ? width : narrowWidth), context);
  }
  void runOnGraph() override {
    numMerged += mergeGates(getOperation(), width, narrowWidth);
  }
};
} // namespace
