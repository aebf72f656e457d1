//===- counters.h - Exact counters of a launch -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_COUNTERS_H
#define KILN_SIM_EXEC_COUNTERS_H

#include "runtime/sim/exec/code.h"
#include "runtime/sim/exec/observer.h"

#include <map>
#include <unordered_set>

namespace kiln::sim::exec {

/// Counters of memory accesses, kept as an observer.
class AccessCounters final : public Observer {
public:
  bool access(const WarpAccess &access) override;
  bool access(const RangeAccess &access) override;
  void request(const WarpAccess &access) override;
  bool wantsRequests() const override { return true; }
  bool release(const Origin &, const SyncKey &, Scope) override { return true; }
  bool acquire(const Origin &, const SyncKey &, Scope) override { return true; }
  bool fence(const Origin &, Scope, bool) override { return true; }
  uint64_t startAgent(const Origin &, Proxy) override { return 0; }
  void finishAgent(uint64_t, const SyncKey &) override {}
  void startBlock(Block &) override {}
  void finishBlock(Block &) override {}

  struct Space {
    uint64_t reads = 0, writes = 0; ///< warp accesses
    uint64_t bytes = 0;             ///< that threads accessed
  };
  Space global, shared, local;
  uint64_t sectors = 0;       ///< 32-byte sectors, summed over warp accesses
  uint64_t bankConflicts = 0; ///< shared memory cycles beyond the first of each phase
  std::map<unsigned, uint64_t> conflictLines; ///< the same by line of the PTX
  uint64_t atomics = 0;                       ///< lanes
  /// Bytes of bulk and tensor copies on the global and the shared side. They differ if a
  /// box extends beyond the tensor or a copy is multicast.
  uint64_t copiedGlobal = 0, copiedShared = 0;
  uint64_t distinctSectors() const { return seen.size(); }

private:
  void touchSectors(const WarpAccess &access);
  void countConflicts(const WarpAccess &access);
  std::unordered_set<uint64_t> seen;
};

/// Sums over the instructions of a launch.
struct InstructionCounts {
  uint64_t warps = 0, threads = 0;         ///< executed instructions
  std::map<std::string, uint64_t> classes; ///< warp instructions
  std::map<std::string, uint64_t> flops;
  std::map<std::string, uint64_t> events; ///< see eventOf
  uint64_t globalBytes = 0;               ///< that threads and copies accessed
};
InstructionCounts countInstructions(const Grid &grid, const ModuleCode &code);

/// Returns the counters as one line of JSON.
std::string countersText(const Grid &grid, const InstructionCounts &counts,
                         const AccessCounters &accesses);

/// Writes the launch's counters and coverage if requested, and sets the cost of the
/// outcome.
void finishCounters(Grid &grid, const ModuleCode &code, const AccessCounters *accesses);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_COUNTERS_H
