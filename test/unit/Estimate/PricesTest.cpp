//===- PricesTest.cpp - Price files ---------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Estimate/Prices.h"
#include <gtest/gtest.h>

using namespace kiln::estimate;

static std::string problem(const char *text) {
  auto prices = Prices::parse(text, "p.json");
  return prices ? "none" : llvm::toString(prices.takeError());
}

TEST(Prices, CostOfAMillionTokens) {
  Prices prices = llvm::cantFail(
      Prices::parse(R"({"currency": "EUR", "device_hour": {"L4": 3.6}})", "p.json"));
  double price = llvm::cantFail(prices.of("L4", "p.json"));
  // 0.001 per second; two devices, half a second, 100 tokens.
  EXPECT_DOUBLE_EQ(perMillionTokens(price, 2, 0.5, 100), 10);
  EXPECT_EQ(prices.currency, "EUR");
}

TEST(Prices, WrongFilesAreRefused) {
  EXPECT_NE(problem("{").find("is not JSON"), std::string::npos);
  EXPECT_NE(problem("[]").find("has no prices"), std::string::npos);
  EXPECT_NE(problem(R"({"device_hour": {"a": 1}})").find("'currency'"),
            std::string::npos);
  EXPECT_NE(problem(R"({"currency": "EUR"})").find("'device_hour'"), std::string::npos);
  EXPECT_NE(problem(R"({"currency": "EUR", "device_hour": {"a": -1}})").find("'a'"),
            std::string::npos);
  EXPECT_NE(problem(R"({"currency": "EUR", "device_hour": {"a": 1}, "x": 1})")
                .find("field 'x' is unknown"),
            std::string::npos);
}

TEST(Prices, UnknownDeviceNamesTheKnown) {
  Prices prices = llvm::cantFail(
      Prices::parse(R"({"currency": "EUR", "device_hour": {"L4": 1}})", "p.json"));
  std::string text = llvm::toString(prices.of("H100", "p.json").takeError());
  EXPECT_NE(text.find("found L4"), std::string::npos) << text;
}
