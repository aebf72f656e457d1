//===- arena_memory.h - Where an arena lies ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_ARENA_MEMORY_H
#define KILN_DEVICE_HOST_ARENA_MEMORY_H

#include "runtime/base/file.h"

namespace kiln::rt {

/// Memory from the caller's allocator, or from mmap if that has no functions.
class ArenaMemory {
public:
  ArenaMemory() = default;
  ArenaMemory(ArenaMemory &&other) noexcept { *this = std::move(other); }
  ArenaMemory &operator=(ArenaMemory &&other) noexcept;
  ~ArenaMemory();

  /// Allocates memory at a multiple of `alignment`; memory from mmap is zeroed. what: for
  /// error messages. Errors: KILN-E0700; KILN-E0001 for an allocator that does not align.
  static Status allocate(uint64_t size, uint64_t alignment, const std::string &what,
                         const kiln_allocator &allocator, Promise promise,
                         ArenaMemory &out);

  /// Null if nothing is allocated.
  uint8_t *data() const { return start; }
  /// Whether the memory was zeroed when it was allocated.
  bool isZero() const { return !allocator.allocate; }
  /// Frees the memory. Pages of mmap keep their addresses and are zeros again; memory of
  /// an allocator has no address from now on.
  void discard();

private:
  uint8_t *start = nullptr;
  Mapping pages;
  uint64_t size = 0, alignment = 0;
  kiln_allocator allocator = KILN_ALLOCATOR_INIT;
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_ARENA_MEMORY_H
