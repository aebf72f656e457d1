//===- memory_limits.h - How much memory the machine has --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_MEMORY_LIMITS_H
#define KILN_BASE_MEMORY_LIMITS_H

#include <cstdint>

namespace kiln::rt {

/// Bytes of memory of the machine; UINT64_MAX if unknown.
uint64_t machineMemory();

/// Bytes that a program can allocate without causing swapping (MemAvailable of
/// /proc/meminfo); UINT64_MAX if unknown.
uint64_t availableMemory();

} // namespace kiln::rt

#endif // KILN_BASE_MEMORY_LIMITS_H
