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

/// Memory that all programs of a session share: one of them runs at a time, and their
/// arenas are of the same kinds.
class HostArenas {
public:
  struct Arena {
    kiln_arena_kind kind;
    uint64_t capacity; ///< bytes in use; of all threads for the workspace
    ArenaMemory memory;
    uint8_t *data() const { return memory.data(); }
  };

  /// capacities: by arena of the plan, 0 for those that are not the session's. isTouched:
  /// every run touches all of the memory. Errors: as ArenaMemory::allocate.
  static Status allocate(const Plan &plan, std::span<const uint64_t> capacities,
                         uint32_t threads, bool isTouched,
                         const kiln_allocator &allocator,
                         std::shared_ptr<HostArenas> &out);

  /// Creates an empty set; `allocate` makes one with memory.
  HostArenas() = default;
  HostArenas(const HostArenas &) = delete;
  HostArenas &operator=(const HostArenas &) = delete;

  const std::vector<Arena> &all() const { return arenas; }
  const Arena &operator[](size_t index) const { return arenas[index]; }
  /// Memory of the first thread, and bytes from one thread's to the next.
  uint8_t *scratch() const;
  uint64_t scratchStride() const { return stride; }

  /// Takes memory again that trim gave back, before a run of the layout. Errors: as
  /// allocate; KILN-E0700 where arenas are larger than the machine's memory and the run
  /// would take more than is available.
  Status prepare(const Plan &plan, const Layout &layout);
  /// Gives memory back that outlives no run; pointers to it are of no use any more.
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
  // The arenas are larger than the machine's memory: pages get memory when a run touches
  // them, and runs that would touch more than is available are refused.
  bool exceedsMachine = false;
  uint64_t touchedBytes = 0; ///< at most, by runs of any program
};

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_HOST_ARENAS_H
