//===- math_float.cpp - f32 functions
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/accuracy.h"

#include <string_view>

namespace kiln::sim::programs {
namespace {

/// The bounds are the CUDA guide's, in units in the last place of the correctly rounded
/// result.
#define FUNCTION(name, expression, ulps)                                                 \
  {name, [](double x, [[maybe_unused]] double y) -> double { return expression; }, ulps}
const Bounded<double> Functions[] = {
    FUNCTION("expf", std::exp(x), 2),
    FUNCTION("exp2f", std::exp2(x), 2),
    FUNCTION("expm1f", std::expm1(x), 2),
    FUNCTION("logf", std::log(x), 2),
    FUNCTION("log2f", std::log2(x), 2),
    FUNCTION("log1pf", std::log1p(x), 2),
    FUNCTION("sinf", std::sin(x), 2),
    FUNCTION("cosf", std::cos(x), 2),
    FUNCTION("tanf", std::tan(x), 4),
    FUNCTION("asinf", std::asin(x), 2),
    FUNCTION("acosf", std::acos(x), 2),
    FUNCTION("atanf", std::atan(x), 2),
    FUNCTION("sinhf", std::sinh(x), 3),
    FUNCTION("coshf", std::cosh(x), 2),
    FUNCTION("tanhf", std::tanh(x), 2),
    FUNCTION("erff", std::erf(x), 2),
    FUNCTION("erfcf", std::erfc(x), 4),
    FUNCTION("lgammaf", std::lgamma(x), 6),
    FUNCTION("tgammaf", std::tgamma(x), 5),
    FUNCTION("cbrtf", std::cbrt(x), 1),
    FUNCTION("rsqrtf", 1 / std::sqrt(x), 2),
    FUNCTION("sqrtf", std::sqrt(x), 0),
    FUNCTION("powf", std::pow(x, y), 4),
    FUNCTION("atan2f", std::atan2(x, y), 3),
    FUNCTION("fmodf", std::fmod(x, y), 0),
    FUNCTION("hypotf", std::hypot(x, y), 3),
    FUNCTION("remainderf", std::remainder(x, y), 0),
    FUNCTION("division", x / y, 0),
    FUNCTION("log10f", std::log10(x), 2),
};
#undef FUNCTION

/// Between its poles the error of lgamma is bounded absolutely only.
bool nearPole(const Bounded<double> &function, double x) {
  return std::string_view(function.name).substr(0, 6) == "lgamma" && x < -2 && x > -12;
}

void runFast(Test &test) {
  auto x = test.reals<float>(500, 0.01, 3);
  int n = int(x.size());
  Buffer<float> in(x), out(6 * n);
  test.kernel("fast_functions")({.grid = {divideUp(n, 64)}, .block = {64}}, in, out, n);
  std::vector<double> want;
  for (double value : x)
    for (double result : {std::exp(value), std::log(value), std::sin(value),
                          std::cos(value), 1 / std::sqrt(value), 1 / value})
      want.push_back(result);
  test.near(out.download(), want, 0x1p-21, 0x1p-20, "fast functions");
}

} // namespace

void run_math_float(Test &test) {
  auto x = arguments<float>(test, 60), y = test.reals<float>(x.size(), -5, 5);
  for (size_t i = 0; i < y.size(); i += 7)
    y[i] = x[test.random() % x.size()];
  int n = int(x.size());
  Buffer<float> deviceX(x), deviceY(y), out(x.size() * std::size(Functions));
  test.kernel("functions")({.grid = {divideUp(n, 64)}, .block = {64}}, deviceX, deviceY,
                           out, n);
  compareFunctions(test, Functions, x, y, out.download(), nearPole);
  runFast(test);
}

} // namespace kiln::sim::programs
