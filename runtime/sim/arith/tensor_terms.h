//===- tensor_terms.h - Terms of a tensor core's sum ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_TENSOR_TERMS_H
#define KILN_SIM_ARITH_TENSOR_TERMS_H

#include "runtime/sim/arith/exact.h"
#include "runtime/sim/arith/tensor.h"

#include <optional>
#include <span>

namespace kiln::sim::arith {

/// A term before alignment: significand * 2^(exponent - fraction).
struct Term {
  uint64_t significand = 0;
  int exponent = 0, fraction = 0;
  bool negative = false;
};

/// Decodes like `decode`, but a subnormal keeps the smallest exponent.
Term termOf(const Format &format, uint64_t bits);
Term productOf(const Term &a, const Term &b);

/// Special values among the terms: NaN and infinities follow the ordinary rules of
/// addition.
struct Specials {
  bool nan = false, plus = false, minus = false;
  void add(const Exact &value);
  bool any() const { return nan || plus || minus; }
  /// Bits of the sum; zero if no term was special.
  uint32_t result(bool f16Result) const;
};

/// The largest exponent among the terms that are not zero.
std::optional<int> largestExponent(std::span<const Term> terms);

/// Adds the terms, each truncated to alignBits below 2^top, and returns the sum's bits.
uint32_t sumTerms(const DotRule &rule, std::span<const Term> terms, int top);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_TENSOR_TERMS_H
