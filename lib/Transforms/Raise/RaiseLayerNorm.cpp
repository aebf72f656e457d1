//===- RaiseLayerNorm.cpp - Raises layer norm and RMS norm ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Reference/ResultChange.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_RAISELAYERNORMPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kRaiseLayerNormPass = "kiln-raise-layer-norm";

//===----------------------------------------------------------------------===//
// Parts of the pattern
//===----------------------------------------------------------------------===//

/// Matches mean(x) that keeps the reduced dims, by the reduction or by a reshape after
/// it.
static ReduceOp asMean(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  auto reduce = (reshape ? reshape.getInput() : value).getDefiningOp<ReduceOp>();
  if (!reduce || reduce.getKind() != ReduceKind::mean || reduce.getAxes().empty())
    return {};
  Dims kept = getDims(reduce.getInput());
  for (int64_t axis : reduce.getAxes())
    kept[axis] = 1;
  return getDims(value) == kept ? reduce : ReduceOp();
}

/// Returns v for v^2, written as a power or a multiplication.
static Value asSquare(Value value) {
  if (BinaryOp pow = asBinary(value, BinaryKind::pow))
    return splatOf(pow.getRhs()) == 2.0 && pow.getLhs().getType() == pow.getType() ? pow.getLhs()
                                                                                  : Value();
  BinaryOp mul = asBinary(value, BinaryKind::mul);
  return mul && mul.getLhs() == mul.getRhs() ? mul.getLhs() : Value();
}

/// Returns v for sqrt(v), written as a root or a power.
static Value asSqrt(Value value) {
  if (UnaryOp sqrt = asUnary(value, UnaryKind::sqrt))
    return sqrt.getInput();
  BinaryOp pow = asBinary(value, BinaryKind::pow);
  return pow && splatOf(pow.getRhs()) == 0.5 && pow.getLhs().getType() == pow.getType()
             ? pow.getLhs()
             : Value();
}

/// Returns v for 1 / sqrt(v).
static Value asRsqrt(Value value) {
  if (UnaryOp rsqrt = asUnary(value, UnaryKind::rsqrt))
    return rsqrt.getInput();
  if (UnaryOp reciprocal = asUnary(value, UnaryKind::reciprocal))
    return asSqrt(reciprocal.getInput());
  if (BinaryOp div = asBinary(value, BinaryKind::div))
    return splatOf(div.getLhs()) == 1.0 ? asSqrt(div.getRhs()) : Value();
  BinaryOp pow = asBinary(value, BinaryKind::pow);
  return pow && splatOf(pow.getRhs()) == -0.5 && pow.getLhs().getType() == pow.getType()
             ? pow.getLhs()
             : Value();
}

namespace {
/// numerator / sqrt(variance + epsilon), as a division or a multiplication.
struct Quotient {
  Value numerator, radicand;
};
} // namespace

static std::optional<Quotient> asQuotient(BinaryOp op) {
  if (op.getKind() == BinaryKind::div)
    if (Value radicand = asSqrt(op.getRhs()))
      return Quotient{op.getLhs(), radicand};
  if (op.getKind() != BinaryKind::mul)
    return std::nullopt;
  if (Value radicand = asRsqrt(op.getRhs()))
    return Quotient{op.getLhs(), radicand};
  if (Value radicand = asRsqrt(op.getLhs()))
    return Quotient{op.getRhs(), radicand};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Pattern
//===----------------------------------------------------------------------===//

namespace {
struct Norm {
  Value input;
  /// Wider type of the computation, if the model casts between centering and squaring.
  Type computeType;
  int64_t axis = 0;
  double epsilon = 0;
  bool centred = false;
};

/// Matches a norm that ends in `op`. `why` is set if it looks like a norm but does not
/// match.
class NormMatcher {
public:
  explicit NormMatcher(BinaryOp op) : op(op) {}
  std::optional<Norm> match();
  std::string why;

private:
  std::nullopt_t refuse(const Twine &reason) {
    why = reason.str();
    return std::nullopt;
  }
  /// Sets `axis` if the reduction is over all dims from one on.
  bool matchAxes(ReduceOp mean, Norm &norm);
  BinaryOp op;
};
} // namespace

bool NormMatcher::matchAxes(ReduceOp mean, Norm &norm) {
  int64_t rank = rankOf(mean.getInput()), count = mean.getAxes().size();
  norm.axis = rank - count;
  // Axes are sorted and distinct (C1), so comparing the first suffices.
  return mean.getAxes().front() == norm.axis;
}

/// Returns the operand of a cast to a wider float type, or else the value itself.
static Value narrowed(Value value) {
  CastOp cast = asFloatCast(value);
  return cast && isWidening(cast) ? cast.getInput() : value;
}

std::optional<Norm> NormMatcher::match() {
  std::optional<Quotient> quotient = asQuotient(op);
  if (!quotient || quotient->numerator.getType() != op.getType())
    return std::nullopt;
  Norm norm;
  Value variance = quotient->radicand;
  if (BinaryOp add = asBinary(variance, BinaryKind::add))
    if (std::optional<ScalarOperand> split = splitScalar(add)) {
      variance = split->value;
      norm.epsilon = split->scalar;
    }
  ReduceOp mean = asMean(variance);
  Value deviation = mean ? asSquare(mean.getInput()) : Value();
  if (!deviation)
    return std::nullopt; // not a norm
  if (!matchAxes(mean, norm))
    return refuse("the variance is not taken over the trailing dims");
  if (norm.epsilon < 0)
    return refuse("epsilon is negative");

  norm.computeType = elementTypeOf(quotient->numerator);
  BinaryOp centre = asBinary(narrowed(quotient->numerator), BinaryKind::sub);
  ReduceOp centreMean = centre ? asMean(centre.getRhs()) : ReduceOp();
  if (!centreMean || centreMean.getInput() != centre.getLhs()) {
    norm.input = deviation;
    if (deviation == quotient->numerator)
      return norm; // not centered: RMS norm
    return refuse("the numerator is neither what is squared nor centred on its own mean");
  }
  norm.input = centre.getLhs();
  norm.centred = true;
  if (centreMean.getAxes() != mean.getAxes())
    return refuse("mean and variance are taken over different dims");
  // Exporters compute the difference twice; both must be equal.
  BinaryOp squared = asBinary(narrowed(deviation), BinaryKind::sub);
  ReduceOp squaredMean = squared ? asMean(squared.getRhs()) : ReduceOp();
  if (!squaredMean || squared.getLhs() != norm.input || squaredMean.getInput() != norm.input ||
      squaredMean.getAxes() != mean.getAxes())
    return refuse("what is squared is not the centred numerator");
  return norm;
}

/// Makes a scale of ones with the normalised dims, if they are static, as rms_norm
/// requires a scale.
static Value makeOnes(OpBuilder &builder, Location loc, Value input, int64_t axis) {
  ArrayRef<int64_t> dims = cast<RankedTensorType>(input.getType()).getShape().drop_front(axis);
  SmallVector<int64_t> shape(dims);
  if (llvm::is_contained(dims, ShapedType::kDynamic))
    shape = {1};
  return makeSplat(builder, loc, elementTypeOf(input), 1.0, shape);
}

static void rewrite(BinaryOp op, const Norm &norm) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value input = norm.input, result;
  if (elementTypeOf(input) != norm.computeType)
    input = CastOp::create(builder, loc, makeTensorType(getDims(input), norm.computeType), input);
  FloatAttr epsilon = builder.getF64FloatAttr(norm.epsilon);
  IntegerAttr axis = builder.getI64IntegerAttr(norm.axis);
  if (norm.centred)
    result = LayerNormOp::create(builder, loc, input, Value(), Value(), axis, epsilon);
  else
    result = RmsNormOp::create(builder, loc, input, makeOnes(builder, loc, input, norm.axis),
                               axis, epsilon);
  remarkPassed(op->getLoc(), kRaiseLayerNormPass, "norm",
               "raised: became one " +
                   StringRef(norm.centred ? "layer_norm" : "rms_norm"));
  replaceAndErase(op, result);
}

//===----------------------------------------------------------------------===//
// Scale and bias
//===----------------------------------------------------------------------===//

/// Returns the dims of `value` as a scale or bias of a norm of `input`: they must
/// broadcast to the normalised dims, after leading dims of size 1 are dropped.
static std::optional<Dims> fitToNormalised(Value value, Value input, int64_t axis) {
  Dims own = getDims(value), dims = getDims(input);
  ArrayRef<SymbolicExpr> normalised = ArrayRef(dims).drop_front(axis), kept = own;
  while (kept.size() > normalised.size()) {
    if (!kept.front().isConstant(1))
      return std::nullopt;
    kept = kept.drop_front();
  }
  return broadcastsTo(kept, normalised) ? std::optional(Dims(kept)) : std::nullopt;
}

/// Returns a norm without scale or bias (or with a neutral one) of which `op` applies
/// one.
template <typename NormOp>
static NormOp asNormOperand(BinaryOp op, Value &other) {
  for (bool left : {true, false}) {
    auto norm = (left ? op.getLhs() : op.getRhs()).template getDefiningOp<NormOp>();
    other = left ? op.getRhs() : op.getLhs();
    if (norm && norm.getType() == op.getType())
      return norm;
  }
  return {};
}

static bool absorbable(BinaryOp op, Operation *norm) {
  if (norm->hasOneUse())
    return true;
  remarkMissed(op.getLoc(), kRaiseLayerNormPass, "scale-or-bias",
               "stays an op of its own: the norm has other users");
  return false;
}

/// Absorbs layer_norm * scale and layer_norm + bias.
static bool absorbIntoLayerNorm(BinaryOp op) {
  Value other;
  auto norm = asNormOperand<LayerNormOp>(op, other);
  bool isScale = op.getKind() == BinaryKind::mul, isBias = op.getKind() == BinaryKind::add;
  // A scale after a bias would also scale the bias.
  if (!norm || norm.getBias() || (isScale && norm.getScale()) || !(isScale || isBias))
    return false;
  std::optional<Dims> dims = fitToNormalised(other, norm.getInput(), norm.getAxis());
  if (!dims || !absorbable(op, norm))
    return false;
  OpBuilder builder(op);
  Value fitted = reshapeTo(builder, op.getLoc(), other, *dims);
  auto absorbed = LayerNormOp::create(builder, builder.getFusedLoc({norm.getLoc(), op.getLoc()}),
                                      norm.getInput(), isScale ? fitted : norm.getScale(),
                                      isBias ? fitted : Value(), norm.getAxisAttr(),
                                      norm.getEpsilonAttr());
  replaceAndErase(op, absorbed.getResult());
  return true;
}

/// Absorbs rms_norm * scale.
static bool absorbIntoRmsNorm(BinaryOp op) {
  Value other;
  auto norm = asNormOperand<RmsNormOp>(op, other);
  if (!norm || op.getKind() != BinaryKind::mul || splatOf(norm.getScale()) != 1.0)
    return false;
  std::optional<Dims> dims = fitToNormalised(other, norm.getInput(), norm.getAxis());
  if (!dims || !absorbable(op, norm))
    return false;
  OpBuilder builder(op);
  Value fitted = reshapeTo(builder, op.getLoc(), other, *dims);
  auto absorbed = RmsNormOp::create(builder, builder.getFusedLoc({norm.getLoc(), op.getLoc()}),
                                    norm.getInput(), fitted, norm.getAxisAttr(),
                                    norm.getEpsilonAttr());
  replaceAndErase(op, absorbed.getResult());
  return true;
}

unsigned kiln::raiseLayerNorm(func::FuncOp function) {
  unsigned raised = 0;
  for (Block &block : function.getBody())
    // A rewrite erases only ops before its op, so the iterator, which is one ahead,
    // remains valid; and a norm is raised before its scale is visited.
    for (Operation &candidate : llvm::make_early_inc_range(block)) {
      auto op = dyn_cast<BinaryOp>(candidate);
      if (!op || absorbIntoLayerNorm(op) || absorbIntoRmsNorm(op))
        continue;
      NormMatcher matcher(op);
      if (std::optional<Norm> norm = matcher.match()) {
        rewrite(op, *norm);
        ++raised;
      } else if (!matcher.why.empty()) {
        remarkMissed(op->getLoc(), kRaiseLayerNormPass, "norm", matcher.why);
      }
    }
  return raised;
}

namespace {
class RaiseLayerNormPass : public kiln::impl::RaiseLayerNormPassBase<RaiseLayerNormPass>,
                           public reference::ChangesResults {
public:
  void runOnGraph() override { numRaised += raiseLayerNorm(getOperation()); }
  reference::ResultChange resultChange(ModuleOp module) override {
    return reference::changeByRaising(module);
  }
};
} // namespace
