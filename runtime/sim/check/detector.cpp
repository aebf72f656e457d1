//===- detector.cpp - The race detector of a launch ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/detector.h"

#include "runtime/sim/check/stored.h"
#include "runtime/sim/exec/report.h"
#include "runtime/sim/ptx/instruction.h"

#include <algorithm>
#include <cstdio>

namespace kiln::sim::check {

namespace {
using exec::Origin;
using exec::Place;
using exec::Space;
using exec::Strength;
using exec::SyncKey;

constexpr int LaunchFailed = 719;
/// How many of the latest generations of a barrier are kept.
constexpr size_t KeptGenerations = 4;
/// Agents kept per block after they signalled an mbarrier, as a multicast copy signals
/// several.
constexpr size_t KeptAgents = 64;
/// wgmma operations of a warpgroup that are kept although some of its warps have not
/// waited.
constexpr size_t KeptProducts = 256;
constexpr unsigned WarpgroupWarps = 4;
/// Max bytes of a lane's access that LaneRanges can describe.
constexpr uint32_t MaxLaneBytes = 16;
constexpr uint64_t MbarrierBytes = 8;
/// Cached transitions between histories of global memory.
constexpr size_t GlobalSteps = 1 << 13;

Reach reachOf(exec::Scope scope) {
  switch (scope) {
  case exec::Scope::Cta:
    return Reach::Cta;
  case exec::Scope::Cluster:
    return Reach::Cluster;
  case exec::Scope::Sys:
    return Reach::Sys;
  default:
    return Reach::Gpu;
  }
}

AccessKind accessKindOf(const exec::AccessTraits &traits) {
  AccessKind accessKind;
  accessKind.write =
      traits.kind == exec::AccessKind::Write || traits.kind == exec::AccessKind::Atomic;
  accessKind.strong =
      traits.strength != Strength::Weak || traits.kind == exec::AccessKind::Atomic;
  accessKind.async = traits.proxy == exec::Proxy::Async;
  accessKind.nonCoherent = traits.kind == exec::AccessKind::NonCoherentRead;
  accessKind.barrier = traits.barrier == exec::BarrierUse::Lives;
  accessKind.knowsBarrier = traits.barrier != exec::BarrierUse::None;
  accessKind.reach =
      traits.strength == Strength::Volatile ? Reach::Sys : reachOf(traits.scope);
  return accessKind;
}

bool isSwap(const exec::MicroOp *op) {
  return op && op->info && op->info->source &&
         op->info->source->operation == ptx::Mod::Cas;
}

bool isProduct(const exec::MicroOp *op) {
  return op && op->info && op->info->source &&
         op->info->source->opcode == ptx::Opcode::WgmmaMma;
}
} // namespace

/// Race detector's state that all devices of one address space use; null without peers.
static std::shared_ptr<PeerWorld> peersOf(exec::Grid &grid) {
  if (!grid.hasPeers)
    return nullptr;
  return std::static_pointer_cast<PeerWorld>(
      grid.memory->attached([] { return std::make_shared<PeerWorld>(); }));
}

RaceDetector::RaceDetector(exec::Grid &grid)
    : grid(grid), peers(peersOf(grid)),
      engine(grid.threads, peers ? &peers->world : nullptr),
      memory(peers ? peers->memory : ownMemory),
      findings(grid, [this](uint32_t block) { return originOf(block); }) {
  auto lock = enter();
  if (!memory.domain)
    memory.domain = engine.makeDomain(GlobalSteps, peers ? Reach::Sys : Reach::Gpu);
  if (peers)
    joinPeers();
}

std::unique_lock<std::recursive_mutex> RaceDetector::enter() const {
  return peers ? std::unique_lock(peers->mutex)
               : std::unique_lock<std::recursive_mutex>();
}

/// Numbers the launch's blocks, and starts its clock after all earlier launches of the
/// device and those of other devices that the driver knows to be complete.
void RaceDetector::joinPeers() {
  const Launch &launch = *grid.launch;
  uint32_t &count = peers->blocks[size_t(launch.device)];
  auto clock = std::make_shared<Clock>();
  clock->over.assign(launch.known.begin(), launch.known.end());
  clock->over[size_t(launch.device)] = count;
  start = std::move(clock);
  for (size_t device = 0; device < launch.known.size(); ++device)
    start = check::join(start, endOf(device, start->over[device]));
  end = start;
  number = peers->launches.size();
  firstBlock = uint32_t(launch.device) << CountBits | count;
  count += uint32_t(grid.blocks);
  peers->launches.push_back({firstBlock, uint32_t(grid.blocks), grid.kernel->info.name,
                             grid.grid, launch.owner, nullptr});
  std::erase_if(memory.shadows, [&](auto &entry) {
    std::shared_ptr<Allocation> allocation = entry.second.allocation.lock();
    bool isGone = !allocation || allocation->freed;
    if (isGone)
      std::erase(memory.domain->shadows, entry.second.shadow.get());
    return isGone;
  });
}

/// Final clock of a device's last launch among its first `over` blocks; null if there is
/// none.
ClockPtr RaceDetector::endOf(size_t device, uint32_t over) const {
  for (size_t i = over ? peers->launches.size() : 0; i-- > 0;) {
    const PeerWorld::Launched &launched = peers->launches[i];
    if (deviceOf(launched.first) == device &&
        countOf(launched.first) + launched.blocks <= over)
      return launched.end;
  }
  return nullptr;
}

/// Merges an exiting block's clock of other devices' accesses into the launch's final
/// clock.
void RaceDetector::learnFrom(BlockRecord &record) {
  Knowledge known;
  for (WarpClock &warp : record.clocks.warps)
    warp.release(~Mask(0), known);
  auto clock = std::make_shared<Clock>(*known.parts[Current].get(engine.warpsPerBlock()));
  std::erase_if(clock->blocks, [&](const std::shared_ptr<const BlockKnown> &block) {
    return deviceOf(block->block) == deviceOf(firstBlock);
  });
  end = check::join(end, clock);
}

BlockOrigin RaceDetector::originOf(uint32_t block) const {
  auto *code = static_cast<const exec::ModuleCode *>(grid.launch->code);
  if (block - firstBlock < grid.blocks)
    return {code, grid.grid, block - firstBlock, ""};
  for (const PeerWorld::Launched &other : peers->launches)
    if (block - other.first < other.blocks)
      return {static_cast<const exec::ModuleCode *>(other.code.get()), other.grid,
              block - other.first,
              ", kernel " + other.kernel + " on device " +
                  std::to_string(deviceOf(block))};
  return {code, grid.grid, 0, ""};
}

Knowledge &RaceDetector::Generations::at(uint64_t generation) {
  // A reinitialized mbarrier counts its phases from 0 again.
  if (!each.empty() && generation < each.rbegin()->first)
    if (!each.contains(generation))
      each.clear();
  Knowledge &knowledge = each[generation];
  while (each.size() > KeptGenerations)
    each.erase(each.begin());
  return knowledge;
}

void RaceDetector::startBlock(exec::Block &block) {
  auto lock = enter();
  ClusterRecord &cluster = clusters[block.cluster];
  if (!cluster.domain)
    cluster.domain = freshDomain();
  BlockRecord &record = blocks[&block];
  record.clocks.id = firstBlock + uint32_t(block.linear);
  record.clocks.cluster = firstBlock + uint32_t(block.cluster->linear);
  record.clocks.start = start;
  record.cluster = &cluster;
  record.shared = std::make_unique<Shadow>(block.sharedBytes);
  cluster.domain->shadows.push_back(record.shared.get());
  record.warps.resize(engine.warpsPerBlock());
  engine.startBlock(record.clocks);
  block.races = &record;
}

std::unique_ptr<Domain> RaceDetector::freshDomain() {
  if (spareDomains.empty())
    return engine.makeDomain();
  std::unique_ptr<Domain> domain = std::move(spareDomains.back());
  spareDomains.pop_back();
  engine.renew(*domain);
  return domain;
}

/// Reports accesses by other blocks of the cluster to this block's shared memory that did
/// not happen before its exit.
void RaceDetector::checkExit(BlockRecord &record, exec::Block &block) {
  if (block.cluster->blocks.size() == 1 || !grid.checks.races || grid.stop.load())
    return;
  Knowledge end;
  for (WarpClock &warp : record.clocks.warps)
    warp.release(~Mask(0), end);
  ClockPtr known = end.parts[Current].get(engine.warpsPerBlock());
  const History &history = record.cluster->domain->history;
  bool found = false;
  record.shared->forUsed([&](const Cell &cell, uint64_t word, unsigned byte) {
    for (SetId set : {cell.writes, cell.reads})
      history.forEntries(set, [&](const History::Entry &entry) {
        const Stamp &stamp = history.stamp(entry.stamp);
        Mask lanes = entry.lanes(word);
        unsigned lane = unsigned(__builtin_ctz(lanes));
        if (found || stamp.block == record.clocks.id ||
            known->of(stamp.block, stamp.warp, lane) >= stamp.epoch)
          return;
        found = true;
        Place place;
        place.space = Space::Shared;
        place.block = &block;
        findings.add(
            {ProblemKind::Exit, stamp, lanes, 0, word * WordBytes + byte, nullptr},
            {{&block, 0, 0, nullptr}, record.clocks.id, {}, &place, 0, 0});
      });
  });
}

void RaceDetector::finishBlock(exec::Block &block) {
  auto lock = enter();
  auto at = blocks.find(&block);
  if (at == blocks.end())
    return;
  checkExit(at->second, block);
  if (peers)
    learnFrom(at->second);
  for (uint64_t agent : at->second.agents)
    forget(agent);
  block.races = nullptr;
  std::erase(at->second.cluster->domain->shadows, at->second.shared.get());
  engine.finishBlock(at->second.clocks);
  blocks.erase(at);
  // The last block of the cluster to exit frees the state that the blocks shared.
  if (&block != block.cluster->blocks.back())
    return;
  auto cluster = clusters.find(block.cluster);
  spareDomains.push_back(std::move(cluster->second.domain));
  clusters.erase(cluster);
}

Shadow *RaceDetector::globalShadow(const Allocation &a) {
  LastShadow &last = lastShadows[a.serial % lastShadows.size()];
  if (last.serial == a.serial)
    return last.shadow;
  WatchedMemory::Watched &watched = memory.shadows[a.serial];
  if (!watched.shadow) {
    watched = {std::make_unique<Shadow>(a.size), grid.memory->find(a.address)};
    memory.domain->shadows.push_back(watched.shadow.get());
  }
  last = {a.serial, watched.shadow.get()};
  return last.shadow;
}

Shadow *RaceDetector::shadowOf(const Place &place, Domain *&domain) {
  if (place.space == Space::Global && place.allocation) {
    domain = memory.domain.get();
    return globalShadow(*place.allocation);
  }
  if (place.space != Space::Shared || !place.block)
    return nullptr;
  BlockRecord *record = recordOf(*place.block);
  if (!record)
    return nullptr;
  domain = record->cluster->domain.get();
  return record->shared.get();
}

Touch RaceDetector::touchOf(const Origin &origin, const exec::AccessTraits &traits) {
  Touch touch;
  touch.block = &recordOf(origin).clocks;
  touch.warp = origin.warp;
  touch.accessKind = accessKindOf(traits);
  touch.reads = traits.kind != exec::AccessKind::Write;
  bool both = traits.strength == Strength::AcquireRelease;
  touch.acquires = touch.reads && (both || traits.strength == Strength::Acquire);
  touch.releases =
      touch.accessKind.write && (both || traits.strength == Strength::Release);
  touch.accessKind.swaps = traits.kind == exec::AccessKind::Atomic && isSwap(origin.op);
  touch.division = traits.division;
  touch.op = origin.op;
  return touch;
}

/// Checks the collected ranges for races.
bool RaceDetector::touch(const Origin &origin, const Touch &touch, uint64_t bytes) {
  problems.clear();
  if (!globalRanges.empty())
    engine.access(*memory.domain, touch, globalRanges, bytes, problems);
  if (!sharedRanges.empty())
    engine.access(*sharedDomain, touch, sharedRanges, bytes, problems);
  bool fine = problems.empty() || report(origin, touch);
  globalRanges.clear();
  sharedRanges.clear();
  return fine;
}

/// Collects the bytes of `place` from offset `more` on, accessed by `lanes`, for `touch`.
void RaceDetector::addRange(const Place &place, uint64_t more, Mask lanes, Shadow *shadow,
                            Domain *domain) {
  bool isGlobal = domain == memory.domain.get();
  if (!isGlobal)
    sharedDomain = domain;
  std::vector<Range> &ranges = isGlobal ? globalRanges : sharedRanges;
  uint64_t offset = place.offset + more;
  if (!ranges.empty() && ranges.back().offset == offset &&
      ranges.back().shadow == shadow) {
    ranges.back().lanes |= lanes;
    return;
  }
  ranges.push_back(
      {lanes, shadow, offset, place.bytes + more - offset % WordBytes, &place});
}

bool RaceDetector::access(const exec::WarpAccess &access) {
  auto lock = enter();
  const Origin &origin = access.origin;
  exec::forLanes(origin.mask, [&](unsigned lane) {
    Domain *domain = nullptr;
    if (Shadow *shadow = shadowOf(access.places[lane], domain))
      addRange(access.places[lane], 0, Mask(1) << lane, shadow, domain);
  });
  if (globalRanges.empty() && sharedRanges.empty())
    return true;
  Touch how = touchOf(origin, access.traits);
  std::optional<WarpStores> stores;
  if (how.accessKind.write && !how.accessKind.strong)
    how.stored = &stores.emplace(access);
  return touch(origin, how, access.bytes);
}

bool RaceDetector::accessWindow(const exec::WindowAccess &access) {
  auto lock = enter();
  const Place &window = access.window;
  const Origin &origin = access.origin;
  Domain *domain = nullptr;
  Shadow *shadow = shadowOf(window, domain);
  if (!shadow)
    return true;
  if (!access.offsets && engine.repeat(*domain, recordOf(origin).clocks, origin.warp,
                                       origin.op, *shadow, access.first, access.bytes))
    return true;
  Touch how = touchOf(origin, access.traits);
  std::optional<WarpStores> stores;
  if (how.accessKind.write && !how.accessKind.strong)
    how.stored = &stores.emplace(access);
  if (!how.accessKind.strong && access.bytes <= MaxLaneBytes) {
    problems.clear();
    engine.access(*domain, how,
                  {origin.mask, access.bytes, shadow, access.offsets, access.first,
                   reinterpret_cast<const char *>(window.bytes), &window},
                  problems);
    return problems.empty() || report(origin, how);
  }
  exec::forLanes(origin.mask, [&](unsigned lane) {
    uint64_t at = access.offsets ? access.offsets[lane]
                                 : access.first + uint64_t(lane) * access.bytes;
    addRange(window, at, Mask(1) << lane, shadow, domain);
  });
  return touch(origin, how, access.bytes);
}

RaceDetector::AgentRecord *RaceDetector::findAgent(uint64_t agent) {
  if (agent == lastAgent)
    return lastAgentRecord;
  auto at = agents.find(agent);
  if (at == agents.end())
    return nullptr;
  lastAgent = agent;
  return lastAgentRecord = &at->second;
}

bool RaceDetector::access(const exec::RangeAccess &access) {
  uint32_t start = 0;
  return accessEach(access, &start, 1);
}

bool RaceDetector::accessEach(const exec::RangeAccess &access, const uint32_t *offsets,
                              size_t count) {
  auto lock = enter();
  const Place &place = access.place;
  Domain *domain = nullptr;
  Shadow *shadow = shadowOf(place, domain);
  if (!shadow)
    return true;
  Touch how = touchOf(access.origin, access.traits);
  // A warp-wide write of a range (not per lane) is attributed to its lowest lane.
  Mask lanes = access.origin.mask;
  if (how.accessKind.write)
    lanes &= -lanes;
  if (AgentRecord *record = findAgent(access.agent)) {
    how.agent = &record->agent;
    how.block = &record->block->clocks;
    how.warp = how.agent->warp;
    how.accessKind.async = how.agent->async;
    if (how.agent->async)
      lanes = how.agent->lanes;
  }
  for (size_t i = 0; i < count; ++i)
    addRange(place, offsets[i], lanes, shadow, domain);
  return touch(access.origin, how, access.bytes);
}

/// Records the problems that the options ask for. Returns false if the launch must stop.
bool RaceDetector::report(const Origin &origin, const Touch &touch) {
  auto clusterOf = [&](uint64_t block) {
    for (const auto &[key, record] : blocks)
      if (record.clocks.id == block)
        return record.clocks.cluster;
    return ~0u;
  };
  for (const Problem &problem : problems) {
    bool wanted = problem.kind == ProblemKind::Proxy         ? grid.checks.proxies
                  : problem.kind == ProblemKind::Barrier     ? grid.checks.mbarriers
                  : problem.kind == ProblemKind::NonCoherent ? grid.checks.nonCoherent
                  : problem.kind == ProblemKind::SameValue   ? grid.checks.sameValue
                                                             : grid.checks.races;
    if (!wanted)
      continue;
    findings.add(problem, {origin, touch.block->id, touch.accessKind,
                           static_cast<const Place *>(problem.tag), touch.block->cluster,
                           clusterOf(problem.earlier.block)});
    if (findings.full()) {
      exec::stopLaunch(grid, LaunchFailed, findings.text());
      return false;
    }
  }
  return true;
}

RaceDetector::Generations &RaceDetector::mbarrierAt(BlockRecord &block,
                                                    const SyncKey &key) {
  Generations &phases = block.cluster->mbarriers[key.object];
  if (phases.each.empty() || key.id <= phases.each.rbegin()->first)
    return phases;
  // An mbarrier's new phase inherits what earlier phases released.
  Knowledge &last = phases.each.rbegin()->second;
  Knowledge next;
  for (unsigned part = 0; part < Parts; ++part)
    if (!last.parts[part].empty())
      next.parts[part].add(last.parts[part].get(engine.warpsPerBlock()));
  phases.at(key.id) = std::move(next);
  return phases;
}

RaceDetector::Generations *RaceDetector::generationsOf(BlockRecord &block,
                                                       const SyncKey &key) {
  switch (key.kind) {
  case SyncKey::Kind::BlockBarrier:
    return &block.barriers[key.id >> 32];
  case SyncKey::Kind::ClusterBarrier:
    return &block.cluster->barrier;
  case SyncKey::Kind::Mbarrier:
    return &mbarrierAt(block, key);
  default:
    // Warp synchronization is handled in `acquire`, memory flags in `access`.
    return nullptr;
  }
}

/// Treats an arrival or a wait as an atomic access of the mbarrier, so that it must be
/// ordered after mbarrier.init. Not in clusters, which may order it by a fence and a
/// relaxed barrier.
void RaceDetector::touchMbarrier(const Origin &origin, const void *bytes) {
  exec::Block &block = *origin.block;
  auto offset = uint64_t(static_cast<const uint8_t *>(bytes) - block.shared);
  if (block.cluster->blocks.size() > 1 || offset + MbarrierBytes > block.sharedBytes)
    return;
  Place place;
  place.space = Space::Shared;
  place.block = &block;
  place.bytes = block.shared + offset;
  place.offset = offset;
  BlockRecord &record = recordOf(origin);
  Touch how = touchOf(
      origin, {.kind = exec::AccessKind::Atomic, .barrier = exec::BarrierUse::Lives});
  sharedDomain = record.cluster->domain.get();
  sharedRanges.push_back({origin.mask, record.shared.get(), offset, nullptr, &place});
  touch(origin, how, MbarrierBytes);
}

bool RaceDetector::release(const Origin &origin, const SyncKey &key, exec::Scope) {
  auto lock = enter();
  if (key.kind == SyncKey::Kind::Mbarrier)
    touchMbarrier(origin, key.object);
  if (Generations *to = generationsOf(recordOf(origin), key))
    clockOf(origin).release(origin.mask, to->at(key.id));
  return true;
}

bool RaceDetector::acquire(const Origin &origin, const SyncKey &key, exec::Scope) {
  auto lock = enter();
  if (key.kind == SyncKey::Kind::Warp) {
    clockOf(origin).meet(origin.mask);
    return true;
  }
  if (key.kind == SyncKey::Kind::Mbarrier)
    touchMbarrier(origin, key.object);
  Generations *from = generationsOf(recordOf(origin), key);
  if (!from)
    return true;
  // Without a release into this phase of the mbarrier, the phase before it is acquired.
  auto at = from->each.upper_bound(key.id);
  if (at != from->each.begin())
    clockOf(origin).acquire(origin.mask, std::prev(at)->second);
  return true;
}

bool RaceDetector::fence(const Origin &origin, exec::Scope scope, bool proxy) {
  auto lock = enter();
  WarpClock &clock = clockOf(origin);
  if (proxy)
    clock.fenceProxy(origin.mask);
  else
    clock.fence(origin.mask, reachOf(scope));
  return true;
}

uint64_t RaceDetector::startAgent(const Origin &origin, exec::Proxy proxy) {
  auto lock = enter();
  BlockRecord &block = recordOf(origin);
  AgentRecord record;
  record.agent = engine.startAgent(block.clocks, origin.warp, origin.mask,
                                   proxy == exec::Proxy::Async);
  record.block = &block;
  record.waiting = origin.mask;
  uint64_t id = ++nextAgent;
  block.agents.push_back(id);
  if (isProduct(origin.op)) {
    record.isProduct = true;
    uint64_t number = block.warps[origin.warp].products++;
    record.product = {origin.warp / WarpgroupWarps, number};
    addProduct(block, record, id, number);
  }
  agents.emplace(id, std::move(record));
  return id;
}

void RaceDetector::addProduct(BlockRecord &block, AgentRecord &record, uint64_t agent,
                              uint64_t number) {
  record.last = number;
  block.products[{record.product.first, number}].agents.push_back(agent);
  if (block.products.size() > KeptProducts)
    block.products.erase(block.products.begin());
}

bool RaceDetector::continueAgent(const Origin &origin, uint64_t agent) {
  auto lock = enter();
  AgentRecord *record = findAgent(agent);
  if (!record || !record->isProduct ||
      !engine.continues(record->block->clocks, record->agent))
    return false;
  BlockRecord &block = *record->block;
  addProduct(block, *record, agent, block.warps[origin.warp].products++);
  return true;
}

void RaceDetector::forget(uint64_t agent) {
  agents.erase(agent);
  if (agent == lastAgent) {
    lastAgent = 0;
    lastAgentRecord = nullptr;
  }
}

void RaceDetector::finishAgent(uint64_t agent, const SyncKey &key) {
  auto lock = enter();
  AgentRecord *found = findAgent(agent);
  if (!found || key.kind != SyncKey::Kind::Mbarrier)
    return;
  AgentRecord &record = *found;
  engine.finishAgent(record.agent, mbarrierAt(*record.block, key).at(key.id));
  if (record.done)
    return;
  record.done = true;
  std::deque<uint64_t> &finished = record.block->finished;
  finished.push_back(agent);
  if (finished.size() > KeptAgents) {
    forget(finished.front());
    finished.pop_front();
  }
}

void RaceDetector::learn(const Origin &origin, AgentRecord &record) {
  WarpClock &clock = clockOf(origin);
  if (!record.agent.async) {
    clock.acquire(origin.mask & record.agent.lanes, engine.ownCopy(record.agent));
    return;
  }
  Knowledge knowledge;
  engine.finishAgent(record.agent, knowledge);
  clock.acquire(origin.mask, knowledge);
}

/// Collects the clocks of all four warps' agents for the wgmma operations of the record,
/// which a thread acquires when it waits for them.
Knowledge &RaceDetector::finishedProducts(AgentRecord &record) {
  auto &products = record.block->products;
  uint64_t first = record.product.second;
  Product &last = products[{record.product.first, record.last}];
  if (last.from == first)
    return last.finished;
  last.from = first;
  last.finished = {};
  std::vector<uint64_t> seen;
  for (uint64_t number = first; number <= record.last; ++number) {
    auto product = products.find({record.product.first, number});
    if (product == products.end())
      continue;
    for (uint64_t id : product->second.agents) {
      AgentRecord *part =
          std::find(seen.begin(), seen.end(), id) == seen.end() ? findAgent(id) : nullptr;
      if (part)
        engine.finishAgent(part->agent, last.finished);
      seen.push_back(id);
    }
  }
  return last.finished;
}

void RaceDetector::learnProduct(const Origin &origin, AgentRecord &record) {
  clockOf(origin).acquire(origin.mask, finishedProducts(record));
  auto &products = record.block->products;
  const ProductKey first = record.product;
  for (uint64_t number = first.second, last = record.last; number <= last; ++number) {
    auto product = products.find({first.first, number});
    if (product == products.end() || ++product->second.waits < WarpgroupWarps)
      continue;
    for (uint64_t id : product->second.agents)
      if (AgentRecord *part = findAgent(id); part && part->last == number)
        forget(id);
    products.erase(product);
  }
}

bool RaceDetector::acquireAgent(const Origin &origin, uint64_t agent) {
  auto lock = enter();
  auto at = agents.find(agent);
  if (at == agents.end())
    return true;
  AgentRecord &record = at->second;
  if (record.isProduct) {
    learnProduct(origin, record);
    return true;
  }
  learn(origin, record);
  record.waiting &= ~origin.mask;
  if (!record.waiting)
    forget(agent);
  return true;
}

void RaceDetector::finishLaunch(Outcome &outcome) {
  auto lock = enter();
  if (peers) {
    outcome.over = countOf(firstBlock) + uint32_t(grid.blocks);
    peers->launches[number].end = end;
  }
  if (findings.empty())
    return;
  if (outcome.ok()) {
    exec::stopLaunch(grid, LaunchFailed, findings.text());
  } else if (!findings.full()) {
    outcome.message += "\nand before that: " + findings.text();
  }
}

} // namespace kiln::sim::check
