//===- PanelQuantizer.h - Quantizes 16 columns of a weight ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Reference.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_PANELQUANTIZER_H
#define KILN_LIB_REFERENCE_PANELQUANTIZER_H

#include "dialects/Graph/Graph.h"
#include "dialects/Types/FloatFormat.h"

#include <array>
#include <vector>

namespace kiln::reference {

inline constexpr int64_t kWidth = graph::QuantizeWeightOp::kWidth;
using Lanes = std::array<float, kWidth>;

/// Quantization format of a block.
struct Format {
  explicit Format(graph::QuantizeWeightOp op);

  bool isE2m1() const { return number == &kF4E2M1FN; }
  bool isE2m3() const { return number == &kF6E2M3FN; }
  float top() const { return float((1 << bits) - 1); }
  /// Returns the scale as stored, but no smaller than the minimum that can be divided by.
  float roundScale(float scale, ScaleRounding rounding) const;
  /// Returns the unit of scales, chosen so that the scale of a weight's maximum magnitude
  /// becomes the maximum of the scale type.
  float unitOf(float largest) const;

  int64_t bits, block;
  const FloatFormat *number; ///< null: integers with zero points
  bool clips;
  mlir::Type scaleType;
  const FloatFormat *scaleFormat;
  bool isPowerOfTwo;
};

/// Scale and zero point of one column of a block. `stored` is in units.
struct Scale {
  float stored = 0, real = 1, zero = 0;
};

/// Scales and zero points of all columns of a block.
struct BlockScales {
  void set(int64_t column, const Scale &scale) {
    stored[column] = scale.stored;
    real[column] = scale.real;
    zero[column] = scale.zero;
  }
  Scale get(int64_t column) const { return {stored[column], real[column], zero[column]}; }

  Lanes stored, real, zero;
};

/// Quantizes one panel, block by block.
class PanelQuantizer {
public:
  /// `weights` is [K, 16] and is modified by GPTQ's error compensation if there is a
  /// factor.
  PanelQuantizer(const Format &format, float *weights, int64_t k, const float *factor,
                 float unit)
      : format(format), weights(weights), k(k), factor(factor), unit(unit), codes(k),
        scales(k / format.block) {}
  void run();

  llvm::ArrayRef<std::array<uint8_t, kWidth>> allCodes() const { return codes; }
  llvm::ArrayRef<BlockScales> allScales() const { return scales; }
  /// Returns the dequantized value of weight [at, column].
  float quantized(int64_t at, int64_t column) const {
    return number(codes[at][column], scales[at / format.block].get(column));
  }

private:
  float *row(int64_t at) { return weights + at * kWidth; }
  Scale scaleOf(float low, float high, ScaleRounding rounding) const;
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

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_PANELQUANTIZER_H
