//===- ScaledMatmul.cpp - Products of quantized operands ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ops.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

namespace {
/// The weight's codes, scales and zero points by step of K and column.
struct Weight {
  Weight(ScaledMatmulOp op, const Call &call)
      : codes(call.operands[3]), scales(call.operands[4]), bits(op.getBits()),
        width(op.getPanelWidth()), block(op.getBlock()), words(codes.getShape()[1]),
        blocks(scales.getShape()[1]), defaultZero(op.getDefaultZero()),
        isE2m1(op.getE2m1()), hasScales(op.hasBlockScales()) {
    if (op.getWeightZeros())
      zeros = call.operands[5];
  }

  int64_t byteOf(int64_t k, int64_t n) const {
    int64_t word = (n / width * words + k / (32 / bits)) * width + n % width;
    return word * 4 + k % 4;
  }
  /// Returns element (k, n) of a weight of f8E4M3FN.
  double number(int64_t k, int64_t n) const { return codes.getDouble(byteOf(k, n)); }
  int64_t code(int64_t k, int64_t n) const {
    int64_t steps = 32 / bits;
    int64_t byte = static_cast<uint8_t>(codes.data()[byteOf(k, n)]);
    if (bits == 8)
      return byte;
    byte = k % steps < 4 ? byte & 15 : byte >> 4;
    return isE2m1 ? e2m1FromZero(byte) : byte;
  }
  int64_t place(int64_t g, int64_t n) const {
    return (n / width * blocks + g) * width + n % width;
  }
  /// Returns the scale of weight element (k, n) where both operands are of f4E2M1FN:
  /// scales lie in groups, those of 64 steps of K side by side.
  double groupedScale(int64_t k, int64_t n) const {
    int64_t perGroup = scales.getShape()[3], steps = block / perGroup;
    return scales.getDouble(place(k / block, n) * perGroup + k % block / steps);
  }
  double scale(int64_t g, int64_t n) const {
    return hasScales ? scales.getDouble(place(g, n)) : 1;
  }
  int64_t zero(int64_t g, int64_t n) const {
    return zeros ? zeros->getInt(place(g, n)) : defaultZero;
  }

  Tensor codes, scales;
  std::optional<Tensor> zeros;
  int64_t bits, width, block, words, blocks, defaultZero;
  bool isE2m1, hasScales;
};
} // namespace

/// Activations that are numbers; of f8E4M3FN, as the weight, and with a scale per row.
static Result evaluateNumbers(ScaledMatmulOp op, const Call &call, const Weight &weight) {
  const Tensor &x = call.operands[0];
  int64_t n = op.getColumns(), k = x.getShape().back();
  int64_t rows = x.getNumElements() / k;
  std::vector<double> numbers(rows * k), column(k), result(rows * n);
  for (int64_t i = 0; i < rows * k; ++i)
    numbers[i] = x.getDouble(i);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < k; ++i) {
      int64_t g = i / weight.block;
      column[i] =
          weight.scale(g, j) * (op.isFloat8() && !op.getE2m1()
                                    ? weight.number(i, j)
                                    : double(weight.code(i, j) - weight.zero(g, j)));
    }
    for (int64_t m = 0; m < rows; ++m) {
      double &sum = result[m * n + j];
      for (int64_t i = 0; i < k; ++i)
        sum += numbers[m * k + i] * column[i];
      if (op.isFloat8())
        sum *= call.operands[1].getDouble(m);
    }
  }
  return Tensor::fromDoubles(op.getType().getElementType(), call.shape, result);
}

/// Numbers of f4E2M1FN on both sides, with scales per block, and one per row.
static Result evaluateFloat4(ScaledMatmulOp op, const Call &call, const Weight &weight) {
  const Tensor &codes = call.operands[0], &scales = call.operands[2];
  int64_t n = op.getColumns(), k = codes.getShape().back();
  int64_t rows = codes.getNumElements() / k, steps = k / scales.getShape().back();
  std::vector<double> numbers(rows * k), column(k), result(rows * n);
  for (int64_t i = 0; i < rows * k; ++i)
    numbers[i] = decode(codes.getInt(i), kF4E2M1FN) * scales.getDouble(i / steps);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < k; ++i)
      column[i] =
          weight.groupedScale(i, j) * double(weight.code(i, j) - weight.defaultZero) / 2;
    for (int64_t m = 0; m < rows; ++m) {
      double sum = 0;
      for (int64_t i = 0; i < k; ++i)
        sum += numbers[m * k + i] * column[i];
      result[m * n + j] = sum * call.operands[1].getDouble(m);
    }
  }
  return Tensor::fromDoubles(op.getType().getElementType(), call.shape, result);
}

Result reference::evaluate(ScaledMatmulOp op, const Call &call) {
  Weight weight(op, call);
  if (op.getInput().getType().getElementType().isUnsignedInteger(8))
    return evaluateFloat4(op, call, weight);
  if (isa<FloatType>(op.getInput().getType().getElementType()))
    return evaluateNumbers(op, call, weight);
  int64_t n = op.getColumns(), k = call.operands[0].getShape().back();
  int64_t rows = call.operands[0].getNumElements() / k;
  auto *codes = reinterpret_cast<const int8_t *>(call.operands[0].data());
  std::vector<double> result(rows * n);
  std::vector<int64_t> column(k);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < k; ++i)
      column[i] = weight.code(i, j);
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t g = 0; g < weight.blocks; ++g) {
        int64_t at = m * weight.blocks + g;
        int64_t sum = -weight.zero(g, j) * call.operands[2].getInt(at);
        for (int64_t i = g * weight.block; i < (g + 1) * weight.block; ++i)
          sum += codes[m * k + i] * column[i];
        result[m * n + j] += call.operands[1].getDouble(at) * weight.scale(g, j) *
                             static_cast<double>(sum);
      }
  }
  return Tensor::fromDoubles(op.getType().getElementType(), call.shape, result);
}
