//===- vectors.h - Products written down ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a GPU computed, as text that a test can replay (docs/guides/gpu-check.md has the
// format). One file holds one instruction on one GPU:
//
//   kiln-vectors 1
//   instruction mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
//   device 90 NVIDIA H200
//   vector cancellation 3
//   a 3c00bc00...       m x k elements, row by row
//   b ...               n x k elements, column by column
//   c ...               m x n, row by row
//   d ...               m x n, as the device computed them
//   s ...               as the simulator did; only where it differs
//
// Elements are hexadecimal, as many digits as they have bits / 4, nothing between.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_VECTORS_H
#define KILN_GPU_CHECK_VECTORS_H

#include "tools/gpu_check/operands.h"

namespace kiln::gpucheck {

struct Vector {
  std::string pattern;
  uint64_t index = 0; ///< among those of its pattern
  Operands operands;
  std::vector<uint32_t> device, simulated; ///< the latter empty: the same
};

struct VectorFile {
  const Product *product = nullptr;
  int capability = 0;
  std::string device;
  std::vector<Vector> vectors;
};

/// Throws KILN-E0003.
void writeVectors(const std::string &path, const VectorFile &file);
/// Throws KILN-E0002 or, with the line, KILN-E0004.
VectorFile readVectors(const std::string &path);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_VECTORS_H
