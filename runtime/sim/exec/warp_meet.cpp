//===- warp_meet.cpp - Collectives in divergent code -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/warp_meet.h"

#include "runtime/sim/exec/function_code.h"

#include <cstring>

namespace kiln::sim::exec {

namespace {
/// Whether two instructions are the same collective, judged by their qualifiers.
bool sameKind(const MicroOp *a, const MicroOp *b) {
  return a->run == b->run && a->extra == b->extra && a->imm == b->imm;
}

bool waitsFor(const Split &split, const MicroOp *op, uint32_t members) {
  return split.wait.ready == membersHere && split.wait.a == members &&
         sameKind(split.pc, op);
}

uint64_t get(const uint8_t *regs, const CollectiveLine &line, unsigned lane) {
  uint64_t value = 0;
  if (!line.bytes) {
    Mask mask;
    memcpy(&mask, regs + line.offset, sizeof(mask));
    return mask >> lane & 1;
  }
  memcpy(&value, regs + line.offset + lane * line.bytes, line.bytes);
  return value;
}

void set(uint8_t *regs, const CollectiveLine &line, unsigned lane, uint64_t value) {
  if (line.bytes) {
    memcpy(regs + line.offset + lane * line.bytes, &value, line.bytes);
    return;
  }
  Mask &mask = predicate(regs, line.offset);
  mask = (mask & ~(Mask(1) << lane)) | Mask(value) << lane;
}
} // namespace

bool membersHere(const Wait &wait, const Warp &warp, const Split &split) {
  // Missing members may also exit.
  Mask missing = Mask(wait.a) & warp.live & ~split.mask;
  for (unsigned i = 0; i < warp.splitCount && missing; ++i)
    if (waitsFor(warp.splits[i], split.pc, uint32_t(wait.a)))
      missing &= ~warp.splits[i].mask;
  return !missing;
}

Meeting::Meeting(const MicroOp *op, uint8_t *regs, Mask mask, uint32_t members,
                 Warp &warp)
    : warp(warp), members(members) {
  participants.push_back({op, regs, mask, nullptr});
  for (unsigned i = 0; i < warp.splitCount; ++i) {
    Split &split = warp.splits[i];
    // A split that has lanes outside this mask belongs to another collective.
    if (&split != warp.current && waitsFor(split, op, members) &&
        !(split.mask & ~members))
      participants.push_back({split.pc, split.frame->registers, split.mask, &split});
  }
  for (size_t i = 0; i < participants.size(); ++i) {
    all |= participants[i].mask;
    if (participants[i].op->flags)
      leader = i;
  }
}

void Meeting::borrow() {
  const Participant &main = participants[leader];
  for (const CollectiveLine &line : main.lines())
    forLanes(all & ~main.mask,
             [&](unsigned lane) { saved.push_back(get(main.regs, line, lane)); });
  for (const Participant &other : participants)
    for (size_t i = 0; &other != &main && i < main.lines().size(); ++i)
      if (i < other.lines().size() && !main.lines()[i].result)
        forLanes(other.mask, [&](unsigned lane) {
          set(main.regs, main.lines()[i], lane, get(other.regs, other.lines()[i], lane));
        });
}

void Meeting::giveBack() {
  const Participant &main = participants[leader];
  const CollectiveLines &lines = main.lines();
  // Save the results first: other splits may have them in registers that were borrowed.
  std::vector<uint64_t> results;
  for (const CollectiveLine &line : lines)
    forLanes(all & ~main.mask,
             [&](unsigned lane) { results.push_back(get(main.regs, line, lane)); });
  size_t at = 0;
  for (const CollectiveLine &line : lines)
    forLanes(all & ~main.mask,
             [&](unsigned lane) { set(main.regs, line, lane, saved[at++]); });
  at = 0;
  for (size_t i = 0; i < lines.size(); ++i)
    forLanes(all & ~main.mask, [&](unsigned lane) {
      uint64_t value = results[at++];
      for (const Participant &other : participants)
        if (lines[i].result && (other.mask >> lane & 1) && i < other.lines().size())
          set(other.regs, other.lines()[i], lane, value);
    });
  for (Participant &other : participants)
    if (other.waiting) {
      other.waiting->wait = {};
      other.waiting->pc = other.op + 1;
    }
}

} // namespace kiln::sim::exec
