//===- host_arenas.cpp - The arenas of a session on the CPU ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/host_arenas.h"
#include "runtime/base/log.h"
#include "runtime/base/memory_limits.h"
#include "runtime/package/format.h"
#include <algorithm>
#include <cstring>

using namespace kiln::rt;

/// Whether no run reads data of an earlier run in such an arena.
static bool isOfOneRun(kiln_arena_kind kind) {
  return kind == KILN_ARENA_ACTIVATIONS || kind == KILN_ARENA_WORKSPACE;
}

/// Whether runs touch only as much of an arena as their dims need. A reset touches all of
/// the state, and the fills of `measure_memory` touch all arenas.
bool HostArenas::mayGrow(const Arena &arena) const {
  return isOfOneRun(arena.kind) && !isTouched && !allocator.allocate;
}

Status HostArenas::allocate(const Plan &plan, std::span<const uint64_t> capacities,
                            uint32_t threads, bool isTouched,
                            const kiln_allocator &allocator,
                            std::shared_ptr<HostArenas> &out) {
  auto made = std::make_shared<HostArenas>();
  made->threads = threads;
  made->isTouched = isTouched;
  made->allocator = allocator;
  uint64_t growing = 0;
  for (size_t i = 0; i < plan.arenas.size(); ++i) {
    Arena &arena = made->arenas.emplace_back(
        Arena{plan.arenas[i].kind, capacities[i], ArenaMemory()});
    if (arena.kind == KILN_ARENA_WORKSPACE) {
      // Each thread gets entire pages: no two threads have a cache line or, on NUMA
      // machines, a page in common.
      made->stride = format::alignUp(arena.capacity, format::pageAlignment);
      arena.capacity = made->stride * threads;
    }
    growing += made->mayGrow(arena) ? arena.capacity : 0;
  }
  KILN_TRY(made->allocateMissing());
  made->exceedsMachine = growing > machineMemory();
  if (made->exceedsMachine)
    writeLog(KILN_LOG_WARNING, "kiln.session.memory_promised",
             "the session's arenas are larger than the machine's memory: runs of large "
             "dims may be refused",
             {{"kiln.arena_bytes", double(growing)},
              {"kiln.machine_bytes", double(machineMemory())}});
  out = std::move(made);
  return {};
}

Status HostArenas::allocateMissing() {
  for (Arena &arena : arenas) {
    if (!arena.capacity || arena.data())
      continue;
    bool isWorkspace = arena.kind == KILN_ARENA_WORKSPACE;
    KILN_TRY(ArenaMemory::allocate(
        arena.capacity, isWorkspace ? format::pageAlignment : format::bufferAlignment,
        std::string("arena ") + kiln_arena_kind_name(arena.kind), allocator,
        mayGrow(arena) ? Promise::AddressesIfRefused : Promise::Memory, arena.memory));
    if (!isOfOneRun(arena.kind) && !arena.memory.isZero())
      std::memset(arena.data(), 0, arena.capacity);
  }
  return {};
}

uint8_t *HostArenas::scratch() const {
  auto found = std::ranges::find(arenas, KILN_ARENA_WORKSPACE, &Arena::kind);
  return found == arenas.end() ? nullptr : found->data();
}

Status HostArenas::prepare(const Plan &plan, const Layout &layout) {
  KILN_TRY(allocateMissing());
  return exceedsMachine ? checkAvailable(plan, layout) : Status();
}

Status HostArenas::checkAvailable(const Plan &plan, const Layout &layout) {
  uint64_t needed = 0, &touched = touchedBytes;
  for (const kiln::rt::Arena &arena : plan.arenas)
    if (isOfOneRun(arena.kind)) {
      auto bytes = static_cast<uint64_t>(layout.value(arena.size));
      needed += arena.kind == KILN_ARENA_WORKSPACE ? bytes * threads : bytes;
    }
  uint64_t available = availableMemory();
  if (needed > touched && needed - touched > available)
    return Failure{Code::OutOfMemory,
                   "arenas of the session",
                   "runs of these dims take more memory than is available",
                   std::to_string(needed - touched) + " bytes",
                   std::to_string(available) + " bytes",
                   "run smaller dims, or free memory"};
  touched = std::max(touched, needed);
  return {};
}

void HostArenas::trim() {
  for (Arena &arena : arenas)
    if (isOfOneRun(arena.kind))
      arena.memory.discard();
  touchedBytes = 0;
}
