//===- access.cpp - Memory accesses of instructions ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/access.h"

#include "runtime/sim/exec/function_code.h"
#include "runtime/sim/exec/observer.h"
#include "runtime/sim/exec/report.h"
#include "runtime/sim/exec/worker.h"
#include "runtime/sim/exec/written.h"

namespace kiln::sim::exec {

namespace {
constexpr int IllegalAddress = 700, Misaligned = 716, WrongSpace = 717;

const char *verb(AccessKind kind) {
  switch (kind) {
  case AccessKind::Write:
    return "write";
  case AccessKind::Atomic:
    return "atomic access";
  default:
    return "read";
  }
}

std::string accessText(AccessKind kind, uint64_t size, Space space) {
  return std::string(verb(kind)) + " of " + std::to_string(size) + " bytes of " +
         std::string(name(space)) + " memory";
}

Place refuse(const Origin &origin, int cuda, const std::string &what,
             const std::string &fix = {}) {
  fault(origin, cuda, what, fix);
  return {};
}

Place resolveGlobal(const Origin &origin, uint64_t address, uint64_t size,
                    AccessKind kind) {
  Grid &grid = origin.grid();
  Worker &worker = *origin.block->cluster->worker;
  Allocation *a = worker.find(address);
  if (!a || !a->contains(address, size))
    return refuse(origin, IllegalAddress,
                  "out of bounds: " + accessText(kind, size, Space::Global) + ": " +
                      describeAddress(grid, address),
                  "check the index against the size of the buffer");
  if (a->freed.load(std::memory_order_relaxed))
    return refuse(origin, IllegalAddress,
                  "use after free: " + accessText(kind, size, Space::Global) + ": " +
                      describeAddress(grid, address) + ", which was freed");
  if (!grid.memory->reachable(grid.launch->device, *a))
    return refuse(origin, IllegalAddress,
                  accessText(kind, size, Space::Global) + ": " +
                      describeAddress(grid, address) + ", which belongs to device " +
                      std::to_string(a->device),
                  "enable peer access (cuCtxEnablePeerAccess)");
  if (a->kind == Allocation::Kind::Constant && kind != AccessKind::Read &&
      kind != AccessKind::NonCoherentRead)
    return refuse(origin, IllegalAddress,
                  accessText(kind, size, Space::Global) + ": " +
                      describeAddress(grid, address) + ", which is constant");
  Place place;
  place.bytes = a->bytes + (address - a->address);
  place.allocation = a;
  place.offset = address - a->address;
  return place;
}

Place resolveShared(const Origin &origin, Space space, uint64_t address, uint64_t size,
                    AccessKind kind) {
  Cluster &cluster = *origin.block->cluster;
  uint64_t rank = address / SharedStride, offset = address % SharedStride;
  if (rank >= cluster.blocks.size())
    return refuse(origin, IllegalAddress,
                  "out of bounds: " + accessText(kind, size, Space::Shared) + " at " +
                      hex(address) + ": the cluster has no block of rank " +
                      std::to_string(rank),
                  "is it a generic or a global address?");
  if (space == Space::Shared && rank != origin.block->rank)
    return refuse(origin, WrongSpace,
                  "wrong space: " + accessText(kind, size, Space::Shared) + " at " +
                      hex(address) + ": that is in the block of rank " +
                      std::to_string(rank),
                  "use .shared::cluster to reach another block");
  Block &block = *cluster.blocks[rank];
  if (offset > block.sharedBytes || size > block.sharedBytes - offset)
    return refuse(origin, IllegalAddress,
                  "out of bounds: " + accessText(kind, size, Space::Shared) +
                      " at byte " + std::to_string(offset) + ": the block has " +
                      std::to_string(block.sharedBytes) + " bytes",
                  "check the index, and the dynamic shared memory of the launch");
  if (!block.liveThreads && rank != origin.block->rank)
    return refuse(origin, IllegalAddress,
                  "out of bounds: " + accessText(kind, size, Space::Shared) +
                      " of the block of rank " + std::to_string(rank) +
                      ", which has exited",
                  "keep the blocks of a cluster together with barrier.cluster before "
                  "they exit");
  Place place;
  place.space = Space::Shared;
  place.bytes = block.shared + offset;
  place.block = &block;
  place.offset = offset;
  return place;
}

Place resolveLocal(const Origin &origin, uint64_t address, uint64_t size,
                   AccessKind kind) {
  Warp &warp = *origin.block->warps[origin.warp];
  const Frame &frame = *warp.current->frame;
  uint64_t limit = frame.localTop();
  if (address > limit || size > limit - address)
    return refuse(origin, IllegalAddress,
                  "out of bounds: " + accessText(kind, size, Space::Local) + " at byte " +
                      std::to_string(address) + ": the thread has " +
                      std::to_string(limit) + " bytes");
  uint64_t lane = uint64_t(__builtin_ctz(origin.mask));
  Place place;
  place.space = Space::Local;
  place.offset = lane * warp.localBytes + address;
  place.bytes = warp.local + place.offset;
  return place;
}

Place resolveParam(const Origin &origin, uint64_t address, uint64_t size,
                   AccessKind kind) {
  const std::vector<uint8_t> &parameters = origin.grid().launch->parameters;
  uint64_t offset = address - ParamWindow;
  if (offset > parameters.size() || size > parameters.size() - offset ||
      kind == AccessKind::Write || kind == AccessKind::Atomic)
    return refuse(origin, IllegalAddress,
                  "out of bounds: " + accessText(kind, size, Space::Param) + " at byte " +
                      std::to_string(offset) + ": the kernel has " +
                      std::to_string(parameters.size()) + ", to be read only");
  Place place;
  place.space = Space::Param;
  place.bytes = const_cast<uint8_t *>(parameters.data()) + offset;
  place.offset = offset;
  return place;
}

bool within(uint64_t address, uint64_t start, uint64_t size) {
  return address - start < size;
}

Place resolveAny(const Origin &origin, Space space, uint64_t address, uint64_t size,
                 AccessKind kind) {
  switch (space) {
  case Space::Shared:
  case Space::SharedCluster:
    return resolveShared(origin, space, address, size, kind);
  case Space::Local:
    return resolveLocal(origin, address, size, kind);
  case Space::Param:
    return resolveParam(origin, address, size, kind);
  case Space::Global:
  case Space::Const:
  case Space::Generic:
    break;
  }
  bool generic = space == Space::Generic;
  if (within(address, SharedWindow, SharedWindowSize)) {
    if (generic)
      return resolveShared(origin, Space::SharedCluster, address - SharedWindow, size,
                           kind);
    return refuse(origin, WrongSpace,
                  "wrong space: " + accessText(kind, size, space) + " at " +
                      hex(address) + ", which is a generic address of shared memory",
                  "convert it with cvta.to.shared and use a .shared instruction");
  }
  if (within(address, LocalWindow, LocalWindowSize)) {
    if (generic && kind == AccessKind::Atomic)
      return refuse(origin, WrongSpace,
                    accessText(kind, size, space) + " at " + hex(address) +
                        ", which is a generic address of local memory",
                    "atomics reach global and shared memory only");
    if (generic)
      return resolveLocal(origin, address - LocalWindow, size, kind);
    return refuse(origin, WrongSpace,
                  "wrong space: " + accessText(kind, size, space) + " at " +
                      hex(address) + ", which is a generic address of local memory",
                  "use a generic or a .local instruction");
  }
  if (within(address, ParamWindow, ParamWindowSize))
    return resolveParam(origin, address, size, kind);
  return resolveGlobal(origin, address, size, kind);
}

uint64_t *writtenBits(const Place &place, const Origin &origin) {
  switch (place.space) {
  case Space::Global:
    return reinterpret_cast<uint64_t *>(place.allocation->written);
  case Space::Shared:
    return place.block->sharedWritten;
  case Space::Local:
    return origin.block->warps[origin.warp]->localWritten;
  default:
    return nullptr;
  }
}

std::string placeText(const Place &place, const Origin &origin, uint64_t more) {
  if (place.space == Space::Global)
    return describeAddress(origin.grid(),
                           place.allocation->address + place.offset + more);
  return "byte " + std::to_string(place.offset + more) + " of " +
         std::string(name(place.space)) + " memory";
}

/// Marks bytes as written by a write; reports a read of uninitialised bytes.
bool checkWritten(const Place &place, const Origin &origin, uint64_t size,
                  AccessKind kind) {
  uint64_t *bits = writtenBits(place, origin);
  if (!bits)
    return true;
  if (kind == AccessKind::Write || kind == AccessKind::Atomic) {
    setAll(bits, place.offset, size, origin.grid().concurrent);
    return true;
  }
  if (allSet(bits, place.offset, size)) [[likely]]
    return true;
  uint64_t first = 0;
  while (allSet(bits, place.offset + first, 1))
    ++first;
  fault(origin, LaunchFailed,
        "uninitialised: read of " + std::to_string(size) + " bytes of " +
            std::string(name(place.space)) +
            " memory: " + placeText(place, origin, first) + " was never written",
        "write it first, or turn this check off (KILN_SIM_CHECK)");
  return false;
}
/// Passes the lanes' accesses to the observer, as one window if they are in one
/// allocation.
bool observe(Observer &observer, const WarpAccess &access) {
  const Place &first = access.places[__builtin_ctz(access.origin.mask)];
  bool together = first.space == Space::Global || first.space == Space::Shared;
  uint64_t offsets[WarpSize];
  forLanes(access.origin.mask, [&](unsigned lane) {
    const Place &place = access.places[lane];
    together &= place.space == first.space && place.block == first.block &&
                place.allocation == first.allocation;
    offsets[lane] = place.offset;
  });
  if (!together)
    return observer.access(access);
  Place window = first;
  window.bytes -= first.offset;
  window.offset = 0;
  return observer.accessWindow({access.origin, access.traits, access.space, access.bytes,
                                window, offsets, 0, access.values});
}
} // namespace

std::string_view name(Space space) {
  switch (space) {
  case Space::Generic:
    return "generic";
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::SharedCluster:
    return "shared::cluster";
  case Space::Local:
    return "local";
  case Space::Const:
    return "constant";
  case Space::Param:
    return "parameter";
  }
  return "";
}

Place resolve(const Origin &origin, Space space, uint64_t address, uint64_t size,
              uint64_t alignment, AccessKind kind) {
  if (alignment > 1 && address % alignment)
    return refuse(origin, Misaligned,
                  "misaligned: " + accessText(kind, size, space) + " at " + hex(address) +
                      ", which is no multiple of " + std::to_string(alignment));
  return resolveAny(origin, space, address, size, kind);
}

Place access(const Origin &origin, Space space, uint64_t address, uint64_t size,
             uint64_t alignment, const AccessTraits &traits, uint64_t agent) {
  Place place = resolve(origin, space, address, size, alignment, traits.kind);
  if (!place)
    return place;
  Grid &grid = origin.grid();
  if (grid.checks.initialised && !checkWritten(place, origin, size, traits.kind))
    return {};
  if (grid.observer &&
      !grid.observer->access(RangeAccess{origin, traits, place, size, agent}))
    return {};
  if (place.space == Space::Global && traits.proxy != Proxy::Tensormap)
    origin.block->cluster->worker->rangeBytes += size;
  if (traits.kind == AccessKind::Write || traits.kind == AccessKind::Atomic)
    origin.block->warps[origin.warp]->changed = true;
  return place;
}

Allocation *lookUp(const MicroOp *op, Warp &warp, uint64_t address, uint32_t bytes) {
  Allocation *found = warp.worker->find(address);
  // `resolve` reports why an access is refused.
  Grid &grid = *warp.block->grid;
  if (!found || !found->contains(address, bytes) || found->freed.load() ||
      !grid.memory->reachable(grid.launch->device, *found))
    return nullptr;
  warp.worker->lastHit[op->slot] = found;
  return found;
}

bool resolveLanes(const MicroOp *op, Warp &warp, Mask mask, Space space,
                  const uint64_t *addresses, uint32_t bytes, const AccessTraits &traits,
                  uint8_t **host, const uint8_t *values) {
  Place places[WarpSize];
  Grid &grid = *warp.block->grid;
  for (Mask left = mask; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    Origin origin = originOf(warp, op, Mask(1) << lane);
    places[lane] = resolve(origin, space, addresses[lane], bytes, bytes, traits.kind);
    if (!places[lane])
      return false;
    if (grid.checks.initialised &&
        !checkWritten(places[lane], origin, bytes, traits.kind))
      return false;
    host[lane] = places[lane].bytes;
  }
  return !grid.observer || observe(*grid.observer, {originOf(warp, op, mask), traits,
                                                    space, bytes, places, values});
}

} // namespace kiln::sim::exec
