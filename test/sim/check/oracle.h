//===- oracle.h - A slow and simple race detector ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One full vector clock per thread, one pseudo-thread per asynchronous operation, and for
// each byte every access ever made. Nothing is compressed or dropped.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_CHECK_ORACLE_H
#define KILN_TEST_SIM_CHECK_ORACLE_H

#include <cstdint>
#include <map>
#include <vector>

namespace kiln::sim::check::test {

/// A vector clock: by thread (or pseudo-thread), the number of its accesses that happened
/// before.
class Times {
public:
  unsigned &operator[](unsigned thread) {
    if (thread >= known.size())
      known.resize(thread + 1);
    return known[thread];
  }
  unsigned of(unsigned thread) const { return thread < known.size() ? known[thread] : 0; }
  void join(const Times &other);

private:
  std::vector<unsigned> known;
};
inline constexpr unsigned Scopes = 3; ///< 0 block, 1 cluster, 2 all

/// Clocks of the generic and of the asynchronous proxy.
struct Both {
  Times generic, async;
  void join(const Both &other);
};

struct Everything {
  Both current;
  Both fenced[Scopes];
  Both pending[Scopes];
  void join(const Everything &other);
};

struct OracleAccess {
  unsigned thread = 0, time = 0, block = 0, cluster = 0;
  bool write = false, strong = false, async = false;
  unsigned scope = 2;
};

struct Verdict {
  bool race = false, proxy = false;
  bool operator==(const Verdict &) const = default;
};

class Oracle {
public:
  struct Thread {
    unsigned block = 0, cluster = 0;
    unsigned time = 0;
    Everything knows;
  };
  unsigned addThread(unsigned block, unsigned cluster);
  /// Adds a pseudo-thread that starts with the threads' current clocks.
  unsigned addWork(const std::vector<unsigned> &starters);

  /// Returns whether the access is an error; records it if `keep`.
  Verdict access(unsigned thread, unsigned byte, OracleAccess access, bool keep);
  /// Returns all clocks that the thread releases.
  Everything told(unsigned thread) const;
  void learn(unsigned thread, const Everything &what) {
    threads[thread].knows.join(what);
  }
  void fence(unsigned thread, unsigned scope);
  void fenceProxy(unsigned thread);
  /// Returns what a thread acquires from completed work: the work's accesses, and its
  /// clock of the async proxy (for cp.async of the generic one).
  Everything finished(unsigned work, bool async) const;
  /// Strong reads and writes of a flag, a location that orders threads.
  void readFlag(unsigned thread, unsigned flag, unsigned scope, bool acquire);
  void writeFlag(unsigned thread, unsigned flag, unsigned scope, bool release, bool rmw);
  void forgetFlag(unsigned flag) { flags.erase(flag); }
  const Thread &thread(unsigned index) const { return threads[index]; }

private:
  struct Release {
    unsigned block = 0, cluster = 0, scope = 0;
    Both what;
  };
  static bool includes(unsigned scope, unsigned blockA, unsigned clusterA,
                       unsigned blockB, unsigned clusterB);
  std::vector<Thread> threads;
  std::map<unsigned, std::vector<OracleAccess>> bytes;
  std::map<unsigned, std::vector<Release>> flags;
};

} // namespace kiln::sim::check::test

#endif // KILN_TEST_SIM_CHECK_ORACLE_H
