//===- StaticRangesTest.cpp -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

using namespace kiln;

namespace {
std::string messageOf(const std::string &precision, bool hasRanges) {
  CompileOptions options;
  options.input = "none.onnxtxt"; // only noticed after the options
  options.output = "none.kiln";
  options.targets.names = {"x86-64-v3"};
  options.precision.precision = precision;
  options.precision.range = "max";
  if (hasRanges)
    options.precision.ranges = std::make_shared<ActivationRanges>();
  CompileReport report;
  return llvm::toString(compile(options, report));
}

TEST(StaticRanges, AreFoundBeforeACompileThatAsksForThem) {
  std::string message = messageOf("int8", /*hasRanges=*/false);
  EXPECT_NE(message.find("KILN-E0001"), std::string::npos) << message;
  EXPECT_NE(message.find("--range: no samples have been run"), std::string::npos);
  EXPECT_NE(message.find("fix: run the model on samples (--calib)"), std::string::npos);
}

TEST(StaticRanges, AreNotMissedWhereNothingTakesThem) {
  for (auto [precision, hasRanges] : {std::pair("int8", true), std::pair("f32", false)}) {
    std::string message = messageOf(precision, hasRanges);
    EXPECT_EQ(message.find("--range"), std::string::npos) << message;
    EXPECT_NE(message.find("KILN-E0002"), std::string::npos) << message;
  }
}
} // namespace
