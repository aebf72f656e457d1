//===- accuracy.h - Error bounds of math functions ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TEST_CUDA_HOST_ACCURACY_H
#define KILN_SIM_TEST_CUDA_HOST_ACCURACY_H

#include "test/sim/cuda/host/program.h"

#include <cstdlib>
#include <string_view>

namespace kiln::sim::programs {

/// A function of one or two arguments, computed in a wider type, and the toolkit's
/// documented error bound in units in the last place.
template <typename Wide> struct Bounded {
  const char *name;
  Wide (*exact)(Wide, Wide);
  double ulps;
  /// Error to add if approximate instructions err as much as PTX allows; the CUDA guide's
  /// bounds were measured on hardware, where they err less.
  double worst = 0;
};

/// Whether the device is the simulated one with the worst errors that PTX allows.
inline bool worstAllowed() {
  const char *mode = std::getenv("KILN_SIM_APPROX");
  return mode && std::string_view(mode).starts_with("worst");
}

/// Distance between the two in units in the last place of T at `want`.
template <typename T, typename Wide> double distance(T got, Wide want) {
  T narrow = T(want);
  if (std::isnan(narrow) || std::isnan(got))
    return std::isnan(narrow) && std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(narrow) || std::isinf(got))
    return narrow == got ? 0 : INFINITY;
  T magnitude = std::fabs(narrow);
  Wide unit = Wide(std::nextafter(magnitude, std::numeric_limits<T>::infinity())) -
              Wide(magnitude);
  if (std::isinf(unit))
    unit = Wide(magnitude) - Wide(std::nextafter(magnitude, T(0)));
  return double(std::fabs(Wide(got) - want) / unit);
}

/// Returns special arguments, small and large ones, some subnormal.
template <typename T> std::vector<T> arguments(Test &test, size_t each) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> out = {0,
                        T(-0.0),
                        1,
                        -1,
                        T(0.5),
                        T(-0.5),
                        2,
                        10,
                        T(1e5),
                        T(105615.5),
                        T(-1e10),
                        T(1e22),
                        T(3e38),
                        T(1e-30),
                        Limits::denorm_min(),
                        -Limits::denorm_min(),
                        Limits::min(),
                        Limits::max(),
                        Limits::lowest(),
                        T(INFINITY),
                        T(-INFINITY),
                        T(NAN),
                        T(3.14159265358979)};
  for (double scale : {0.01, 1.0, 10.0, 100.0, 1e6})
    for (T value : test.reals<T>(each, -scale, scale))
      out.push_back(value);
  for (T exponent : test.reals<T>(each, Limits::min_exponent - 20, Limits::max_exponent))
    out.push_back(std::exp2(exponent));
  return out;
}

/// Compares got[i * functions + f] for all arguments; `skip(f, x)` excludes some.
template <typename T, typename Wide, size_t Count, typename Skip>
void compareFunctions(Test &test, const Bounded<Wide> (&functions)[Count],
                      const std::vector<T> &x, const std::vector<T> &y,
                      const std::vector<T> &got, Skip skip) {
  const bool worst = worstAllowed();
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t f = 0; f < Count; ++f) {
      if (skip(functions[f], x[i]))
        continue;
      Wide want = functions[f].exact(x[i], y[i]);
      T value = got[i * Count + f];
      double off = distance(value, want);
      double more = worst ? functions[f].worst : 0;
      test.check(off <= functions[f].ulps + more + 0.5,
                 "%s(%.17g, %.17g) is %.17g, expected %.17g, off by %g ulps",
                 functions[f].name, double(x[i]), double(y[i]), double(value),
                 double(want), off);
    }
}

} // namespace kiln::sim::programs

#endif // KILN_SIM_TEST_CUDA_HOST_ACCURACY_H
