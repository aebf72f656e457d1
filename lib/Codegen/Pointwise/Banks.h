//===- Banks.h - Where elements lie in shared memory ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the choices of tiles in shared memory have in common. Internal to
// lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_BANKS_H
#define KILN_CODEGEN_POINTWISE_BANKS_H

#include "kiln/Codegen/Pointwise.h"

namespace kiln::codegen {

/// Bytes of a line, four sectors; further apart rows or lines lie in the same banks.
inline constexpr int64_t kLineBytes = 128, kSectorBytes = 32;

/// Where the area of an operand begins in scratch is a multiple of so many bytes.
inline constexpr int64_t kScratchAlignment = 64;

/// Elements of one access by which all of these can be made.
int64_t commonRun(llvm::ArrayRef<NeighbourAccess> accesses, const GpuInfo &gpu);
/// Bytes of the smallest element; at most those of a line.
int64_t narrowest(llvm::ArrayRef<NeighbourAccess> accesses);

/// Words beyond the first that one bank has to serve at a time, over all phases of
/// an access of a warp: wide ones are served by parts of it. One address per thread.
int64_t conflictsOf(llvm::ArrayRef<int64_t> addresses, int64_t bytes, const GpuInfo &gpu);

/// What lines or rows so far apart cost: conflicts, then accesses per element.
struct Spacing {
  int64_t elements = 0, conflicts = 0, accesses = 0;
  bool operator<(const Spacing &other) const {
    return std::tuple(conflicts, accesses, elements) <
           std::tuple(other.conflicts, other.accesses, other.elements);
  }
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_BANKS_H
