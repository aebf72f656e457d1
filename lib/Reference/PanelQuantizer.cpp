//===- PanelQuantizer.cpp - Quantizes 16 columns of a weight --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PanelQuantizer.h"

#include <algorithm>
#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

/// Minimum scale whose reciprocal is finite; weights of blocks with smaller scales are
/// almost zero.
static constexpr float kTiny = 1e-36f;
/// Fractions of the range that `clip` tries.
static constexpr float kClips[] = {1,    0.95f, 0.9f, 0.85f, 0.8f, 0.75f,
                                   0.7f, 0.65f, 0.6f, 0.55f, 0.5f};

/// Rounds a value below 2^22 to the nearest integer, ties to even; larger values stay
/// approximately unchanged.
static float roundEven(float x) {
  constexpr float kMagic = 3 << 22;
  return (x + kMagic) - kMagic;
}

Format::Format(QuantizeWeightOp op)
    : bits(op.getFormat().getBits()), block(op.getFormat().getBlock()),
      number(floatFormatOf(op.getFormat().getElement())), clips(op.getClip()),
      scaleType(op.getFormat().getScale()), scaleFormat(floatFormatOf(scaleType)),
      isPowerOfTwo(isPowerOfTwoType(scaleType)) {}

float Format::roundScale(float scale, kiln::ScaleRounding rounding) const {
  if (isPowerOfTwo)
    return float(decodeScale(encodeScale(std::max(scale, kTiny), rounding, true)));
  if (scaleFormat)
    scale = float(decode(encode(scale, *scaleFormat, true), *scaleFormat));
  return scale;
}

float Format::unitOf(float largest) const {
  // Integers cover both signs of the range.
  double scale = isE2m1() ? largest / 12.0 : 2.0 * largest / ((1 << bits) - 1);
  return float(std::max(scale / decode(scaleFormat->maxFinite(), *scaleFormat), 1e-30));
}

/// Returns the f4E2M1FN encoding nearest to x / 2. encode() of every weight would
/// dominate the run time.
static uint8_t encodeE2m1(float x) {
  // Thresholds between adjacent values of 0, 1, 2, 3, 4, 6, 8, 12; ties to the even
  // encoding.
  float size = std::fabs(x);
  uint8_t code = (size > 0.5f) + (size >= 1.5f) + (size > 2.5f) + (size >= 3.5f) +
                 (size > 5.0f) + (size >= 7.0f) + (size > 10.0f);
  return x < 0 && code ? code | 8 : code;
}

/// Maximum of f6E2M3FN, 7.5, in eighths.
static constexpr int kMaxE2m3 = 60;

/// Returns the f6E2M3FN value nearest to x / 8, in eighths: a 3-bit mantissa from 1 on,
/// steps of an eighth below.
static float roundE2m3(float x) {
  float size = std::fabs(x);
  float step = size < 16 ? 1.0f : size < 32 ? 2.0f : 4.0f;
  float rounded = std::min(roundEven(size / step) * step, float(kMaxE2m3));
  return std::copysign(rounded, x);
}

/// Returns a table of twice the value of all 16 f4E2M1FN encodings.
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
  float max = std::max(-low, high);
  float range = format.isE2m1()   ? max / 12
                : format.isE2m3() ? max / kMaxE2m3
                                  : (high - low) / format.top();
  Scale scale;
  scale.stored = format.roundScale(range / unit, rounding);
  scale.real = std::max(scale.stored * unit, kTiny);
  if (format.isE2m3())
    scale.zero = 128;
  else if (!format.isE2m1())
    scale.zero = std::min(std::max(0.0f, roundEven(-low / scale.real)), format.top());
  return scale;
}

uint8_t PanelQuantizer::code(float weight, const Scale &scale) const {
  float x = weight / scale.real;
  if (format.isE2m1())
    return encodeE2m1(x);
  x = (format.isE2m3() ? roundE2m3(x) : roundEven(x)) + scale.zero;
  return static_cast<uint8_t>(std::min(std::max(0.0f, x), format.top())); // NaN: 0
}

float PanelQuantizer::number(uint8_t code, const Scale &scale) const {
  return (format.isE2m1() ? doubledE2m1()[code] : code - scale.zero) * scale.real;
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

/// Selects the scale of a column: the only candidate, or the one with the minimum error.
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
