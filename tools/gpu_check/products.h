//===- products.h - The products of tensor cores ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_PRODUCTS_H
#define KILN_GPU_CHECK_PRODUCTS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln::gpucheck {

/// Bit layout of an element type: sign (top bit), exponent, fraction; or an integer.
struct Format {
  const char *name; ///< name in PTX
  int bits;         ///< in memory
  int exponentBits; ///< 0: an integer
  int fractionBits; ///< fraction bits that the hardware uses
  int unusedBits;   ///< ignored bits below the fraction: 13 for tf32
  bool hasInfinity; ///< e4m3 has none: all ones below the sign bit are NaN
  bool isSigned;

  bool isInteger() const { return exponentBits == 0; }
  int hexDigits() const { return bits / 4; }
};

extern const Format F16, BF16, TF32, E4M3, E5M2, F32, S8, U8, S32;

enum class Unit { Mma, Wgmma };

/// An MMA instruction D = A B + C: A is m x k, B k x n, C and D m x n.
struct Product {
  Unit unit;
  int m, n, k;
  const Format &a, &b, &sum;
  bool saturates;

  /// Returns "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32".
  std::string instruction() const;
  /// Returns the architecture of the PTX, "sm_80".
  const char *target() const;
  bool runsOn(int capability) const;
  unsigned threads() const { return unit == Unit::Mma ? 32 : 128; }
  size_t bytesA() const { return size_t(m) * k * a.bits / 8; }
  size_t bytesB() const { return size_t(n) * k * b.bits / 8; }
  size_t bytesSum() const { return size_t(m) * n * sum.bits / 8; }

  /// Returns PTX of the kernel `product(A, B, C, D)`, whose block i computes instance i;
  /// instances are stored consecutively. A is row-major, B column-major (so k is
  /// contiguous in both), C and D row-major.
  std::string ptx() const;
};

/// Returns all checked instructions, from products.def.
const std::vector<Product> &products();
/// Finds an instruction by name; null if there is none.
const Product *findProduct(const std::string &instruction);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_PRODUCTS_H
