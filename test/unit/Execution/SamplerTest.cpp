//===- SamplerTest.cpp ----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Sampler.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numeric>
#include <random>

using namespace kiln::execution;

namespace {
int64_t next(Sampler &sampler, llvm::ArrayRef<float> logits,
             llvm::ArrayRef<int64_t> history = {}) {
  return llvm::cantFail(sampler.next(logits, history));
}

std::vector<float> randomLogits(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 3);
  std::vector<float> logits(count);
  for (float &logit : logits)
    logit = std::round(normal(random) * 8) / 8; // with ties
  return logits;
}

/// Returns the probabilities that remain after the options, by sorting everything.
std::map<int64_t, double> probabilities(llvm::ArrayRef<float> logits,
                                        const SamplingOptions &options) {
  std::vector<int64_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return logits[a] > logits[b]; });
  if (options.topK)
    order.resize(std::min<size_t>(options.topK, order.size()));
  std::map<int64_t, double> result;
  double total = 0, kept = 0;
  auto weight = [&](int64_t token) {
    double power =
        std::exp((double(logits[token]) - logits[order[0]]) / options.temperature);
    return power < options.minP ? 0 : power;
  };
  for (int64_t token : order)
    total += weight(token);
  for (int64_t token : order) {
    if (!result.empty() && kept >= options.topP * total)
      break;
    if (weight(token) > 0)
      result[token] = weight(token);
    kept += weight(token);
  }
  for (auto &[token, probability] : result)
    probability /= kept;
  return result;
}

TEST(Sampler, GreedyTakesTheFirstOfTheLargest) {
  Sampler sampler({});
  EXPECT_EQ(next(sampler, {1, 3, 2, 3}), 1);
  EXPECT_EQ(next(sampler, {-2, -1}), 1);
}

TEST(Sampler, FrequenciesAreTheProbabilities) {
  std::vector<float> logits = randomLogits(300, 1);
  for (SamplingOptions options :
       {SamplingOptions{1}, SamplingOptions{0.7, 20}, SamplingOptions{2, 0, 0.8},
        SamplingOptions{1.5, 0, 1, 0.05}, SamplingOptions{3, 150, 0.9, 0.01}}) {
    std::map<int64_t, double> expected = probabilities(logits, options);
    std::map<int64_t, int> found;
    Sampler sampler(options);
    constexpr int kDraws = 20000;
    for (int i = 0; i < kDraws; ++i)
      ++found[next(sampler, logits)];
    for (auto [token, count] : found)
      EXPECT_TRUE(expected.count(token)) << token;
    for (auto [token, probability] : expected) {
      double deviation = std::sqrt(probability * (1 - probability) / kDraws);
      EXPECT_NEAR(double(found[token]) / kDraws, probability, 5 * deviation + 1e-4);
    }
  }
}

TEST(Sampler, SeedsRepeat) {
  std::vector<float> logits = randomLogits(50000, 2);
  SamplingOptions options{1, 0, 0.95};
  options.seed = 7;
  Sampler first(options), second(options);
  options.seed = 8;
  Sampler third(options);
  int different = 0;
  for (int i = 0; i < 20; ++i) {
    int64_t token = next(first, logits);
    EXPECT_EQ(token, next(second, logits));
    different += token != next(third, logits);
  }
  EXPECT_GT(different, 0);
}

TEST(Sampler, PenaltyOfTokensThatWereThere) {
  SamplingOptions options;
  options.repetitionPenalty = 2;
  Sampler sampler(options);
  EXPECT_EQ(next(sampler, {3, 2, 1}, {0, 0}), 1);
  EXPECT_EQ(next(sampler, {-1, -1.5, -3}, {0, 0}), 1);
  EXPECT_EQ(next(sampler, {3, 2, 1}, {9}), 0);
}

TEST(Sampler, Infinities) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Sampler sampler(SamplingOptions{1});
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(next(sampler, {1, kInfinity, 5}), 1);
    EXPECT_EQ(next(sampler, {-kInfinity, 0, -kInfinity}), 1);
  }
  auto error = sampler.next({0, std::nanf("")}, {});
  ASSERT_FALSE(bool(error));
  EXPECT_NE(toString(error.takeError()).find("NaN for token 1"), std::string::npos);
}
} // namespace
