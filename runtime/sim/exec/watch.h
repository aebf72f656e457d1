//===- watch.h - Detectors and counters of a launch together -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_WATCH_H
#define KILN_SIM_EXEC_WATCH_H

#include "runtime/sim/exec/observer.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace kiln::sim::exec {

/// Forwards to several observers. It numbers agents itself, as each observer has its own
/// numbers.
class Observers final : public Observer {
public:
  void add(Observer *observer) { all.push_back(observer); }
  bool empty() const { return all.empty(); }

  bool access(const WarpAccess &a) override {
    return each([&](Observer &o) { return o.access(a); });
  }
  bool access(const RangeAccess &a) override;
  bool accessEach(const RangeAccess &a, const uint32_t *offsets, size_t count) override;
  bool accessWindow(const WindowAccess &a) override {
    return each([&](Observer &o) { return o.accessWindow(a); });
  }
  void request(const WarpAccess &a) override {
    for (Observer *o : all)
      o->request(a);
  }
  bool wantsRequests() const override {
    return std::any_of(all.begin(), all.end(),
                       [](const Observer *o) { return o->wantsRequests(); });
  }
  bool release(const Origin &origin, const SyncKey &key, Scope scope) override {
    return each([&](Observer &o) { return o.release(origin, key, scope); });
  }
  bool acquire(const Origin &origin, const SyncKey &key, Scope scope) override {
    return each([&](Observer &o) { return o.acquire(origin, key, scope); });
  }
  bool fence(const Origin &origin, Scope scope, bool proxy) override {
    return each([&](Observer &o) { return o.fence(origin, scope, proxy); });
  }
  uint64_t startAgent(const Origin &origin, Proxy proxy) override;
  bool continueAgent(const Origin &origin, uint64_t agent) override;
  void finishAgent(uint64_t agent, const SyncKey &key) override;
  bool acquireAgent(const Origin &origin, uint64_t agent) override;
  void startBlock(Block &block) override {
    for (Observer *o : all)
      o->startBlock(block);
  }
  void finishBlock(Block &block) override {
    for (Observer *o : all)
      o->finishBlock(block);
  }
  void finishLaunch(Outcome &outcome) override {
    for (Observer *o : all)
      o->finishLaunch(outcome);
  }

private:
  template <class F> bool each(F f) {
    bool fine = true;
    for (Observer *o : all)
      fine = f(*o) && fine;
    return fine;
  }
  std::vector<Observer *> all;
  std::vector<std::vector<uint64_t>> agents; ///< by this object's number, minus 1: each
                                             ///< observer's number
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_WATCH_H
