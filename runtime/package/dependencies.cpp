//===- dependencies.cpp - Which steps wait for which ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/package/dependencies.h"
#include <algorithm>

using namespace kiln::rt;

namespace {
/// A square bit matrix.
class Relation {
public:
  explicit Relation(size_t n) : words((n + 63) / 64), bits(n * words) {}
  void set(size_t row, size_t column) {
    bits[row * words + column / 64] |= uint64_t(1) << (column % 64);
  }
  bool test(size_t row, size_t column) const {
    return bits[row * words + column / 64] >> (column % 64) & 1;
  }
  /// Adds the relations of row `from` to `row`.
  void join(size_t row, size_t from) {
    for (size_t w = 0; w < words; ++w)
      bits[row * words + w] |= bits[from * words + w];
  }

private:
  size_t words;
  std::vector<uint64_t> bits;
};

class Analysis {
public:
  explicit Analysis(const Plan &plan)
      : plan(plan), beneath(plan.buffers.size()), before(plan.steps.size()) {
    findBeneath();
    for (const Step &step : plan.steps)
      writes.push_back(writesOf(step));
  }

  std::vector<std::vector<uint32_t>> run() {
    std::vector<std::vector<uint32_t>> result;
    for (uint32_t step = 0; step < plan.steps.size(); ++step)
      result.push_back(predecessors(step));
    return result;
  }

private:
  uint32_t storage(uint32_t buffer) const { return plan.buffers[buffer].storage; }

  /// Computes the transitive closure of the plan's "above": the storages at lower offsets
  /// of each storage's arena. A view stands for its storage.
  void findBeneath() {
    for (uint32_t b = 0; b < plan.buffers.size(); ++b)
      for (uint32_t under : plan.buffers[b].above) {
        beneath.set(storage(b), storage(under));
        beneath.join(storage(b), storage(under));
      }
  }

  bool mayOverlap(uint32_t x, uint32_t y) const {
    x = storage(x);
    y = storage(y);
    if (x == y)
      return true;
    kiln_arena_kind kind = plan.kindOf(x);
    // The caller's tensors do not overlap, and weights are never written.
    if (plan.buffers[x].arena != plan.buffers[y].arena || kind == KILN_ARENA_INPUT ||
        kind == KILN_ARENA_OUTPUT || kind == KILN_ARENA_WEIGHTS)
      return false;
    return !beneath.test(x, y) && !beneath.test(y, x);
  }

  /// Returns the buffers that a step writes, and its workspace, as other steps use the
  /// same memory. Arrival counters are left out: no other step uses them.
  static std::vector<uint32_t> writesOf(const Step &step) {
    std::vector<uint32_t> writes = step.writes;
    if (step.workspace >= 0)
      writes.push_back(static_cast<uint32_t>(step.workspace));
    return writes;
  }

  bool anyOverlap(const std::vector<uint32_t> &xs,
                  const std::vector<uint32_t> &ys) const {
    for (uint32_t x : xs)
      for (uint32_t y : ys)
        if (mayOverlap(x, y))
          return true;
    return false;
  }

  bool conflict(uint32_t a, uint32_t b) const {
    const Step &x = plan.steps[a], &y = plan.steps[b];
    return anyOverlap(writes[a], y.reads) || anyOverlap(writes[a], writes[b]) ||
           anyOverlap(x.reads, writes[b]);
  }

  /// Goes backwards from the latest step and skips steps that a found predecessor already
  /// waits for (transitive reduction).
  std::vector<uint32_t> predecessors(uint32_t step) {
    std::vector<uint32_t> found;
    for (uint32_t earlier = step; earlier-- > 0;) {
      if (before.test(step, earlier) || !conflict(earlier, step))
        continue;
      found.push_back(earlier);
      before.set(step, earlier);
      before.join(step, earlier);
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  const Plan &plan;
  Relation beneath;                          ///< between storages
  Relation before;                           ///< between steps
  std::vector<std::vector<uint32_t>> writes; ///< by step
};
} // namespace

std::vector<std::vector<uint32_t>> kiln::rt::stepDependencies(const Plan &plan) {
  return Analysis(plan).run();
}
