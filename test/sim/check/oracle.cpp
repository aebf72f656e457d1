//===- oracle.cpp - A slow and simple race detector ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/check/oracle.h"

#include <algorithm>

namespace kiln::sim::check::test {

static bool knows(const Times &times, const OracleAccess &access) {
  return access.time <= times.of(access.thread);
}

void Times::join(const Times &other) {
  if (known.size() < other.known.size())
    known.resize(other.known.size());
  for (size_t i = 0; i < other.known.size(); ++i)
    known[i] = std::max(known[i], other.known[i]);
}

void Both::join(const Both &other) {
  generic.join(other.generic);
  async.join(other.async);
}

void Everything::join(const Everything &other) {
  current.join(other.current);
  for (unsigned s = 0; s < Scopes; ++s) {
    fenced[s].join(other.fenced[s]);
    pending[s].join(other.pending[s]);
  }
}

bool Oracle::includes(unsigned scope, unsigned blockA, unsigned clusterA, unsigned blockB,
                      unsigned clusterB) {
  return scope == 2 || blockA == blockB || (scope == 1 && clusterA == clusterB);
}

unsigned Oracle::addThread(unsigned block, unsigned cluster) {
  threads.push_back({block, cluster, 0, {}});
  return unsigned(threads.size() - 1);
}

unsigned Oracle::addWork(const std::vector<unsigned> &starters) {
  Thread work;
  for (unsigned starter : starters) {
    work.block = threads[starter].block;
    work.cluster = threads[starter].cluster;
    work.knows.current.join(told(starter).current);
  }
  threads.push_back(work);
  return unsigned(threads.size() - 1);
}

Verdict Oracle::access(unsigned thread, unsigned byte, OracleAccess access, bool keep) {
  Thread &t = threads[thread];
  Verdict verdict;
  for (const OracleAccess &earlier : bytes[byte]) {
    if (earlier.thread == thread || (!earlier.write && !access.write))
      continue;
    unsigned scope = std::min(earlier.scope, access.scope);
    if (!knows(t.knows.current.generic, earlier))
      verdict.race |=
          !(earlier.strong && access.strong &&
            includes(scope, earlier.block, earlier.cluster, t.block, t.cluster));
  }
  // A proxy fence must follow generic writes, also the thread's own.
  for (const OracleAccess &earlier : bytes[byte])
    if (access.async && earlier.write && !earlier.async &&
        knows(t.knows.current.generic, earlier) && !knows(t.knows.current.async, earlier))
      verdict.proxy = true;
  if (!keep)
    return verdict;
  access.thread = thread;
  access.time = t.time + 1;
  access.block = t.block;
  access.cluster = t.cluster;
  bytes[byte].push_back(access);
  ++t.time;
  return verdict;
}

Everything Oracle::told(unsigned thread) const {
  Everything all = threads[thread].knows;
  all.current.generic[thread] = threads[thread].time;
  return all;
}

void Oracle::fence(unsigned thread, unsigned scope) {
  Everything &mine = threads[thread].knows;
  for (unsigned s = 0; s <= scope; ++s)
    mine.current.join(mine.pending[s]);
  for (unsigned s = 0; s <= scope; ++s)
    mine.fenced[s] = told(thread).current;
}

void Oracle::fenceProxy(unsigned thread) {
  threads[thread].knows.current.async = told(thread).current.generic;
}

Everything Oracle::finished(unsigned work, bool async) const {
  const Thread &w = threads[work];
  Everything all;
  all.current.generic = async ? w.knows.current.async : w.knows.current.generic;
  all.current.generic[work] = w.time;
  if (async)
    all.current.async = all.current.generic;
  return all;
}

void Oracle::readFlag(unsigned thread, unsigned flag, unsigned scope, bool acquire) {
  Thread &t = threads[thread];
  auto at = flags.find(flag);
  if (at == flags.end())
    return;
  for (const Release &r : at->second) {
    unsigned reach = std::min(r.scope, scope);
    for (unsigned s = 0; s <= reach; ++s)
      if (includes(s, r.block, r.cluster, t.block, t.cluster))
        (acquire ? t.knows.current : t.knows.pending[s]).join(r.what);
  }
}

void Oracle::writeFlag(unsigned thread, unsigned flag, unsigned scope, bool release,
                       bool rmw) {
  const Thread &t = threads[thread];
  std::vector<Release> &releases = flags[flag];
  if (!rmw)
    releases.clear();
  if (release)
    releases.push_back({t.block, t.cluster, scope, told(thread).current});
  for (unsigned s = 0; !release && s <= scope; ++s)
    releases.push_back({t.block, t.cluster, s, t.knows.fenced[s]});
}

} // namespace kiln::sim::check::test
