//===- trace.h - Random traces for the race engine --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies random traces of accesses and synchronization to the engine and to the oracle,
// which must agree on each access. Most accesses that would race are left out, so that
// traces stay race-free for long.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_CHECK_TRACE_H
#define KILN_TEST_SIM_CHECK_TRACE_H

#include "runtime/sim/check/race_engine.h"
#include "test/sim/check/oracle.h"

#include <memory>
#include <random>

namespace kiln::sim::check::test {

constexpr unsigned Blocks = 3, Threads = 40, Warps = 2, MaxWork = 6;
/// Sizes of the memory: a few bytes, so that all threads conflict, or enough for rows of
/// entire warps.
constexpr unsigned FewBytes = 24, RowBytes = 320;

struct Work {
  Agent agent;
  std::vector<unsigned> threads; ///< the oracle's, by lane; for async work all the same
};

class Trace {
public:
  Trace(unsigned seed, unsigned bytes)
      : Bytes(bytes), random(seed), engine(Threads), shadow(bytes), flags(bytes) {
    domain = engine.makeDomain();
    domain->shadows = {&shadow};
    for (unsigned b = 0; b < Blocks; ++b) {
      blocks[b].id = b + 5;
      blocks[b].cluster = b / 2;
      engine.startBlock(blocks[b]);
      for (unsigned t = 0; t < Threads; ++t)
        oracle.addThread(b + 5, b / 2);
    }
  }
  /// Applies one random event. False once engine and oracle differ, or found something.
  bool step();
  bool differs = false;
  unsigned accesses = 0, found = 0, rows = 0;

private:
  unsigned pick(unsigned bound) { return unsigned(random() % bound); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  unsigned thread(unsigned lane) const { return block * Threads + warp * Lanes + lane; }
  WarpClock &clock() { return blocks[block].warps[warp]; }
  template <class F> void forThreads(F f) {
    for (Mask left = lanes; left; left &= left - 1)
      f(thread(unsigned(__builtin_ctz(left))));
  }
  void choose();
  bool access();
  bool workAccess();
  bool apply(const Touch &touch, const std::vector<std::pair<unsigned, Range>> &ranges,
             unsigned bytes);
  void accessLanes(const Touch &touch,
                   const std::vector<std::pair<unsigned, Range>> &ranges, unsigned bytes,
                   std::vector<Problem> &problems);
  Verdict ask(const Touch &touch, const std::vector<std::pair<unsigned, Range>> &ranges,
              unsigned bytes, Oracle &who, bool keep);
  void barrier();
  void handOver();
  void flagless();
  void startWork();
  void finishWork();

  const unsigned Bytes;
  std::mt19937 random;
  RaceEngine engine;
  Oracle oracle;
  std::unique_ptr<Domain> domain;
  BlockClocks blocks[Blocks];
  Shadow shadow;
  std::vector<Work> works;
  unsigned block = 0, warp = 0;
  Mask lanes = 0;
  std::vector<char> flags;
  struct Mail {
    Knowledge knowledge;
    Everything everything;
  } mails[2];
};

} // namespace kiln::sim::check::test

#endif // KILN_TEST_SIM_CHECK_TRACE_H
