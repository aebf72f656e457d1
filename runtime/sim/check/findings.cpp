//===- findings.cpp - Text of race reports ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/findings.h"

#include "runtime/sim/exec/report.h"

namespace kiln::sim::check {

namespace {
using exec::MicroOp;

std::string headline(ProblemKind kind) {
  switch (kind) {
  case ProblemKind::Race:
    return "race: two threads access the same bytes, one writes, and nothing orders them";
  case ProblemKind::Scope:
    return "race: two strong accesses to the same bytes, but the scope of one does not "
           "include the other's thread";
  case ProblemKind::SameInstruction:
    return "race: several lanes write the same bytes in one instruction";
  case ProblemKind::SameValue:
    return "samevalue: threads write the same value to the same bytes in one "
           "instruction, and nothing orders them";
  case ProblemKind::Proxy:
    return "proxy: the asynchronous proxy accesses bytes that were written through the "
           "generic one, without fence.proxy.async between";
  case ProblemKind::Exit:
    return "race: a block may exit before another block of the cluster is done with its "
           "shared memory";
  case ProblemKind::Barrier:
    return "mbarrier: an ordinary access to the 8 bytes of a living mbarrier";
  case ProblemKind::NonCoherent:
    return "noncoherent: a non-coherent load (ld.global.nc) of bytes that the same "
           "kernel "
           "writes";
  }
  return "race";
}

/// Suggests the usual way to order the two accesses.
std::string fixOf(const Problem &problem, const Later &later, const BlockOrigin &origin) {
  const Stamp &earlier = problem.earlier;
  switch (problem.kind) {
  case ProblemKind::Scope:
    return "give both a scope that includes both threads: .cluster, .gpu or, for several "
           "GPUs, .sys";
  case ProblemKind::SameInstruction:
    return "let one lane write, or use an atomic; lanes that add the same products may "
           "differ in the last bit if they fuse one of them";
  case ProblemKind::SameValue:
    return "let one lane write, or use an atomic";
  case ProblemKind::Proxy:
    return "behind the writes: fence.proxy.async, by the threads that wrote; then the "
           "barrier; then the copy or product";
  case ProblemKind::NonCoherent:
    return "use ld.global without .nc, and no __ldg or const __restrict__ for these "
           "bytes";
  case ProblemKind::Barrier:
    return "keep other data out of its bytes, or run mbarrier.inval before";
  case ProblemKind::Exit:
    return "barrier.cluster.arrive and .wait behind the last access, before the exit";
  case ProblemKind::Race:
    break;
  }
  if (!origin.launch.empty())
    return "GPUs are ordered by a release and an acquire of one flag, both with .sys "
           "scope, or by the host, which waits for the first before it launches the "
           "other";
  if (earlier.warp >= FirstAgent)
    return earlier.accessKind.async
               ? "wait for the asynchronous work first (its mbarrier, "
                 "cp.async.bulk.wait_group or wgmma.wait_group), and let other threads "
                 "know by a barrier"
               : "wait for the copy first (cp.async.wait_group), then a barrier for the "
                 "other threads";
  if (origin.linear == later.origin.block->linear)
    return earlier.warp == later.origin.warp
               ? "lanes of one warp: __syncwarp() (bar.warp.sync) between the two"
               : "__syncthreads() (bar.sync) or an mbarrier between the two";
  if (later.cluster == later.earlierCluster)
    return "barrier.cluster.arrive and .wait between the two";
  return "blocks are ordered by a fence and a flag with .gpu scope (release, acquire), "
         "by "
         "a grid barrier, or by two kernels";
}

std::string coordinates(const std::array<uint32_t, 3> &grid, uint64_t linear) {
  uint64_t x = linear % grid[0], y = linear / grid[0] % grid[1],
           z = linear / grid[0] / grid[1];
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) +
         ")";
}

std::string where(const exec::Grid &grid, const Problem &problem, const Later &later) {
  const exec::Place &place = *later.place;
  if (place.space == exec::Space::Global)
    return exec::describeAddress(grid, place.allocation->address + problem.offset);
  std::string text = "byte " + std::to_string(problem.offset) + " of shared memory";
  if (place.block != later.origin.block)
    text += " of block " + coordinates(grid.grid, place.block->linear);
  return text;
}

std::string verb(const AccessKind &accessKind) {
  std::string text = accessKind.strong ? "strong " : "";
  return text + (accessKind.write ? "write" : "read");
}
} // namespace

std::string Findings::who(const void *op, const BlockOrigin &block, uint32_t warp,
                          Mask lanes) const {
  auto *micro = static_cast<const MicroOp *>(op);
  std::string text = exec::describeOp(micro);
  if (micro && micro->info && micro->info->source) {
    std::string source = block.code->module->source(*micro->info->source);
    if (!source.empty())
      text += " (" + source + ")";
  }
  text += block.launch + ", block " + coordinates(block.grid, block.linear);
  if (warp >= FirstAgent)
    return text + ", work that it started";
  return text + ", warp " + std::to_string(warp) + ", " + exec::describeLanes(lanes);
}

std::string Findings::describe(const Problem &problem, const Later &later) const {
  const exec::Origin &now = later.origin;
  BlockOrigin first = find(problem.earlier.block);
  std::string text = headline(problem.kind) + "\n  kernel " + grid.kernel->info.name +
                     ", " + where(grid, problem, later);
  if (problem.kind != ProblemKind::SameInstruction)
    text += "\n  first: " + verb(problem.earlier.accessKind) + ", " +
            who(problem.earlier.op, first, problem.earlier.warp, problem.earlierLanes);
  if (problem.kind == ProblemKind::Exit)
    text += "\n  then: the exit of block " + coordinates(grid.grid, now.block->linear);
  else
    text += "\n  then: " + verb(later.accessKind) + ", " +
            who(now.op, find(later.block), now.warp, problem.lanes);
  return text + "\n  fix: " + fixOf(problem, later, first);
}

void Findings::add(const Problem &problem, const Later &later) {
  Key key{problem.earlier.op, later.origin.op, problem.kind};
  auto [at, fresh] = known.try_emplace(key, texts.size());
  if (fresh)
    texts.push_back({describe(problem, later), 0});
  ++texts[at->second].count;
}

std::string Findings::text() const {
  std::string all;
  for (const Entry &entry : texts) {
    all += (all.empty() ? "" : "\n") + entry.text;
    if (entry.count > 1)
      all += "\n  seen " + std::to_string(entry.count) + " times";
  }
  if (full())
    all += "\n  and no more are looked for";
  return all;
}

} // namespace kiln::sim::check
