//===- Comparisons.cpp - Comparison of outputs ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparisons.h"
#include "kiln/Execution/Compare.h"
#include "kiln/Execution/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

void kiln::test::expectSameBits(const OutputSet &found, const OutputSet &expected,
                                const char *why) {
  for (auto [a, b] : llvm::zip_equal(found.buffers(), expected.buffers())) {
    ASSERT_EQ(a.bytes(), b.bytes());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.bytes()), 0)
        << "output " << a.getName() << ": " << why;
  }
}

static std::vector<double> numbersOf(const TensorBuffer &buffer) {
  std::vector<double> numbers(buffer.elements());
  for (uint64_t i = 0; i < numbers.size(); ++i)
    numbers[i] = readElement(buffer.getDType(), buffer.data(), i);
  return numbers;
}

/// Infinities and NaN do not occur in these cases.
static void expectWithin(llvm::ArrayRef<double> found, llvm::ArrayRef<double> expected,
                         double limit, const std::string &name) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - expected[i]) <= limit)) {
      ADD_FAILURE() << "element " << i << " of " << name << " is " << found[i]
                    << ", expected " << expected[i] << " within " << limit;
      return;
    }
}

static double largestOf(llvm::ArrayRef<double> numbers) {
  double largest = 0;
  for (double number : numbers)
    largest = std::max(largest, std::abs(number));
  return largest;
}

void kiln::test::expectNear(const OutputSet &found, const OutputSet &expected,
                            double part) {
  for (auto [a, b] : llvm::zip_equal(found.buffers(), expected.buffers())) {
    std::vector<double> right = numbersOf(b);
    EXPECT_GT(largestOf(right), 0);
    expectWithin(numbersOf(a), right, part * largestOf(right), a.getName());
  }
}

void kiln::test::expectNear(const OutputSet &found,
                            const std::map<std::string, OracleTensor> &expected,
                            double part) {
  for (const TensorBuffer &buffer : found.buffers()) {
    const std::vector<double> &right = expected.at(buffer.getName()).values;
    expectWithin(numbersOf(buffer), right, part * std::max(1.0, largestOf(right)),
                 buffer.getName());
  }
}

void kiln::test::expectRms(const OutputSet &found,
                           const std::map<std::string, OracleTensor> &expected,
                           llvm::ArrayRef<std::string> precisions, double part) {
  for (const TensorBuffer &buffer : found.buffers()) {
    std::vector<double> numbers = numbersOf(buffer);
    const std::vector<double> &right = expected.at(buffer.getName()).values;
    ASSERT_EQ(numbers.size(), right.size());
    double distance = relativeRms(
        buffer.getDType(), numbers.size(), [&](uint64_t i) { return numbers[i]; },
        [&](uint64_t i) { return right[i]; });
    EXPECT_LE(distance, part ? part : defaultTolerance(buffer.getDType(), precisions))
        << "output " << buffer.getName() << " against the model as it is written";
  }
}
