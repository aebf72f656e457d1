//===- Sampler.cpp - The next token from logits ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampler.h"
#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

/// splitmix64, in [0, 1).
double Sampler::uniform() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

static Error checkNumbers(ArrayRef<float> logits) {
  for (auto [token, logit] : enumerate(logits))
    if (std::isnan(logit))
      return makeError({ErrorCode::DecoderInput, "kiln generate",
                        "the model gives no number for a token", "logits",
                        "NaN for token " + std::to_string(token),
                        "check the model with kiln verify"});
  return Error::success();
}

Expected<int64_t> Sampler::next(ArrayRef<float> logits, ArrayRef<int64_t> history) {
  if (Error error = checkNumbers(logits))
    return std::move(error);
  std::vector<double> scores(logits.begin(), logits.end());
  if (options.repetitionPenalty != 1) {
    std::vector<bool> seen(scores.size());
    for (int64_t token : history)
      if (uint64_t(token) < seen.size() && !seen[token]) {
        seen[token] = true;
        scores[token] = scores[token] > 0 ? scores[token] / options.repetitionPenalty
                                          : scores[token] * options.repetitionPenalty;
      }
  }
  std::vector<uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  auto before = [&](uint32_t a, uint32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  if (options.temperature == 0)
    return *std::min_element(order.begin(), order.end(), before);
  std::sort(order.begin(), order.end(), before);
  if (options.topK)
    order.resize(std::min<size_t>(order.size(), options.topK));
  double highest = scores[order.front()], total = 0;
  std::vector<double> weights;
  for (uint32_t token : order) {
    double weight = std::exp((scores[token] - highest) / options.temperature);
    if (weight < options.minP)
      break;
    weights.push_back(weight);
    total += weight;
  }
  // The fewest of the most likely ones that have the part asked for.
  double kept = 0;
  size_t count = 0;
  while (count < weights.size() && (count == 0 || kept < options.topP * total))
    kept += weights[count++];
  double rest = uniform() * kept;
  for (size_t i = 0; i < count; ++i)
    if ((rest -= weights[i]) < 0)
      return order[i];
  return order[count - 1];
}
