//===- state.h - Asynchronous work of blocks and warps -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_STATE_H
#define KILN_SIM_EXEC_ASYNC_STATE_H

#include "runtime/sim/exec/async/mbarrier_state.h"
#include "runtime/sim/exec/observer.h"

#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

namespace kiln::sim::exec::async {

/// Work that some lanes issued: an AsyncOp covers the lanes of one instruction.
struct Issued {
  std::shared_ptr<AsyncOp> op;
  Mask lanes = 0;
  Mask tracked = 0; ///< lanes for which an mbarrier tracks it
};

/// Groups of work that lanes commit and wait for: one instance for cp.async, one for bulk
/// copies.
class Groups {
public:
  /// `complete`: whether an operation is entirely complete.
  explicit Groups(bool (*complete)(const AsyncOp &)) : complete(complete) {}
  void issue(std::shared_ptr<AsyncOp> op, Mask lanes) {
    open.push_back({std::move(op), lanes, 0});
  }
  /// Marks the lanes' issued work as tracked by an mbarrier: it may be waited for there
  /// and need not be committed to a group.
  void track(Mask lanes);
  /// Commits a (possibly empty) group of what the lanes issued since their last commit.
  void commit(Mask lanes);
  /// Whether all but the `newest` newest groups of each lane are done. `done` tests one
  /// operation (a bulk store may count once it has read its source).
  bool finished(Mask lanes, uint32_t newest,
                const std::function<bool(const AsyncOp &)> &done) const;
  /// Whether `done` holds for all work that the lanes issued, committed or not.
  bool allFinished(Mask lanes, const std::function<bool(const AsyncOp &)> &done) const;
  /// Calls f(op, lanes) for the work covered by a wait for all but the `newest` newest
  /// groups, with the lanes that have not waited for it before. `readOnly`: a wait with
  /// .read, which does not cover the writes.
  void wait(Mask lanes, uint32_t newest,
            const std::function<void(const AsyncOp &, Mask)> &f, bool readOnly = false);
  /// Returns work of the lanes that they have not waited for; null if there is none.
  const AsyncOp *unawaited(Mask lanes) const;
  /// Drops groups whose work is done and was waited for.
  void trim();
  const std::vector<Issued> &uncommitted() const { return open; }
  /// Returns the lanes' issued work that they have not waited for, oldest first.
  std::vector<std::shared_ptr<AsyncOp>> issued(Mask lanes) const;

private:
  struct Group {
    Mask lanes = 0, waited = 0, readWaited = 0;
    std::vector<Issued> work;
  };
  /// Calls f(group, lanes) with the lanes for which the group is not among the `newest`
  /// newest.
  template <class F> void forOld(Mask lanes, uint32_t newest, F f);
  bool (*complete)(const AsyncOp &);
  std::vector<Issued> open;
  std::vector<Group> groups;
};

/// wgmma instruction that one warp of a warpgroup issued, for comparison with the
/// others'.
struct WgmmaIssue {
  const MicroOp *op = nullptr;
  uint64_t descriptorA = 0, descriptorB = 0;
  bool accumulates = false;
  bool operator==(const WgmmaIssue &) const = default;
};
/// wgmma instructions of a warpgroup that some of its warps have not issued yet.
struct WgmmaLog {
  struct Entry {
    WgmmaIssue issue;
    unsigned warps = 0;
  };
  std::deque<Entry> issues;
  uint64_t dropped = 0; ///< number of entries dropped because all warps issued them
};

struct BlockState {
  std::unordered_map<unsigned, WgmmaLog> wgmmaLogs; ///< by first warp of the warpgroup
  std::unordered_map<uint32_t, Mbarrier> barriers;  ///< by offset in shared memory
};

struct WgmmaState; // wgmma_state.h

/// A bulk copy: it reads its source in one step and may write in a later one.
class BulkOp : public AsyncOp {
public:
  Origin origin;         ///< of one lane
  bool complete = false; ///< written, and its mbarrier signalled
};

struct WarpState {
  Groups copies{[](const AsyncOp &op) { return op.done(); }}; ///< cp.async
  /// Bulk copies with .bulk_group: all are BulkOps.
  Groups bulk{[](const AsyncOp &op) { return static_cast<const BulkOp &>(op).complete; }};
  std::shared_ptr<WgmmaState> wgmma;
  uint64_t registerChanges = 0; ///< setmaxnreg instructions that the warp executed
};

BlockState &stateOf(Block &block);
WarpState &stateOf(Warp &warp);

/// Executes mbarrier.init at a resolved place; false after a fault.
bool initBarrier(const Origin &origin, const Place &place, uint32_t count);
/// Returns the mbarrier of the warp's own block at a shared or generic address, or null;
/// reports nothing.
const Mbarrier *peekBarrier(const Warp &warp, uint64_t address);
/// Returns the mbarrier at a place of shared memory; reports and returns null if there is
/// none.
Mbarrier *findBarrier(const Origin &origin, const Place &place);
/// Reports the problem of an mbarrier operation; returns true if there is none.
bool accept(const Origin &origin, const Place &place, const Mbarrier &barrier,
            MbarrierProblem problem);
/// Completes an asynchronous copy: subtracts `bytes` from the mbarrier at `offset`.
/// `agent`: the observer's pseudo-thread of the copy. False after a fault.
bool completeBytes(const Origin &origin, Block &block, uint32_t offset, uint32_t bytes,
                   uint64_t agent);
/// Called when lanes of the warp exit: reports asynchronous work that they never waited
/// for. True if there is none.
bool checkExit(Warp &warp, const MicroOp *op, Mask mask);
/// Key of an mbarrier's phase for the observer.
SyncKey barrierKey(const Place &place, uint64_t phase);

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_STATE_H
