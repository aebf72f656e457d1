//===- QuantizeWeight.cpp - Weights of few bits ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// graph.quantize_weight, in f32, a panel of 16 columns at a time. Panels do not depend on
// each other, so that any number of threads computes the same bytes.
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "dialects/Graph/Graph.h"

#include <array>
#include <cmath>
#include <cstring>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

static constexpr int64_t kWidth = QuantizeWeightOp::kWidth;
/// Scales below have no inverse; blocks of such weights are as good as zero.
static constexpr float kTiny = 1e-36f;
/// Parts of the range that `clip` tries.
static constexpr float kClips[] = {1,    0.95f, 0.9f, 0.85f, 0.8f, 0.75f,
                                   0.7f, 0.65f, 0.6f, 0.55f, 0.5f};

using Lanes = std::array<float, kWidth>;

/// To nearest, halves to even, of numbers below 2^22; larger ones stay about as they are.
static float roundEven(float x) {
  constexpr float kMagic = 3 << 22;
  return (x + kMagic) - kMagic;
}

namespace {
/// How the numbers of a block are written.
struct Format {
  explicit Format(QuantizeWeightOp op)
      : bits(op.getBits()), block(op.getBlock()), isE2m1(op.getE2m1()),
        clips(op.getClip()), scaleType(op.getScaleType()),
        scaleFormat(floatFormatOf(scaleType)),
        isPowerOfTwo(isa<Float8E8M0FNUType>(scaleType)) {}

  float top() const { return float((1 << bits) - 1); }
  /// The scale as it is stored, and not below the smallest that can be divided by.
  float roundScale(float scale, kiln::ScaleRounding rounding) const {
    if (isPowerOfTwo)
      return float(decodeScale(encodeScale(std::max(scale, kTiny), rounding, true)));
    if (scaleFormat)
      scale = float(decode(encode(scale, *scaleFormat, true), *scaleFormat));
    return scale;
  }

  int64_t bits, block;
  bool isE2m1, clips;
  Type scaleType;
  const FloatFormat *scaleFormat;
  bool isPowerOfTwo;
};

/// Scale and zero point of one column of a block. The scale is in units.
struct Scale {
  float stored = 0, real = kTiny, zero = 0;
};

/// Of all columns of a block.
struct BlockScales {
  void set(int64_t column, const Scale &scale) {
    stored[column] = scale.stored;
    real[column] = scale.real;
    zero[column] = scale.zero;
  }
  Scale get(int64_t column) const { return {stored[column], real[column], zero[column]}; }

  Lanes stored, real, zero;
};

/// One panel, block after block.
class PanelQuantizer {
public:
  /// `weights` is [K, 16] and is changed where errors are made up for.
  PanelQuantizer(const Format &format, float *weights, int64_t k, const float *factor,
                 float unit)
      : format(format), weights(weights), k(k), factor(factor), unit(unit), codes(k),
        scales(k / format.block) {}
  void run();

  const std::vector<std::array<uint8_t, kWidth>> &allCodes() const { return codes; }
  const std::vector<BlockScales> &allScales() const { return scales; }

private:
  float *row(int64_t at) { return weights + at * kWidth; }
  Scale scaleOf(float low, float high, kiln::ScaleRounding rounding) const;
  double errorOf(int64_t begin, int64_t column, const Scale &scale);
  Scale choose(int64_t begin, int64_t column, float low, float high);
  void findScales(int64_t begin);
  uint8_t code(float weight, const Scale &scale) const;
  float number(uint8_t code, const Scale &scale) const;
  void makeUpFor(int64_t at);

  const Format &format;
  float *weights;
  int64_t k;
  const float *factor;
  float unit;
  std::vector<std::array<uint8_t, kWidth>> codes;
  std::vector<BlockScales> scales;
};
} // namespace

/// The code of f4E2M1FN that is nearest to x / 2: encode() of every weight would take
/// longer than all else.
static uint8_t encodeE2m1(float x) {
  // Between two numbers of 0, 1, 2, 3, 4, 6, 8, 12; at ties the even code.
  float size = std::fabs(x);
  uint8_t code = (size > 0.5f) + (size >= 1.5f) + (size > 2.5f) + (size >= 3.5f) +
                 (size > 5.0f) + (size >= 7.0f) + (size > 10.0f);
  return x < 0 && code ? code | 8 : code;
}

/// Twice the number, for all 16 codes.
static const std::array<float, 16> &doubledE2m1() {
  static const std::array<float, 16> numbers = [] {
    std::array<float, 16> made;
    for (uint8_t code = 0; code < 16; ++code)
      made[code] = float(e2m1FromZero(code) - kE2m1Zero);
    return made;
  }();
  return numbers;
}

Scale PanelQuantizer::scaleOf(float low, float high, kiln::ScaleRounding rounding) const {
  float range = format.isE2m1 ? std::max(-low, high) / 12 : (high - low) / format.top();
  Scale scale;
  scale.stored = format.roundScale(range / unit, rounding);
  scale.real = std::max(scale.stored * unit, kTiny);
  if (!format.isE2m1)
    scale.zero = std::min(std::max(0.0f, roundEven(-low / scale.real)), format.top());
  return scale;
}

uint8_t PanelQuantizer::code(float weight, const Scale &scale) const {
  float x = weight / scale.real;
  if (format.isE2m1)
    return encodeE2m1(x);
  x = roundEven(x) + scale.zero;
  return static_cast<uint8_t>(std::min(std::max(0.0f, x), format.top())); // NaN: 0
}

float PanelQuantizer::number(uint8_t code, const Scale &scale) const {
  return (format.isE2m1 ? doubledE2m1()[code] : code - scale.zero) * scale.real;
}

double PanelQuantizer::errorOf(int64_t begin, int64_t column, const Scale &scale) {
  double sum = 0;
  for (int64_t at = begin; at < begin + format.block; ++at) {
    float weight = row(at)[column];
    double error = weight - number(code(weight, scale), scale);
    sum += error * error;
  }
  return sum;
}

/// The scale of a column: the only one, or the best of several.
Scale PanelQuantizer::choose(int64_t begin, int64_t column, float low, float high) {
  SmallVector<Scale, 12> tried;
  if (format.isPowerOfTwo)
    for (kiln::ScaleRounding rounding :
         {kiln::ScaleRounding::Up, kiln::ScaleRounding::Down})
      tried.push_back(scaleOf(low, high, rounding));
  else
    for (float part : ArrayRef(kClips).take_front(format.clips ? std::size(kClips) : 1))
      tried.push_back(scaleOf(low * part, high * part, kiln::ScaleRounding::Nearest));
  if (tried.size() == 1)
    return tried.front();
  SmallVector<double, 12> errors;
  for (const Scale &scale : tried)
    errors.push_back(errorOf(begin, column, scale));
  return tried[std::min_element(errors.begin(), errors.end()) - errors.begin()];
}

void PanelQuantizer::findScales(int64_t begin) {
  Lanes low{}, high{}; // zero is in every range
  for (int64_t at = begin; at < begin + format.block; ++at)
    for (int64_t column = 0; column < kWidth; ++column) {
      low[column] = std::min(low[column], row(at)[column]);
      high[column] = std::max(high[column], row(at)[column]);
    }
  for (int64_t column = 0; column < kWidth; ++column)
    scales[begin / format.block].set(column,
                                     choose(begin, column, low[column], high[column]));
}

void PanelQuantizer::makeUpFor(int64_t at) {
  const float *u = factor + at * k;
  const BlockScales &own = scales[at / format.block];
  Lanes errors;
  for (int64_t column = 0; column < kWidth; ++column)
    errors[column] =
        (row(at)[column] - number(codes[at][column], own.get(column))) / u[at];
  for (int64_t j = at + 1; j < k; ++j)
    for (int64_t column = 0; column < kWidth; ++column)
      row(j)[column] -= errors[column] * u[j];
}

void PanelQuantizer::run() {
  for (int64_t at = 0; at < k; ++at) {
    if (at % format.block == 0)
      findScales(at);
    const BlockScales &own = scales[at / format.block];
    for (int64_t column = 0; column < kWidth; ++column)
      codes[at][column] = code(row(at)[column], own.get(column));
    if (factor)
      makeUpFor(at);
  }
}

//===----------------------------------------------------------------------===//
// Parts of panels
//===----------------------------------------------------------------------===//

static std::vector<float> toFloats(const Tensor &tensor) {
  std::vector<float> values(tensor.getNumElements());
  if (tensor.getElementType().isF32() && !tensor.isWide())
    std::memcpy(values.data(), tensor.data(), values.size() * sizeof(float));
  else
    for (auto [i, value] : llvm::enumerate(values))
      value = float(tensor.getDouble(i));
  return values;
}

/// Where they lie already, else in `copied`: a factor is large, and read for every panel.
static const float *floatsOf(const Tensor &tensor, std::vector<float> &copied) {
  bool lies = tensor.getElementType().isF32() && !tensor.isWide() &&
              reinterpret_cast<uintptr_t>(tensor.data()) % alignof(float) == 0;
  if (lies)
    return reinterpret_cast<const float *>(tensor.data());
  copied = toFloats(tensor);
  return copied.data();
}

/// 32 bits per column and 32 / bits steps of K.
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

Result reference::quantizedPanels(QuantizeWeightOp op, ArrayRef<Tensor> operands) {
  Format format(op);
  int64_t k = operands[0].getShape()[0], n = operands[0].getShape()[1];
  int64_t panels = llvm::divideCeil(n, kWidth);
  std::vector<float> all = toFloats(operands[0]), copied;
  // A code would make some number of it without a word.
  if (!llvm::all_of(all, [](float weight) { return std::isfinite(weight); }))
    return errorAt(op, ErrorCode::ModelMalformed,
                   "a weight cannot be quantized, as an element is no number",
                   "finite elements", "NaN or infinity",
                   "correct the weight, or keep this product in f32 by a policy");
  const float *factor = nullptr;
  size_t next = 1;
  if (op.getFactor())
    factor = floatsOf(operands[next++], copied);
  float unit = op.getUnit() ? float(operands[next].getDouble(0)) : 1.0f;

  auto type = cast<RankedTensorType>(op.getType());
  Shape shape(type.getShape());
  shape[0] = panels;
  int64_t perPanel = *countElements(shape) / panels;
  Tensor bytes = Tensor::allocate(
      IntegerType::get(op.getContext(), 8, IntegerType::Unsigned), shape);
  std::vector<double> scales;
  std::vector<float> columns(k * kWidth);
  for (int64_t number = 0; number < panels; ++number) {
    int64_t first = number * kWidth, count = std::min(kWidth, n - first);
    std::fill(columns.begin(), columns.end(), 0.0f);
    for (int64_t at = 0; at < k; ++at)
      std::copy_n(all.begin() + at * n + first, count, columns.begin() + at * kWidth);
    PanelQuantizer panel(format, columns.data(), k, factor, unit);
    panel.run();
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
  return Tensor::fromDoubles(op.getScaleType(), shape, scales).rounded();
}

/// The unit with which the largest scale is the largest number of the scale type.
static Tensor unitOf(QuantizeWeightOp op, const Tensor &weight) {
  const FloatFormat &format = *floatFormatOf(op.getScaleType());
  float largest = 0;
  for (float value : toFloats(weight))
    largest = std::max(largest, std::fabs(value));
  // Integers have a range of both signs.
  double scale =
      op.getE2m1() ? largest / 12.0 : 2.0 * largest / ((1 << op.getBits()) - 1);
  double unit = std::max(scale / decode(format.maxFinite(), format), 1e-30);
  return Tensor::fromDoubles(Float32Type::get(op.getContext()), {}, unit).rounded();
}

Result reference::evaluate(QuantizeWeightOp op, const Call &call) {
  if (op.getPart() == QuantizedPart::unit)
    return unitOf(op, call.operands[0]);
  return quantizedPanels(op, call.operands);
}
