//===- IntFold.cpp - Shape arithmetic during import -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/IntFold.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::UnaryKind;
using FoldedInt = std::optional<SymbolicExpr>;

/// Evaluates an op on integers; nullopt if it overflows or is undefined.
static FoldedInt onConstants(BinaryKind kind, int64_t a, int64_t b) {
  int64_t result;
  switch (kind) {
  case BinaryKind::add:
    return llvm::AddOverflow(a, b, result) ? std::nullopt : FoldedInt(result);
  case BinaryKind::sub:
    return llvm::SubOverflow(a, b, result) ? std::nullopt : FoldedInt(result);
  case BinaryKind::mul:
    return llvm::MulOverflow(a, b, result) ? std::nullopt : FoldedInt(result);
  case BinaryKind::div:
    return b == 0 || (b == -1 && a == INT64_MIN) ? std::nullopt : FoldedInt(a / b);
  case BinaryKind::mod:
    return b == 0 || b == -1 ? std::nullopt : FoldedInt((a % b + b) % b);
  case BinaryKind::fmod:
    return b == 0 || b == -1 ? std::nullopt : FoldedInt(a % b);
  case BinaryKind::min:
    return std::min(a, b);
  case BinaryKind::max:
    return std::max(a, b);
  case BinaryKind::logical_and:
    return int64_t(a && b);
  case BinaryKind::logical_or:
    return int64_t(a || b);
  case BinaryKind::logical_xor:
    return int64_t(!a != !b);
  default:
    return std::nullopt;
  }
}

/// Returns a / b rounded towards zero, as in ONNX; expressions only have floordiv.
static FoldedInt truncatedQuotient(const Symbols &symbols, const SymbolicExpr &a,
                                   const SymbolicExpr &b) {
  if (symbols.boundsOf(b).lo <= 0)
    return std::nullopt;
  Symbols::Bounds bounds = symbols.boundsOf(a);
  if (bounds.lo >= 0)
    return a.floorDiv(b);
  return bounds.hi <= 0 ? FoldedInt(SymbolicExpr(0) - (SymbolicExpr(0) - a).floorDiv(b))
                        : std::nullopt;
}

static FoldedInt onExpressions(const Symbols &symbols, BinaryKind kind,
                               const SymbolicExpr &a, const SymbolicExpr &b) {
  switch (kind) {
  case BinaryKind::add:
    return a + b;
  case BinaryKind::sub:
    return a - b;
  case BinaryKind::mul:
    return a * b;
  case BinaryKind::div:
    return truncatedQuotient(symbols, a, b);
  case BinaryKind::mod: // has the sign of b
    return symbols.boundsOf(b).lo > 0 ? FoldedInt(a.mod(b)) : std::nullopt;
  case BinaryKind::fmod: // has the sign of a
    return symbols.boundsOf(a).lo >= 0 && symbols.boundsOf(b).lo > 0 ? FoldedInt(a.mod(b))
                                                                     : std::nullopt;
  case BinaryKind::min:
    return symbols.minOf(a, b);
  case BinaryKind::max:
    return symbols.maxOf(a, b);
  default:
    return std::nullopt;
  }
}

/// Returns true if the value is exact in its type: others would wrap around or round.
static bool fits(const Symbols &symbols, const SymbolicExpr &value, mlir::Type type) {
  int64_t limit = exactLimit(type);
  if (std::optional<int64_t> constant = value.getConstant())
    return *constant <= limit && *constant >= -limit;
  Symbols::Bounds bounds = symbols.boundsOf(value);
  return isa<mlir::IntegerType>(type) || (bounds.hi <= limit && bounds.lo >= -limit);
}

/// Folds ops on floats that are integers: quotients must be exact, and no zero may become
/// -0 by a negative factor.
static FoldedInt onFloats(const Symbols &symbols, BinaryKind kind, const SymbolicExpr &a,
                          const SymbolicExpr &b) {
  auto isNotZero = [&](const SymbolicExpr &value) {
    Symbols::Bounds bounds = symbols.boundsOf(value);
    return bounds.lo > 0 || bounds.hi < 0;
  };
  bool signs = (symbols.boundsOf(a).lo >= 0 && symbols.boundsOf(b).lo >= 0) ||
               (isNotZero(a) && isNotZero(b));
  switch (kind) {
  case BinaryKind::add:
    return a + b;
  case BinaryKind::sub:
    return a - b;
  case BinaryKind::mul:
    return signs ? FoldedInt(a * b) : std::nullopt;
  case BinaryKind::div:
    return signs && !b.isConstant(0) ? a.exactDiv(b) : std::nullopt;
  case BinaryKind::min:
    return symbols.minOf(a, b);
  case BinaryKind::max:
    return symbols.maxOf(a, b);
  default:
    return std::nullopt;
  }
}

/// Returns the contents of inputs [0, count); nullopt if one is unknown.
static std::optional<SmallVector<const IntTensor *>> contents(Node &n, unsigned count) {
  SmallVector<const IntTensor *> result;
  for (unsigned i = 0; i < count; ++i) {
    result.push_back(n.content(i));
    if (!result.back())
      return std::nullopt;
  }
  return result;
}

static FoldedInt foldPair(Node &n, BinaryKind kind, mlir::Type type,
                          const SymbolicExpr &x, const SymbolicExpr &y) {
  auto a = x.getConstant(), b = y.getConstant();
  bool small = isReasonable(x) && isReasonable(y) && (!a || llvm::isInt<32>(*a)) &&
               (!b || llvm::isInt<32>(*b));
  FoldedInt value;
  if (isa<mlir::FloatType>(type))
    value = small ? onFloats(n.symbols, kind, x, y) : std::nullopt;
  else if (a && b)
    value = onConstants(kind, *a, *b);
  else if (small)
    value = onExpressions(n.symbols, kind, x, y);
  return value && fits(n.symbols, *value, type) ? value : std::nullopt;
}

std::optional<IntTensor> kiln::import::foldBinary(Node &n, BinaryKind kind) {
  auto operands = contents(n, n.numInputs());
  if (!operands)
    return std::nullopt;
  mlir::Type type = operands->front()->elementType;
  for (const IntTensor *operand : *operands)
    if (operand->elementType != type)
      return std::nullopt;
  return combine(*operands, type, [&](ArrayRef<SymbolicExpr> e) {
    FoldedInt value = e.front();
    for (const SymbolicExpr &next : e.drop_front())
      value = value ? foldPair(n, kind, type, *value, next) : value;
    return value;
  });
}

std::optional<IntTensor> kiln::import::foldClip(Node &n) {
  SmallVector<const IntTensor *> operands;
  for (unsigned i : {0, 1, 2})
    if (n.hasInput(i))
      operands.push_back(n.content(i));
  if (llvm::is_contained(operands, nullptr))
    return std::nullopt;
  mlir::Type type = operands.front()->elementType;
  return combine(operands, type, [&](ArrayRef<SymbolicExpr> e) {
    FoldedInt value = e.front();
    if (n.hasInput(1))
      value = foldPair(n, BinaryKind::max, type, *value, e[1]);
    if (value && n.hasInput(2))
      value = foldPair(n, BinaryKind::min, type, *value, e.back());
    return value;
  });
}

/// Returns whether the comparison holds for all sizes or for none; nullopt: undecided.
static std::optional<bool> decide(const Symbols &symbols, CompareKind kind,
                                  const SymbolicExpr &a, const SymbolicExpr &b) {
  auto negate = [](std::optional<bool> v) { return v ? std::optional(!*v) : v; };
  switch (kind) {
  case CompareKind::equal:
    return symbols.isEqual(a, b);
  case CompareKind::not_equal:
    return negate(symbols.isEqual(a, b));
  case CompareKind::greater_equal:
    return symbols.isAtLeast(a, b);
  case CompareKind::less:
    return negate(symbols.isAtLeast(a, b));
  case CompareKind::less_equal:
    return symbols.isAtLeast(b, a);
  case CompareKind::greater:
    return negate(symbols.isAtLeast(b, a));
  }
  return std::nullopt;
}

static Undecided undecidedOf(CompareKind kind, const SymbolicExpr &a,
                             const SymbolicExpr &b) {
  switch (kind) {
  case CompareKind::equal:
  case CompareKind::not_equal:
    return {a, b, Undecided::Kind::Equal};
  case CompareKind::greater_equal:
  case CompareKind::less:
    return {a, b, Undecided::Kind::AtLeast};
  case CompareKind::less_equal:
  case CompareKind::greater:
    break;
  }
  return {b, a, Undecided::Kind::AtLeast};
}

std::optional<IntTensor> kiln::import::foldCompare(Node &n, CompareKind kind) {
  auto operands = contents(n, 2);
  if (!operands)
    return std::nullopt;
  return combine(*operands, n.builder.getI1Type(),
                 [&](ArrayRef<SymbolicExpr> e) -> FoldedInt {
                   auto a = e[0].getConstant(), b = e[1].getConstant();
                   // Differences of distant constants would overflow.
                   auto isFar = [](std::optional<int64_t> v) {
                     return v && std::abs(*v / 2) >= INT32_MAX;
                   };
                   if (isFar(a) || isFar(b))
                     return std::nullopt;
                   std::optional<bool> holds = decide(n.symbols, kind, e[0], e[1]);
                   if (!holds)
                     n.setUndecided(undecidedOf(kind, e[0], e[1]));
                   return holds ? FoldedInt(int64_t(*holds)) : std::nullopt;
                 });
}

/// Returns the integer square root if it is exact.
static std::optional<SymbolicExpr> rootOf(int64_t square) {
  if (square < 0)
    return std::nullopt;
  auto root = int64_t(std::sqrt(double(square)));
  return root * root == square ? std::optional(SymbolicExpr(root)) : std::nullopt;
}

std::optional<IntTensor> kiln::import::foldUnary(Node &n, UnaryKind kind) {
  auto operands = contents(n, 1);
  if (!operands)
    return std::nullopt;
  return combine(*operands, operands->front()->elementType,
                 [&](ArrayRef<SymbolicExpr> e) -> FoldedInt {
                   if (e[0].getConstant() == INT64_MIN)
                     return std::nullopt;
                   bool isFloat = isa<mlir::FloatType>(operands->front()->elementType);
                   switch (kind) {
                   case UnaryKind::floor:
                   case UnaryKind::ceil:
                   case UnaryKind::round:
                     return e[0];
                   case UnaryKind::neg: // a float 0 would become -0
                     return isFloat && n.symbols.isAtLeast(e[0], 1) != true
                                ? std::nullopt
                                : FoldedInt(SymbolicExpr(0) - e[0]);
                   case UnaryKind::abs:
                     return n.symbols.maxOf(e[0], SymbolicExpr(0) - e[0]);
                   case UnaryKind::sqrt: // only of exact squares
                     return rootOf(e[0].getConstant().value_or(-1));
                   case UnaryKind::relu:
                     return n.symbols.maxOf(e[0], 0);
                   case UnaryKind::logical_not:
                     return SymbolicExpr(1) - e[0];
                   default:
                     return std::nullopt;
                   }
                 });
}

std::optional<IntTensor> kiln::import::foldWhere(Node &n) {
  auto operands = contents(n, 3);
  if (!operands)
    return std::nullopt;
  return combine(*operands, (*operands)[1]->elementType,
                 [](ArrayRef<SymbolicExpr> e) -> FoldedInt {
                   std::optional<int64_t> condition = e[0].getConstant();
                   if (!condition)
                     return e[1] == e[2] ? FoldedInt(e[1]) : std::nullopt;
                   return *condition ? e[1] : e[2];
                 });
}

std::optional<IntTensor> kiln::import::foldCast(Node &n, mlir::Type type) {
  auto operands = contents(n, 1);
  if (!operands || !isTracked(type))
    return std::nullopt;
  return combine(*operands, type, [&](ArrayRef<SymbolicExpr> e) -> FoldedInt {
    if (!type.isInteger(1))
      return fits(n.symbols, e[0], type) ? FoldedInt(e[0]) : std::nullopt;
    std::optional<bool> zero = n.symbols.isEqual(e[0], SymbolicExpr(0));
    if (!zero)
      n.setUndecided({e[0], SymbolicExpr(0), Undecided::Kind::Equal});
    return zero ? FoldedInt(int64_t(!*zero)) : std::nullopt;
  });
}

FoldedInt kiln::import::product(ArrayRef<SymbolicExpr> elements) {
  SymbolicExpr result = 1;
  for (const SymbolicExpr &element : elements) {
    auto a = result.getConstant(), b = element.getConstant();
    FoldedInt next =
        a && b ? onConstants(BinaryKind::mul, *a, *b) : FoldedInt(result * element);
    if (!next || !isReasonable(*next))
      return std::nullopt;
    result = *next;
  }
  return result;
}
