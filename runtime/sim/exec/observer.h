//===- observer.h - Interface of detectors and counters -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers exist in two versions, one that calls the observer and one that does not,
// selected when the module is loaded, so that a launch without detectors and counters has
// no overhead.
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
  uint32_t bytes = 0;            ///< per lane, of the entire vector
  const Place *places = nullptr; ///< [32], valid for lanes of the mask
  /// Values written, `bytes` per lane, if registers do not hold them; otherwise null.
  const uint8_t *values = nullptr;
};

/// An access of a warp within one allocation or the shared memory of one block, which is
/// the usual case.
struct WindowAccess {
  Origin origin;
  AccessTraits traits;
  Space space = Space::Global; ///< as the instruction names it
  uint32_t bytes = 0;          ///< per lane
  Place window;                ///< its first byte
  /// [32]: offsets of the lanes' bytes; null: contiguous from `first` on, and the mask is
  /// full.
  const uint64_t *offsets = nullptr;
  uint64_t first = 0;
  const uint8_t *values = nullptr; ///< see WarpAccess
};

/// Access of one range by asynchronous work or a matrix instruction.
struct RangeAccess {
  Origin origin;
  AccessTraits traits;
  Place place;
  uint64_t bytes = 0;
  /// Pseudo-thread that performs it; 0: the origin's threads themselves.
  uint64_t agent = 0;
};

/// An object that orders threads: clocks are released into it and acquired from it.
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
  const void *object = nullptr; ///< Block, Cluster, Warp, or host address of a location
  uint64_t id = 0;              ///< barrier number << 32 | generation; generation; or
                                ///< phase
};

class Observer {
public:
  virtual ~Observer() = default;
  /// All methods return false after a fault was reported.
  virtual bool access(const WarpAccess &access) = 0;
  virtual bool access(const RangeAccess &access) = 0;
  /// Reports the range access at each of `count` offsets from access.place.
  virtual bool accessEach(const RangeAccess &access, const uint32_t *offsets,
                          size_t count);
  /// Called for accesses in one window; the default converts to a WarpAccess.
  virtual bool accessWindow(const WindowAccess &access);
  /// Combines RangeAccesses that were already reported into one request of the warp. It
  /// matters only to counters of sectors and bank conflicts.
  virtual void request(const WarpAccess &access) {}
  virtual bool wantsRequests() const { return false; }
  /// Release the lanes' clocks into the object (arrive, store.release) or acquire from it
  /// (wait, load.acquire).
  virtual bool release(const Origin &origin, const SyncKey &key, Scope scope) = 0;
  virtual bool acquire(const Origin &origin, const SyncKey &key, Scope scope) = 0;
  /// fence and membar; `proxy`: fence.proxy.async and the implicit ones.
  virtual bool fence(const Origin &origin, Scope scope, bool proxy) = 0;
  /// Starts asynchronous work of the origin's threads as a pseudo-thread, whose id is the
  /// result. It begins with the async clock or, for cp.async, the generic one;
  /// finishAgent releases into `key`.
  virtual uint64_t startAgent(const Origin &origin, Proxy proxy) = 0;
  /// Whether `agent` can also perform more work of the same kind by the same threads.
  virtual bool continueAgent(const Origin &origin, uint64_t agent) { return true; }
  virtual void finishAgent(uint64_t agent, const SyncKey &key) = 0;
  /// Called when the lanes waited for the agent's work.
  virtual bool acquireAgent(const Origin &origin, uint64_t agent) { return true; }
  virtual void startBlock(Block &block) = 0;
  virtual void finishBlock(Block &block) = 0;
  /// Called when all workers have stopped. Reports findings if there is no other error.
  virtual void finishLaunch(Outcome &outcome) {}
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_OBSERVER_H
