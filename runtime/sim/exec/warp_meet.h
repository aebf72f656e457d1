//===- warp_meet.h - Collectives met from several places ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members of a .sync collective need not come to one instruction: any with the same
// qualifiers and the same member mask will do (PTX: shfl.sync, vote.sync, bar.warp.sync
// ...), as in the two sides of a branch. The splits that wait at such instructions are
// the participants of a meeting.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_WARP_MEET_H
#define KILN_SIM_EXEC_WARP_MEET_H

#include "runtime/sim/exec/block.h"

namespace kiln::sim::exec {

/// An operand of a collective; the payload of its OpInfo is a CollectiveLines.
struct CollectiveLine {
  uint32_t offset = 0;
  unsigned bytes = 0; ///< per lane; 0: a predicate
  bool result = false;
};
/// Operands of a collective. Instructions with the same qualifiers have the same, but for
/// a predicate at the end that only some have (MicroOp::flags).
using CollectiveLines = std::vector<CollectiveLine>;

/// Whether a split that waits with this is waiting in a collective.
bool membersHere(const Wait &wait, const Warp &warp, const Split &split);

class Meeting {
public:
  /// The running split's lanes at op, and those that wait for the same members.
  Meeting(const MicroOp *op, uint8_t *regs, Mask mask, uint32_t members, Warp &warp);
  /// Whether all members that have not exited are there.
  bool complete() const { return (members & warp.live & ~all) == 0; }
  Mask lanes() const { return all; }
  /// Calls run(op, regs) for the instruction that does the work for all lanes, with
  /// their operands in its registers, and gives them the results. The others go on
  /// behind theirs. False if run says so.
  template <class Run> bool run(Run run) {
    borrow();
    bool fine = run(participants[leader].op, participants[leader].regs);
    giveBack();
    return fine;
  }

private:
  struct Participant {
    const MicroOp *op = nullptr;
    uint8_t *regs = nullptr;
    Mask mask = 0;
    Split *waiting = nullptr; ///< null: it is running
    const CollectiveLines &lines() const { return op->info->as<CollectiveLines>(); }
  };
  void borrow();
  void giveBack();
  Warp &warp;
  uint32_t members;
  Mask all = 0;
  size_t leader = 0;
  std::vector<Participant> participants;
  std::vector<uint64_t> saved; ///< lines of the leader, in the lanes of the others
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WARP_MEET_H
