//===- Compare.cpp - Distance of two tensors ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Compare.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace kiln::execution;
using llvm::StringRef, llvm::StringSwitch;

/// Returns half of the type's maximum. Elements beyond are masks and are left out of the
/// root mean square, because next to them no other element would count.
static double largestNumber(kiln_dtype dtype) {
  switch (dtype) {
  case KILN_DTYPE_F32:
  case KILN_DTYPE_BF16:
    return 0x1p127;
  case KILN_DTYPE_F16:
    return 0x1p15;
  default:
    return std::numeric_limits<double>::max();
  }
}

/// Returns the root mean square of the finite elements below `limit`.
static double rootMeanSquare(uint64_t count, Element element, double limit) {
  double sum = 0;
  uint64_t finite = 0;
  for (uint64_t i = 0; i < count; ++i)
    if (double x = element(i); std::isfinite(x) && std::fabs(x) < limit) {
      sum += x * x;
      ++finite;
    }
  return finite ? std::sqrt(sum / static_cast<double>(finite)) : 0;
}

/// Returns half of the smallest subnormal, the maximum rounding error near zero.
static double minStep(kiln_dtype dtype) {
  switch (dtype) {
  case KILN_DTYPE_F32:
    return 0x1p-150;
  case KILN_DTYPE_F16:
    return 0x1p-25;
  case KILN_DTYPE_BF16:
    return 0x1p-134;
  default:
    return 0;
  }
}

static double distanceOf(double y, double r, double rms, double slack) {
  if (y == r || (std::isnan(y) && std::isnan(r)))
    return 0;
  if (!std::isfinite(y) || !std::isfinite(r))
    return std::numeric_limits<double>::infinity();
  double scale = std::max(std::fabs(r), rms);
  double beyond = std::max(std::fabs(y - r) - slack, 0.0);
  return scale > 0 ? beyond / scale : beyond;
}

Distance kiln::execution::compareElements(kiln_dtype dtype, uint64_t count, Element found,
                                          Element expected, Element slack) {
  Distance result;
  double rms = rootMeanSquare(count, expected, largestNumber(dtype)),
         step = minStep(dtype);
  for (uint64_t i = 0; i < count; ++i) {
    double y = found(i), r = expected(i);
    double distance = distanceOf(y, r, rms, slack ? slack(i) + step : step);
    if (distance > result.worst)
      result = {distance, i, y, r};
  }
  return result;
}

double kiln::execution::relativeRms(kiln_dtype dtype, uint64_t count, Element found,
                                    Element expected) {
  double squares = 0, sizes = 0, limit = largestNumber(dtype), step = minStep(dtype);
  for (uint64_t i = 0; i < count; ++i) {
    double y = found(i), r = expected(i);
    if (y == r || (std::isnan(y) && std::isnan(r))) {
      sizes += std::isfinite(r) && std::fabs(r) < limit ? r * r : 0;
      continue;
    }
    if (!std::isfinite(y) || !std::isfinite(r))
      return std::numeric_limits<double>::infinity();
    double beyond = std::max(std::fabs(y - r) - step, 0.0);
    squares += beyond * beyond;
    sizes += r * r;
  }
  return squares == 0 ? 0 : sizes > 0 ? std::sqrt(squares / sizes) : std::sqrt(squares);
}

double kiln::execution::defaultTolerance(kiln_dtype dtype) {
  switch (dtype) {
  case KILN_DTYPE_F32:
    return 1e-4;
  case KILN_DTYPE_F16:
    return 5e-3;
  case KILN_DTYPE_BF16:
    return 4e-2;
  case KILN_DTYPE_F64:
    return 1e-10;
  default:
    return 0;
  }
}

static double productTolerance(StringRef precision) {
  return StringSwitch<double>(precision)
      .Cases({"tf32", "f16"}, 1e-2)
      .Cases({"bf16", "int8"}, 1e-1)
      .Cases({"fp8", "mxfp8", "mxfp6"}, 2e-1)
      .Cases({"int4", "nvfp4", "mxfp4", "mxfp6_e3m2"}, 5e-1)
      .Default(0);
}

double kiln::execution::defaultTolerance(kiln_dtype dtype,
                                         llvm::ArrayRef<std::string> precisions) {
  double products = 0;
  for (llvm::StringRef precision : precisions)
    products = std::max(products, productTolerance(precision));
  // Integers and bools computed from floats keep their own tolerance.
  double own = defaultTolerance(dtype);
  return own > 0 ? std::max(own, products) : own;
}
