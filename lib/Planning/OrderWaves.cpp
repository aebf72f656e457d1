//===- OrderWaves.cpp - Overlap of pipeline stages ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks execute all collectives in the same order, so the steps between two
// collectives run concurrently on different stages. A wave is the work of all stages up
// to their next collectives: one part of the run in one stage, the previous part in the
// next. Steps of a stage keep their order; each is in the first wave that this order and
// its operands allow.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;
using namespace mlir;

/// Moves each handover before the first step of another stage that reads it, or to the
/// end. A handover ends the wave of the sending stage, so this keeps more of its steps in
/// one wave.
static void delayHandovers(Program &program) {
  std::vector<std::vector<Step>> before(program.steps.size() + 1);
  for (auto [i, step] : llvm::enumerate(program.steps)) {
    if (!step.isHandover())
      continue;
    size_t reader = i + 1;
    for (; reader < program.steps.size(); ++reader) {
      const Step &other = program.steps[reader];
      if (other.stage != step.stage && llvm::is_contained(other.reads, step.reads[0]))
        break;
    }
    before[reader].push_back(step);
  }
  std::vector<Step> steps;
  for (size_t i = 0; i <= program.steps.size(); ++i) {
    llvm::append_range(steps, before[i]);
    if (i < program.steps.size() && !program.steps[i].isHandover())
      steps.push_back(program.steps[i]);
  }
  program.steps = std::move(steps);
}

static bool isCollective(const Step &step) {
  return step.isHandover() || (step.op && graph::collectiveRanks(step.op));
}

/// Returns the wave of each step.
static std::vector<int64_t> findWaves(const Program &program) {
  struct Stage {
    int64_t wave = 0;
    bool isOver = false; ///< the collectives of its current wave have begun
  };
  DenseMap<int64_t, Stage> stages;
  std::vector<int64_t> waves(program.steps.size(), 0);
  std::vector<llvm::SetVector<unsigned>> needed = dependencesOf(program);
  for (auto [i, step] : llvm::enumerate(program.steps)) {
    int64_t wave = 0;
    for (unsigned on : needed[i])
      wave = std::max(wave, waves[on] + int64_t(isCollective(program.steps[on])));
    if (step.stage != kAllStages) {
      Stage &own = stages[step.stage];
      wave = std::max(wave, own.wave + int64_t(own.isOver && !isCollective(step)));
      own = {wave, isCollective(step)};
    }
    waves[i] = wave;
  }
  return waves;
}

void kiln::orderWaves(Program &program) {
  delayHandovers(program);
  std::vector<int64_t> waves = findWaves(program);
  auto order = llvm::to_vector(llvm::seq<size_t>(0, program.steps.size()));
  auto keyOf = [&](size_t i) {
    return std::make_pair(waves[i], isCollective(program.steps[i]));
  };
  llvm::stable_sort(order, [&](size_t a, size_t b) { return keyOf(a) < keyOf(b); });
  std::vector<Step> steps;
  for (size_t i : order)
    steps.push_back(program.steps[i]);
  program.steps = std::move(steps);
}
