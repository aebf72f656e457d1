//===- warp_ops.cpp - Shuffles, votes and other collectives of a warp ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each instruction names its members by a mask. It executes once all members that have
// not exited have reached it; until then lanes wait. Lanes that reach it together may
// belong to several groups (two halves with a mask each).
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/handlers.h"
#include "runtime/sim/exec/observer.h"
#include "runtime/sim/exec/report.h"
#include "runtime/sim/exec/warp_meet.h"
#include "runtime/sim/exec/worker.h"

#include "runtime/sim/arith/float_ops.h"

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;
using ptx::Operand;

/// Lanes that execute a collective together.
struct Group {
  Mask members = 0; ///< named in the mask and not exited; all are executing
  Mask lanes = 0;   ///< executing lanes whose mask names `members`
};

std::string describeMembers(const Wait &wait, const Warp &warp, const Split &split) {
  return "waits in a warp collective for " +
         describeLanes(Mask(wait.a) & warp.live & ~split.mask) + " of its warp";
}

/// Returns another split that waits at this op in a collective.
Split *partner(const MicroOp *op, Warp &warp) {
  for (unsigned i = 0; i < warp.splitCount; ++i) {
    Split &other = warp.splits[i];
    if (&other != warp.current && other.pc == op && other.frame == warp.current->frame &&
        other.wait.ready == membersHere)
      return &other;
  }
  return nullptr;
}

/// Blocks the lanes whose members are not all present; `ready` lanes continue.
Stop park(const MicroOp *op, Warp &warp, Mask ready, Mask waiting, Mask missing) {
  Wait wait;
  wait.ready = membersHere;
  wait.describe = describeMembers;
  wait.a = missing;
  if (Split *other = partner(op, warp)) {
    // Both splits together may be complete: test again.
    other->wait = {};
    warp.current->pc = op;
    return Stop::Diverged;
  }
  if (!ready)
    return block(warp, op, wait);
  Frame *frame = warp.current->frame;
  warp.current->mask = ready;
  warp.current->pc = op;
  warp.addSplit(op, frame, waiting).wait = wait;
  return Stop::Diverged;
}

bool tellSync(const MicroOp *op, Mask mask, Warp &warp) {
  Observer *observer = warp.block->grid->observer;
  if (!observer)
    return true;
  SyncKey key{SyncKey::Kind::Warp, &warp, 0};
  Origin origin = originOf(warp, op, mask);
  return observer->release(origin, key, Scope::Cta) &&
         observer->acquire(origin, key, Scope::Cta);
}

/// Executes a collective for one complete group. False after a fault.
using Collective = bool (*)(const MicroOp *op, uint8_t *regs, const Group &group,
                            Warp &warp);

/// Executes a collective for lanes at different instructions.
template <Collective Run> Stop meet(const MicroOp *op, Meeting &meeting, Warp &warp) {
  Group group{meeting.lanes(), meeting.lanes()};
  bool fine = tellSync(op, meeting.lanes(), warp) &&
              meeting.run([&](const MicroOp *leader, uint8_t *regs) {
                return Run(leader, regs, group, warp);
              });
  warp.current->pc = op + 1;
  return fine ? Stop::Diverged : Stop::Fault;
}

/// Executes each group once it is complete; otherwise blocks. MicroOp::slot: the masks.
template <Collective Run>
Stop collective(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const uint32_t *named = lanes<uint32_t>(regs, op->slot);
  Group groups[WarpSize];
  unsigned count = 0, namedMasks = 0;
  Mask waiting = 0, missing = 0;
  for (Mask left = mask; left;) {
    unsigned first = unsigned(__builtin_ctz(left));
    Group group;
    for (Mask rest = left; rest; rest &= rest - 1) {
      unsigned lane = unsigned(__builtin_ctz(rest));
      if (named[lane] == named[first])
        group.lanes |= Mask(1) << lane;
    }
    if (Mask strange = group.lanes & ~named[first])
      return fault(originOf(warp, op, strange), LaunchFailed,
                   "collective: the member mask " + hex(named[first]) +
                       " does not name the lane that executes it");
    group.members = named[first] & warp.live;
    if (group.members & ~mask) {
      waiting |= group.lanes;
      missing |= named[first];
    } else if (group.members & ~group.lanes) {
      return fault(originOf(warp, op, group.members & ~group.lanes), LaunchFailed,
                   "collective: lanes that are members of mask " + hex(named[first]) +
                       " execute with another mask");
    } else {
      groups[count++] = group;
    }
    ++namedMasks;
    left &= ~group.lanes;
  }
  if (waiting && namedMasks == 1) {
    Meeting meeting(op, regs, mask, missing, warp);
    if (meeting.complete())
      return meet<Run>(op, meeting, warp);
  }
  if (waiting)
    return park(op, warp, mask & ~waiting, waiting, missing);
  for (unsigned i = 0; i < count; ++i)
    if (!tellSync(op, groups[i].lanes, warp) || !Run(op, regs, groups[i], warp))
      return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

void setLines(Decoder &decoder, CollectiveLines lines) {
  decoder.info().payload = std::make_shared<const CollectiveLines>(std::move(lines));
}

enum class Shuffle : uint16_t { Up, Down, Butterfly, Index };

/// a: values, b: lane argument, c: clamp and segment mask, d: result. flags: 1 if the
/// predicate in info->operands[0] is written. extra: Shuffle.
bool runShfl(const MicroOp *op, uint8_t *regs, const Group &group, Warp &warp) {
  const uint32_t *a = lanes<uint32_t>(regs, op->a), *b = lanes<uint32_t>(regs, op->b);
  const uint32_t *c = lanes<uint32_t>(regs, op->c);
  uint32_t out[WarpSize];
  Mask inRange = 0, wrong = 0;
  forLanes(group.lanes, [&](unsigned lane) {
    int clamp = int(c[lane] & 31), segment = int(c[lane] >> 8 & 31),
        from = int(b[lane] & 31);
    int self = int(lane), highest = (self & segment) | (clamp & ~segment);
    int lowest = self & segment, source = 0;
    bool fine = false;
    switch (Shuffle(op->extra)) {
    case Shuffle::Up:
      source = self - from;
      fine = source >= highest;
      break;
    case Shuffle::Down:
      source = self + from;
      fine = source <= highest;
      break;
    case Shuffle::Butterfly:
      source = self ^ from;
      fine = source <= highest;
      break;
    case Shuffle::Index:
      source = lowest | (from & ~segment);
      fine = source <= highest;
      break;
    }
    if (!fine)
      source = self;
    inRange |= Mask(fine) << lane;
    wrong |= Mask(!(group.lanes >> source & 1)) << lane;
    out[lane] = a[source];
  });
  if (wrong && warp.block->grid->checks.collectives) {
    fault(originOf(warp, op, wrong), LaunchFailed,
          "collective: the shuffle reads a lane that has exited or is not in the member "
          "mask",
          "name that lane in the mask, or keep it in the branch");
    return false;
  }
  uint32_t *d = lanes<uint32_t>(regs, op->d);
  forLanes(group.lanes, [&](unsigned lane) { d[lane] = out[lane]; });
  if (op->flags) {
    Mask &p = predicate(regs, op->info->operands[0]);
    p = (p & ~group.lanes) | inRange;
  }
  return true;
}

bool decodeShfl(Decoder &decoder, const Instruction &i) {
  const Operand &out = i.operands[0];
  bool pair = out.kind == Operand::Kind::Pair;
  uint32_t a = decoder.read(i.operands[1], 4), b = decoder.read(i.operands[2], 4);
  uint32_t c = decoder.read(i.operands[3], 4), members = decoder.read(i.operands[4], 4);
  uint32_t d = decoder.write(pair ? out.elements[0] : out, 4);
  if (pair)
    decoder.info().operands = {decoder.writePredicate(out.elements[1])};
  CollectiveLines lines = {{a, 4}, {b, 4}, {c, 4}, {d, 4, true}};
  if (pair)
    lines.push_back({decoder.info().operands[0], 0, true});
  setLines(decoder, std::move(lines));
  MicroOp &op = decoder.emit(collective<runShfl>, d, a, b, c);
  op.slot = members;
  op.flags = pair;
  op.extra = uint16_t(i.has(Mod::Up)     ? Shuffle::Up
                      : i.has(Mod::Down) ? Shuffle::Down
                      : i.has(Mod::Bfly) ? Shuffle::Butterfly
                                         : Shuffle::Index);
  return true;
}

enum class VoteKind : uint16_t { All, Any, Uniform, Ballot };

bool runVote(const MicroOp *op, uint8_t *regs, const Group &group, Warp &warp) {
  Mask yes = predicate(regs, op->a) & group.lanes;
  bool result = false;
  switch (VoteKind(op->extra)) {
  case VoteKind::Ballot: {
    uint32_t *d = lanes<uint32_t>(regs, op->d);
    forLanes(group.lanes, [&](unsigned lane) { d[lane] = yes; });
    return true;
  }
  case VoteKind::All:
    result = yes == group.lanes;
    break;
  case VoteKind::Any:
    result = yes != 0;
    break;
  case VoteKind::Uniform:
    result = yes == 0 || yes == group.lanes;
    break;
  }
  Mask &d = predicate(regs, op->d);
  d = (d & ~group.lanes) | (result ? group.lanes : 0);
  return true;
}

bool decodeVote(Decoder &decoder, const Instruction &i) {
  bool ballot = i.has(Mod::Ballot);
  uint32_t p = decoder.readPredicate(i.operands[1]),
           members = decoder.read(i.operands[2], 4);
  uint32_t d =
      ballot ? decoder.write(i.operands[0], 4) : decoder.writePredicate(i.operands[0]);
  VoteKind kind = ballot            ? VoteKind::Ballot
                  : i.has(Mod::All) ? VoteKind::All
                  : i.has(Mod::Any) ? VoteKind::Any
                                    : VoteKind::Uniform;
  setLines(decoder, {{p, 0}, {d, ballot ? 4u : 0u, true}});
  MicroOp &op = decoder.emit(collective<runVote>, d, p);
  op.slot = members;
  op.extra = uint16_t(kind);
  return true;
}

template <class T, bool All>
bool runMatch(const MicroOp *op, uint8_t *regs, const Group &group, Warp &warp) {
  const T *a = lanes<T>(regs, op->a);
  uint32_t out[WarpSize];
  Mask equal = 0;
  forLanes(group.lanes, [&](unsigned lane) {
    Mask same = 0;
    forLanes(group.lanes,
             [&](unsigned other) { same |= Mask(a[other] == a[lane]) << other; });
    bool all = same == group.lanes;
    equal |= Mask(all) << lane;
    out[lane] = All ? (all ? same : 0) : same;
  });
  uint32_t *d = lanes<uint32_t>(regs, op->d);
  forLanes(group.lanes, [&](unsigned lane) { d[lane] = out[lane]; });
  if (op->flags) {
    Mask &p = predicate(regs, op->info->operands[0]);
    p = (p & ~group.lanes) | equal;
  }
  return true;
}

bool decodeMatch(Decoder &decoder, const Instruction &i) {
  const Operand &out = i.operands[0];
  bool pair = out.kind == Operand::Kind::Pair, all = i.has(Mod::All);
  unsigned bytes = ptx::bytes(i.type());
  uint32_t a = decoder.read(i.operands[1], bytes),
           members = decoder.read(i.operands[2], 4);
  uint32_t d = decoder.write(pair ? out.elements[0] : out, 4);
  if (pair)
    decoder.info().operands = {decoder.writePredicate(out.elements[1])};
  Handler run = bytes == 8 ? (all ? collective<runMatch<uint64_t, true>>
                                  : collective<runMatch<uint64_t, false>>)
                           : (all ? collective<runMatch<uint32_t, true>>
                                  : collective<runMatch<uint32_t, false>>);
  CollectiveLines lines = {{a, bytes}, {d, 4, true}};
  if (pair)
    lines.push_back({decoder.info().operands[0], 0, true});
  setLines(decoder, std::move(lines));
  MicroOp &op = decoder.emit(run, d, a);
  op.slot = members;
  op.flags = pair;
  return true;
}

Stop runActivemask(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  uint32_t *d = lanes<uint32_t>(regs, op->d);
  forLanes(mask, [&](unsigned lane) { d[lane] = mask; });
  KILN_NEXT(op, regs, mask, warp);
}
bool decodeActivemask(Decoder &decoder, const Instruction &i) {
  decoder.emit(runActivemask, decoder.write(i.operands[0], 4));
  return true;
}

using Reduce = uint32_t (*)(uint32_t, uint32_t);

bool runRedux(const MicroOp *op, uint8_t *regs, const Group &group, Warp &warp) {
  const uint32_t *a = lanes<uint32_t>(regs, op->a);
  auto reduce = reinterpret_cast<Reduce>(op->imm);
  unsigned first = unsigned(__builtin_ctz(group.lanes));
  uint32_t value = a[first];
  if (op->extra) // .abs
    value &= 0x7fffffff;
  forLanes(group.lanes & (group.lanes - 1), [&](unsigned lane) {
    value = reduce(value, op->extra ? a[lane] & 0x7fffffff : a[lane]);
  });
  uint32_t *d = lanes<uint32_t>(regs, op->d);
  forLanes(group.lanes, [&](unsigned lane) { d[lane] = value; });
  return true;
}

uint32_t sum(uint32_t a, uint32_t b) { return a + b; }
uint32_t conjunction(uint32_t a, uint32_t b) { return a & b; }
uint32_t disjunction(uint32_t a, uint32_t b) { return a | b; }
uint32_t difference(uint32_t a, uint32_t b) { return a ^ b; }
template <class T> uint32_t laneMinimum(uint32_t a, uint32_t b) {
  return T(a) < T(b) ? a : b;
}
template <class T> uint32_t laneMaximum(uint32_t a, uint32_t b) {
  return T(a) > T(b) ? a : b;
}
template <bool Max, bool Nan> uint32_t floatOrder(uint32_t a, uint32_t b) {
  return arith::minMaxF32<Max, false, Nan>(a, b);
}

Reduce reduceOf(const Instruction &i) {
  bool max = i.has(Mod::Max), nan = i.has(Mod::PropagateNan);
  if (i.type() == ptx::Type::F32)
    return max ? (nan ? floatOrder<true, true> : floatOrder<true, false>)
               : (nan ? floatOrder<false, true> : floatOrder<false, false>);
  if (i.has(Mod::Add))
    return sum;
  if (i.has(Mod::And))
    return conjunction;
  if (i.has(Mod::Or))
    return disjunction;
  if (i.has(Mod::Xor))
    return difference;
  if (ptx::isSigned(i.type()))
    return max ? laneMaximum<int32_t> : laneMinimum<int32_t>;
  return max ? laneMaximum<uint32_t> : laneMinimum<uint32_t>;
}

bool decodeRedux(Decoder &decoder, const Instruction &i) {
  uint32_t a = decoder.read(i.operands[1], 4), members = decoder.read(i.operands[2], 4);
  uint32_t d = decoder.write(i.operands[0], 4);
  setLines(decoder, {{a, 4}, {d, 4, true}});
  MicroOp &op = decoder.emit(collective<runRedux>, d, a, 0, 0,
                             uint64_t(reinterpret_cast<uintptr_t>(reduceOf(i))));
  op.slot = members;
  op.extra = i.has(Mod::Abs);
  return true;
}

/// The leader is the lowest member.
bool runElect(const MicroOp *op, uint8_t *regs, const Group &group, Warp &warp) {
  unsigned leader = unsigned(__builtin_ctz(group.lanes));
  uint32_t *d = lanes<uint32_t>(regs, op->d);
  forLanes(group.lanes, [&](unsigned lane) { d[lane] = leader; });
  Mask &p = predicate(regs, op->a);
  p = (p & ~group.lanes) | Mask(1) << leader;
  return true;
}

bool decodeElect(Decoder &decoder, const Instruction &i) {
  const Operand &out = i.operands[0];
  uint32_t members = decoder.read(i.operands[1], 4);
  uint32_t d = decoder.write(out.elements[0], 4);
  uint32_t p = decoder.writePredicate(out.elements[1]);
  setLines(decoder, {{d, 4, true}, {p, 0, true}});
  decoder.emit(collective<runElect>, d, p).slot = members;
  return true;
}

bool runWarpSync(const MicroOp *op, uint8_t *regs, const Group &group, Warp &warp) {
  return true;
}
bool decodeWarpSync(Decoder &decoder, const Instruction &i) {
  uint32_t members = decoder.read(i.operands[0], 4);
  setLines(decoder, {});
  decoder.emit(collective<runWarpSync>).slot = members;
  return true;
}
} // namespace

void addWarpDecoders(DecoderTable &table) {
  auto add = [&](Opcode opcode, DecodeFunction decode) {
    table[size_t(opcode)] = decode;
  };
  add(Opcode::Shfl, decodeShfl);
  add(Opcode::Vote, decodeVote);
  add(Opcode::Match, decodeMatch);
  add(Opcode::Activemask, decodeActivemask);
  add(Opcode::Redux, decodeRedux);
  add(Opcode::Elect, decodeElect);
  add(Opcode::BarWarpSync, decodeWarpSync);
}

} // namespace kiln::sim::exec
