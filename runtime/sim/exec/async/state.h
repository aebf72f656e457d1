//===- state.h - What blocks and warps keep of asynchronous work -*- C++ -*-===//
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

/// Work that some lanes have issued: an AsyncOp covers the lanes of one instruction.
struct Issued {
  std::shared_ptr<AsyncOp> op;
  Mask lanes = 0;
  Mask tracked = 0; ///< lanes for which an mbarrier tracks it too
};

/// Groups of work, committed by lanes and waited for by lanes: cp.async and the bulk
/// copies have one such list each.
class Groups {
public:
  /// `complete`: whether a piece of work is over for good.
  explicit Groups(bool (*complete)(const AsyncOp &)) : complete(complete) {}
  void issue(std::shared_ptr<AsyncOp> op, Mask lanes) {
    open.push_back({std::move(op), lanes, 0});
  }
  /// Marks what the lanes have issued as tracked by an mbarrier: it may be waited for
  /// there, and never become part of a group.
  void track(Mask lanes);
  /// Makes a group (maybe empty) of what the lanes have issued since their last commit.
  void commit(Mask lanes);
  /// Whether of each lane's groups all but the newest `newest` are done. `done` says
  /// whether one piece of work is (a bulk store may count once it has read).
  bool finished(Mask lanes, uint32_t newest,
                const std::function<bool(const AsyncOp &)> &done) const;
  /// All that the lanes have issued, committed or not.
  bool allFinished(Mask lanes, const std::function<bool(const AsyncOp &)> &done) const;
  /// Calls f(op, lanes) for the work that a wait for all but the newest `newest` groups
  /// covers, of lanes that have not waited for it before.
  /// `readOnly`: a wait with .read, which leaves the writes to a later one.
  void wait(Mask lanes, uint32_t newest,
            const std::function<void(const AsyncOp &, Mask)> &f, bool readOnly = false);
  /// Work of the lanes that they have not waited for, null if there is none.
  const AsyncOp *unawaited(Mask lanes) const;
  /// Forgets groups whose work is done and waited for.
  void trim();
  const std::vector<Issued> &uncommitted() const { return open; }
  /// The issued work of the lanes that they have not waited for, oldest first.
  std::vector<std::shared_ptr<AsyncOp>> issued(Mask lanes) const;

private:
  struct Group {
    Mask lanes = 0, waited = 0, readWaited = 0;
    std::vector<Issued> work;
  };
  /// Calls f(group, lanes) with the lanes for which it is not one of the newest.
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
/// The products of a warpgroup that not all its warps have issued yet.
struct WgmmaLog {
  struct Entry {
    WgmmaIssue issue;
    unsigned warps = 0;
  };
  std::deque<Entry> issues;
  uint64_t dropped = 0; ///< that all have issued
};

struct BlockState {
  std::unordered_map<unsigned, WgmmaLog> wgmmaLogs; ///< by first warp
  std::unordered_map<uint32_t, Mbarrier> barriers;  ///< by offset in shared memory
};

struct WgmmaState; // wgmma_state.h

/// A bulk copy: it reads its source, then it may write later still.
class BulkOp : public AsyncOp {
public:
  Origin origin;         ///< of one lane
  bool complete = false; ///< written, and any mbarrier told
};

struct WarpState {
  Groups copies{[](const AsyncOp &op) { return op.done(); }}; ///< cp.async
  /// Bulk copies with .bulk_group: all are BulkOps.
  Groups bulk{[](const AsyncOp &op) { return static_cast<const BulkOp &>(op).complete; }};
  std::shared_ptr<WgmmaState> wgmma;
  uint64_t registerChanges = 0; ///< setmaxnreg that the warp ran
};

BlockState &stateOf(Block &block);
WarpState &stateOf(Warp &warp);

/// mbarrier.init at a place that was found; false after a fault.
bool initBarrier(const Origin &origin, const Place &place, uint32_t count);
/// The barrier of the warp's own block at a shared or generic address, or null; reports
/// nothing.
const Mbarrier *peekBarrier(const Warp &warp, uint64_t address);
/// The mbarrier at a place of shared memory; null, reported, if there is none there.
Mbarrier *findBarrier(const Origin &origin, const Place &place);
/// Reports a problem that an operation on a barrier met; true if there was none.
bool accept(const Origin &origin, const Place &place, const Mbarrier &barrier,
            MbarrierProblem problem);
/// The end of an asynchronous copy: `bytes` of the barrier at `offset` are complete.
/// `agent`: the observer's pseudo-thread of the copy. False after a fault.
bool completeBytes(const Origin &origin, Block &block, uint32_t offset, uint32_t bytes,
                   uint64_t agent);
/// Lanes of the warp end: reports asynchronous work that they never waited for. True if
/// there is none.
bool checkExit(Warp &warp, const MicroOp *op, Mask mask);
/// Key of a barrier's phase for the observer.
SyncKey barrierKey(const Place &place, uint64_t phase);

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_STATE_H
