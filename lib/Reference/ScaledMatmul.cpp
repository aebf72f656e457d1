//===- ScaledMatmul.cpp - Matmuls of quantized operands -------------------===//
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

/// Returns the tensor of an optional operand; null if the op does not have it.
static const Tensor *operandOf(const Call &call, MutableOperandRange operand) {
  return operand.empty() ? nullptr : &call.operands[operand[0].getOperandNumber()];
}

namespace {
/// Quantized weights, scales and zero points by K index and column.
class Weight {
public:
  Weight(ScaledMatmulOp op, const Call &call)
      : format(op.getWeightFormat()), bits(format.getBits()), width(op.getPanelWidth()),
        block(format.getBlock()), isNumber(op.isFourByFour()),
        codes(call.operands[op.getWeightMutable().getOperandNumber()]),
        scales(operandOf(call, op.getWeightScalesMutable())),
        zeros(operandOf(call, op.getWeightZerosMutable())) {}

  /// Returns w of the op's description.
  double code(int64_t k, int64_t n) const {
    int64_t steps = 32 / bits, word = wordOf(k / steps, codes.getShape()[1], n);
    int64_t at = word * 4 + k % 4;
    if (isa<FloatType>(codes.getElementType()))
      return codes.getDouble(at);
    int64_t byte = static_cast<uint8_t>(codes.data()[at]);
    if (bits == 8)
      return double(byte);
    int64_t code = k % steps < 4 ? byte & 15 : byte >> 4;
    if (format.isInteger())
      return double(code);
    return isNumber ? decode(code, *floatFormatOf(format.getElement()))
                    : e2m1FromZero(code);
  }
  double scale(int64_t k, int64_t n) const {
    return scales ? scales->getDouble(ofBlock(k, n, scales->getShape())) : 1;
  }
  double zero(int64_t k, int64_t n) const {
    if (zeros)
      return double(zeros->getInt(ofBlock(k, n, zeros->getShape())));
    bool hasNone = isNumber || isa<FloatType>(codes.getElementType());
    return hasNone ? 0 : double(format.getDefaultZero());
  }

private:
  /// Returns the index of a column in row `row` of panels with `rows` rows.
  int64_t wordOf(int64_t row, int64_t rows, int64_t n) const {
    return (n / width * rows + row) * width + n % width;
  }
  /// Returns the index of the scale of K index k: in panels [P, K / B, W] or [P, K / 64,
  /// W, 64 / B].
  int64_t ofBlock(int64_t k, int64_t n, ArrayRef<int64_t> shape) const {
    int64_t together = shape.size() == 4 ? shape[3] : 1, g = k / block;
    return wordOf(g / together, shape[1], n) * together + g % together;
  }

  FormatAttr format;
  int64_t bits, width, block;
  bool isNumber; ///< f4E2M1FN has its plain value, not e2m1FromZero
  const Tensor &codes;
  const Tensor *scales, *zeros;
};

/// Quantized activations and their scales, by row.
class Input {
public:
  Input(ScaledMatmulOp op, const Call &call)
      : format(op.getInputFormat()), codes(call.operands[0]), k(codes.getShape().back()),
        rowScales(operandOf(call, op.getRowScalesMutable())),
        scales(operandOf(call, op.getScalesMutable())),
        totals(operandOf(call, op.getTotalsMutable())) {}

  int64_t rows() const { return codes.getNumElements() / k; }
  double number(int64_t m, int64_t step) const {
    if (isa<FloatType>(codes.getElementType()))
      return codes.getDouble(m * k + step);
    int64_t code = codes.getInt(m * k + step);
    return format.isInteger() ? double(code)
                              : decode(code, *floatFormatOf(format.getElement()));
  }
  double rowScale(int64_t m) const { return rowScales ? rowScales->getDouble(m) : 1; }
  double scale(int64_t m, int64_t step) const {
    return scales ? scales->getDouble(ofBlock(m, step)) : 1;
  }
  /// Returns the sum of a block's quantized values if it is an operand of the op.
  std::optional<double> sum(int64_t m, int64_t step) const {
    return totals ? std::optional(double(totals->getInt(ofBlock(m, step))))
                  : std::nullopt;
  }

private:
  int64_t ofBlock(int64_t m, int64_t step) const {
    return m * (k / format.getBlock()) + step / format.getBlock();
  }

  FormatAttr format;
  const Tensor &codes;
  int64_t k;
  const Tensor *rowScales, *scales, *totals;
};
} // namespace

/// Evaluates the formula of the op's description in f64, in which sums of integers are
/// exact.
Result reference::evaluate(ScaledMatmulOp op, const Call &call) {
  Weight weight(op, call);
  Input input(op, call);
  int64_t n = op.getColumns(), k = call.operands[0].getShape().back(),
          rows = input.rows();
  int64_t block = op.getWeightFormat().hasBlocks() ? op.getWeightFormat().getBlock() : k;
  std::vector<double> result(rows * n), numbers(rows * k), column(k);
  for (int64_t m = 0; m < rows; ++m)
    for (int64_t i = 0; i < k; ++i)
      numbers[m * k + i] = input.number(m, i);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < k; ++i)
      column[i] = weight.code(i, j);
    for (int64_t m = 0; m < rows; ++m) {
      double &y = result[m * n + j];
      for (int64_t begin = 0; begin < k; begin += block) {
        double zero = weight.zero(begin, j);
        std::optional<double> given = input.sum(m, begin);
        double sum = given ? -zero * *given : 0;
        for (int64_t i = begin; i < begin + block; ++i)
          sum += numbers[m * k + i] * (given ? column[i] : column[i] - zero);
        y += input.scale(m, begin) * weight.scale(begin, j) * sum;
      }
      y *= input.rowScale(m);
    }
  }
  return Tensor::fromDoubles(op.getType().getElementType(), call.shape, result);
}
