//===- StridedCopy.h - Copies with strides ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Reference.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_STRIDEDCOPY_H
#define KILN_LIB_REFERENCE_STRIDEDCOPY_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace kiln::reference {

/// Fills `out`, row-major with `shape`: the element at x is element number offset +
/// sum(x[i] * strides[i]) of `in`. Strides may be 0 or negative.
void copyStrided(char *out, const char *in, int64_t elementBytes,
                 llvm::ArrayRef<int64_t> shape, int64_t offset,
                 llvm::ArrayRef<int64_t> strides);

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_STRIDEDCOPY_H
