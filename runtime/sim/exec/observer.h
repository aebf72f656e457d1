//===- observer.h - What detectors and counters see of a launch ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers exist in two forms: one that tells the observer and one that does not, chosen
// when the launch starts, so that a launch without detectors and counters pays nothing.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_OBSERVER_H
#define KILN_SIM_EXEC_OBSERVER_H

#include "runtime/sim/exec/access.h"

namespace kiln::sim::exec {

/// One access of a warp: for each lane of the mask, `bytes` bytes at places[lane].
struct WarpAccess {
  Origin origin;
  AccessTraits traits;
  Space space = Space::Global;   ///< as the instruction names it
  uint32_t bytes = 0;            ///< per lane: of the whole vector
  const Place *places = nullptr; ///< [32], valid in the mask
  /// Written values, `bytes` of each lane, if registers do not hold them; else null.
  const uint8_t *values = nullptr;
};

/// One access of a warp within one allocation or the shared memory of one block: what
/// most accesses are.
struct WindowAccess {
  Origin origin;
  AccessTraits traits;
  Space space = Space::Global; ///< as the instruction names it
  uint32_t bytes = 0;          ///< per lane
  Place window;                ///< its first byte
  /// [32]: offsets of the lanes' bytes; null: from `first` on, one behind the other, and
  /// the mask is full.
  const uint64_t *offsets = nullptr;
  uint64_t first = 0;
  const uint8_t *values = nullptr; ///< see WarpAccess
};

/// One range, by asynchronous work or a matrix instruction.
struct RangeAccess {
  Origin origin;
  AccessTraits traits;
  Place place;
  uint64_t bytes = 0;
  /// The pseudo-thread that performs it; 0: the origin's threads themselves.
  uint64_t agent = 0;
};

/// A thing that orders threads: clocks are released into it and acquired from it.
struct SyncKey {
  enum class Kind : uint8_t {
    BlockBarrier,
    ClusterBarrier,
    Warp,
    Mbarrier,
    Memory,
    Grid,
    Async
  };
  Kind kind = Kind::Memory;
  const void *object = nullptr; ///< a Block, a Cluster, a Warp, host bytes of a location
  uint64_t id = 0;              ///< barrier number << 32 | generation, generation, phase
};

class Observer {
public:
  virtual ~Observer() = default;
  /// All return false after a fault was reported.
  virtual bool access(const WarpAccess &access) = 0;
  virtual bool access(const RangeAccess &access) = 0;
  /// Reports the range access at each of `count` offsets from access.place.
  virtual bool accessEach(const RangeAccess &access, const uint32_t *offsets,
                          size_t count);
  /// As a WarpAccess, unless an observer has a faster way.
  virtual bool accessWindow(const WindowAccess &access);
  /// RangeAccesses that were told of before leave the warp as one request: what counts
  /// for sectors and banks, and for nothing else.
  virtual void request(const WarpAccess &access) {}
  virtual bool wantsRequests() const { return false; }
  /// The lanes' clocks go into the object (arrive, store.release) or come from it
  /// (wait, load.acquire).
  virtual bool release(const Origin &origin, const SyncKey &key, Scope scope) = 0;
  virtual bool acquire(const Origin &origin, const SyncKey &key, Scope scope) = 0;
  /// fence and membar; `proxy`: fence.proxy.async and the implicit ones.
  virtual bool fence(const Origin &origin, Scope scope, bool proxy) = 0;
  /// Asynchronous work of the origin's threads starts as pseudo-thread `agent` (the
  /// result), from the async clock or, for cp.async, the generic one; ends into `key`.
  virtual uint64_t startAgent(const Origin &origin, Proxy proxy) = 0;
  /// More work of the same kind by the same threads: whether `agent` can do it too.
  virtual bool continueAgent(const Origin &origin, uint64_t agent) { return true; }
  virtual void finishAgent(uint64_t agent, const SyncKey &key) = 0;
  /// The lanes waited until the agent's work was over.
  virtual bool acquireAgent(const Origin &origin, uint64_t agent) { return true; }
  virtual void startBlock(Block &block) = 0;
  virtual void finishBlock(Block &block) = 0;
  /// All workers stopped. Says what was found on the way, if nothing else went wrong.
  virtual void finishLaunch(Outcome &outcome) {}
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_OBSERVER_H
