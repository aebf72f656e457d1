//===- ReshapedBox.h - Boxes before a reshape -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_RESHAPEDBOX_H
#define KILN_LIB_REFERENCE_RESHAPEDBOX_H

#include "kiln/Reference/WeightBlocks.h"

namespace kiln::reference {

/// Returns the row-major index of an element.
int64_t linear(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> strides);

/// Smallest box of a reshape's input that holds a box of its result, and the position of
/// that box in it. Dims that are split or merged only among themselves are handled as a
/// separate reshape: a box of a few panels of [k / 4, 4, n / 16, 16] needs only a few
/// columns of [k, n].
struct ReshapedBox {
  ReshapedBox(llvm::ArrayRef<int64_t> before, llvm::ArrayRef<int64_t> after,
              const Box &box);

  Box source;
  /// First element and strides of the result's box in `source`, row-major.
  int64_t offset = 0;
  Shape strides;
};

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_RESHAPEDBOX_H
