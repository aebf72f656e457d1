//===- race_engine.cpp - Clocks and histories of one launch ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/race_engine.h"

#include <algorithm>

namespace kiln::sim::check {

namespace {
/// Agents tested for reuse before a new one is created.
constexpr size_t AgentTries = 16;
constexpr size_t MaxAgents = 0xffff - FirstAgent;

Mask lowestBit(Mask mask) { return mask & -mask; }

bool knowsSlot(const std::vector<Group> &start, const Agent &agent,
               const BlockClocks::Slot &slot, uint32_t index) {
  for (const Group &group : start) {
    const View &view = agent.async ? group.async() : group.current();
    for (Mask left = agent.lanes & group.lanes; left; left &= left - 1) {
      unsigned lane = unsigned(__builtin_ctz(left));
      if (!view.knows(
              agent.block, agent.warp, lane,
              {agent.block, index, lane, agent.async ? slot.epoch : slot.lanes[lane]}))
        return false;
    }
  }
  return true;
}
} // namespace

RaceEngine::RaceEngine(uint32_t threadsPerBlock, World *world)
    : warpCount((threadsPerBlock + Lanes - 1) / Lanes),
      lastWarp(threadsPerBlock % Lanes ? (Mask(1) << threadsPerBlock % Lanes) - 1
                                       : ~Mask(0)),
      world(world ? *world : own) {}

std::unique_ptr<Domain> RaceEngine::makeDomain(size_t steps, Reach widest) {
  auto domain = std::make_unique<Domain>(steps, widest);
  domain->serial = ++world.domains;
  return domain;
}

void RaceEngine::renew(Domain &domain) {
  domain.history.clear();
  domain.shadows.clear();
  domain.limit = Domain::MinLimit;
  domain.serial = ++world.domains;
}

bool RaceEngine::hasRoom(Domain &domain) {
  if (domain.history.size() > domain.limit) [[unlikely]]
    collect(domain);
  return !domain.history.full();
}

void RaceEngine::collect(Domain &domain) {
  History fresh(domain.steps, domain.widest);
  History::Mover mover(domain.history, fresh);
  size_t words = 0;
  for (Shadow *shadow : domain.shadows)
    shadow->rewrite([&](SetId set) {
      ++words;
      return mover.move(set);
    });
  domain.history = std::move(fresh);
  // Sets were renamed: a new serial invalidates caches of the old names.
  domain.serial = ++world.domains;
  // Collect again only after the history has doubled, so that its cost is amortized.
  size_t size = domain.history.size();
  domain.limit = std::max({Domain::MinLimit, 2 * size, words / 4});
  domain.limit = std::min<size_t>(
      domain.limit, std::max<size_t>(size + size / 4, History::MaxStamps - 1));
}

void RaceEngine::startBlock(BlockClocks &block) {
  world.clusters[block.id] = block.cluster;
  block.warps.reserve(warpCount);
  block.caches.resize(warpCount);
  for (uint32_t warp = 0; warp < warpCount; ++warp)
    block.warps.emplace_back(block.id, warp, warp + 1 == warpCount ? lastWarp : ~Mask(0),
                             warpCount, &block.top);
  for (WarpClock &warp : block.warps)
    warp.begin(block.start);
}

void RaceEngine::finishBlock(BlockClocks &block) {
  block.warps.clear();
  block.caches.clear();
  block.agents.clear();
}

uint32_t RaceEngine::clusterOf(const void *engine, uint32_t block) {
  const auto &clusters = static_cast<const RaceEngine *>(engine)->world.clusters;
  auto at = clusters.find(block);
  return at == clusters.end() ? ~0u : at->second;
}

/// Returns the cached stamp of the access, or adds one.
WarpCache::Recent &RaceEngine::stampFor(Domain &domain, const Touch &touch, Epoch epoch) {
  const Agent *agent = touch.agent;
  WarpCache::Recent &r =
      agent ? agent->recent : touch.block->caches[touch.warp].recent(touch.op);
  if (r.domain == domain.serial && r.op == touch.op && r.epoch == epoch &&
      r.accessKind == touch.accessKind && r.division == touch.division)
    return r;
  uint32_t warp = agent ? agent->index : touch.warp;
  uint32_t stamp =
      domain.history.addStamp({touch.block->id, uint16_t(warp), touch.accessKind, epoch,
                               touch.division, touch.op});
  r = {domain.serial,  stamp, touch.op, epoch, touch.accessKind,
       touch.division, 0,     {},       {}};
  return r;
}

/// `own`: storage for the set of seen stamps if there is no cache for these lanes.
Actor RaceEngine::actorOf(Domain &domain, const Touch &touch, const Group &group,
                          std::optional<Seen> &own) {
  const Agent *agent = touch.agent;
  Actor actor;
  actor.block = touch.block->id;
  actor.cluster = touch.block->cluster;
  actor.warp = touch.warp;
  actor.agent = agent ? agent->index : 0;
  actor.agentIsOne = agent && agent->async;
  actor.epoch = agent ? agent->epoch : touch.block->warps[touch.warp].tick();
  actor.current = &group.current();
  actor.async = &group.async();
  actor.accessKind = touch.accessKind;
  actor.stamp = stampFor(domain, touch, actor.epoch).stamp;
  actor.domain = domain.serial;
  actor.division = touch.division;
  actor.whole =
      (agent ? agent->start : touch.block->warps[touch.warp].groups()).size() == 1;
  actor.seen =
      actor.whole && !agent ? &touch.block->caches[touch.warp].seen : &own.emplace();
  return actor;
}

void RaceEngine::accessBy(Domain &domain, const Touch &touch, const Group &group,
                          const std::vector<Range> &ranges, uint64_t bytes,
                          std::vector<Problem> &out) {
  std::optional<Seen> own;
  Actor actor = actorOf(domain, touch, group, own);
  Access access(domain.history, actor, clusterOf, this);
  access.stored = touch.stored;
  for (const Range &range : ranges)
    if (Mask lanes = range.lanes & group.lanes) {
      access.tag = range.tag;
      access.range(*range.shadow, range.offset, bytes, lanes);
      if (touch.stored)
        touch.stored->done |= lanes;
    }
  if (access.overwroteStrong)
    forgetFlags(ranges, bytes);
  out.insert(out.end(), access.problems.begin(), access.problems.end());
}

/// Checks accesses of lanes whose bytes are mostly contiguous or equal.
void RaceEngine::accessLanes(Access &access, const LaneRanges &ranges, Mask lanes) {
  uint32_t bytes = ranges.bytes;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    uint64_t offset =
        ranges.offsets ? ranges.offsets[lane] : ranges.first + uint64_t(lane) * bytes;
    unsigned next = lane + 1;
    auto follows = [&](uint64_t at) {
      return next < Lanes && (lanes >> next & 1) &&
             (ranges.offsets ? ranges.offsets[next] == at : at != offset);
    };
    if (follows(offset)) {
      while (follows(offset))
        ++next;
      Mask several = Mask((uint64_t(1) << next) - (uint64_t(1) << lane));
      access.range(*ranges.shadow, offset, bytes, several);
    } else {
      while (follows(offset + uint64_t(next - lane) * bytes))
        ++next;
      access.row(*ranges.shadow, offset, bytes, lane, next - lane);
    }
    if (access.stored)
      access.stored->done |= Mask((uint64_t(1) << next) - (uint64_t(1) << lane));
    lane = next - 1;
  }
}

void RaceEngine::access(Domain &domain, const Touch &touch, const LaneRanges &ranges,
                        std::vector<Problem> &out) {
  if (!hasRoom(domain) || accessRow(domain, touch, ranges) ||
      accessScattered(domain, touch, ranges))
    return;
  for (const Group &group : touch.block->warps[touch.warp].groups()) {
    Mask lanes = ranges.lanes & group.lanes;
    if (!lanes)
      continue;
    std::optional<Seen> own;
    Actor actor = actorOf(domain, touch, group, own);
    Access access(domain.history, actor, clusterOf, this);
    access.tag = ranges.tag;
    access.stored = touch.stored;
    if (lanes == ~Mask(0) && !ranges.offsets)
      access.row(*ranges.shadow, ranges.first, ranges.bytes, 0, Lanes);
    else
      accessLanes(access, ranges, lanes);
    if (access.overwroteStrong)
      forgetFlags(ranges);
    out.insert(out.end(), access.problems.begin(), access.problems.end());
  }
}

/// Clears flags that an ordinary write overwrites.
void RaceEngine::forgetFlags(const std::vector<Range> &ranges, uint64_t bytes) {
  for (const Range &range : ranges)
    for (uint64_t at = 0; range.flag && at < bytes; at += WordBytes)
      world.flags.erase(static_cast<const char *>(range.flag) + at);
}

void RaceEngine::forgetFlags(const LaneRanges &ranges) {
  for (Mask left = ranges.lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    uint64_t offset = ranges.offsets ? ranges.offsets[lane]
                                     : ranges.first + uint64_t(lane) * ranges.bytes;
    forgetFlags({{0, ranges.shadow, offset, ranges.base + offset / WordBytes * WordBytes,
                  nullptr}},
                ranges.bytes);
  }
}

void RaceEngine::accessAll(Domain &domain, const Touch &touch,
                           const std::vector<Range> &ranges, uint64_t bytes,
                           std::vector<Problem> &out) {
  const std::vector<Group> &groups =
      touch.agent ? touch.agent->start : touch.block->warps[touch.warp].groups();
  Mask lanes = 0;
  for (const Range &range : ranges)
    lanes |= range.lanes;
  for (const Group &group : groups)
    if (group.lanes & lanes)
      accessBy(domain, touch, group, ranges, bytes, out);
}

void RaceEngine::accessOne(Domain &domain, const Touch &touch, const Range &range,
                           uint64_t bytes, std::vector<Problem> &out) {
  single.assign(1, range);
  accessAll(domain, touch, single, bytes, out);
}

Flag &RaceEngine::flagAt(const void *name) {
  auto [at, isNew] = world.flags.try_emplace(name);
  if (isNew)
    at->second.version = at->second.clears = ++world.flagsMade << 32;
  return at->second;
}

Flag *RaceEngine::findFlag(const void *flag) {
  auto at = world.flags.find(flag);
  return at == world.flags.end() ? nullptr : &at->second;
}

/// Returns the cache entry with the lanes whose fences the flag already knows.
WarpCache::Told &RaceEngine::toldOf(const Touch &touch, const void *flag,
                                    uint64_t clears) {
  WarpCache::Told &told = touch.block->caches[touch.warp].told[WarpCache::slotOf(flag)];
  uint64_t fences = touch.block->warps[touch.warp].fences();
  if (told.flag != flag || told.clears != clears || told.fences != fences ||
      told.reach != touch.accessKind.reach)
    told = {flag, clears, fences, 0, touch.accessKind.reach};
  return told;
}

/// Returns the leading lanes that release nothing new, so that they can be handled at
/// once; none if the first lane releases something.
Mask RaceEngine::quietLanes(const Touch &touch, Mask lanes, const void *name) {
  if (!touch.accessKind.write)
    return lanes;
  Flag *flag = findFlag(name);
  if (touch.releases || !touch.reads || !flag)
    return 0;
  Mask quiet = ~touch.block->warps[touch.warp].fencedLanes() |
               toldOf(touch, name, flag->clears).lanes;
  Mask loud = lanes & ~quiet;
  return loud ? lanes & (lowestBit(loud) - 1) : lanes;
}

void RaceEngine::acquireFlag(const Touch &touch, Mask lanes, const void *name) {
  Flag *flag = touch.reads ? findFlag(name) : nullptr;
  if (!flag)
    return;
  WarpCache::Heard &heard =
      touch.block->caches[touch.warp].heard[WarpCache::slotOf(name)];
  WarpCache::Heard now{name, flag->version, heard.lanes, touch.accessKind.reach,
                       touch.acquires};
  if (heard != now)
    now.lanes = 0;
  Mask fresh = lanes & ~now.lanes;
  if (!fresh)
    return;
  now.lanes |= fresh;
  heard = now;
  WarpClock &warp = touch.block->warps[touch.warp];
  for (unsigned r = 0; r <= unsigned(touch.accessKind.reach); ++r) {
    Knowledge *knowledge =
        flag->released(touch.block->id, touch.block->cluster, Reach(r));
    if (!knowledge)
      continue;
    if (touch.acquires)
      warp.acquire(fresh, *knowledge);
    else
      warp.remember(fresh, Reach(r), *knowledge);
  }
}

/// Computes the clocks of what this launch's threads released: threads of other launches
/// may acquire it and do not know how many warps these blocks have.
void RaceEngine::settle(Knowledge &knowledge) {
  if (isShared())
    for (Gathered &part : knowledge.parts)
      part.get(warpCount);
}

/// Fence-release pattern: a strong write after a fence releases what happened before the
/// fence.
void RaceEngine::releaseFenced(const Touch &touch, Mask lane, const void *name) {
  const WarpClock &warp = touch.block->warps[touch.warp];
  Flag &to = flagAt(name);
  for (unsigned r = 0; r <= unsigned(touch.accessKind.reach); ++r) {
    Knowledge &bucket = to.bucket(touch.block->id, touch.block->cluster, Reach(r));
    if (!warp.addFenced(unsigned(__builtin_ctz(lane)), Reach(r), bucket))
      continue;
    settle(bucket);
    ++to.version;
  }
  toldOf(touch, name, to.clears).lanes |= lane;
}

void RaceEngine::releaseFlag(const Touch &touch, Mask lane, const void *name) {
  if (Flag *flag = findFlag(name); flag && !touch.reads)
    flag->clear();
  WarpClock &warp = touch.block->warps[touch.warp];
  if (!touch.releases) {
    if (warp.hasFenced(lane))
      releaseFenced(touch, lane, name);
    return;
  }
  Flag &to = flagAt(name);
  ++to.version;
  Knowledge now;
  warp.release(lane, now);
  settle(now);
  for (unsigned r = 0; r <= unsigned(touch.accessKind.reach); ++r) {
    Knowledge &bucket = to.bucket(touch.block->id, touch.block->cluster, Reach(r));
    for (Part part : {Current, Async})
      bucket.parts[part].add(now.parts[part]);
  }
}

/// Checks a strong access that may order threads: lane by lane, in memory order, or
/// several lanes at once if none of them releases something new to the next.
void RaceEngine::accessOrdering(Domain &domain, const Touch &touch, const Range &range,
                                uint64_t bytes, std::vector<Problem> &out) {
  for (Mask left = range.lanes; left;) {
    Mask quiet = quietLanes(touch, left, range.flag);
    Mask lanes = quiet ? quiet : lowestBit(left);
    left &= ~lanes;
    acquireFlag(touch, lanes, range.flag);
    Range some = range;
    some.lanes = lanes;
    accessOne(domain, touch, some, bytes, out);
    if (!quiet)
      releaseFlag(touch, lanes, range.flag);
  }
}

void RaceEngine::access(Domain &domain, const Touch &touch,
                        const std::vector<Range> &ranges, uint64_t bytes,
                        std::vector<Problem> &out) {
  if (!hasRoom(domain))
    return;
  if (!touch.accessKind.strong || touch.agent) {
    accessAll(domain, touch, ranges, bytes, out);
    return;
  }
  const WarpClock &warp = touch.block->warps[touch.warp];
  for (const Range &range : ranges)
    if (range.flag && (touch.releases || world.flags.contains(range.flag) ||
                       warp.hasFenced(range.lanes)))
      accessOrdering(domain, touch, range, bytes, out);
    else
      accessOne(domain, touch, range, bytes, out);
}

/// Returns a free agent: one whose last work happened before these lanes can be reused,
/// as whoever acquires the new work then acquires the old work too.
BlockClocks::Slot &RaceEngine::takeSlot(BlockClocks &block, Agent &agent) {
  size_t count = block.agents.size(), tries = std::min(count, AgentTries);
  for (size_t i = 0; i < tries; ++i) {
    size_t at = (block.nextAgent + i) % count;
    agent.index = uint32_t(FirstAgent + at);
    if (block.agents[at].async != agent.async)
      continue;
    if (count < MaxAgents &&
        !knowsSlot(agent.start, agent, block.agents[at], agent.index))
      continue;
    block.nextAgent = at + 1;
    return block.agents[at];
  }
  agent.index = uint32_t(FirstAgent + count);
  block.nextAgent = 0;
  return block.agents.emplace_back();
}

Agent RaceEngine::startAgent(BlockClocks &block, uint32_t warp, Mask lanes, bool async) {
  Agent agent;
  agent.block = block.id;
  agent.cluster = block.cluster;
  agent.warp = warp;
  agent.async = async;
  agent.lanes = lanes;
  WarpClock &clock = block.warps[warp];
  if (async) {
    agent.lanes = lowestBit(lanes);
    Knowledge known;
    clock.release(lanes, known);
    Group all;
    all.lanes = ~Mask(0);
    all.views.resize(Fenced);
    for (Part part : {Current, Async})
      all.views[part].learn(block.id, warp, known.parts[part].get(warpCount));
    agent.start.push_back(std::move(all));
  } else {
    agent.start = clock.fork(lanes);
  }
  agent.version = clock.version();
  BlockClocks::Slot &slot = takeSlot(block, agent);
  slot.async = async;
  agent.epoch = ++slot.epoch;
  for (Mask left = agent.lanes; left; left &= left - 1)
    slot.lanes[unsigned(__builtin_ctz(left))] = agent.epoch;
  return agent;
}

void RaceEngine::finishAgent(const Agent &agent, Knowledge &to) const {
  Piece work{agent.block, agent.index, {}};
  // One thread's work: marking all lanes, existing or not, keeps the clock small.
  for (Mask left = agent.async ? ~Mask(0) : agent.lanes; left; left &= left - 1)
    work.lanes[unsigned(__builtin_ctz(left))] = agent.epoch;
  to.parts[Current].add(work);
  if (agent.async)
    to.parts[Async].add(work);
  for (const Group &group : agent.start) {
    const View &view = agent.async ? group.async() : group.current();
    Piece issuer{agent.block, agent.warp, view.own};
    for (Mask left = agent.async ? 0 : group.lanes; left; left &= left - 1) {
      Epoch &own = issuer.lanes[unsigned(__builtin_ctz(left))];
      own = std::max(own, view.self);
    }
    for (Part part : {Current, Async})
      if (part == Current || agent.async) {
        to.parts[part].add(view.base);
        to.parts[part].add(issuer);
      }
  }
}

} // namespace kiln::sim::check
