//===- DependenciesTest.cpp -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares random plans with the definition: two steps are ordered exactly if they may
// access the same bytes and one of them writes.
//
//===----------------------------------------------------------------------===//
#include "runtime/package/dependencies.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace kiln::rt;

namespace {
enum : uint32_t { weights, input, output, activations };

Plan arenasOnly() {
  Plan plan;
  for (kiln_arena_kind kind :
       {KILN_ARENA_WEIGHTS, KILN_ARENA_INPUT, KILN_ARENA_OUTPUT, KILN_ARENA_ACTIVATIONS})
    plan.arenas.push_back({kind, 0, ""});
  return plan;
}

uint32_t addBuffer(Plan &plan, uint32_t arena, std::vector<uint32_t> above = {},
                   int32_t aliasOf = -1) {
  auto index = static_cast<uint32_t>(plan.buffers.size());
  uint32_t storage = aliasOf < 0 ? index : plan.buffers[aliasOf].storage;
  plan.buffers.push_back({"b" + std::to_string(index), arena, 0, 0, std::move(above), 0,
                          0, aliasOf, storage});
  return index;
}

void addStep(Plan &plan, std::vector<uint32_t> reads, std::vector<uint32_t> writes) {
  Step step = {};
  step.reads = std::move(reads);
  step.writes = std::move(writes);
  plan.steps.push_back(step);
}

using Edges = std::vector<std::vector<uint32_t>>;

TEST(StepDependencies, BranchesAreIndependent) {
  Plan plan = arenasOnly();
  uint32_t x = addBuffer(plan, input), a = addBuffer(plan, activations);
  uint32_t b = addBuffer(plan, activations, {a}), y = addBuffer(plan, output);
  addStep(plan, {x}, {a});
  addStep(plan, {x}, {b});
  addStep(plan, {a, b}, {y});
  EXPECT_EQ(stepDependencies(plan), (Edges{{}, {}, {0, 1}}));
}

TEST(StepDependencies, SharedPlacesAreOrdered) {
  Plan plan = arenasOnly();
  uint32_t x = addBuffer(plan, input), a = addBuffer(plan, activations);
  uint32_t b = addBuffer(plan, activations), y = addBuffer(plan, output);
  addStep(plan, {x}, {a});
  addStep(plan, {a}, {y});
  addStep(plan, {x}, {b}); // reuses the memory of `a`
  EXPECT_EQ(stepDependencies(plan), (Edges{{}, {0}, {1}}));
}

TEST(StepDependencies, ViewsAndWeights) {
  Plan plan = arenasOnly();
  uint32_t w = addBuffer(plan, weights), a = addBuffer(plan, activations);
  uint32_t view = addBuffer(plan, activations, {}, static_cast<int32_t>(a));
  uint32_t y = addBuffer(plan, output), z = addBuffer(plan, output);
  addStep(plan, {w}, {a});
  addStep(plan, {w, view}, {y});
  addStep(plan, {w}, {z});
  EXPECT_EQ(stepDependencies(plan), (Edges{{}, {0}, {}}));
}

TEST(StepDependencies, WorkspacesAreWritten) {
  Plan plan = arenasOnly();
  uint32_t x = addBuffer(plan, input), a = addBuffer(plan, activations);
  uint32_t mine = addBuffer(plan, activations, {a});
  uint32_t shared = addBuffer(plan, activations, {a}); // reuses the memory of `mine`
  uint32_t apart = addBuffer(plan, activations, {a, mine, shared});
  for (uint32_t workspace : {mine, shared, apart}) {
    addStep(plan, {x}, {addBuffer(plan, output)});
    plan.steps.back().workspace = static_cast<int32_t>(workspace);
  }
  EXPECT_EQ(stepDependencies(plan), (Edges{{}, {0}, {}}));
}

/// Whether y is reachable from x along `above`.
bool liesAbove(const Plan &plan, uint32_t x, uint32_t y) {
  for (uint32_t under : plan.buffers[x].above)
    if (under == y || liesAbove(plan, under, y))
      return true;
  return false;
}

bool sameBytes(const Plan &plan, uint32_t x, uint32_t y) {
  if (x == y)
    return true;
  return plan.buffers[x].arena == activations && plan.buffers[y].arena == activations &&
         !liesAbove(plan, x, y) && !liesAbove(plan, y, x);
}

bool conflict(const Plan &plan, const Step &a, const Step &b) {
  auto touch = [&](const std::vector<uint32_t> &xs, const std::vector<uint32_t> &ys) {
    for (uint32_t x : xs)
      for (uint32_t y : ys)
        if (sameBytes(plan, x, y))
          return true;
    return false;
  };
  return touch(a.writes, b.reads) || touch(a.writes, b.writes) ||
         touch(a.reads, b.writes);
}

/// Collects the steps that `step` depends on, directly or indirectly.
void collect(const Edges &edges, uint32_t step, std::set<uint32_t> &found) {
  for (uint32_t earlier : edges[step])
    if (found.insert(earlier).second)
      collect(edges, earlier, found);
}

TEST(StepDependencies, RandomPlansFollowTheDefinition) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    Plan plan = arenasOnly();
    for (uint32_t i = 0; i < 3; ++i)
      addBuffer(plan, i);
    for (uint32_t i = 0; i < 8; ++i) {
      std::vector<uint32_t> above;
      if (i && below(3))
        above.push_back(3 + below(i));
      addBuffer(plan, activations, above);
    }
    auto count = static_cast<uint32_t>(plan.buffers.size());
    for (uint32_t i = 0; i < 12; ++i)
      addStep(plan, {below(count), below(count)}, {2 + below(count - 2)});
    Edges edges = stepDependencies(plan);
    ASSERT_EQ(edges.size(), plan.steps.size());
    for (uint32_t later = 0; later < edges.size(); ++later) {
      std::set<uint32_t> reached;
      collect(edges, later, reached);
      for (uint32_t earlier = 0; earlier < later; ++earlier) {
        bool conflicts = conflict(plan, plan.steps[earlier], plan.steps[later]);
        if (conflicts)
          EXPECT_TRUE(reached.count(earlier)) << "seed " << seed;
        bool direct = std::count(edges[later].begin(), edges[later].end(), earlier);
        EXPECT_TRUE(!direct || conflicts) << "seed " << seed;
      }
      for (uint32_t direct : edges[later])
        for (uint32_t other : edges[later]) {
          std::set<uint32_t> through;
          collect(edges, other, through);
          EXPECT_FALSE(through.count(direct)) << "redundant, seed " << seed;
        }
    }
  }
}
} // namespace
