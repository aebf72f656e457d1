//===- QuantizeWeightTest.cpp - Weights of a few bits ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <random>

using namespace kiln;
using namespace kiln::reference;

namespace {
struct Settings {
  int64_t bits, block;
  std::string scaleType;
  bool e2m1 = false, clip = false, factor = false, unit = false;
};

class QuantizeWeightTest : public GraphTest {
protected:
  static constexpr int64_t k = 64, n = 21;

  std::vector<double> random(int64_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal(0.02, 0.3);
    std::vector<double> values(count);
    for (double &value : values)
      value = static_cast<float>(normal(engine));
    return values;
  }

  Tensor part(const std::string &name, const Settings &s, const Tensor &weight,
              const std::string &result) {
    std::vector<Tensor> inputs{weight};
    std::vector<std::string> types{"tensor<64x21xf32>"};
    std::string op = "graph.quantize_weight " + name + " of %0";
    if (s.factor) {
      op += " factor %1";
      inputs.push_back(factor);
      types.push_back("tensor<64x64xf32>");
    }
    if (s.unit) {
      op += " unit %" + std::to_string(inputs.size());
      inputs.push_back(unit);
      types.push_back("tensor<f32>");
    }
    op += " as <" + (s.e2m1 ? std::string("f4E2M1FN") : "ui" + std::to_string(s.bits)) +
          ", block " + std::to_string(s.block) + ", scale " + s.scaleType +
          (s.e2m1 ? "" : ", zero_point") + (s.unit ? ", per_tensor f32" : "") + ">";
    op += std::string(s.clip ? " {clip}" : "") + " : (" + llvm::join(types, ", ") +
          ") -> " + result;
    return eval(op, types, result, inputs);
  }

  /// Returns the dequantized values of a weight, [k, n].
  std::vector<double> dequantized(const Settings &s, const Tensor &weight) {
    int64_t blocks = k / s.block, words = k * s.bits / 32, steps = 32 / s.bits;
    std::string perBlock = "tensor<2x" + std::to_string(blocks) + "x16x";
    Tensor codes =
        part("codes", s, weight, "tensor<2x" + std::to_string(words) + "x16x4xui8>");
    Tensor scales = part("scales", s, weight, perBlock + s.scaleType + ">"), zeros;
    if (!s.e2m1)
      zeros = part("zeros", s, weight, perBlock + "ui8>");
    std::vector<double> result;
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j < n; ++j) {
        int64_t at = ((j / 16 * words + i / steps) * 16 + j % 16) * 4 + i % 4;
        int64_t code = static_cast<uint8_t>(codes.data()[at]);
        if (s.bits == 4)
          code = i % steps < 4 ? code & 15 : code >> 4;
        int64_t scaleAt = (j / 16 * blocks + i / s.block) * 16 + j % 16;
        double number =
            s.e2m1 ? 2 * decode(code, kF4E2M1FN) : double(code - zeros.getInt(scaleAt));
        double scale = scales.getDouble(scaleAt);
        result.push_back(number * scale * (s.unit ? unit.getDouble(0) : 1.0));
      }
    return result;
  }

  static double squaredError(const std::vector<double> &x, const std::vector<double> &y) {
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i)
      sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
  }

  /// Returns tr(E^T H E) for the difference E of two weights.
  static double weightedError(const std::vector<double> &hessian,
                              const std::vector<double> &x,
                              const std::vector<double> &y) {
    double total = 0;
    for (int64_t column = 0; column < n; ++column)
      for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j)
          total += (x[i * n + column] - y[i * n + column]) * hessian[i * k + j] *
                   (x[j * n + column] - y[j * n + column]);
    return total;
  }

  /// Estimates the squared error of a matmul with activations quantized to 8 bits: each
  /// block of x / s has the step of its largest channel, sqrt(2 ln block) / 127 of its
  /// size.
  static double activationError(const std::vector<double> &hessian,
                                const std::vector<double> &weight,
                                const std::vector<double> &by, int64_t block) {
    double total = 0;
    for (int64_t begin = 0; begin < k; begin += block) {
      double square = 0;
      for (int64_t i = begin; i < begin + block; ++i)
        square = std::max(square, hessian[i * k + i] / by[i] / by[i]);
      double step = square * 2 * std::log(double(block)) / (127.0 * 127.0);
      for (int64_t i = begin; i < begin + block; ++i)
        for (int64_t j = 0; j < n; ++j)
          total += step / 12 * std::pow(by[i] * weight[i * n + j], 2);
    }
    return total;
  }

  /// Multiplies each row of a weight by a number; with `power` -1 divides.
  static std::vector<double> scaled(const std::vector<double> &weight,
                                    const std::vector<double> &by, int power) {
    std::vector<double> result(weight);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = static_cast<float>(result[i] * std::pow(by[i / n], power));
    return result;
  }

  Tensor factor, unit;
};
} // namespace

TEST_F(QuantizeWeightTest, IntegersAreOffByHalfAScale) {
  std::vector<double> values = random(k * n, 1);
  for (auto [bits, scaleType] :
       {std::pair(4, "bf16"), {4, "f16"}, {8, "bf16"}, {8, "f32"}}) {
    std::vector<double> got = dequantized({bits, 32, scaleType}, f32({k, n}, values));
    for (int64_t j = 0; j < n; ++j)
      for (int64_t begin = 0; begin < k; begin += 32) {
        double low = 0, high = 0;
        for (int64_t i = begin; i < begin + 32; ++i) {
          low = std::min(low, values[i * n + j]);
          high = std::max(high, values[i * n + j]);
        }
        double step = (high - low) / ((1 << bits) - 1);
        for (int64_t i = begin; i < begin + 32; ++i) {
          // Rounding the scale adds at most another half step, at the ends of the range.
          double limit = step * (1 + (bits == 8 && scaleType[0] == 'b' ? 0.3 : 0.05));
          EXPECT_LE(std::abs(got[i * n + j] - values[i * n + j]), limit)
              << bits << ' ' << scaleType << ' ' << i << ' ' << j;
        }
      }
  }
}

TEST_F(QuantizeWeightTest, NumbersOfE2m1StayThemselves) {
  std::vector<double> numbers{0, 0.5, 1, 1.5, 2, 3, 4, 6}, values(k * n);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = numbers[(i / n * 3 + i % n) % 8] * (i % 2 ? -0.25 : 0.25);
  for (const char *scaleType : {"f8E8M0FNU", "f8E4M3FN", "f32"}) {
    Settings s{4, 16, scaleType, /*e2m1=*/true};
    EXPECT_EQ(dequantized(s, f32({k, n}, values)), values) << scaleType;
  }
}

TEST_F(QuantizeWeightTest, AUnitKeepsSmallScalesAccurate) {
  std::vector<double> values = random(k * n, 2);
  for (double &value : values)
    value *= 1e-3; // so that scales are far below the smallest f8E4M3FN
  Tensor weight = f32({k, n}, values);
  Settings s{4, 16, "f8E4M3FN", /*e2m1=*/true};
  double without = squaredError(dequantized(s, weight), values);
  unit = part("unit", s, weight, "tensor<f32>");
  s.unit = true;
  double with = squaredError(dequantized(s, weight), values);
  double size = squaredError(std::vector<double>(values.size()), values);
  EXPECT_LT(with, 0.02 * size);
  EXPECT_GT(without, 10 * with);
}

TEST_F(QuantizeWeightTest, ClippingLowersTheError) {
  std::vector<double> values = random(k * n, 3);
  for (int64_t j = 0; j < n; ++j)
    values[5 * n + j] *= 4; // an outlier per column
  Tensor weight = f32({k, n}, values);
  for (bool e2m1 : {false, true}) {
    Settings s{4, 32, "bf16", e2m1};
    double plain = squaredError(dequantized(s, weight), values);
    s.clip = true;
    EXPECT_LT(squaredError(dequantized(s, weight), values), plain) << e2m1;
  }
}

TEST_F(QuantizeWeightTest, NothingIsMadeUpForWhereRowsAreIndependent) {
  std::vector<double> identity(k * k);
  for (int64_t i = 0; i < k; ++i)
    identity[i * k + i] = 1;
  factor = f32({k, k}, identity);
  Tensor weight = f32({k, n}, random(k * n, 4));
  Settings s{4, 32, "bf16"};
  std::vector<double> plain = dequantized(s, weight);
  s.factor = true;
  EXPECT_EQ(dequantized(s, weight), plain);
}

/// With H = I + c v v^T, whose inverse is known in closed form, the weighted error tr(E^T
/// H E) decreases.
TEST_F(QuantizeWeightTest, ErrorsAreMadeUpForWhereRowsDependOnEachOther) {
  std::vector<double> v = random(k, 5), hessian(k * k), inverse(k * k), u(k * k);
  constexpr double c = 40;
  double vv = 0;
  for (double x : v)
    vv += x * x;
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < k; ++j) {
      hessian[i * k + j] = (i == j) + c * v[i] * v[j];
      inverse[i * k + j] = (i == j) - c * v[i] * v[j] / (1 + c * vv); // Sherman-Morrison
    }
  // inverse = U^T U, row by row.
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = i; j < k; ++j) {
      double sum = inverse[i * k + j];
      for (int64_t l = 0; l < i; ++l)
        sum -= u[l * k + i] * u[l * k + j];
      u[i * k + j] = i == j ? std::sqrt(sum) : sum / u[i * k + i];
    }
  factor = f32({k, k}, u);
  std::vector<double> values = random(k * n, 6);
  Tensor weight = f32({k, n}, values);
  for (int64_t bits : {4, 8}) {
    Settings s{bits, 32, "f32"};
    double plain = weightedError(hessian, dequantized(s, weight), values);
    s.factor = true;
    EXPECT_LT(weightedError(hessian, dequantized(s, weight), values), 0.8 * plain)
        << bits;
  }
}

/// The multipliers are those of the best of twenty exponents, each of which is evaluated
/// here with the op's other parts.
TEST_F(QuantizeWeightTest, MultipliersAreTheBestOfThoseTried) {
  std::vector<double> magnitude = random(k, 7), hessian(k * k);
  for (int64_t i = 0; i < k; ++i)
    magnitude[i] = static_cast<float>(std::exp(4 * magnitude[i]));
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < k; ++j)
      hessian[i * k + j] =
          static_cast<float>((i == j ? 1 : 0.3) * magnitude[i] * magnitude[j]);
  factor = f32({k, k}, hessian);
  std::vector<double> values = random(k * n, 8);
  auto [least, largest] = std::minmax_element(magnitude.begin(), magnitude.end());
  for (Settings s :
       {Settings{4, 32, "bf16"}, Settings{4, 16, "f8E4M3FN", /*e2m1=*/true},
        Settings{4, 32, "f8E8M0FNU", /*e2m1=*/true}, Settings{8, 32, "bf16"}}) {
    Settings plain = s;
    plain.unit = s.scaleType == "f8E4M3FN";
    double best = INFINITY, none = 0;
    std::vector<double> expected;
    for (int tried = 0; tried < 20; ++tried) {
      std::vector<double> by;
      for (double m : magnitude)
        by.push_back(std::pow(m / std::sqrt(*least * *largest), tried / 20.0));
      Tensor weight = f32({k, n}, scaled(values, by, 1));
      if (plain.unit)
        unit = part("unit", s, weight, "tensor<f32>");
      std::vector<double> got = scaled(dequantized(plain, weight), by, -1);
      double error = weightedError(hessian, got, values) +
                     activationError(hessian, values, by, s.block);
      none = tried ? none : error;
      if (error < best) {
        best = error;
        expected = by;
      }
    }
    if (s.bits == 4)
      ASSERT_LT(best, 0.9 * none) << s.scaleType;
    s.factor = true;
    Tensor found = part("multipliers", s, f32({k, n}, values), "tensor<64xf32>");
    for (int64_t i = 0; i < k; ++i)
      EXPECT_NEAR(found.getDouble(i), expected[i], 1e-5 * expected[i])
          << s.scaleType << ' ' << i;
  }
}

TEST_F(QuantizeWeightTest, MultipliersAreOneWhereNoChannelCountsMore) {
  Settings s{4, 32, "bf16"};
  s.factor = true;
  for (double diagonal : {0.0, 3.0}) {
    std::vector<double> hessian(k * k);
    for (int64_t i = 0; i < k; ++i)
      hessian[i * k + i] = diagonal;
    factor = f32({k, k}, hessian);
    Tensor found =
        part("multipliers", s, f32({k, n}, random(k * n, 9)), "tensor<64xf32>");
    for (int64_t i = 0; i < k; ++i)
      EXPECT_EQ(found.getDouble(i), 1) << diagonal;
  }
}
