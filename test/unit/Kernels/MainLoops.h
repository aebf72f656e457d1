//===- MainLoops.h - Loops of PTX that wait for operands --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_MAINLOOPS_H
#define KILN_TEST_UNIT_KERNELS_MAINLOOPS_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace kiln::test {

/// A range of lines of a text, counted from 1, inclusive.
struct LineRange {
  size_t first, last;
  bool contains(size_t line) const { return first <= line && line <= last; }
};

/// Returns the innermost loops of a kernel that wait for copies of operands. If a loop is
/// fully unrolled, returns everything up to the arrival counter of split-K, if any. Empty
/// if the kernel waits for no copy.
std::vector<LineRange> mainLoopsOf(llvm::StringRef ptx);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_MAINLOOPS_H
