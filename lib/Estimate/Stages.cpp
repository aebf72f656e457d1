//===- Stages.cpp - Division of a workload into stages --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/Stages.h"
#include "kiln/Support/StageWeights.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace kiln::estimate;
using namespace llvm;

namespace {
/// A weight that is too large to be replicated on all ranks.
struct LargeWeight {
  int64_t key;
  double bytes;
};

/// Numbers the large weights in the order of their first use. The position of a step is
/// the maximum number of the large weights that it depends on; it determines the step's
/// stage for any choice of cuts.
class PositionFinder {
public:
  PositionFinder(const Workload &workload, int64_t stages);

  std::vector<LargeWeight> weights;
  /// Per program, position of each step and value; -1: depends on no large weight.
  std::vector<std::vector<int64_t>> steps, values;

private:
  void findWeights(int64_t stages);
  bool propagate(size_t program);
  int64_t positionOf(size_t program, unsigned value) const;

  const Workload &workload;
  DenseMap<int64_t, int64_t> weightPositions; ///< key -> position
  DenseMap<int64_t, int64_t> statePositions;  ///< key -> position
};
} // namespace

void PositionFinder::findWeights(int64_t stages) {
  DenseMap<int64_t, bool> seen;
  std::vector<LargeWeight> all;
  SmallVector<int64_t> sizes;
  for (const Program &program : workload.programs)
    for (const Step &step : program.steps)
      for (unsigned read : step.reads) {
        const Value &value = program.values[read];
        if (value.kind != Value::Kind::Weight ||
            !seen.try_emplace(value.key, true).second)
          continue;
        all.push_back({value.key, value.bytes});
        sizes.push_back(static_cast<int64_t>(value.bytes));
      }
  auto limit = static_cast<double>(kiln::maxReplicatedWeight(sizes, stages));
  for (const LargeWeight &weight : all)
    if (weight.bytes > limit) {
      weightPositions[weight.key] = static_cast<int64_t>(weights.size());
      weights.push_back(weight);
    }
}

int64_t PositionFinder::positionOf(size_t program, unsigned number) const {
  const Value &value = workload.programs[program].values[number];
  auto find = [&](const DenseMap<int64_t, int64_t> &positions) {
    auto it = positions.find(value.key);
    return it == positions.end() ? int64_t(-1) : it->second;
  };
  switch (value.kind) {
  case Value::Kind::Weight:
    return find(weightPositions);
  case Value::Kind::State:
    return find(statePositions);
  default:
    return values[program][number];
  }
}

/// Propagates positions through a program once; true if any has increased.
bool PositionFinder::propagate(size_t number) {
  const Program &program = workload.programs[number];
  bool changed = false;
  auto raise = [&](int64_t &position, int64_t minimum) {
    changed |= position < minimum;
    position = std::max(position, minimum);
  };
  auto state = [&](int64_t key) -> int64_t & {
    return statePositions.try_emplace(key, -1).first->second;
  };
  for (auto [i, step] : enumerate(program.steps)) {
    int64_t &own = steps[number][i];
    for (unsigned read : step.reads)
      raise(own, positionOf(number, read));
    // The ranks of a tensor-parallel collective are those of one stage.
    if (step.kind == Step::Kind::Collective)
      raise(own, 0);
    for (unsigned write : step.writes)
      if (program.values[write].kind == Value::Kind::State)
        raise(own, positionOf(number, write));
    if (own < 0)
      continue;
    for (unsigned write : step.writes) {
      if (program.values[write].kind == Value::Kind::State)
        raise(state(program.values[write].key), own);
      else
        raise(values[number][write], own);
    }
    // A state is on the stage that writes it, and so are its readers.
    for (unsigned read : step.reads)
      if (program.values[read].kind == Value::Kind::State &&
          state(program.values[read].key) >= 0)
        raise(state(program.values[read].key), own);
  }
  return changed;
}

PositionFinder::PositionFinder(const Workload &workload, int64_t stages)
    : workload(workload) {
  findWeights(stages);
  for (const Program &program : workload.programs) {
    steps.emplace_back(program.steps.size(), -1);
    values.emplace_back(program.values.size(), -1);
  }
  // Terminates, because positions only increase.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < workload.programs.size(); ++i)
      changed |= propagate(i);
  }
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

/// Returns, per cut, the number of values that are computed before it and read after it.
static std::vector<int64_t> countCrossings(const Workload &workload,
                                           const PositionFinder &positions) {
  std::vector<int64_t> changes(positions.weights.size() + 1, 0);
  for (auto [number, program] : enumerate(workload.programs)) {
    std::vector<int64_t> last(program.values.size(), -1);
    for (auto [i, step] : enumerate(program.steps))
      for (unsigned read : step.reads)
        last[read] = std::max(last[read], positions.steps[number][i]);
    for (auto [i, value] : enumerate(program.values)) {
      int64_t made = positions.values[number][i];
      if (made < 0 || last[i] <= made)
        continue;
      ++changes[made + 1];
      if (last[i] + 1 < int64_t(changes.size()))
        --changes[last[i] + 1];
    }
  }
  for (size_t i = 1; i < changes.size(); ++i)
    changes[i] += changes[i - 1];
  return changes;
}

/// Returns, per position, whether it has steps. A stage without steps is invalid.
static std::vector<char> findUsed(const PositionFinder &positions) {
  std::vector<char> used(positions.weights.size(), 0);
  for (int64_t position : positions.steps.front())
    if (position >= 0)
      used[position] = 1;
  return used;
}

/// Selects the first weight of each pipeline stage but the first: among the cuts near an
/// equal split of the weights' bytes, the one that the smallest number of values cross.
/// Returns nullopt if no cut leaves steps on both sides.
static std::optional<std::vector<int64_t>>
chooseCuts(const Workload &workload, const PositionFinder &positions, int64_t stages) {
  std::vector<int64_t> crossings = countCrossings(workload, positions), cuts;
  std::vector<char> used = findUsed(positions);
  int64_t count = static_cast<int64_t>(positions.weights.size()), begin = 0;
  double total = 0;
  for (const LargeWeight &weight : positions.weights)
    total += weight.bytes;
  auto hasSteps = [&](int64_t from, int64_t to) {
    return std::any_of(used.begin() + from, used.begin() + to,
                       [](char one) { return one != 0; });
  };
  for (int64_t number = 1; number < stages; ++number) {
    double wanted = total * double(number) / double(stages), before = 0;
    using Cost = std::tuple<bool, double, double, int64_t>;
    std::optional<Cost> best;
    for (int64_t cut = 0; cut <= count - (stages - number);
         before += positions.weights[cut++].bytes) {
      if (cut <= begin || !hasSteps(begin, cut) || !hasSteps(cut, count))
        continue;
      double distance = std::abs(before - wanted), crossed = double(crossings[cut]);
      bool isFar = distance > total / double(3 * stages);
      Cost cost(isFar, isFar ? distance : crossed, isFar ? crossed : distance, cut);
      if (!best || cost < *best)
        best = cost;
    }
    if (!best)
      return std::nullopt;
    cuts.push_back(begin = std::get<int64_t>(*best));
  }
  return cuts;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {
/// Builds a StagedWorkload for given cuts.
class StageWriter {
public:
  StageWriter(const Workload &workload, const PositionFinder &positions,
              std::vector<int64_t> cuts)
      : workload(workload), positions(positions), cuts(std::move(cuts)) {}
  StagedWorkload run();

private:
  int64_t stageOf(int64_t position) const {
    return position < 0
               ? kAllStages
               : std::upper_bound(cuts.begin(), cuts.end(), position) - cuts.begin();
  }
  void addHandovers(const Program &program, StagedProgram &staged) const;
  void addBytes(const Program &program, const StagedProgram &staged);

  const Workload &workload;
  const PositionFinder &positions;
  std::vector<int64_t> cuts;
  StagedWorkload out;
  DenseMap<std::pair<int64_t, int64_t>, bool> counted; ///< (weight, stage)
  DenseMap<std::pair<int64_t, int64_t>, bool> states;  ///< (state, stage)
};
} // namespace

/// Adds a handover for each value that other stages read or that is a model output.
void StageWriter::addHandovers(const Program &program, StagedProgram &staged) const {
  std::vector<std::vector<unsigned>> readers(program.values.size());
  for (auto [i, step] : enumerate(program.steps))
    for (unsigned read : step.reads)
      readers[read].push_back(static_cast<unsigned>(i));
  for (auto [i, step] : enumerate(program.steps))
    for (unsigned write : step.writes) {
      const Value &value = program.values[write];
      int64_t own = staged.stages[i];
      if (own == kAllStages || value.kind == Value::Kind::State)
        continue;
      std::set<int64_t> takers;
      for (unsigned reader : readers[write])
        if (staged.stages[reader] != own)
          takers.insert(staged.stages[reader]);
      bool isOutput = value.kind == Value::Kind::Output;
      bool isOne = takers.size() == 1 && !isOutput;
      if (isOutput || !takers.empty())
        staged.handovers.push_back(
            {static_cast<unsigned>(i), write, isOne ? *takers.begin() : kAllStages});
    }
}

void StageWriter::addBytes(const Program &program, const StagedProgram &staged) {
  auto add = [&](const Value &value, int64_t stage) {
    if (value.kind == Value::Kind::Weight &&
        counted.try_emplace({value.key, stage}, true).second) {
      out.weightBytes[stage] += value.bytes;
      out.replicatedBytes[stage] += value.isDivided ? 0 : value.bytes;
    }
    if (value.kind == Value::Kind::State &&
        states.try_emplace({value.key, stage}, true).second)
      out.stateBytes[stage] += value.bytes;
  };
  for (auto [i, step] : enumerate(program.steps))
    for (ArrayRef<unsigned> buffers : {ArrayRef(step.reads), ArrayRef(step.writes)})
      for (unsigned buffer : buffers)
        for (int64_t stage = 0; stage < out.stages; ++stage)
          if (staged.stages[i] == kAllStages || staged.stages[i] == stage)
            add(program.values[buffer], stage);
}

StagedWorkload StageWriter::run() {
  out.stages = static_cast<int64_t>(cuts.size()) + 1;
  out.weightBytes.assign(out.stages, 0);
  out.replicatedBytes = out.stateBytes = out.weightBytes;
  for (auto [number, program] : enumerate(workload.programs)) {
    StagedProgram staged;
    for (int64_t position : positions.steps[number])
      staged.stages.push_back(out.stages > 1 ? stageOf(position) : 0);
    if (out.stages > 1)
      addHandovers(program, staged);
    addBytes(program, staged);
    out.programs.push_back(std::move(staged));
  }
  return std::move(out);
}

std::optional<StagedWorkload>
kiln::estimate::assignStages(const Workload &workload, int64_t stages, std::string &why) {
  PositionFinder positions(workload, stages);
  if (stages == 1)
    return StageWriter(workload, positions, {}).run();
  int64_t weights = static_cast<int64_t>(positions.weights.size());
  if (weights < stages) {
    why = ("the model has " + Twine(weights) + " large weights for " + Twine(stages) +
           " stages")
              .str();
    return std::nullopt;
  }
  std::optional<std::vector<int64_t>> cuts = chooseCuts(workload, positions, stages);
  if (!cuts) {
    why = ("no cut leaves a step for each of " + Twine(stages) + " stages").str();
    return std::nullopt;
  }
  return StageWriter(workload, positions, std::move(*cuts)).run();
}
