//===- Compare.cpp - Compares tensors -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/Compare.h"
#include "Ops.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace kiln;
using namespace kiln::reference;

static double largestFinite(const Tensor &tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    double value = std::fabs(tensor.getDouble(i));
    if (std::isfinite(value))
      largest = std::fmax(largest, value);
  }
  return largest;
}

/// Returns |a - b|; 0 for equal infinities and two NaNs, infinity if only one is not
/// finite.
static double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  if (!std::isfinite(a) || !std::isfinite(b))
    return std::numeric_limits<double>::infinity();
  return std::fabs(a - b);
}

static void compareElements(const Tensor &found, const Tensor &reference, double allowed,
                            Difference &result) {
  bool exact = !reference.isFloat();
  double errors = 0, squares = 0;
  for (int64_t i = 0; i < reference.getNumElements(); ++i) {
    double a = found.getDouble(i), b = reference.getDouble(i), d = distance(a, b);
    result.maxAbsolute = std::fmax(result.maxAbsolute, d);
    if (std::isfinite(d) && std::isfinite(b))
      errors += d * d, squares += b * b;
    // Different 64-bit integers may convert to the same double.
    bool same = exact ? found.getInt(i) == reference.getInt(i) : d <= allowed;
    if (same)
      continue;
    if (result.mismatches++ == 0)
      result.firstMismatch = i, result.found = a, result.expected = b;
  }
  result.relativeL2 = errors == 0 ? 0 : std::sqrt(errors / squares);
}

Difference reference::compare(const Tensor &found, const Tensor &reference, double tolerance) {
  Difference result;
  if (found.getShape() != reference.getShape() ||
      found.getElementType() != reference.getElementType()) {
    result.same = result.comparable = false;
    return result;
  }
  double scale = largestFinite(reference);
  compareElements(found, reference, tolerance * scale, result);
  result.maxRelative = result.maxAbsolute == 0 ? 0 : result.maxAbsolute / scale;
  result.same = result.mismatches == 0;
  return result;
}

std::string Difference::str(llvm::ArrayRef<int64_t> shape) const {
  if (!comparable)
    return "shapes or element types differ";
  std::string text = llvm::formatv("max error {0:e3} (relative {1:e3})", maxAbsolute, maxRelative);
  if (firstMismatch < 0)
    return text;
  Shape index;
  for (auto [dim, stride] : llvm::zip(shape, stridesOf(shape)))
    index.push_back(firstMismatch / stride % dim);
  return text + llvm::formatv(", {0} of {1} elements, first at {2}: expected {3}, found {4}",
                              mismatches, *countElements(shape), printShape(index), expected,
                              found)
                    .str();
}
