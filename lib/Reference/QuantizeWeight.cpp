//===- QuantizeWeight.cpp - Evaluates graph.quantize_weight ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizes in f32, a panel of 16 columns at a time. Panels are independent, so any
// number of threads computes the same bytes.
//
//===----------------------------------------------------------------------===//

#include "QuantizeWeight.h"
#include "Ops.h"
#include "PanelQuantizer.h"
#include "kiln/ErrorCodes/Model.h"

#include <cmath>
#include <cstring>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

static std::vector<float> toFloats(const Tensor &tensor) {
  std::vector<float> values(tensor.getNumElements());
  if (tensor.getElementType().isF32() && !tensor.isWide())
    std::memcpy(values.data(), tensor.data(), values.size() * sizeof(float));
  else
    for (auto [i, value] : llvm::enumerate(values))
      value = float(tensor.getDouble(i));
  return values;
}

/// Returns the tensor's f32 elements, in place if possible, else converted into `copied`:
/// a factor is large and read for every panel.
static const float *floatsOf(const Tensor &tensor, std::vector<float> &copied) {
  bool lies = tensor.getElementType().isF32() && !tensor.isWide() &&
              reinterpret_cast<uintptr_t>(tensor.data()) % alignof(float) == 0;
  if (lies)
    return reinterpret_cast<const float *>(tensor.data());
  copied = toFloats(tensor);
  return copied.data();
}

/// Writes quantized values: words of 32 bits per column and 32 / bits K indices.
static void writeCodes(const PanelQuantizer &panel, int64_t bits, char *out) {
  ArrayRef<std::array<uint8_t, kWidth>> codes = panel.allCodes();
  int64_t steps = 32 / bits;
  for (int64_t word = 0; word < int64_t(codes.size()) / steps; ++word)
    for (int64_t column = 0; column < kWidth; ++column)
      for (int64_t byte = 0; byte < 4; ++byte) {
        uint8_t value = codes[word * steps + byte][column];
        if (bits == 4)
          value |= codes[word * steps + 4 + byte][column] << 4;
        *out++ = static_cast<char>(value);
      }
}

int64_t WeightMatrix::panels() const { return llvm::divideCeil(columns, kWidth); }

std::vector<float> WeightMatrix::panel(int64_t number) const {
  int64_t first = number * kWidth, count = std::min(kWidth, columns - first);
  std::vector<float> panel(rows * kWidth);
  for (int64_t at = 0; at < rows; ++at)
    std::copy_n(values.begin() + at * columns + first, count,
                panel.begin() + at * kWidth);
  return panel;
}

/// Returns the weight of the op; an error if an element is NaN or infinite, which would
/// be quantized to an arbitrary value silently.
static llvm::Expected<WeightMatrix> matrixOf(QuantizeWeightOp op, const Tensor &weight) {
  WeightMatrix matrix{weight.getShape()[0], weight.getShape()[1], toFloats(weight)};
  if (llvm::all_of(matrix.values, [](float x) { return std::isfinite(x); }))
    return matrix;
  return errorAt(op, ErrorCode::ModelMalformed,
                 "a weight cannot be quantized, as an element is no number",
                 "finite elements", "NaN or infinity",
                 "correct the weight, or keep this product in f32 by a policy");
}

/// Returns the squared error of a panel whose columns were `weights` before error
/// compensation. Padding columns are zeros, which are quantized without error.
static SquaredError errorOf(const PanelQuantizer &panel, ArrayRef<float> weights) {
  SquaredError sums;
  for (auto [i, weight] : llvm::enumerate(weights)) {
    double error = double(weight) - panel.quantized(i / kWidth, i % kWidth);
    sums.error += error * error;
    sums.weight += double(weight) * weight;
  }
  return sums;
}

Result reference::quantizedPanels(QuantizeWeightOp op, ArrayRef<Tensor> operands,
                                  std::vector<SquaredError> *errors) {
  Format format(op);
  llvm::Expected<WeightMatrix> matrix = matrixOf(op, operands[0]);
  if (!matrix)
    return matrix.takeError();
  std::vector<float> copied;
  const float *factor = nullptr;
  size_t next = 1;
  if (op.getFactor())
    factor = floatsOf(operands[next++], copied);
  float unit = op.getUnit() ? float(operands[next].getDouble(0)) : 1.0f;

  auto type = cast<RankedTensorType>(op.getType());
  int64_t panels = matrix->panels();
  Shape shape(type.getShape());
  shape[0] = panels;
  int64_t perPanel = *countElements(shape) / panels;
  Tensor bytes = Tensor::allocate(
      IntegerType::get(op.getContext(), 8, IntegerType::Unsigned), shape);
  std::vector<double> scales;
  for (int64_t number = 0; number < panels; ++number) {
    std::vector<float> columns = matrix->panel(number);
    PanelQuantizer panel(format, columns.data(), matrix->rows, factor, unit);
    std::vector<float> before = errors ? columns : std::vector<float>();
    panel.run();
    if (errors)
      errors->push_back(errorOf(panel, before));
    char *out = bytes.mutableData() + number * perPanel;
    if (op.getPart() == QuantizedPart::codes)
      writeCodes(panel, format.bits, out);
    else
      for (const BlockScales &block : panel.allScales()) {
        std::copy(block.zero.begin(), block.zero.end(), out);
        out += kWidth;
        scales.insert(scales.end(), block.stored.begin(), block.stored.end());
      }
  }
  if (op.getPart() != QuantizedPart::scales)
    return bytes;
  return Tensor::fromDoubles(op.getFormat().getScale(), shape, scales).rounded();
}

static Result unitOf(QuantizeWeightOp op, const Tensor &weight) {
  llvm::Expected<WeightMatrix> matrix = matrixOf(op, weight);
  if (!matrix)
    return matrix.takeError();
  float largest = 0;
  for (float value : matrix->values)
    largest = std::max(largest, std::fabs(value));
  return Tensor::fromDoubles(Float32Type::get(op.getContext()), {},
                             Format(op).unitOf(largest))
      .rounded();
}

static Result multipliersOf(QuantizeWeightOp op, ArrayRef<Tensor> operands) {
  llvm::Expected<WeightMatrix> matrix = matrixOf(op, operands[0]);
  if (!matrix)
    return matrix.takeError();
  std::vector<float> copied;
  std::vector<float> found = findMultipliers(op, *matrix, floatsOf(operands[1], copied));
  return Tensor::fromDoubles(Float32Type::get(op.getContext()), {matrix->rows},
                             std::vector<double>(found.begin(), found.end()))
      .rounded();
}

Result reference::evaluate(QuantizeWeightOp op, const Call &call) {
  switch (op.getPart()) {
  case QuantizedPart::unit:
    return unitOf(op, call.operands[0]);
  case QuantizedPart::multipliers:
    return multipliersOf(op, call.operands);
  case QuantizedPart::codes:
  case QuantizedPart::scales:
  case QuantizedPart::zeros:
    return quantizedPanels(op, call.operands);
  }
  llvm_unreachable("a part without a case");
}
