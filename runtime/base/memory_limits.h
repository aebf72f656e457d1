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

/// Bytes of memory that the machine has; UINT64_MAX if it does not say.
uint64_t machineMemory();

/// Bytes that a program can begin to use without others being swapped out, MemAvailable
/// of /proc/meminfo; UINT64_MAX if the machine does not say.
uint64_t availableMemory();

} // namespace kiln::rt

#endif // KILN_BASE_MEMORY_LIMITS_H
