//===- ScaledMma.cpp - MMA of quantized operands --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "dialects/Types/FloatFormat.h"

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

namespace {
struct ScaledOperands {
  Fragment codes, scales, totals, weight, weightScales, zeros;
};
} // namespace

/// Returns the quantized weight at K index k and column n (layout: graph.scaled_matmul).
static int64_t codeOf(const Fragment &weight, tile::ScaledMmaOp op, int64_t k,
                      int64_t n) {
  int64_t bits = op.getBits(), steps = 32 / bits;
  auto byte = static_cast<uint8_t>(weight.at(k / steps, 4 * n + k % 4).i);
  if (bits == 8)
    return byte;
  int64_t code = k % steps < 4 ? byte & 15 : byte >> 4;
  return op.looksUpCodes() ? e2m1FromZero(code) : code;
}

static double scaleOf(const Scalar &stored, std::optional<Type> narrow) {
  if (!narrow)
    return stored.f;
  return isPowerOfTwoType(*narrow) ? decodeScale(stored.i)
                                   : decode(stored.i, *floatFormatOf(*narrow));
}

static int64_t zeroOf(const ScaledOperands &from, tile::ScaledMmaOp op, int64_t n) {
  if (!from.zeros.elements.empty())
    return static_cast<uint8_t>(from.zeros.at(0, n).i);
  return op.getDefaultZero();
}

/// Returns the sum over K of element (m, n) for activations that are floats, not
/// quantized integers.
static double numbersSum(const ScaledOperands &from, tile::ScaledMmaOp op, int64_t m,
                         int64_t n) {
  Type f32 = op.getType().getElementType();
  bool isHalf = op.getMultiplier() == tile::ScaledMmaOp::Multiplier::Halves;
  const FloatFormat *bytes = isHalf ? nullptr : floatFormatOf(op.getLhsType());
  double sum = 0;
  for (int64_t k = 0; k < from.codes.columns; ++k) {
    const Scalar &x = from.codes.at(m, k);
    int64_t code = codeOf(from.weight, op, k, n);
    double left = bytes ? decode(static_cast<uint8_t>(x.i), *bytes) : x.f;
    double right =
        op.multipliesBytes() ? decode(code, *bytes) : double(code - zeroOf(from, op, n));
    sum = fusedIn(f32, left, right, sum);
  }
  return sum;
}

/// Returns the integer sum over K of a row and a column, minus the zero point's
/// contribution.
static int32_t sumOf(const ScaledOperands &from, tile::ScaledMmaOp op, int64_t m,
                     int64_t n) {
  auto zero = static_cast<uint32_t>(zeroOf(from, op, n));
  uint32_t sum = -zero * static_cast<uint32_t>(from.totals.at(m, 0).i);
  for (int64_t k = 0; k < from.codes.columns; ++k)
    sum += static_cast<uint32_t>(static_cast<int8_t>(from.codes.at(m, k).i)) *
           static_cast<uint32_t>(codeOf(from.weight, op, k, n));
  return static_cast<int32_t>(sum);
}

/// Returns `sum` plus element (m, n) of f4E2M1FN operands, block by block of K: the sum
/// and the scale of each block are exact.
static double addFloat4(const ScaledOperands &from, tile::ScaledMmaOp op, int64_t m,
                        int64_t n, double sum) {
  int64_t scales = from.scales.columns, steps = from.codes.columns / scales;
  for (int64_t g = 0; g < scales; ++g) {
    double ofBlock = 0;
    for (int64_t k = g * steps; k < (g + 1) * steps; ++k)
      ofBlock += double(e2m1FromZero(from.codes.at(m, k).i) - kE2m1Zero) / 2 *
                 double(codeOf(from.weight, op, k, n) - kE2m1Zero) / 2;
    double scale = scaleOf(from.scales.at(m, g), op.getScaleType()) *
                   scaleOf(from.weightScales.at(0, n * scales + g), op.getScaleType());
    sum = fusedIn(op.getType().getElementType(), scale, ofBlock, sum);
  }
  return sum;
}

Evaluated interpreter::evaluateScaledMma(State &state, Operation *op) {
  auto mma = dyn_cast<tile::ScaledMmaOp>(op);
  if (!mma)
    return std::nullopt;
  ScaledOperands from;
  std::pair<mlir::Value, Fragment *> operands[] = {
      {mma.getLhs(), &from.codes},
      {mma.getLhsScales(), &from.scales},
      {mma.getLhsTotals(), &from.totals},
      {mma.getRhs(), &from.weight},
      {mma.getRhsScales(), &from.weightScales},
      {mma.getRhsZeros(), &from.zeros}};
  for (auto [value, into] : operands)
    if (value && failed(readOperand(state, op, value, *into)))
      return failure();
  Fragment result = state.fragment(mma.getAccumulator());
  bool hasNumbers = isa<FloatType>(mma.getLhsType());
  for (int64_t m = 0; m < result.rows; ++m)
    for (int64_t n = 0; n < result.columns; ++n) {
      if (mma.getMultiplier() == tile::ScaledMmaOp::Multiplier::Float4) {
        Scalar &into = result.at(m, n);
        into.f = addFloat4(from, mma, m, n, into.f);
        continue;
      }
      double scale = mma.getRhsScales()
                         ? scaleOf(from.weightScales.at(0, n), mma.getScaleType())
                         : 1;
      double sum;
      if (hasNumbers) {
        sum = numbersSum(from, mma, m, n);
      } else {
        scale = static_cast<float>(from.scales.at(m, 0).f * scale);
        sum = static_cast<float>(sumOf(from, mma, m, n));
      }
      Scalar &into = result.at(m, n);
      into.f = fusedIn(mma.getType().getElementType(), scale, sum, into.f);
    }
  state.bind(mma.getResult(), std::move(result));
  return success();
}
