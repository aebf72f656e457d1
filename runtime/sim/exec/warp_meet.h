//===- warp_meet.h - Collectives in divergent code ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members of a .sync collective may execute different instructions with the same
// qualifiers and member mask (PTX: shfl.sync, vote.sync, bar.warp.sync ...), as in the
// two sides of a branch. The splits that wait at such instructions are the participants
// of a Meeting.
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
/// Operands of a collective. Instructions with the same qualifiers have the same list,
/// except for a trailing predicate that only some have (MicroOp::flags).
using CollectiveLines = std::vector<CollectiveLine>;

/// Whether the split waits in a collective whose members are all present.
bool membersHere(const Wait &wait, const Warp &warp, const Split &split);

class Meeting {
public:
  /// Collects the running split's lanes at op and the splits that wait for the same
  /// members.
  Meeting(const MicroOp *op, uint8_t *regs, Mask mask, uint32_t members, Warp &warp);
  /// Whether all members that have not exited are present.
  bool complete() const { return (members & warp.live & ~all) == 0; }
  Mask lanes() const { return all; }
  /// Calls run(op, regs) for one instruction, the leader, with all lanes' operands in its
  /// registers, and distributes the results. The other splits continue after their
  /// instructions. False if `run` returns false.
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
    Split *waiting = nullptr; ///< null: the running split
    const CollectiveLines &lines() const { return op->info->as<CollectiveLines>(); }
  };
  void borrow();
  void giveBack();
  Warp &warp;
  uint32_t members;
  Mask all = 0;
  size_t leader = 0;
  std::vector<Participant> participants;
  std::vector<uint64_t> saved; ///< values of the leader's registers in the other splits'
                               ///< lanes
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WARP_MEET_H
