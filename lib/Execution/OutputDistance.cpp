//===- OutputDistance.cpp - Distance of two models' outputs ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/OutputDistance.h"
#include "kiln/Execution/Compare.h"
#include <algorithm>
#include <cmath>

using namespace kiln::execution;
using llvm::ArrayRef;

static double normOf(ArrayRef<float> row) {
  double squares = 0;
  for (float x : row)
    squares += double(x) * x;
  return std::sqrt(squares);
}

double kiln::execution::cosineLoss(ArrayRef<float> expected, ArrayRef<float> found) {
  double a = normOf(expected), b = normOf(found);
  if (a == 0 || b == 0)
    return a == b ? 0 : 1;
  double squares = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    double apart = expected[i] / a - found[i] / b;
    squares += apart * apart;
  }
  return squares / 2;
}

double kiln::execution::logSum(ArrayRef<float> logits) {
  double max = *std::max_element(logits.begin(), logits.end()), sum = 0;
  for (float logit : logits)
    sum += std::exp(double(logit) - max);
  return max + std::log(sum);
}

double kiln::execution::klDivergence(ArrayRef<float> expected, ArrayRef<float> found) {
  double p = logSum(expected), q = logSum(found), sum = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    double logP = expected[i] - p, logQ = found[i] - q;
    sum += std::exp(logP) * (logP - logQ);
  }
  return sum;
}

void OutputDistance::add(const OutputRows &expected, const OutputRows &found) {
  if (metric == AccuracyMetric::MaxError) {
    auto element = [](const OutputRows &rows) {
      return [&rows](uint64_t i) { return double(rows.values[i]); };
    };
    max = std::max(max, compareElements(KILN_DTYPE_F32, expected.values.size(),
                                        element(found), element(expected))
                            .worst);
    return;
  }
  auto distance = metric == AccuracyMetric::Cosine ? cosineLoss : klDivergence;
  for (size_t i = 0; i < expected.count(); ++i)
    sum += distance(expected.row(i), found.row(i));
  rows += expected.count();
}

double OutputDistance::value() const {
  return metric == AccuracyMetric::MaxError ? max : rows ? sum / double(rows) : 0;
}
