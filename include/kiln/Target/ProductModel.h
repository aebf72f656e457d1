//===- ProductModel.h - How long a matrix product takes ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_PRODUCTMODEL_H
#define KILN_TARGET_PRODUCTMODEL_H

#include <cstdint>

namespace kiln {

struct TargetInfo;

/// Types of a GEMM of activations with a weight [K, N].
enum class ProductKind {
  f32,
  tf32,      ///< f32 in memory, multiplied by tensor cores where there are some
  half,      ///< 16 bits in memory; CPUs widen them
  codes,     ///< integers of at most 8 bits on both sides, i32 sums, scaled per block
  float8,    ///< a byte per weight, which is widened
  float8Both, ///< a byte of it on both sides, which is widened where targets lack it
  halfCodes, ///< activations of 16 bits by codes, which are widened; f32 sums per block
};

struct WeightProduct {
  ProductKind kind;
  int64_t k, columns;
  uint64_t weightBytes; ///< with scales and zero points
  int64_t bits = 32;    ///< of a weight without them
  int64_t block = 0;    ///< steps of K that have a scale; 0: all
};

/// The roofline of a product on one core of a CPU, or on a whole GPU: the longest of
/// reading the weight, of its multiplications and of all its instructions, in cycles.
/// Activations and results are not counted.
double predictCycles(const TargetInfo &target, const WeightProduct &product,
                     int64_t rows);

} // namespace kiln

#endif // KILN_TARGET_PRODUCTMODEL_H
