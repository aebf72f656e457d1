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

/// Memory from the caller's allocator, or pages of the system if it has no functions.
class ArenaMemory {
public:
  ArenaMemory() = default;
  ArenaMemory(ArenaMemory &&other) noexcept { *this = std::move(other); }
  ArenaMemory &operator=(ArenaMemory &&other) noexcept;
  ~ArenaMemory();

  /// Allocates memory at a multiple of `alignment`, of zeros if the system gives it.
  /// what: for messages. Errors: KILN-E0700; KILN-E0001 for an allocator that does not
  /// align.
  static Status allocate(uint64_t size, uint64_t alignment, const std::string &what,
                         const kiln_allocator &allocator, Promise promise,
                         ArenaMemory &out);

  /// Null where there is none.
  uint8_t *data() const { return start; }
  /// Whether the memory came as zeros.
  bool isZero() const { return !allocator.allocate; }
  /// Gives the memory back. Pages of the system keep their place, and are zeros again;
  /// other memory has none from now on.
  void discard();

private:
  uint8_t *start = nullptr;
  Mapping pages;
  uint64_t size = 0, alignment = 0;
  kiln_allocator allocator = KILN_ALLOCATOR_INIT;
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_ARENA_MEMORY_H
