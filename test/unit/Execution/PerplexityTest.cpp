//===- PerplexityTest.cpp - How well a decoder predicts a text ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Perplexity.h"
#include "Models.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/ErrorCodes/Internal.h"
#include "kiln/ErrorCodes/Usage.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

namespace {
using Tokens = std::vector<int64_t>;

/// A decoder over four tokens that predicts after each token the next higher one.
class CountingDecoder final : public Decoder {
public:
  explicit CountingDecoder(uint64_t room) : room(room) {}

  uint64_t capacity() const override { return room; }
  uint64_t vocabulary() const override { return 4; }
  llvm::Error reset() override {
    windows.emplace_back();
    return llvm::Error::success();
  }
  llvm::Error
  appendEach(llvm::ArrayRef<int64_t> tokens,
             llvm::function_ref<void(size_t, llvm::ArrayRef<float>)> use) override {
    if (windows.size() > failsAt)
      return makeError({ErrorCode::Internal, "here", "stopped", "", "", ""});
    EXPECT_LE(tokens.size(), room);
    for (auto [position, token] : llvm::enumerate(tokens)) {
      windows.back().push_back(token);
      std::vector<float> logits(4, 0.0f);
      logits[size_t(token + 1) % 4] = confidence;
      use(position, logits);
    }
    return llvm::Error::success();
  }

  uint64_t room;
  float confidence = 0;
  size_t failsAt = 100;
  std::vector<Tokens> windows; ///< tokens appended after each reset
};

/// Returns -log2 p of a token with this logit, where one logit is `others` and two are 0.
double bitsOfLogit(double logit, double others) {
  return std::log2((std::exp(others) + 2 + std::exp(logit)) / std::exp(logit));
}

TEST(PerplexityTest, AUniformDecoderHasThePerplexityOfItsVocabulary) {
  CountingDecoder decoder(16);
  Perplexity found = valueOf(measurePerplexity(decoder, Tokens{0, 1, 2, 3, 0}));
  EXPECT_EQ(found.tokens, 4u);
  EXPECT_NEAR(found.bits, 2, 1e-12);
  EXPECT_NEAR(found.perplexity(), 4, 1e-12);
}

TEST(PerplexityTest, PredictionsThatComeTrueCostFewBits) {
  CountingDecoder decoder(16);
  decoder.confidence = 5;
  Perplexity right = valueOf(measurePerplexity(decoder, Tokens{0, 1, 2, 3, 0}));
  EXPECT_NEAR(right.bits, bitsOfLogit(5, 0), 1e-6);
  Perplexity wrong = valueOf(measurePerplexity(decoder, Tokens{0, 0, 0}));
  EXPECT_NEAR(wrong.bits, bitsOfLogit(0, 5), 1e-6);
  EXPECT_GT(wrong.perplexity(), 100 * right.perplexity());
}

/// Windows overlap by one token: each token except the first is predicted once.
TEST(PerplexityTest, LongTextsAreCutIntoWindows) {
  CountingDecoder decoder(3);
  std::vector<size_t> told;
  Perplexity found =
      valueOf(measurePerplexity(decoder, Tokens{0, 1, 2, 3, 0, 1, 2},
                                [&](size_t token) { told.push_back(token); }));
  EXPECT_EQ(decoder.windows, (std::vector<Tokens>{{0, 1, 2}, {3, 0, 1}}));
  EXPECT_EQ(found.tokens, 6u);
  EXPECT_EQ(told, (std::vector<size_t>{0, 3}));
}

TEST(PerplexityTest, WhatFillsNoWindowIsLeftOut) {
  CountingDecoder decoder(3);
  Perplexity found = valueOf(measurePerplexity(decoder, Tokens{0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(decoder.windows, (std::vector<Tokens>{{0, 1, 2}}));
  EXPECT_EQ(found.tokens, 3u);
}

TEST(PerplexityTest, AShortTextIsOneWindow) {
  CountingDecoder decoder(100);
  EXPECT_EQ(valueOf(measurePerplexity(decoder, Tokens{2, 3})).tokens, 1u);
  EXPECT_EQ(decoder.windows, (std::vector<Tokens>{{2}}));
}

TEST(PerplexityTest, TextsOfOneTokenAreTooShort) {
  CountingDecoder decoder(16);
  for (const Tokens &tokens : {Tokens(), Tokens{1}}) {
    Diagnosis problem = problemOf(measurePerplexity(decoder, tokens));
    EXPECT_EQ(problem.code, ErrorCode::BadUsage);
    EXPECT_EQ(problem.found, std::to_string(tokens.size()));
  }
  EXPECT_TRUE(decoder.windows.empty()) << "nothing has run";
}

TEST(PerplexityTest, TokensMustBeOfTheModel) {
  CountingDecoder decoder(16);
  for (int64_t token : {4, -1}) {
    Diagnosis problem = problemOf(measurePerplexity(decoder, Tokens{0, token}));
    EXPECT_EQ(problem.code, ErrorCode::IndexOutOfRange);
    EXPECT_EQ(problem.expected, "0 to 3");
    EXPECT_EQ(problem.found, std::to_string(token));
  }
}

TEST(PerplexityTest, LogitsMustBeNumbers) {
  CountingDecoder decoder(16);
  for (float logit : {std::nanf(""), INFINITY}) {
    decoder.confidence = logit;
    Diagnosis problem = problemOf(measurePerplexity(decoder, Tokens{0, 1, 2}));
    EXPECT_EQ(problem.code, ErrorCode::DecoderInput);
    EXPECT_EQ(problem.found, "NaN or an infinity");
  }
}

TEST(PerplexityTest, FailsWhereTheDecoderFails) {
  CountingDecoder decoder(2);
  decoder.failsAt = 1;
  Diagnosis problem = problemOf(measurePerplexity(decoder, Tokens{0, 1, 2, 3, 0}));
  EXPECT_EQ(problem.what, "stopped");
  EXPECT_EQ(decoder.windows.size(), 2u);
}
} // namespace
