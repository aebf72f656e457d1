//===- MatmulModel.h - A model of one matmul --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_MATMULMODEL_H
#define KILN_TEST_UNIT_KERNELS_MATMULMODEL_H

#include "ModelText.h"

namespace kiln::test {

/// relu(a b); the layout says of both operands whether they are transposed in memory.
struct Matmul {
  int64_t m, n, k;
  kiln_dtype dtype = KILN_DTYPE_BF16;
  std::string layout = "NN";
  bool isWeight = false; ///< b is one
  int64_t batch = 0;     ///< 0: there are two dims
};

/// The matmul and its Relu; the first is a node of the name "matmul".
ModelText modelOf(const Matmul &matmul);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_MATMULMODEL_H
