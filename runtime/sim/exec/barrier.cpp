//===- barrier.cpp - Barriers of blocks and clusters -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/observer.h"
#include "runtime/sim/exec/report.h"
#include "runtime/sim/exec/worker.h"

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;

// MicroOp::flags of block barriers.
constexpr uint16_t Waits = 1, Reduces = 2, Aligned = 4, Relaxed = 8;
/// MicroOp::extra of a reduction.
enum class Vote : uint16_t { None, And, Or, Popc };

std::string threads(uint32_t count) {
  return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

uint32_t expectedOf(const Block &block, const Barrier &barrier) {
  return barrier.expected ? barrier.expected : block.liveThreads;
}

void complete(Barrier &barrier) {
  barrier.andResult = barrier.noVotes == 0;
  barrier.orResult = barrier.yesVotes != 0;
  barrier.popResult = barrier.yesVotes;
  barrier.arrived = barrier.expected = 0;
  barrier.yesVotes = barrier.noVotes = 0;
  barrier.firstOp = nullptr;
  ++barrier.generation;
}

bool passed(const Wait &wait, const Warp &, const Split &) {
  return static_cast<const Barrier *>(wait.object)->generation != wait.a;
}

std::string describeBarrier(const Wait &wait, const Warp &warp, const Split &) {
  const Block &block = *warp.block;
  auto &barrier = *static_cast<const Barrier *>(wait.object);
  uint32_t expected = expectedOf(block, barrier);
  return "waits at barrier " + std::to_string(wait.b) + ", where " +
         threads(barrier.arrived) + " of " + std::to_string(expected) + " arrived";
}

/// Whether all lanes of the warp have reached an `.aligned` barrier or exited.
bool allGathered(const Wait &, const Warp &warp, const Split &split) {
  return split.mask == warp.live;
}

std::string describeAligned(const Wait &, const Warp &warp, const Split &split) {
  return "waits at an aligned barrier for " + describeLanes(warp.live & ~split.mask) +
         " of its warp, which took another way";
}

/// Whether the entire warp is here; if not, parks the split until the others join it.
bool gathered(const MicroOp *op, Mask mask, Warp &warp) {
  if (mask == warp.live)
    return true;
  for (unsigned i = 0; i < warp.splitCount; ++i) {
    Split &other = warp.splits[i];
    if (&other == warp.current || other.pc != op || other.frame != warp.current->frame ||
        other.wait.ready != allGathered)
      continue;
    // A split that waits here already: merge with it and continue together.
    other.wait = {};
    return false;
  }
  warp.current->wait.ready = allGathered;
  warp.current->wait.describe = describeAligned;
  return false;
}

uint32_t uniform(const uint8_t *regs, uint32_t line, Mask mask, bool &same) {
  auto *values = reinterpret_cast<const uint32_t *>(regs + line);
  uint32_t first = values[__builtin_ctz(mask)];
  forLanes(mask, [&](unsigned lane) { same &= values[lane] == first; });
  return first;
}

bool checkCount(const MicroOp *op, Mask mask, Warp &warp, uint32_t id, uint32_t count) {
  Origin origin = originOf(warp, op, mask);
  if (id >= BlockBarriers) {
    fault(origin, LaunchFailed,
          "barrier misuse: there is no barrier " + std::to_string(id) + ", only 0 to 15");
    return false;
  }
  if (!op->b)
    return true;
  if (count == 0 || count % WarpSize) {
    fault(origin, LaunchFailed,
          "barrier misuse: the thread count of barrier " + std::to_string(id) + " is " +
              std::to_string(count) + ", which is no multiple of the warp size");
    return false;
  }
  return true;
}

bool checkMatch(const MicroOp *op, Mask mask, Warp &warp, uint32_t id, Barrier &barrier,
                uint32_t count) {
  if (!barrier.arrived || !warp.block->grid->checks.barriers)
    return true;
  if (barrier.expected == count && barrier.reduction == bool(op->flags & Reduces))
    return true;
  std::string other = barrier.expected ? threads(barrier.expected) : "all threads";
  fault(originOf(warp, op, mask), LaunchFailed,
        "barrier misuse: barrier " + std::to_string(id) + " is used here for " +
            (count ? threads(count) : "all threads") + ", but others wait at it with " +
            other + ", at " + describeOp(barrier.firstOp),
        "use another barrier number, or the same count and kind everywhere");
  return false;
}

void writeResult(const MicroOp *op, uint8_t *regs, Mask mask, const Barrier &barrier) {
  auto vote = Vote(op->extra);
  if (vote == Vote::Popc) {
    uint32_t *d = lanes<uint32_t>(regs, op->d);
    forLanes(mask, [&](unsigned lane) { d[lane] = barrier.popResult; });
    return;
  }
  bool result = vote == Vote::And ? barrier.andResult : barrier.orResult;
  Mask &d = predicate(regs, op->d);
  d = (d & ~mask) | (result ? mask : 0);
}

SyncKey blockKey(const Warp &warp, uint64_t id, uint64_t generation) {
  return {SyncKey::Kind::BlockBarrier, warp.block, id << 32 | (generation & 0xffffffff)};
}

// a: barrier number, b: register of the thread count or 0, c: predicate of a reduction.
Stop runBarrier(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (op->flags & Aligned && !gathered(op, mask, warp)) {
    warp.current->pc = op;
    return warp.current->wait ? Stop::Blocked : Stop::Diverged;
  }
  bool same = true;
  uint32_t id = uniform(regs, op->a, mask, same);
  uint32_t count = op->b ? uniform(regs, op->b, mask, same) : 0;
  if (!same)
    return fault(originOf(warp, op, mask), LaunchFailed,
                 "barrier misuse: number or count differ between the lanes of a warp");
  if (!checkCount(op, mask, warp, id, count))
    return Stop::Fault;
  Barrier &barrier = warp.block->barriers[id];
  if (!checkMatch(op, mask, warp, id, barrier, count))
    return Stop::Fault;
  Observer *observer = warp.block->grid->observer;
  if (observer && !observer->release(originOf(warp, op, mask),
                                     blockKey(warp, id, barrier.generation), Scope::Cta))
    return Stop::Fault;
  if (!barrier.arrived) {
    barrier.firstOp = op;
    barrier.expected = count;
    barrier.reduction = op->flags & Reduces;
  }
  // With a thread count, a warp counts as 32 threads, also lanes that never existed.
  bool wholeWarp = barrier.expected && mask == warp.live;
  barrier.arrived += wholeWarp ? WarpSize : uint32_t(__builtin_popcount(mask));
  if (op->flags & Reduces) {
    uint32_t yes = uint32_t(__builtin_popcount(predicate(regs, op->c) & mask));
    barrier.yesVotes += yes;
    barrier.noVotes += uint32_t(__builtin_popcount(mask)) - yes;
  }
  warp.changed = true;
  uint64_t generation = barrier.generation;
  warp.current->generation = generation;
  completeBarriers(*warp.block);
  if (warp.block->grid->stop.load(std::memory_order_relaxed))
    return Stop::Fault;
  if (!(op->flags & Waits))
    KILN_NEXT(op, regs, mask, warp);
  Wait wait;
  wait.ready = passed;
  wait.describe = describeBarrier;
  wait.object = &barrier;
  wait.a = generation;
  wait.b = id;
  // op[1] is runBehindBarrier, which reads the result.
  if (barrier.generation != generation)
    KILN_NEXT(op, regs, mask, warp);
  return block(warp, op + 1, wait);
}

/// Runs after a barrier wait: acquires its clocks and writes the result of a reduction.
Stop runBehindBarrier(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  bool same = true;
  uint32_t id = uniform(regs, op->a, mask, same);
  Observer *observer = warp.block->grid->observer;
  SyncKey key = blockKey(warp, id, warp.current->generation);
  if (observer && !observer->acquire(originOf(warp, op, mask), key, Scope::Cta))
    return Stop::Fault;
  if (op->flags & Reduces)
    writeResult(op, regs, mask, warp.block->barriers[id]);
  KILN_NEXT(op, regs, mask, warp);
}

bool isAligned(const Instruction &i) {
  // `bar` means `barrier.aligned`.
  return i.has(Mod::Aligned) || i.row->id.starts_with("bar.");
}

bool emitBarrier(Decoder &decoder, const Instruction &i, uint16_t flags, size_t first) {
  uint32_t id = decoder.read(i.operands[first], 4), count = 0, vote = 0, d = 0;
  size_t next = first + 1;
  bool reduces = flags & Reduces;
  size_t last = i.operands.size() - (reduces ? 1 : 0);
  if (next < last)
    count = decoder.read(i.operands[next], 4);
  auto kind = Vote::None;
  if (reduces) {
    kind = i.has(Mod::And) ? Vote::And : i.has(Mod::Or) ? Vote::Or : Vote::Popc;
    vote = decoder.readPredicate(i.operands.back());
    d = kind == Vote::Popc ? decoder.write(i.operands[0], 4)
                           : decoder.writePredicate(i.operands[0]);
  }
  if (isAligned(i))
    flags |= Aligned;
  MicroOp &op = decoder.emit(runBarrier, d, id, count, vote);
  op.flags = flags;
  op.extra = uint16_t(kind);
  if (!(flags & Waits))
    return true;
  MicroOp &behind = decoder.emit(runBehindBarrier, d, id);
  behind.flags = flags;
  behind.extra = uint16_t(kind);
  return true;
}

bool decodeSync(Decoder &decoder, const Instruction &i) {
  return emitBarrier(decoder, i, Waits, 0);
}
bool decodeArrive(Decoder &decoder, const Instruction &i) {
  return emitBarrier(decoder, i, 0, 0);
}
bool decodeReduce(Decoder &decoder, const Instruction &i) {
  return emitBarrier(decoder, i, Waits | Reduces, 1);
}

// barrier.cluster: arrive and wait are separate; a warp records the generation at which
// it arrived.
bool clusterPassed(const Wait &wait, const Warp &warp, const Split &) {
  return warp.block->cluster->barrier.generation > wait.a;
}
std::string describeCluster(const Wait &, const Warp &warp, const Split &) {
  const Cluster &cluster = *warp.block->cluster;
  return "waits at the cluster barrier, where " + threads(cluster.barrier.arrived) +
         " of " + std::to_string(cluster.liveThreads) + " arrived";
}

Stop runClusterArrive(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (op->flags & Aligned && !gathered(op, mask, warp)) {
    warp.current->pc = op;
    return warp.current->wait ? Stop::Blocked : Stop::Diverged;
  }
  Cluster &cluster = *warp.block->cluster;
  if (Mask twice = warp.clusterArrived & mask)
    return fault(originOf(warp, op, twice), LaunchFailed,
                 "barrier misuse: barrier.cluster.arrive twice without a wait between");
  Observer *observer = cluster.grid->observer;
  SyncKey key{SyncKey::Kind::ClusterBarrier, &cluster, cluster.barrier.generation};
  bool relaxed = op->flags & Relaxed;
  if (observer && !relaxed &&
      !observer->release(originOf(warp, op, mask), key, Scope::Cluster))
    return Stop::Fault;
  warp.clusterArrived |= mask;
  warp.clusterGeneration = cluster.barrier.generation;
  cluster.barrier.arrived += uint32_t(__builtin_popcount(mask));
  warp.changed = true;
  completeBarriers(*warp.block);
  KILN_NEXT(op, regs, mask, warp);
}

Stop runClusterWait(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (op->flags & Aligned && !gathered(op, mask, warp)) {
    warp.current->pc = op;
    return warp.current->wait ? Stop::Blocked : Stop::Diverged;
  }
  if (Mask missing = mask & ~warp.clusterArrived)
    return fault(originOf(warp, op, missing), LaunchFailed,
                 "barrier misuse: barrier.cluster.wait without an arrive before");
  Cluster &cluster = *warp.block->cluster;
  if (cluster.barrier.generation == warp.clusterGeneration) {
    Wait wait;
    wait.ready = clusterPassed;
    wait.describe = describeCluster;
    wait.a = warp.clusterGeneration;
    return block(warp, op, wait);
  }
  warp.clusterArrived &= ~mask;
  Observer *observer = cluster.grid->observer;
  SyncKey key{SyncKey::Kind::ClusterBarrier, &cluster, warp.clusterGeneration};
  if (observer && !observer->acquire(originOf(warp, op, mask), key, Scope::Cluster))
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

template <Handler Run> bool decodeCluster(Decoder &decoder, const Instruction &i) {
  decoder.emit(Run).flags =
      (i.has(Mod::Aligned) ? Aligned : 0) | (i.has(Mod::Relaxed) ? Relaxed : 0);
  return true;
}
} // namespace

void completeBarriers(Block &block) {
  for (unsigned id = 0; id < BlockBarriers; ++id) {
    Barrier &barrier = block.barriers[id];
    uint32_t expected = expectedOf(block, barrier);
    if (!barrier.arrived || barrier.arrived < expected)
      continue;
    Origin origin{&block, 0, AllLanes, barrier.firstOp};
    if (barrier.arrived > expected) {
      fault(origin, LaunchFailed,
            "barrier misuse: " + threads(barrier.arrived) + " arrived at barrier " +
                std::to_string(id) + ", which is for " + std::to_string(expected));
      return;
    }
    complete(barrier);
  }
  Cluster &cluster = *block.cluster;
  if (cluster.barrier.arrived && cluster.barrier.arrived >= cluster.liveThreads) {
    cluster.barrier.arrived = 0;
    ++cluster.barrier.generation;
  }
}

void addBarrierDecoders(DecoderTable &table) {
  table[size_t(Opcode::BarSync)] = decodeSync;
  table[size_t(Opcode::BarArrive)] = decodeArrive;
  table[size_t(Opcode::BarRed)] = decodeReduce;
  table[size_t(Opcode::BarrierClusterArrive)] = decodeCluster<runClusterArrive>;
  table[size_t(Opcode::BarrierClusterWait)] = decodeCluster<runClusterWait>;
}

} // namespace kiln::sim::exec
