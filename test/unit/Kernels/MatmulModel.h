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

/// relu(a b); the layout says for each operand whether it is transposed in memory.
struct Matmul {
  int64_t m, n, k;
  kiln_dtype dtype = KILN_DTYPE_BF16;
  std::string layout = "NN";
  bool isWeight = false; ///< b is a weight
  int64_t batch = 0;     ///< 0: no batch dim
};

/// Returns the model: a node named "matmul" and its Relu.
ModelText modelOf(const Matmul &matmul);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_MATMULMODEL_H
