//===- host_arenas.h - The arenas of a session on the CPU -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_HOST_ARENAS_H
#define KILN_DEVICE_HOST_HOST_ARENAS_H

#include "runtime/device/host/arena_memory.h"
#include "runtime/package/layout.h"
#include <memory>
#include <span>
#include <vector>

namespace kiln::rt {

/// Memory that all programs of a session use: only one of them runs at a time, and their
/// arenas have the same kinds.
class HostArenas {
public:
  struct Arena {
    kiln_arena_kind kind;
    uint64_t capacity; ///< allocated bytes; for the workspace those of all threads
    ArenaMemory memory;
    uint8_t *data() const { return memory.data(); }
  };

  /// capacities: by arena of the plan, 0 for arenas that the session does not allocate.
  /// isTouched: every run touches all of the memory. Errors: as ArenaMemory::allocate.
  static Status allocate(const Plan &plan, std::span<const uint64_t> capacities,
                         uint32_t threads, bool isTouched,
                         const kiln_allocator &allocator,
                         std::shared_ptr<HostArenas> &out);

  /// Creates an empty set, without memory.
  HostArenas() = default;
  HostArenas(const HostArenas &) = delete;
  HostArenas &operator=(const HostArenas &) = delete;

  const std::vector<Arena> &all() const { return arenas; }
  const Arena &operator[](size_t index) const { return arenas[index]; }
  /// Scratch memory of the first thread, and the distance in bytes between two threads'.
  uint8_t *scratch() const;
  uint64_t scratchStride() const { return stride; }

  /// Allocates memory again that trim has freed, before a run of the layout. Errors: as
  /// allocate; KILN-E0700 if arenas exceed the machine's memory and the run would need
  /// more than is available.
  Status prepare(const Plan &plan, const Layout &layout);
  /// Frees the memory that no later run reads; pointers to it become invalid.
  void trim();

private:
  Status allocateMissing();
  Status checkAvailable(const Plan &plan, const Layout &layout);
  bool mayGrow(const Arena &arena) const;

  std::vector<Arena> arenas;
  uint32_t threads = 1;
  bool isTouched = false;
  kiln_allocator allocator = KILN_ALLOCATOR_INIT;
  uint64_t stride = 0;
  // The arenas exceed the machine's memory. The system allocates pages when a run touches
  // them, and runs that would touch more than is available are refused.
  bool exceedsMachine = false;
  uint64_t touchedBytes = 0; ///< maximum over runs of all programs
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_HOST_ARENAS_H
