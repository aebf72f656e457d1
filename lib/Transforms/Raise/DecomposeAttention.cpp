//===- DecomposeAttention.cpp - Decomposes unsupported attention ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decomposes attention to matmuls and a softmax whose scores are in memory, for heads of
// any size. As for graph.attention, hidden keys must have no effect: their scores are
// replaced, and their values are either zero for all queries or excluded from a sum.
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Target/CheckTargets.h"
#include "kiln/Transforms/Bake/ScaledLayout.h"
#include "kiln/Transforms/Graph/Passes.h"

#include <limits>

namespace kiln {
#define GEN_PASS_DEF_DECOMPOSEATTENTIONPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kDecomposeAttentionPass = "kiln-decompose-attention";
static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {
/// One attention as [B, H, S, ..] tensors, with Hkv heads of keys and values.
class AttentionDecomposition {
public:
  explicit AttentionDecomposition(AttentionOp op)
      : op(op), b(op), loc(op.getLoc()), element(elementTypeOf(op.getQuery())),
        wide(element.isF64() ? element : b.getF32Type()), q(getDims(op.getQuery())),
        k(getDims(op.getKey())), v(getDims(op.getValue())), group(q[1].floorDiv(k[1])) {}

  Value run();

private:
  void findSeen();
  void hideMasked();
  /// Whether queries of one sequence may see different keys.
  bool seesApart() { return op.getCausal() || op.getMaskHides(); }
  Value scores();
  Value withSinks(Value scores);
  Value withoutSinks(Value weights);
  Value sumByProduct(Value weights);
  Value sumOfSeen(Value weights);
  Value emptyRowsAs(Value scores, Value result, double number);

  Value cast(Value value, Type to);
  Value reshape(Value value, ArrayRef<SymbolicExpr> dims) {
    return reshapeTo(b, loc, value, dims);
  }
  Value splat(Type type, double value) { return makeSplat(b, loc, type, value); }
  Value binary(BinaryKind kind, Value lhs, Value rhs) {
    return BinaryOp::create(b, loc, kind, lhs, rhs);
  }
  Value position(ArrayRef<SymbolicExpr> dims, int64_t axis);

  AttentionOp op;
  OpBuilder b;
  Location loc;
  Type element, wide; ///< types of the operands, and of scores and accumulators
  Dims q, k, v;
  SymbolicExpr group; ///< query heads per key head
  Value keysSeen;     ///< visible keys by `lengths`, [B, 1, 1, T]; null: all
  Value seen;         ///< visible keys including causal and a mask that hides, [B or 1, H
                      ///< or 1, S or 1, T]
};
} // namespace

Value AttentionDecomposition::cast(Value value, Type to) {
  if (elementTypeOf(value) == to)
    return value;
  return CastOp::create(b, loc, makeTensorType(getDims(value), to), value);
}

Value AttentionDecomposition::position(ArrayRef<SymbolicExpr> dims, int64_t axis) {
  auto type = makeTensorType(dims, b.getI64Type());
  return IotaOp::create(b, loc, type, b.getI64IntegerAttr(axis), b.getF64FloatAttr(0),
                        b.getF64FloatAttr(1));
}

/// Key j is visible if j < lengths[b], with causal if also j <= i + end - S, and with a
/// window w if also i + end - S < j + w.
void AttentionDecomposition::findSeen() {
  if (!op.getLengths() && !op.getCausal())
    return;
  Value key = position({1, 1, 1, k[2]}, 3), end = makeSize(b, loc, k[2]);
  if (Value lengths = op.getLengths()) {
    Value length = reshape(cast(lengths, b.getI64Type()), {q[0], 1, 1, 1});
    length = binary(BinaryKind::max, length, makeSize(b, loc, 0));
    seen = keysSeen = CompareOp::create(b, loc, CompareKind::less, key, length);
    if (op.getFromLength())
      end = length;
  }
  if (!op.getCausal())
    return;
  Value offset = binary(BinaryKind::sub, end, makeSize(b, loc, q[2]));
  Value last = binary(BinaryKind::add, position({1, 1, q[2], 1}, 2), offset);
  Value causal = CompareOp::create(b, loc, CompareKind::less_equal, key, last);
  auto also = [&](Value part) {
    seen = seen ? binary(BinaryKind::logical_and, seen, part) : part;
  };
  also(causal);
  if (std::optional<uint64_t> window = op.getWindow())
    also(CompareOp::create(
        b, loc, CompareKind::less, last,
        binary(BinaryKind::add, key, makeSize(b, loc, int64_t(*window)))));
}

/// Excludes keys that the mask hides.
void AttentionDecomposition::hideMasked() {
  Dims dims = getDims(op.getMask());
  dims.insert(dims.begin(), 4 - dims.size(), 1);
  Value mask = reshape(op.getMask(), dims);
  Value part = CompareOp::create(b, loc, CompareKind::greater, mask,
                                 splat(elementTypeOf(mask), -kInfinity));
  seen = seen ? binary(BinaryKind::logical_and, seen, part) : part;
}

/// Returns the scores [B, H, S, T] in the wide type. The query heads of a key head are
/// rows of one matmul.
Value AttentionDecomposition::scores() {
  Value query = reshape(op.getQuery(), {q[0], k[1], group * q[2], q[3]});
  TypeAttr sums = element == wide ? TypeAttr() : TypeAttr::get(wide);
  Value product = MatmulOp::create(b, loc, query, op.getKey(), /*transpose_a=*/false,
                                   /*transpose_b=*/true, sums, /*tf32=*/false);
  product = reshape(product, {q[0], q[1], q[2], k[2]});
  double scale = op.getScale().convertToDouble();
  if (std::optional<APFloat> softcap = op.getSoftcap()) {
    double cap = softcap->convertToDouble();
    product = binary(BinaryKind::mul, product, splat(wide, scale / cap));
    product = UnaryOp::create(b, loc, UnaryKind::tanh, product);
    product = binary(BinaryKind::mul, product, splat(wide, cap));
  } else {
    product = binary(BinaryKind::mul, product, splat(wide, scale));
  }
  if (Value mask = op.getMask()) {
    mask = cast(mask, wide);
    product = binary(BinaryKind::add, product, mask);
    if (Value keep = op.getKeep())
      product = SelectOp::create(b, loc, keep, product, mask);
  }
  if (!seen)
    return product;
  return SelectOp::create(b, loc, seen, product, splat(wide, -kInfinity));
}

/// Appends the sinks as a column that no mask affects: [B, H, S, T + 1].
Value AttentionDecomposition::withSinks(Value scores) {
  if (!op.getSinks())
    return scores;
  Value sinks = reshape(cast(op.getSinks(), wide), {1, q[1], 1, 1});
  sinks = BroadcastOp::create(b, loc, makeTensorType({q[0], q[1], q[2], 1}, wide), sinks);
  return ConcatOp::create(b, loc, ValueRange{scores, sinks}, 3);
}

/// Drops the weights of sinks, which have no values.
Value AttentionDecomposition::withoutSinks(Value weights) {
  if (!op.getSinks())
    return weights;
  auto type = makeTensorType({q[0], q[1], q[2], k[2]}, wide);
  return SliceOp::create(b, loc, type, weights, makeShape(b.getContext(), {0, 0, 0, 0}),
                         ArrayRef<int64_t>{1, 1, 1, 1});
}

/// Multiplies weights and values; if all queries of a sequence see the same keys, the
/// values of hidden keys are set to zero.
Value AttentionDecomposition::sumByProduct(Value weights) {
  Value values = op.getValue();
  if (keysSeen)
    values = SelectOp::create(b, loc, reshape(keysSeen, {q[0], 1, k[2], 1}), values,
                              splat(element, 0));
  Value rows = reshape(cast(weights, element), {q[0], k[1], group * q[2], k[2]});
  Value product = MatmulOp::create(b, loc, rows, values);
  return reshape(product, {q[0], q[1], q[2], v[3]});
}

/// Sums over visible keys. If queries see different keys, a matmul would add 0 * NaN of
/// hidden keys; this sum excludes them but is slower.
Value AttentionDecomposition::sumOfSeen(Value weights) {
  Value rows = reshape(weights, {q[0], k[1], group, q[2], k[2], 1});
  Value values = reshape(cast(op.getValue(), wide), {q[0], k[1], 1, 1, k[2], v[3]});
  Dims dims = getDims(seen);
  bool isPerHead = !dims[1].isConstant(1);
  Value counts = reshape(
      seen, {dims[0], isPerHead ? k[1] : 1, isPerHead ? group : 1, dims[2], dims[3], 1});
  Value parts = SelectOp::create(b, loc, counts, binary(BinaryKind::mul, rows, values),
                                 splat(wide, 0));
  Value sum = ReduceOp::create(b, loc, ReduceKind::sum, parts, ArrayRef<int64_t>{4},
                               /*keep_dims=*/false);
  return reshape(cast(sum, element), {q[0], q[1], q[2], v[3]});
}

/// Replaces rows of the result whose scores are all minus infinity by `number`.
Value AttentionDecomposition::emptyRowsAs(Value scores, Value result, double number) {
  Value highest = ReduceOp::create(b, loc, ReduceKind::max, scores, ArrayRef<int64_t>{3},
                                   /*keep_dims=*/true);
  Value isEmpty =
      CompareOp::create(b, loc, CompareKind::equal, highest, splat(wide, -kInfinity));
  return SelectOp::create(b, loc, isEmpty, splat(element, number), result);
}

Value AttentionDecomposition::run() {
  findSeen();
  if (op.getMaskHides())
    hideMasked();
  Value all = withSinks(scores());
  Value weights = withoutSinks(SoftmaxOp::create(b, loc, all, 3));
  if (op.getNanZero())
    weights =
        SelectOp::create(b, loc, UnaryOp::create(b, loc, UnaryKind::is_nan, weights),
                         splat(wide, 0), weights);
  Value result = seesApart() ? sumOfSeen(weights) : sumByProduct(weights);
  if (op.getMaskedZero())
    return emptyRowsAs(all, result, 0);
  // The sum over no keys is zero, but a softmax over no keys is NaN.
  return seesApart() && !op.getNanZero() ? emptyRowsAs(all, result, std::nan(""))
                                         : result;
}

/// Returns quantized elements times their scales in the query's type.
static Value dequantized(OpBuilder &b, AttentionOp op, Value codes, Value scales) {
  LayoutWriter w(b, op.getLoc());
  Dims rows = getDims(scales);
  rows.push_back(1);
  Value numbers = w.binary(BinaryKind::mul, w.cast(codes, b.getF32Type()),
                           w.reshape(scales, rows));
  return w.cast(numbers, elementTypeOf(op.getQuery()));
}

/// Dequantizes keys and values for kernels that do not support quantized caches.
static void expandCodes(AttentionOp op) {
  OpBuilder b(op);
  Value key = dequantized(b, op, op.getKey(), op.getKeyScales());
  Value value = dequantized(b, op, op.getValue(), op.getValueScales());
  op.getKeyScalesMutable().clear();
  op.getValueScalesMutable().clear();
  op.getKeyMutable().assign(key);
  op.getValueMutable().assign(value);
  remarkMissed(op.getLoc(), kDecomposeAttentionPass, "quantized-cache",
               "a target has no kernel that reads the codes of its cache, which is "
               "dequantized in every run");
}

unsigned kiln::decomposeAttention(func::FuncOp function,
                                  function_ref<bool(AttentionOp)> isHeld) {
  SmallVector<AttentionOp> ops;
  function.walk([&](AttentionOp op) { ops.push_back(op); });
  unsigned count = 0;
  for (AttentionOp op : ops) {
    if (isHeld(op))
      continue;
    if (op.getKeyScales()) {
      expandCodes(op);
      if (isHeld(op))
        continue;
    }
    remarkPassed(op.getLoc(), kDecomposeAttentionPass, "attention",
                 "computed as two products and a softmax: its heads are too long for the "
                 "registers and the shared memory of a block on one of the GPUs");
    replaceAndErase(op, AttentionDecomposition(op).run());
    ++count;
  }
  return count;
}

namespace {
class DecomposeAttentionPass
    : public kiln::impl::DecomposeAttentionPassBase<DecomposeAttentionPass> {
public:
  using DecomposeAttentionPassBase::DecomposeAttentionPassBase;
  DecomposeAttentionPass(const DecomposeAttentionPassOptions &options,
                         HoldsAttention holds)
      : DecomposeAttentionPassBase(options), holds(std::move(holds)) {}

  LogicalResult initialize(MLIRContext *context) override {
    return checkTargets(UnknownLoc::get(context), llvm::to_vector(*targets));
  }
  void runOnGraph() override {
    numDecomposed += decomposeAttention(getOperation(), [&](AttentionOp op) {
      return !holds || llvm::all_of(targets, [&](const std::string &target) {
        return holds(op, target);
      });
    });
  }

private:
  HoldsAttention holds;
};
} // namespace

std::unique_ptr<Pass> kiln::createDecomposeAttentionPass(ArrayRef<std::string> targets,
                                                         HoldsAttention holds) {
  DecomposeAttentionPassOptions options;
  options.targets.assign(targets.begin(), targets.end());
  return std::make_unique<DecomposeAttentionPass>(options, std::move(holds));
}
