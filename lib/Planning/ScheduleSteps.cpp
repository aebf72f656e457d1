//===- ScheduleSteps.cpp - Overlap of kernels and collectives -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// List scheduling (Graham, 1966) onto two streams, one for kernels and one for
// collectives. Among the steps whose dependences have been scheduled, the next one is the
// first in program order whose collectives have ended by then. The times are estimates
// from the sizes and rates below; wrong estimates cost time but not correctness, because
// each collective also has a step that waits for it (its join).
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Rates of a data-center GPU in operations and bytes per second, and seconds to start a
/// step. Only their ratios matter. The link rate is halved, so that the schedule leaves
/// slack.
static constexpr double kOperations = 6e14, kMemory = 3e12, kLink = 1.5e11, kStart = 2e-6;

namespace {
class Scheduler {
public:
  Scheduler(Program &program, const SymbolRanges &ranges)
      : program(program), ranges(ranges) {}
  void run();

private:
  double amountOf(const SymbolicExpr &value) const {
    return double(ranges.maxOf(value).value_or(0));
  }
  static bool isCollective(const Step &step) {
    return step.op && collectiveRanks(step.op);
  }
  double secondsOf(const Step &step) const;
  void findDependences();
  unsigned next() const;
  void issue(unsigned step);

  Program &program;
  const SymbolRanges &ranges;
  std::vector<SmallVector<unsigned>> users; ///< steps that depend on this one
  std::vector<unsigned> missing;            ///< number of unscheduled steps that it
                                            ///< depends on
  std::vector<double> readyAt;              ///< end of the collectives that it depends on
  std::set<unsigned> candidates;
  double kernels = 0, collectives = 0; ///< times at which the streams are free
};
} // namespace

double Scheduler::secondsOf(const Step &step) const {
  if (isCollective(step)) {
    double bytes = std::max(amountOf(program.buffers[step.reads[0]].size),
                            amountOf(program.buffers[step.writes[0]].size));
    return kStart + bytes / kLink;
  }
  if (auto kernel = dyn_cast_or_null<KernelOp>(step.op))
    return kStart + std::max(amountOf(kernel.getFlops()) / kOperations,
                             amountOf(kernel.getBytes()) / kMemory);
  return kStart + 2 * amountOf(program.buffers[step.reads[0]].size) / kMemory;
}

std::vector<llvm::SetVector<unsigned>> kiln::dependencesOf(const Program &program) {
  std::vector<llvm::SetVector<unsigned>> result(program.steps.size());
  DenseMap<unsigned, unsigned> writer;               // key: storage
  DenseMap<unsigned, SmallVector<unsigned>> readers; // readers since the last write
  for (auto [i, step] : llvm::enumerate(program.steps)) {
    for (unsigned read : step.reads) {
      unsigned storage = program.storageOf(read);
      if (auto it = writer.find(storage); it != writer.end())
        result[i].insert(it->second);
      readers[storage].push_back(i);
    }
    // A handover writes the buffer that it reads on the ranks that receive it.
    for (unsigned write : step.isHandover() ? step.reads : step.writes) {
      unsigned storage = program.storageOf(write);
      if (auto it = writer.find(storage); it != writer.end())
        result[i].insert(it->second);
      result[i].insert_range(readers[storage]);
      readers[storage].clear();
      writer[storage] = i;
    }
    result[i].remove(i);
  }
  return result;
}

/// Finds the dependences. Collectives keep their order, which must be the same on all
/// ranks.
void Scheduler::findDependences() {
  users.resize(program.steps.size());
  missing.assign(program.steps.size(), 0);
  readyAt.assign(program.steps.size(), 0);
  for (auto [i, needed] : llvm::enumerate(dependencesOf(program))) {
    missing[i] = unsigned(needed.size());
    for (unsigned on : needed)
      users[on].push_back(unsigned(i));
  }
}

/// Returns the first candidate that need not wait, else the one with the shortest wait.
unsigned Scheduler::next() const {
  unsigned best = *candidates.begin();
  for (unsigned step : candidates) {
    if (readyAt[step] <= kernels)
      return step;
    if (readyAt[step] < readyAt[best])
      best = step;
  }
  return best;
}

void Scheduler::issue(unsigned step) {
  const Step &one = program.steps[step];
  double end;
  kernels = std::max(kernels, readyAt[step]);
  if (isCollective(one))
    end = collectives = std::max(kernels, collectives) + secondsOf(one);
  else
    end = kernels += secondsOf(one);
  for (unsigned user : users[step]) {
    readyAt[user] = std::max(readyAt[user], end);
    if (--missing[user] == 0)
      candidates.insert(user);
  }
}

void Scheduler::run() {
  findDependences();
  for (unsigned i = 0; i < program.steps.size(); ++i)
    if (missing[i] == 0)
      candidates.insert(i);
  std::vector<Step> ordered;
  while (!candidates.empty()) {
    unsigned step = next();
    candidates.erase(step);
    issue(step);
    ordered.push_back(program.steps[step]);
  }
  program.steps = std::move(ordered);
}

/// Returns the first step after a collective that conflicts with it and must wait for it.
static int64_t joinOf(const Program &program, size_t collective) {
  const Step &step = program.steps[collective];
  unsigned from = program.storageOf(step.reads[0]),
           to = program.storageOf(step.writes[0]);
  for (size_t i = collective + 1; i < program.steps.size(); ++i) {
    const Step &other = program.steps[i];
    auto is = [&](unsigned storage) {
      return [&program, storage](unsigned b) { return program.storageOf(b) == storage; };
    };
    if (llvm::any_of(other.reads, is(to)) || llvm::any_of(other.writes, is(to)) ||
        llvm::any_of(other.writes, is(from)))
      return int64_t(i);
  }
  return int64_t(program.steps.size());
}

void kiln::scheduleSteps(Program &program, const SymbolRanges &ranges) {
  Scheduler(program, ranges).run();
  for (auto [i, step] : llvm::enumerate(program.steps)) {
    if (!step.op || !collectiveRanks(step.op))
      continue;
    // A collective that overlaps with no step stays on the kernels' stream.
    int64_t join = joinOf(program, i);
    if (join > int64_t(i) + 1)
      step.join = join;
  }
}
