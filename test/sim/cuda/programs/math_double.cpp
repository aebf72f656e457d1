//===- math_double.cpp - f64 functions
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/accuracy.h"

#include <string_view>

namespace kiln::sim::programs {
namespace {

/// The bounds are from the CUDA guide, in units in the last place of the correctly
/// rounded result.
#define FUNCTION(name, expression, ulps)                                                 \
  {name,                                                                                 \
   [](long double x, [[maybe_unused]] long double y) -> long double {                    \
     return expression;                                                                  \
   },                                                                                    \
   ulps}
const Bounded<long double> DoubleFunctions[] = {
    FUNCTION("exp", std::exp(x), 1),        FUNCTION("log", std::log(x), 1),
    FUNCTION("sin", std::sin(x), 2),        FUNCTION("cos", std::cos(x), 2),
    FUNCTION("tan", std::tan(x), 2),        FUNCTION("asin", std::asin(x), 2),
    FUNCTION("atan", std::atan(x), 2),      FUNCTION("sinh", std::sinh(x), 2),
    FUNCTION("tanh", std::tanh(x), 2),      FUNCTION("erf", std::erf(x), 2),
    FUNCTION("erfc", std::erfc(x), 5),      FUNCTION("lgamma", std::lgamma(x), 4),
    FUNCTION("cbrt", std::cbrt(x), 1),      FUNCTION("sqrt", std::sqrt(x), 0),
    FUNCTION("rsqrt", 1 / std::sqrt(x), 1), FUNCTION("pow", std::pow(x, y), 2),
    FUNCTION("atan2", std::atan2(x, y), 2), FUNCTION("fmod", std::fmod(x, y), 0),
    FUNCTION("division", x / y, 0),         FUNCTION("expm1", std::expm1(x), 1),
};
#undef FUNCTION

/// Between its poles lgamma has only an absolute error bound.
bool nearDoublePole(const Bounded<long double> &function, double x) {
  return std::string_view(function.name).substr(0, 6) == "lgamma" && x < -2 && x > -12;
}

} // namespace

void run_math_double(Test &test) {
  auto x = arguments<double>(test, 60), y = test.reals<double>(x.size(), -5, 5);
  for (size_t i = 0; i < y.size(); i += 7)
    y[i] = x[test.random() % x.size()];
  int n = int(x.size());
  Buffer<double> deviceX(x), deviceY(y), out(x.size() * std::size(DoubleFunctions));
  test.kernel("functions")({.grid = {divideUp(n, 64)}, .block = {64}}, deviceX, deviceY,
                           out, n);
  compareFunctions(test, DoubleFunctions, x, y, out.download(), nearDoublePole);
}

} // namespace kiln::sim::programs
