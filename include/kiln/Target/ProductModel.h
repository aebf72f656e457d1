//===- ProductModel.h - Roofline model of GEMM ------------------*- C++ -*-===//
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
  tf32,      ///< f32 in memory, multiplied by tensor cores if the target has them
  half,      ///< 16 bits in memory; CPUs widen them
  codes,     ///< integers of at most 8 bits for both operands, i32 accumulators, scaled
             ///< per block
  float8,    ///< f8E4M3FN weights that are widened
  float8Both, ///< f8E4M3FN for both operands, widened on targets that cannot multiply it
  halfCodes, ///< 16-bit activations, quantized weights that are widened; f32 accumulators
             ///< per block
};

struct WeightProduct {
  ProductKind kind;
  int64_t k, columns;
  uint64_t weightBytes; ///< including scales and zero points
  int64_t bits = 32;    ///< bits per element of the weight
  int64_t block = 0;    ///< block size of scales along K; 0: one block
};

/// Returns the roofline of a GEMM on one CPU core or on an entire GPU in cycles: the
/// maximum of the times of reading the weight, of its multiplications and of all its
/// instructions. Traffic of activations and results is not counted.
double predictCycles(const TargetInfo &target, const WeightProduct &product,
                     int64_t rows);

} // namespace kiln

#endif // KILN_TARGET_PRODUCTMODEL_H
