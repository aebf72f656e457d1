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

/// Lines of a text, counted from 1, both included.
struct LineRange {
  size_t first, last;
  bool contains(size_t line) const { return first <= line && line <= last; }
};

/// The innermost loops of a kernel that wait for copies of operands. Where a loop is
/// written out, everything up to the ticket of blocks that split K, if they do. Empty if
/// nothing waits.
std::vector<LineRange> mainLoopsOf(llvm::StringRef ptx);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_MAINLOOPS_H
