//===- trace.cpp - Random traces for the race engine -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/check/trace.h"

using namespace kiln::sim::check;
using namespace kiln::sim::check::test;

/// Chooses lanes of a random warp: often one, often all.
void Trace::choose() {
  block = pick(Blocks);
  warp = pick(Warps);
  Mask all = warp ? (1u << (Threads - Lanes)) - 1 : ~0u;
  unsigned kind = pick(10);
  if (kind < 4)
    lanes = 1u << pick(warp ? 3 : 4);
  else if (kind < 7)
    lanes = all;
  else
    lanes = all & (random() | 1);
}

Verdict Trace::ask(const Touch &touch,
                   const std::vector<std::pair<unsigned, Range>> &ranges, unsigned bytes,
                   Oracle &who, bool keep) {
  Verdict verdict;
  for (const auto &[thread, range] : ranges) {
    unsigned flag = unsigned(range.offset / 4), scope = unsigned(touch.accessKind.reach);
    bool orders = touch.accessKind.strong && !touch.agent;
    if (orders && touch.reads)
      who.readFlag(thread, flag, scope, touch.acquires);
    for (unsigned i = 0; i < bytes; ++i) {
      OracleAccess a;
      a.write = touch.accessKind.write;
      a.strong = touch.accessKind.strong;
      a.async = touch.accessKind.async;
      a.scope = scope;
      Verdict one = who.access(thread, unsigned(range.offset) + i, a, keep);
      verdict.race |= one.race;
      verdict.proxy |= one.proxy;
    }
    if (orders && touch.accessKind.write)
      who.writeFlag(thread, flag, scope, touch.releases, touch.reads);
    else if (touch.accessKind.write && keep)
      for (unsigned i = 0; i < bytes; i += 4)
        who.forgetFlag(flag + i / 4);
  }
  return verdict;
}

/// Reports the accesses of several lanes to the engine as one access of a warp.
void Trace::accessLanes(const Touch &touch,
                        const std::vector<std::pair<unsigned, Range>> &ranges,
                        unsigned bytes, std::vector<Problem> &problems) {
  uint64_t offsets[Lanes] = {};
  LaneRanges all{0, bytes, &shadow, offsets, 0, flags.data(), nullptr};
  for (const auto &[thread, range] : ranges) {
    all.lanes |= range.lanes;
    offsets[__builtin_ctz(range.lanes)] = range.offset;
  }
  bool row = all.lanes == ~Mask(0);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    row &= offsets[lane] == offsets[0] + uint64_t(lane) * bytes;
  if (row) {
    all.offsets = nullptr;
    all.first = offsets[0];
    ++rows;
  }
  engine.access(*domain, touch, all, problems);
}

bool Trace::apply(const Touch &touch,
                  const std::vector<std::pair<unsigned, Range>> &ranges, unsigned bytes) {
  if (chance(97)) {
    // Predict on a copy whether the access is an error, as applying only part of it would
    // change the result.
    Verdict planned;
    if (touch.accessKind.strong || (touch.accessKind.write && ranges.size() > 1)) {
      Oracle copy = oracle;
      planned = ask(touch, ranges, bytes, copy, true);
    } else {
      planned = ask(touch, ranges, bytes, oracle, false);
    }
    if (planned.race || planned.proxy)
      return true;
  }
  ++accesses;
  if (chance(3))
    engine.collect(*domain);
  Verdict expected = ask(touch, ranges, bytes, oracle, true);
  std::vector<Range> list;
  for (const auto &[thread, range] : ranges)
    if (!list.empty() && list.back().offset == range.offset && chance(70))
      list.back().lanes |= range.lanes;
    else
      list.push_back(range);
  std::vector<Problem> problems;
  if (!touch.accessKind.strong && !touch.agent && chance(60))
    accessLanes(touch, ranges, bytes, problems);
  else
    engine.access(*domain, touch, list, bytes, problems);
  Verdict verdict;
  for (const Problem &p : problems)
    (p.kind == ProblemKind::Proxy ? verdict.proxy : verdict.race) = true;
  // Any race is enough: which other errors are found depends on the order of checks.
  differs =
      verdict.race != expected.race || (!verdict.race && verdict.proxy != expected.proxy);
  found += verdict.race || verdict.proxy;
  return !differs && !verdict.race && !verdict.proxy;
}

bool Trace::access() {
  choose();
  Touch touch;
  touch.block = &blocks[block];
  touch.warp = warp;
  touch.op = &flags[pick(4)];
  touch.accessKind.strong = chance(40);
  unsigned bytes = touch.accessKind.strong || chance(60) ? 4 : 1u << pick(4);
  touch.accessKind.write = chance(45);
  if (touch.accessKind.strong) {
    touch.accessKind.reach = Reach(pick(3));
    touch.reads = !touch.accessKind.write || chance(50);
    touch.acquires = touch.reads && chance(30);
    touch.releases = touch.accessKind.write && chance(30);
  }
  bool same = chance(50);
  unsigned first = pick(Bytes / bytes), stride = pick(3);
  if (Bytes == RowBytes && chance(70)) {
    touch.warp = warp = 0;
    lanes = ~Mask(0);
    touch.accessKind.strong = touch.reads = touch.acquires = touch.releases = false;
    bytes = 4u << pick(2);
    first = pick(3) * 8;
    stride = 1;
    same = false;
  }
  std::vector<std::pair<unsigned, Range>> ranges;
  unsigned n = 0;
  forThreads([&](unsigned t) {
    unsigned at = (first + (same ? 0 : n++ * stride)) % (Bytes / bytes) * bytes;
    Mask bit = Mask(1) << (t - thread(0));
    ranges.push_back({t, {bit, &shadow, at, &flags[at / 4 * 4]}});
  });
  return apply(touch, ranges, bytes);
}

bool Trace::workAccess() {
  if (works.empty())
    return true;
  Work &work = works[pick(unsigned(works.size()))];
  Touch touch;
  for (BlockClocks &b : blocks)
    if (b.id == work.agent.block)
      touch.block = &b;
  touch.warp = work.agent.warp;
  touch.agent = &work.agent;
  touch.op = &flags[4 + pick(2)];
  touch.accessKind.async = work.agent.async;
  touch.accessKind.write = chance(50);
  unsigned at = pick(Bytes / 4) * 4, n = 0;
  std::vector<std::pair<unsigned, Range>> ranges;
  for (Mask left = work.agent.lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    unsigned offset = (at + 4 * n++) % Bytes;
    ranges.push_back(
        {work.threads[lane], {Mask(1) << lane, &shadow, offset, &flags[offset]}});
  }
  return apply(touch, ranges, 4);
}

/// Synchronizes all warps of a block, or of all blocks of the first cluster.
void Trace::barrier() {
  Knowledge knowledge;
  Everything everything;
  unsigned chosen = pick(Blocks);
  bool cluster = chosen < 2 && chance(30);
  auto forAll = [&](auto f) {
    for (block = 0; block < Blocks; ++block)
      for (warp = 0; warp < Warps; ++warp)
        if (block == chosen || (cluster && block < 2)) {
          lanes = warp ? (1u << (Threads - Lanes)) - 1 : ~0u;
          f();
        }
  };
  forAll([&] {
    clock().release(lanes, knowledge);
    forThreads([&](unsigned t) { everything.join(oracle.told(t)); });
  });
  forAll([&] {
    clock().acquire(lanes, knowledge);
    forThreads([&](unsigned t) { oracle.learn(t, everything); });
  });
}

/// Lets some lanes arrive at a barrier and others (or the same) wait there later.
void Trace::handOver() {
  choose();
  Mail &mail = mails[pick(2)];
  if (chance(15))
    mail = {};
  if (chance(50)) {
    clock().release(lanes, mail.knowledge);
    forThreads([&](unsigned t) { mail.everything.join(oracle.told(t)); });
  } else {
    clock().acquire(lanes, mail.knowledge);
    forThreads([&](unsigned t) { oracle.learn(t, mail.everything); });
  }
}

void Trace::flagless() {
  choose();
  unsigned kind = pick(3), scope = pick(3);
  if (kind == 0) {
    clock().meet(lanes);
    Everything all;
    forThreads([&](unsigned t) { all.join(oracle.told(t)); });
    forThreads([&](unsigned t) { oracle.learn(t, all); });
  } else if (kind == 1) {
    clock().fence(lanes, Reach(scope));
    forThreads([&](unsigned t) { oracle.fence(t, scope); });
  } else {
    clock().fenceProxy(lanes);
    forThreads([&](unsigned t) { oracle.fenceProxy(t); });
  }
}

void Trace::startWork() {
  if (works.size() >= MaxWork)
    return;
  choose();
  Work work;
  bool async = chance(60);
  work.agent = engine.startAgent(blocks[block], warp, lanes, async);
  work.threads.resize(Lanes);
  std::vector<unsigned> starters;
  forThreads([&](unsigned t) { starters.push_back(t); });
  if (async)
    work.threads.assign(Lanes, oracle.addWork(starters));
  else
    for (unsigned t : starters)
      work.threads[t - thread(0)] = oracle.addWork({t});
  works.push_back(work);
}

void Trace::finishWork() {
  if (works.empty())
    return;
  size_t at = pick(unsigned(works.size()));
  Work work = works[at];
  works.erase(works.begin() + ptrdiff_t(at));
  for (block = 0; blocks[block].id != work.agent.block;)
    ++block;
  warp = work.agent.warp;
  auto all = [&] {
    Everything everything;
    for (Mask left = work.agent.lanes; left; left &= left - 1)
      everything.join(
          oracle.finished(work.threads[unsigned(__builtin_ctz(left))], work.agent.async));
    return everything;
  };
  if (!work.agent.async && chance(50)) {
    lanes = work.agent.lanes & unsigned(random());
    clock().acquire(lanes, engine.ownCopy(work.agent));
    forThreads([&](unsigned t) {
      oracle.learn(t, oracle.finished(work.threads[t - thread(0)], false));
    });
    return;
  }
  Mail &mail = mails[pick(2)];
  engine.finishAgent(work.agent, mail.knowledge);
  mail.everything.join(all());
}

bool Trace::step() {
  unsigned kind = pick(100);
  if (kind < 55)
    return access();
  if (kind < 65)
    return workAccess();
  if (kind < 73)
    barrier();
  else if (kind < 84)
    handOver();
  else if (kind < 92)
    flagless();
  else if (kind < 96)
    startWork();
  else
    finishWork();
  return true;
}
