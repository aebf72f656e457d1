//===- RaiseGelu.cpp - Raises GELU and SiLU -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters multiply 0.5, x and 1 + erf(x / sqrt 2) in every order. Instead of matching
// every order, values are evaluated as polynomials.
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Reference/ResultChange.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"

#include <array>
#include <cmath>

namespace kiln {
#define GEN_PASS_DEF_RAISEGELUPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kRaiseGeluPass = "kiln-raise-gelu";
/// Longest chain from the argument of tanh to x: c * (x + d * (x*x*x)).
static constexpr int kMaxGeluDepth = 7;
/// Maximum number of users from t to the end of the pattern.
static constexpr int kMaxClimb = 5;

//===----------------------------------------------------------------------===//
// Values as A(x) + B(x) * t
//===----------------------------------------------------------------------===//

namespace {
/// Coefficients of x^0 to x^3.
using Polynomial = std::array<double, 4>;

struct Expansion {
  Polynomial a{}, b{};
};

/// Expands values to A(x) + B(x) * t.
class Expander {
public:
  Expander(Value x, Value t) : x(x), t(t) {}
  std::optional<Expansion> expand(Value value, int depth = kMaxGeluDepth) const;

private:
  std::optional<Expansion> expandBinary(BinaryOp op, int depth) const;
  std::optional<Expansion> expandCast(CastOp cast) const;
  Value x, t;
};
} // namespace

static Expansion scaled(Expansion value, double factor) {
  for (double &c : value.a)
    c *= factor;
  for (double &c : value.b)
    c *= factor;
  return value;
}

static Expansion sum(Expansion lhs, const Expansion &rhs) {
  for (size_t i = 0; i < lhs.a.size(); ++i) {
    lhs.a[i] += rhs.a[i];
    lhs.b[i] += rhs.b[i];
  }
  return lhs;
}

/// False if the product has a term of a higher degree than 3.
static bool multiply(const Polynomial &lhs, const Polynomial &rhs, Polynomial &result) {
  for (size_t i = 0; i < lhs.size(); ++i)
    for (size_t j = 0; j < rhs.size(); ++j) {
      double term = lhs[i] * rhs[j];
      if (term == 0)
        continue;
      if (i + j >= result.size())
        return false;
      result[i + j] += term;
    }
  return true;
}

static std::optional<Expansion> product(const Expansion &lhs, const Expansion &rhs) {
  bool both = lhs.b != Polynomial{} && rhs.b != Polynomial{}; // the product would have t
                                                              // * t
  Expansion result;
  if (both || !multiply(lhs.a, rhs.a, result.a) || !multiply(lhs.a, rhs.b, result.b) ||
      !multiply(lhs.b, rhs.a, result.b))
    return std::nullopt;
  return result;
}

/// Matches cast(y * 2^n) where x is cast(y): half-precision exports scale before the
/// cast. Scaling by a power of two commutes with rounding.
std::optional<Expansion> Expander::expandCast(CastOp cast) const {
  auto outer = x.getDefiningOp<CastOp>();
  std::optional<ScalarOperand> inner = asScaled(cast.getInput());
  int exponent;
  if (!outer || !inner || inner->value != outer.getInput() ||
      cast.getType() != outer.getType() || !isWidening(cast) ||
      std::abs(std::frexp(inner->scalar, &exponent)) != 0.5)
    return std::nullopt;
  return Expansion{{0, inner->scalar, 0, 0}, {}};
}

std::optional<Expansion> Expander::expandBinary(BinaryOp op, int depth) const {
  std::optional<Expansion> lhs = expand(op.getLhs(), depth - 1);
  std::optional<double> scalar = splatOf(op.getRhs());
  if (!lhs)
    return std::nullopt;
  if (op.getKind() == BinaryKind::div)
    return scalar && *scalar != 0 ? std::optional(scaled(*lhs, 1 / *scalar)) : std::nullopt;
  if (op.getKind() == BinaryKind::pow) {
    if (scalar != 2.0 && scalar != 3.0)
      return std::nullopt;
    std::optional<Expansion> square = product(*lhs, *lhs);
    return square && scalar == 3.0 ? product(*square, *lhs) : square;
  }
  std::optional<Expansion> rhs = expand(op.getRhs(), depth - 1);
  if (!rhs)
    return std::nullopt;
  switch (op.getKind()) {
  case BinaryKind::add:
    return sum(*lhs, *rhs);
  case BinaryKind::sub:
    return sum(*lhs, scaled(*rhs, -1));
  case BinaryKind::mul:
    return product(*lhs, *rhs);
  default:
    return std::nullopt;
  }
}

std::optional<Expansion> Expander::expand(Value value, int depth) const {
  if (value == t)
    return Expansion{{}, {1, 0, 0, 0}};
  if (value == x)
    return Expansion{{0, 1, 0, 0}, {}};
  if (std::optional<double> number = splatOf(value))
    return Expansion{{*number, 0, 0, 0}, {}};
  if (depth == 0)
    return std::nullopt;
  if (CastOp cast = asFloatCast(value))
    return expandCast(cast);
  if (UnaryOp neg = asUnary(value, UnaryKind::neg)) {
    std::optional<Expansion> inner = expand(neg.getInput(), depth - 1);
    return inner ? std::optional(scaled(*inner, -1)) : std::nullopt;
  }
  auto op = value.getDefiningOp<BinaryOp>();
  return op ? expandBinary(op, depth) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// A pattern: raised to `kind` if t is function(argument(x)) and a user of t computes
/// outer.a(x) + outer.b(x) * t.
struct Spelling {
  UnaryKind function, kind;
  Polynomial argument;
  Expansion outer;
};
} // namespace

static ArrayRef<Spelling> spellings() {
  const double sqrtHalf = std::sqrt(0.5), tanhScale = std::sqrt(2 / M_PI);
  const Polynomial half{0, 0.5, 0, 0}, one{0, 1, 0, 0};
  static const Spelling table[] = {
      {UnaryKind::erf, UnaryKind::gelu, {0, sqrtHalf, 0, 0}, {half, half}},
      {UnaryKind::tanh, UnaryKind::gelu_tanh,
       {0, tanhScale, 0, 0.044715 * tanhScale}, {half, half}},
      {UnaryKind::sigmoid, UnaryKind::silu, one, {{}, one}},
  };
  return table;
}

static bool isAbout(const Polynomial &found, const Polynomial &expected, Type elementType) {
  for (size_t i = 0; i < found.size(); ++i)
    if (!isAbout(found[i], expected[i], elementType))
      return false;
  return true;
}

/// Collects the values from which arithmetic computes `value`, including itself.
static void collectParts(Value value, int depth, SmallVectorImpl<Value> &parts) {
  if (splatOf(value) || llvm::is_contained(parts, value))
    return;
  parts.push_back(value);
  Operation *op = value.getDefiningOp();
  if (depth > 0 && isa_and_nonnull<UnaryOp, BinaryOp>(op))
    for (Value operand : op->getOperands())
      collectParts(operand, depth - 1, parts);
}

/// Returns the x for which `value` is polynomial(x), or null.
static Value findVariable(Value value, const Polynomial &polynomial) {
  SmallVector<Value> parts;
  collectParts(value, kMaxGeluDepth, parts);
  for (Value x : parts) {
    std::optional<Expansion> found = Expander(x, Value()).expand(value);
    if (x.getType() == value.getType() && found &&
        isAbout(found->a, polynomial, elementTypeOf(value)))
      return x;
  }
  return Value();
}

/// Returns the last op of the pattern; null with the reason in `why`.
static Operation *findEnd(UnaryOp function, Value x, const Expansion &outer, StringRef &why) {
  Expander expander(x, function.getResult());
  Value value = function.getResult();
  for (int i = 0; i < kMaxClimb; ++i) {
    if (!value.hasOneUse()) {
      why = "an intermediate value has other users";
      return nullptr;
    }
    Operation *user = *value.user_begin();
    if (!isa<BinaryOp>(user))
      break;
    value = user->getResult(0);
    std::optional<Expansion> found = expander.expand(value);
    Type elementType = elementTypeOf(value);
    if (found && value.getType() == x.getType() && isAbout(found->a, outer.a, elementType) &&
        isAbout(found->b, outer.b, elementType))
      return user;
  }
  why = "the ops behind it do not compute x * (1 + t) / 2, or x * t for a sigmoid";
  return nullptr;
}

static bool raise(UnaryOp function, const Spelling &spelling) {
  Value x = findVariable(function.getInput(), spelling.argument);
  if (!x) {
    // tanh and sigmoid of other values are ordinary activations.
    if (spelling.function == UnaryKind::erf)
      remarkMissed(function.getLoc(), kRaiseGeluPass, "activation",
                   "no gelu: the operand of erf is no value divided by sqrt(2)");
    return false;
  }
  StringRef why;
  Operation *end = findEnd(function, x, spelling.outer, why);
  if (!end) {
    // sigmoid(x) matches for every x, so only a multiplication by x is reported as
    // missed.
    bool looksLike = spelling.function != UnaryKind::sigmoid ||
                     llvm::any_of(function->getUsers(), [&](Operation *user) {
                       return isa<BinaryOp>(user) && llvm::is_contained(user->getOperands(), x);
                     });
    if (looksLike)
      remarkMissed(function.getLoc(), kRaiseGeluPass, "activation",
                   "no " + stringifyUnaryKind(spelling.kind) + ": " + why);
    return false;
  }
  OpBuilder builder(end);
  auto raised = UnaryOp::create(builder, builder.getFusedLoc({end->getLoc(), function.getLoc()}),
                                spelling.kind, x);
  remarkPassed(end->getLoc(), kRaiseGeluPass, "activation",
               "raised: became one " + stringifyUnaryKind(spelling.kind));
  replaceAndErase(end, raised.getResult());
  return true;
}

unsigned kiln::raiseGelu(func::FuncOp function) {
  SmallVector<UnaryOp> anchors;
  function.walk([&](UnaryOp op) { anchors.push_back(op); });
  unsigned raised = 0;
  // A rewrite erases its own anchor only: the results of other anchors are in use.
  for (UnaryOp anchor : anchors)
    for (const Spelling &spelling : spellings())
      if (anchor.getKind() == spelling.function) {
        raised += raise(anchor, spelling);
        break;
      }
  return raised;
}

namespace {
class RaiseGeluPass : public kiln::impl::RaiseGeluPassBase<RaiseGeluPass>,
                      public reference::ChangesResults {
public:
  void runOnGraph() override { numRaised += raiseGelu(getOperation()); }
  reference::ResultChange resultChange(ModuleOp module) override {
    return reference::changeByRaising(module);
  }
};
} // namespace
