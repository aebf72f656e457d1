//===- SquareFamily.h - A kernel family that only tests have ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_LIB_SQUARE_SQUAREFAMILY_H
#define KILN_TEST_LIB_SQUARE_SQUAREFAMILY_H

#include "kiln/Codegen/KernelFamily.h"

namespace kiln::test {

/// Returns the family of kernels for the elementwise square of an f32 tensor.
const codegen::KernelFamily &squareFamily();

} // namespace kiln::test

#endif // KILN_TEST_LIB_SQUARE_SQUAREFAMILY_H
