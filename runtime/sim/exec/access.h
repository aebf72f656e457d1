//===- access.h - Memory accesses of instructions ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All memory accesses of kernels go through here: space, bounds, freed allocations and
// alignment are always checked; the observer, if there is one, sees each access.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ACCESS_H
#define KILN_SIM_EXEC_ACCESS_H

#include "runtime/sim/exec/block.h"

namespace kiln::sim::exec {

enum class Space : uint8_t {
  Generic,
  Global,        ///< .global, .const of modules through generic addresses, host memory
  Shared,        ///< .shared::cta
  SharedCluster, ///< rank << 24 | offset
  Local,
  Const,
  Param ///< parameters of the kernel
};
std::string_view name(Space space);

enum class AccessKind : uint8_t { Read, Write, Atomic, NonCoherentRead };

/// Proxy that performs an access: generic, asynchronous (bulk copies, wgmma), or
/// tensormap.
enum class Proxy : uint8_t { Generic, Async, Tensormap };

/// Memory-model strength of an access (PTX), for the race detector.
enum class Strength : uint8_t {
  Weak,
  Volatile,
  Relaxed,
  Acquire,
  Release,
  AcquireRelease
};
enum class Scope : uint8_t { None, Cta, Cluster, Gpu, Sys };

/// Effect of an access on the mbarrier in its 8 bytes.
enum class BarrierUse : uint8_t {
  None,  ///< an ordinary access: the bytes must not hold an mbarrier
  Lives, ///< mbarrier.init and the operations on it
  Ends   ///< mbarrier.inval
};

struct AccessTraits {
  AccessKind kind = AccessKind::Read;
  Proxy proxy = Proxy::Generic;
  Strength strength = Strength::Weak;
  Scope scope = Scope::None;
  BarrierUse barrier = BarrierUse::None;
  /// Not 0: identifies how the lanes divide the bytes among them. PTX leaves the division
  /// open, but it is the same whenever a warp uses the same id.
  uint32_t division = 0;
};

/// Packs traits into MicroOp::flags.
inline uint16_t packTraits(const AccessTraits &t) {
  return uint16_t(unsigned(t.kind) | unsigned(t.strength) << 2 | unsigned(t.scope) << 5);
}
inline AccessTraits unpackTraits(uint16_t bits) {
  return {AccessKind(bits & 3), Proxy::Generic,   Strength(bits >> 2 & 7),
          Scope(bits >> 5 & 7), BarrierUse::None, 0};
}

/// A range of device bytes that passed the checks.
struct Place {
  uint8_t *bytes = nullptr;         ///< host address; null after a fault
  Space space = Space::Global;      ///< Global, Shared, Local, Const or Param
  Allocation *allocation = nullptr; ///< Global
  Block *block = nullptr;           ///< Shared: the block that owns it
  uint64_t offset = 0;              ///< in the allocation, shared or local memory
  explicit operator bool() const { return bytes; }
};

/// Resolves `size` bytes at `address` in `space` for a thread of origin.block (for local
/// memory, its lowest lane in origin.mask). Reports an error and returns no place if they
/// are out of bounds, freed, or of another space, or if the address is not a multiple of
/// `alignment`. Shared addresses are rank << 24 | offset, as from cvta and mapa.
Place resolve(const Origin &origin, Space space, uint64_t address, uint64_t size,
              uint64_t alignment, AccessKind kind);

/// Resolves one range, passes the access to the observer, and reports uninitialised bytes
/// (reads) or marks bytes as written (writes). Bulk copies and matrix instructions use it
/// and then memcpy from or to place.bytes. `agent`: see RangeAccess.
Place access(const Origin &origin, Space space, uint64_t address, uint64_t size,
             uint64_t alignment, const AccessTraits &traits, uint64_t agent = 0);

/// Resolves the lanes' accesses of one instruction one by one: host[lane] is the address
/// of the lane's bytes. `addresses` include their offsets. Passes them to the observer if
/// there is one. `values`: see WarpAccess. False after a fault.
bool resolveLanes(const MicroOp *op, Warp &warp, Mask mask, Space space,
                  const uint64_t *addresses, uint32_t bytes, const AccessTraits &traits,
                  uint8_t **host, const uint8_t *values = nullptr);
/// Returns the allocation of a global access at `address`, cached per op; null if there
/// is none.
Allocation *lookUp(const MicroOp *op, Warp &warp, uint64_t address, uint32_t bytes);

/// Returns the 32-bit shared address of an offset in the memory of `block`.
inline uint32_t sharedAddress(const Block &block, uint32_t offset) {
  return block.rank << 24 | offset;
}

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_ACCESS_H
