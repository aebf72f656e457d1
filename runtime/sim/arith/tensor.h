//===- tensor.h - Arithmetic of the tensor cores -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of NVIDIA's tensor cores, as published measurements found it, for one
// element of the result and one hardware step of k terms:
// - the k products and the old accumulator are significands with exponents; a product's
//   exponent is the sum of its operands' (no normalisation; subnormals are kept);
// - every term is cut toward zero to F bits below 2^(largest exponent among the terms
//   that are not zero) and they are added exactly;
// - an f32 result is normalised and cut toward zero to its fraction bits, an f16 result
//   is rounded to nearest even; overflow gives infinity; a zero sum is +0;
// - NaN, or infinities that cancel, give 0x7fffffff or 0x7fff.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_TENSOR_H
#define KILN_SIM_ARITH_TENSOR_H

#include "runtime/sim/arith/format.h"
#include "runtime/sim/arith/isa.h"

#include <cstdint>

namespace kiln::sim::arith {

enum class TensorArch : uint8_t { Ampere, Ada, Hopper, Blackwell };
enum class TensorUnit : uint8_t { Mma, Wgmma };

/// How one kind of MMA instruction accumulates.
struct DotRule {
  int alignBits;    ///< F
  int step;         ///< terms added at once; a larger K takes several steps
  int fractionBits; ///< of an f32 result: 23, or 13 for fp8 on Ada and Hopper
  bool f16Result;
};

/// 80..89 Ampere but for 89 Ada, 90 Hopper, 100 and above Blackwell.
TensorArch tensorArch(uint32_t computeCapability);

/// Rule for elements of a format (F16, BF16, TF32, E4M3, E5M2 and the smaller ones) in an
/// instruction with `k` terms per element of the result.
DotRule dotRule(TensorArch arch, TensorUnit unit, const Format &a, int k, bool f16Result);

/// D = A B + C. A is m x k, B k x n, C and D m x n, all row-major; D may be C. Each
/// element's bits take one uint32_t; accumulators are f32 or, for f16Result, f16 bits.
struct Product {
  const Format *formatA, *formatB;
  int m, n, k;
  const uint32_t *a, *b, *c;
  uint32_t *d;
};

/// Reference implementation of the rule, element by element.
void multiplyReference(const DotRule &rule, const Product &product);
/// Computes the same bits as multiplyReference, many elements at once.
void multiply(const DotRule &rule, const Product &product, Isa isa = chosenIsa());

/// Multiplies f64: each element is a chain of fused multiply-adds in the order of k,
/// rounded as `mode` says. Layout as in Product.
void multiplyF64(int m, int n, int k, const uint64_t *a, const uint64_t *b,
                 const uint64_t *c, uint64_t *d, Rounding mode);

/// Multiplication of integers of at most 8 bits, extended to 32; the sum is exact and
/// wraps, or with `satfinite` is clamped once at the end.
struct IntProduct {
  int m, n, k;
  const int32_t *a, *b;
  const int32_t *c;
  int32_t *d;
  bool satfinite;
};
void multiplyInt(const IntProduct &product);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_TENSOR_H
