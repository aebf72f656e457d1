//===- vectors.h - Products written down ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of a GPU as text that a test can replay (docs/guides/gpu-check.md has the
// format). A file is for one instruction on one GPU:
//
//   kiln-vectors 1
//   instruction mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
//   device 90 NVIDIA H200
//   vector cancellation 3
//   a 3c00bc00...       m x k elements, row-major
//   b ...               k x n elements, column-major
//   c ...               m x n, row-major
//   d ...               m x n, as computed by the device
//   s ...               as computed by the simulator; only if it differs
//
// Elements are hexadecimal, with bits / 4 digits each and no separators.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_VECTORS_H
#define KILN_GPU_CHECK_VECTORS_H

#include "tools/gpu_check/operands.h"

namespace kiln::gpucheck {

struct Vector {
  std::string pattern;
  uint64_t index = 0; ///< index in its pattern
  Operands operands;
  std::vector<uint32_t> device, simulated; ///< simulated: empty if equal
};

struct VectorFile {
  const Product *product = nullptr;
  int capability = 0;
  std::string device;
  std::vector<Vector> vectors;
};

/// Writes a file of vectors. Throws KILN-E0003.
void writeVectors(const std::string &path, const VectorFile &file);
/// Reads a file of vectors. Throws KILN-E0002 or, with the line, KILN-E0004.
VectorFile readVectors(const std::string &path);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_VECTORS_H
