//===- FindMultipliers.cpp - Searches AWQ's channel multipliers -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part `multipliers` of graph.quantize_weight: the search of AWQ (Lin et al., 2023). The
// output error on the samples due to a weight error E is tr(E^T H E), so that no sample
// has to be run.
//
//===----------------------------------------------------------------------===//

#include "PanelQuantizer.h"
#include "QuantizeWeight.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/Threading.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

/// Number of exponents alpha that are tried: 0, 1 / kTried, ..., below 1.
static constexpr int64_t kTried = 20;
/// Positive values of i8 activations.
static constexpr double kActivationSteps = 127;
/// Minimum magnitude of channels that are almost always 0, relative to the maximum.
static constexpr float kMin = 1e-4f;

/// Returns the multipliers for one alpha, from the squared magnitudes on the diagonal of
/// H.
static std::vector<float> multipliersOf(const float *hessian, int64_t k, double alpha) {
  double max = 0, min = INFINITY;
  for (int64_t i = 0; i < k; ++i)
    max = std::max(max, std::sqrt(double(hessian[i * k + i])));
  std::vector<float> result(k, 1.0f);
  if (max == 0)
    return result;
  auto magnitude = [&](int64_t i) {
    return std::max(std::sqrt(double(hessian[i * k + i])), kMin * max);
  };
  for (int64_t i = 0; i < k; ++i)
    min = std::min(min, magnitude(i));
  double mean = std::sqrt(std::pow(max, alpha) * std::pow(min, alpha));
  for (int64_t i = 0; i < k; ++i)
    result[i] = static_cast<float>(std::pow(magnitude(i), alpha) / mean);
  return result;
}

namespace {
class MultiplierSearch {
public:
  MultiplierSearch(QuantizeWeightOp op, const WeightMatrix &weight, const float *hessian)
      : op(op), format(op), weight(weight), hessian(hessian), k(weight.rows) {}
  std::vector<float> run();

private:
  struct Candidate {
    std::vector<float> multipliers;
    float unit;
  };
  Candidate candidate(double alpha) const;
  double errorOf(int64_t panel, const Candidate &tried) const;
  double costOf(ArrayRef<float> errors) const;
  double activationErrorOf(const Candidate &tried) const;

  QuantizeWeightOp op;
  Format format;
  const WeightMatrix &weight;
  const float *hessian;
  int64_t k;
};
} // namespace

MultiplierSearch::Candidate MultiplierSearch::candidate(double alpha) const {
  Candidate made{multipliersOf(hessian, k, alpha), 1};
  if (!isFloat8(format.scaleType))
    return made;
  float max = 0;
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < weight.columns; ++j)
      max = std::max(max, std::fabs(weight.values[i * weight.columns + j]) *
                              made.multipliers[i]);
  made.unit = format.unitOf(max);
  return made;
}

/// Returns the sum of e^T H e over the columns e of [K, 16], from the lower half of H.
double MultiplierSearch::costOf(ArrayRef<float> errors) const {
  double sum = 0;
  for (int64_t i = 0; i < k; ++i) {
    const float *row = hessian + i * k;
    Lanes before{};
    for (int64_t j = 0; j < i; ++j)
      for (int64_t column = 0; column < kWidth; ++column)
        before[column] += row[j] * errors[j * kWidth + column];
    for (int64_t column = 0; column < kWidth; ++column) {
      double own = errors[i * kWidth + column];
      sum += own * (2.0 * before[column] + row[i] * own);
    }
  }
  return sum;
}

double MultiplierSearch::errorOf(int64_t panel, const Candidate &tried) const {
  std::vector<float> scaled = weight.panel(panel);
  for (int64_t i = 0; i < k; ++i)
    for (int64_t column = 0; column < kWidth; ++column)
      scaled[i * kWidth + column] *= tried.multipliers[i];
  PanelQuantizer quantizer(format, scaled.data(), k, /*factor=*/nullptr, tried.unit);
  quantizer.run();
  for (int64_t i = 0; i < k; ++i)
    for (int64_t column = 0; column < kWidth; ++column) {
      float &element = scaled[i * kWidth + column];
      element = (quantizer.quantized(i, column) - element) / tried.multipliers[i];
    }
  return costOf(scaled);
}

/// Returns the squared error that i8 activations add. Activations x / s of a block are
/// rounded to a step of their maximum, and each error is multiplied by s w. For normally
/// distributed channels, the maximum of B of them is about sqrt(2 ln B) times the largest
/// root mean square.
double MultiplierSearch::activationErrorOf(const Candidate &tried) const {
  double sum = 0;
  for (int64_t begin = 0; begin < k; begin += format.block) {
    double max = 0, size = 0;
    for (int64_t i = begin; i < begin + format.block; ++i) {
      double square = tried.multipliers[i] * tried.multipliers[i], row = 0;
      for (int64_t j = 0; j < weight.columns; ++j)
        row += double(weight.values[i * weight.columns + j]) *
               weight.values[i * weight.columns + j];
      max = std::max(max, hessian[i * k + i] / square);
      size += square * row;
    }
    sum += max * size;
  }
  double step = std::sqrt(2 * std::log(double(format.block))) / kActivationSteps;
  return sum * step * step / 12;
}

std::vector<float> MultiplierSearch::run() {
  std::vector<Candidate> tried;
  for (int64_t i = 0; i < kTried; ++i)
    tried.push_back(candidate(double(i) / kTried));
  int64_t panels = weight.panels();
  std::vector<double> errors(panels * kTried);
  mlir::parallelFor(op.getContext(), 0, errors.size(), [&](size_t at) {
    errors[at] = errorOf(at / kTried, tried[at % kTried]);
  });
  // Errors are added in the order of panels, so that the result does not depend on
  // threads.
  std::vector<double> sums;
  for (const Candidate &candidate : tried)
    sums.push_back(activationErrorOf(candidate));
  for (auto [at, error] : llvm::enumerate(errors))
    sums[at % kTried] += error;
  return tried[std::min_element(sums.begin(), sums.end()) - sums.begin()].multipliers;
}

std::vector<float> reference::findMultipliers(QuantizeWeightOp op,
                                              const WeightMatrix &weight,
                                              const float *hessian) {
  return MultiplierSearch(op, weight, hessian).run();
}
