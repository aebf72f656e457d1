//===- Elementwise.cpp - Elementwise arithmetic ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/IntFold.h"
#include "lib/Import/Ops/Ops.h"

#include <cmath>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::UnaryKind;

static LogicalResult importUnary(Node &n, UnaryKind kind) {
  if (std::optional<IntTensor> folded = foldUnary(n, kind))
    return n.result(*folded);
  return n.result(n.unary(kind, n.input(0)));
}

static LogicalResult importBinary(Node &n, BinaryKind kind) {
  if (std::optional<IntTensor> folded = foldBinary(n, kind))
    return n.result(*folded);
  return n.result(n.binary(kind, n.input(0), n.input(1)));
}

LogicalResult kiln::import::importAbs(Node &n) { return importUnary(n, UnaryKind::abs); }
LogicalResult kiln::import::importNeg(Node &n) { return importUnary(n, UnaryKind::neg); }
LogicalResult kiln::import::importExp(Node &n) { return importUnary(n, UnaryKind::exp); }
LogicalResult kiln::import::importLog(Node &n) { return importUnary(n, UnaryKind::log); }
LogicalResult kiln::import::importSqrt(Node &n) {
  return importUnary(n, UnaryKind::sqrt);
}
LogicalResult kiln::import::importReciprocal(Node &n) {
  return importUnary(n, UnaryKind::reciprocal);
}
LogicalResult kiln::import::importFloor(Node &n) {
  return importUnary(n, UnaryKind::floor);
}
LogicalResult kiln::import::importCeil(Node &n) {
  return importUnary(n, UnaryKind::ceil);
}
LogicalResult kiln::import::importRound(Node &n) {
  return importUnary(n, UnaryKind::round);
}
LogicalResult kiln::import::importErf(Node &n) { return importUnary(n, UnaryKind::erf); }
LogicalResult kiln::import::importTanh(Node &n) {
  return importUnary(n, UnaryKind::tanh);
}
LogicalResult kiln::import::importSigmoid(Node &n) {
  return importUnary(n, UnaryKind::sigmoid);
}
LogicalResult kiln::import::importRelu(Node &n) {
  return importUnary(n, UnaryKind::relu);
}
LogicalResult kiln::import::importSin(Node &n) { return importUnary(n, UnaryKind::sin); }
LogicalResult kiln::import::importCos(Node &n) { return importUnary(n, UnaryKind::cos); }
LogicalResult kiln::import::importSign(Node &n) {
  return importUnary(n, UnaryKind::sign);
}
LogicalResult kiln::import::importSoftplus(Node &n) {
  return importUnary(n, UnaryKind::softplus);
}

LogicalResult kiln::import::importAdd(Node &n) {
  return importBinary(n, BinaryKind::add);
}
LogicalResult kiln::import::importSub(Node &n) {
  return importBinary(n, BinaryKind::sub);
}
LogicalResult kiln::import::importMul(Node &n) {
  return importBinary(n, BinaryKind::mul);
}
LogicalResult kiln::import::importDiv(Node &n) {
  return importBinary(n, BinaryKind::div);
}
/// Computes an integer to a float power in f64 and truncates. If the result is within a
/// few ulps of an integer, it is rounded to it first, so that truncation does not lose 1.
static Value powOfInteger(Node &n, Value base, Value exponent) {
  Type wide = n.builder.getF64Type();
  Value power = n.binary(BinaryKind::pow, n.cast(base, wide), n.cast(exponent, wide));
  Value whole = n.unary(UnaryKind::round, power);
  Value distance = n.unary(UnaryKind::abs, n.binary(BinaryKind::sub, power, whole));
  Value noise =
      n.binary(BinaryKind::mul, n.unary(UnaryKind::abs, whole), n.scalar(wide, 0x1p-46));
  Value isWhole = n.compare(graph::CompareKind::less_equal, distance, noise);
  return n.cast(n.select(isWhole, whole, power), n.elementType(base));
}

/// Folds the power of two constants if it is an integer, such as count^0.5, the side of a
/// square position table.
static std::optional<IntTensor> foldPow(Node &n) {
  const IntTensor *known = n.content(0);
  std::optional<double> base = n.constantNumber(0), exponent = n.constantNumber(1);
  if (!known || !base || !exponent || n.inputRank(1) > known->rank())
    return std::nullopt;
  double power = std::pow(*base, *exponent);
  if (power != std::floor(power) || std::abs(power) > INT32_MAX ||
      std::abs(power) > double(exactLimit(known->elementType)))
    return std::nullopt;
  IntTensor result = *known;
  result.elements.front() = int64_t(power);
  return result;
}

LogicalResult kiln::import::importPow(Node &n) {
  if (std::optional<IntTensor> power = foldPow(n))
    return n.result(*power);
  bool mixed = isa<IntegerType>(n.inputType(0).getElementType()) &&
               isa<FloatType>(n.inputType(1).getElementType());
  if (mixed)
    return n.result(powOfInteger(n, n.input(0), n.input(1)));
  return importBinary(n, BinaryKind::pow);
}

LogicalResult kiln::import::importMod(Node &n) {
  // Before opset 28 ONNX defines Mod of floats only as C's fmod.
  bool isFmod = n.intAttr("fmod", 0) ||
                (n.sinceVersion() < 28 && isa<FloatType>(n.inputType(0).getElementType()));
  return importBinary(n, isFmod ? BinaryKind::fmod : BinaryKind::mod);
}

//===----------------------------------------------------------------------===//
// Any number of inputs
//===----------------------------------------------------------------------===//

static Value chain(Node &n, BinaryKind kind) {
  Value result = n.input(0);
  for (unsigned i = 1; i < n.numInputs(); ++i)
    result = n.binary(kind, result, n.input(i));
  return result;
}

static LogicalResult importVariadic(Node &n, BinaryKind kind) {
  if (std::optional<IntTensor> folded = foldBinary(n, kind))
    return n.result(*folded);
  return n.result(chain(n, kind));
}

LogicalResult kiln::import::importMin(Node &n) {
  return importVariadic(n, BinaryKind::min);
}
LogicalResult kiln::import::importMax(Node &n) {
  return importVariadic(n, BinaryKind::max);
}
LogicalResult kiln::import::importSum(Node &n) {
  return importVariadic(n, BinaryKind::add);
}

LogicalResult kiln::import::importMean(Node &n) {
  Value sum = chain(n, BinaryKind::add);
  if (!sum)
    return failure();
  return n.result(n.binary(BinaryKind::div, sum, n.scalarLike(sum, n.numInputs())));
}

//===----------------------------------------------------------------------===//
// Clip and activations
//===----------------------------------------------------------------------===//

/// Imports Clip before opset 11, whose limits are attributes.
LogicalResult kiln::import::importClip6(Node &n) {
  Value x = n.input(0);
  if (n.hasAttr("min"))
    x = n.binary(BinaryKind::max, x, n.scalarLike(x, n.floatAttr("min", 0)));
  if (x && n.hasAttr("max"))
    x = n.binary(BinaryKind::min, x, n.scalarLike(x, n.floatAttr("max", 0)));
  return n.result(x);
}

LogicalResult kiln::import::importClip(Node &n) {
  if (std::optional<IntTensor> folded = foldClip(n))
    return n.result(*folded);
  Value x = n.input(0);
  if (n.hasInput(1))
    x = n.binary(BinaryKind::max, x, n.input(1));
  if (n.hasInput(2))
    x = n.binary(BinaryKind::min, x, n.input(2));
  return n.result(x);
}

LogicalResult kiln::import::importLeakyRelu(Node &n) {
  Value x = n.input(0);
  Value negative = n.compare(graph::CompareKind::less, x, n.scalarLike(x, 0));
  Value scaled =
      n.binary(BinaryKind::mul, x, n.scalarLike(x, n.floatAttr("alpha", 0.01)));
  return n.result(n.select(negative, scaled, x));
}

LogicalResult kiln::import::importGelu(Node &n) {
  StringRef form = n.stringAttr("approximate", "none");
  if (form != "none" && form != "tanh")
    return n.fail(ErrorCode::NodeInvalid, "attribute approximate has an unknown value",
                  "none or tanh", form, "correct the attribute");
  return n.result(
      n.unary(form == "tanh" ? UnaryKind::gelu_tanh : UnaryKind::gelu, n.input(0)));
}

/// Computes x * sigmoid(alpha * x).
LogicalResult kiln::import::importSwish(Node &n) {
  Value x = n.input(0);
  double alpha = n.floatAttr("alpha", 1.0);
  if (alpha == 1.0)
    return n.result(n.unary(UnaryKind::silu, x));
  Value scaled = n.binary(BinaryKind::mul, x, n.scalarLike(x, alpha));
  return n.result(n.binary(BinaryKind::mul, x, n.unary(UnaryKind::sigmoid, scaled)));
}
