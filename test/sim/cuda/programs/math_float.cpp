//===- math_float.cpp - f32 functions
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/accuracy.h"

namespace kiln::sim::programs {
namespace {

// Error bounds in units in the last place (ulp), derived from the toolkit's code and
// PTX's bound of 2 ulp for ex2.approx.ftz and for div.approx.ftz:
// - expf is 2^i ex2(f). The power is exact, so the bound remains 2.
// - coshf is 2 w + d, where w = ex2(f) 2^i = e^|x| / 4 and d = div(1/8, w) = e^-|x| / 2.
//   An error of w changes 2 w and d with opposite signs, by at most 2 (1 - e^-2|x|) ulp
//   of 2 w; an ulp of 2 w is at most one of the result. The division adds 2 ulp of d. An
//   ulp of d is 1/4 of the result's for |x| < ln 2, where d is in [1/4, 1/2) and the
//   result in [1, 2), and at most 1/8 beyond. The sum is at most 2 + 1/4: up to ln 2, the
//   first term is at most 1.5 and the second 0.5.
// - sinhf is 2 w - d for |x| >= 1; below 1 it does not use ex2. Here the errors add up to
//   2 (1 + e^-2|x|) ulp of 2 w, twice as many of the result if the difference is in the
//   next lower binade: 2 * 2 * 1.1354 at |x| = 1. There, d is below 1/4 and the result
//   above 1, so the division adds 1/4. The sum is at most 4.55 + 0.25.
constexpr double WorstExp = 2, WorstCosh = 2.25, WorstSinh = 4.8;

/// The bounds are from the CUDA guide, in units in the last place of the correctly
/// rounded result.
#define FUNCTION(name, expression, ...)                                                  \
  {name, [](double x, [[maybe_unused]] double y) -> double { return expression; },       \
   __VA_ARGS__}
const Bounded<double> Functions[] = {
    FUNCTION("expf", std::exp(x), 2, WorstExp),
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
    FUNCTION("sinhf", std::sinh(x), 3, WorstSinh),
    FUNCTION("coshf", std::cosh(x), 2, WorstCosh),
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

/// Between its poles lgamma has only an absolute error bound.
bool nearPole(const Bounded<double> &function, double x) {
  return std::string_view(function.name).substr(0, 6) == "lgamma" && x < -2 && x > -12;
}

void runFast(Test &test) {
  auto x = test.reals<float>(500, 0.01, 3);
  int n = int(x.size());
  Buffer<float> in(x), out(6 * n);
  test.kernel("fast_functions")({.grid = {divideUp(n, 64)}, .block = {64}}, in, out, n);
  std::vector<float> got = out.download();
  // The guide gives 2^-21.41 for __sinf and 2^-21.19 for __cosf near zero, PTX 2^-20.5
  // for the instructions that implement them.
  const double sine = worstAllowed() ? std::exp2(-20.5) : 0x1p-21;
  const double absolute[] = {0x1p-21, 0x1p-21, sine, sine, 0x1p-21, 0x1p-21};
  for (size_t i = 0; i < got.size(); ++i) {
    double value = x[i / 6];
    const double want[] = {std::exp(value), std::log(value),      std::sin(value),
                           std::cos(value), 1 / std::sqrt(value), 1 / value};
    double bound = absolute[i % 6] + 0x1p-20 * std::fabs(want[i % 6]);
    test.check(std::fabs(got[i] - want[i % 6]) <= bound,
               "fast function %zu of %.9g is %.9g, expected %.9g", i % 6, value,
               double(got[i]), want[i % 6]);
  }
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
