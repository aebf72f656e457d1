//===- AssignStages.cpp - Division of programs into pipeline stages -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipeline parallelism: the weights, in the order of their first use, are divided into
// one range per stage, and a step runs on the last stage among those of the weights that
// it depends on. Steps that depend on no large weight (masks, positions, lengths of
// sequences) run on all ranks, which is cheaper than sending their results. A value that
// other stages read is handed over after the step that computes it, to the one stage that
// reads it, or else to all. All ranks execute these collectives in the same order.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/StageWeights.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace kiln;
using namespace mlir;
using plan::ArenaKind;

namespace {
/// A weight that is too large to be replicated, by its offset.
struct LargeWeight {
  int64_t offset, bytes;
  std::string name;
};

/// Assigns a stage to every step, given the stages of weights.
class StageAssigner {
public:
  explicit StageAssigner(MutableArrayRef<Program> programs) : programs(programs) {}

  /// `stageOfWeight` maps offsets to stages; weights not in it are on all ranks.
  void run(const DenseMap<int64_t, int64_t> &stageOfWeight);
  /// Returns the number of values that other stages read or that are model outputs.
  int64_t countHandovers() const;
  /// Returns true if the stage has steps in the first program.
  bool hasSteps(int64_t stage) const {
    return llvm::any_of(programs.front().steps,
                        [&](const Step &step) { return step.stage == stage; });
  }
  void insertHandovers();

private:
  bool assign(Program &program);
  int64_t stageOfRead(const Program &program, unsigned buffer) const;
  std::optional<int64_t> takersOf(const Program &program, const Step &step,
                                  unsigned buffer) const;
  void insertHandovers(Program &program);

  MutableArrayRef<Program> programs;
  const DenseMap<int64_t, int64_t> *stageOfWeight = nullptr;
  llvm::StringMap<int64_t> stageOfState;                ///< key: name
  DenseMap<const Program *, std::vector<int64_t>> made; ///< stages of values
};
} // namespace

/// Returns the stage on which a value that a step reads is available.
int64_t StageAssigner::stageOfRead(const Program &program, unsigned buffer) const {
  const Buffer &read = program.buffers[buffer];
  switch (read.arena) {
  case ArenaKind::weights: {
    auto it = stageOfWeight->find(read.weightOffset);
    return it == stageOfWeight->end() ? kAllStages : it->second;
  }
  case ArenaKind::state:
    return stageOfState.lookup(program.buffers[program.storageOf(buffer)].source);
  default:
    return made.find(&program)->second[buffer];
  }
}

/// Propagates stages through a program once; true if any has increased.
bool StageAssigner::assign(Program &program) {
  bool changed = false;
  auto raise = [&](int64_t &stage, int64_t minimum) {
    changed |= stage < minimum;
    stage = std::max(stage, minimum);
  };
  std::vector<int64_t> &values = made[&program];
  for (Step &step : program.steps) {
    for (unsigned read : step.reads)
      raise(step.stage, stageOfRead(program, read));
    // The ranks of a tensor-parallel collective are those of one stage.
    if (step.op && graph::collectiveRanks(step.op))
      raise(step.stage, 0);
    SmallVector<StringRef> states;
    for (unsigned write : step.writes)
      if (program.buffers[write].arena == ArenaKind::state)
        states.push_back(program.buffers[program.storageOf(write)].source);
    for (StringRef state : states)
      raise(step.stage, stageOfState[state]);
    if (step.stage == kAllStages)
      continue;
    // A state is on the stage that writes it, and so are its readers.
    for (unsigned read : step.reads) {
      const Buffer &storage = program.buffers[program.storageOf(read)];
      if (storage.arena == ArenaKind::state && stageOfState[storage.source] != kAllStages)
        states.push_back(storage.source);
    }
    for (StringRef state : states)
      raise(stageOfState[state], step.stage);
    for (unsigned write : step.writes)
      raise(values[write], step.stage);
  }
  return changed;
}

void StageAssigner::run(const DenseMap<int64_t, int64_t> &given) {
  stageOfWeight = &given;
  stageOfState.clear();
  made.clear();
  for (Program &program : programs) {
    made[&program].assign(program.buffers.size(), kAllStages);
    for (Step &step : program.steps)
      step.stage = kAllStages;
    for (const Buffer &buffer : program.buffers)
      if (isState(buffer))
        stageOfState[buffer.source] = kAllStages;
  }
  // Terminates, because stages only increase.
  for (bool changed = true; changed;) {
    changed = false;
    for (Program &program : programs)
      changed |= assign(program);
  }
}

/// Returns the other stage that reads a buffer written by `step`; kAllStages if several
/// do or it is an output; nullopt if none does.
std::optional<int64_t> StageAssigner::takersOf(const Program &program, const Step &step,
                                               unsigned buffer) const {
  ArenaKind arena = program.buffers[buffer].arena;
  if (step.stage == kAllStages || arena == ArenaKind::state)
    return std::nullopt;
  if (arena == ArenaKind::output)
    return kAllStages;
  std::optional<int64_t> takers;
  for (const Step &other : program.steps) {
    if (other.stage == step.stage || !llvm::is_contained(other.reads, buffer))
      continue;
    if (takers && takers != other.stage)
      return kAllStages;
    takers = other.stage;
  }
  return takers;
}

int64_t StageAssigner::countHandovers() const {
  int64_t count = 0;
  for (const Program &program : programs)
    for (const Step &step : program.steps)
      for (unsigned write : step.writes)
        count += takersOf(program, step, write).has_value();
  return count;
}

void StageAssigner::insertHandovers(Program &program) {
  std::vector<Step> steps;
  for (const Step &step : program.steps) {
    steps.push_back(step);
    for (unsigned write : step.writes) {
      std::optional<int64_t> takers = takersOf(program, step, write);
      if (!takers)
        continue;
      Step handover;
      handover.kind = Step::Handover;
      handover.stage = step.stage;
      handover.takers = *takers;
      handover.reads = {write};
      steps.push_back(std::move(handover));
    }
  }
  program.steps = std::move(steps);
  for (Buffer &buffer : program.buffers)
    if (isState(buffer))
      buffer.stage = stageOfState[buffer.source];
}

void StageAssigner::insertHandovers() {
  for (Program &program : programs)
    insertHandovers(program);
}

//===----------------------------------------------------------------------===//
// Ranges of weights
//===----------------------------------------------------------------------===//

/// Returns the weights that are too large to be replicated on all ranks, in the order of
/// their first use. The first program usually reads nearly all of them.
static std::vector<LargeWeight> findLargeWeights(ArrayRef<Program> programs,
                                                 int64_t stages) {
  llvm::MapVector<int64_t, std::pair<int64_t, std::string>> weights;
  SmallVector<int64_t> sizes;
  for (const Program &program : programs)
    for (const Step &step : program.steps)
      for (unsigned read : step.reads) {
        const Buffer &buffer = program.buffers[read];
        if (buffer.arena != ArenaKind::weights)
          continue;
        int64_t bytes = *buffer.size.getConstant();
        if (weights.insert({buffer.weightOffset, {bytes, buffer.source}}).second)
          sizes.push_back(bytes);
      }
  std::vector<LargeWeight> large;
  int64_t limit = maxReplicatedWeight(sizes, stages);
  for (const auto &[offset, weight] : weights)
    if (weight.first > limit)
      large.push_back({offset, weight.first, weight.second});
  return large;
}

namespace {
/// Selects the cuts between stages, one after the other.
class CutFinder {
public:
  CutFinder(StageAssigner &stages, ArrayRef<LargeWeight> weights, int64_t count)
      : stages(stages), weights(weights), count(count) {
    for (const LargeWeight &weight : weights)
      total += weight.bytes;
  }

  /// Returns the stage of each weight. There must be at least as many weights as stages.
  DenseMap<int64_t, int64_t> run();

private:
  size_t choose(int64_t number, size_t begin);

  StageAssigner &stages;
  ArrayRef<LargeWeight> weights;
  int64_t count, total = 0;
};
} // namespace

/// Returns the first weight of stage `number`: among the cuts near an equal split, the
/// first one with the fewest handovers, typically between two layers; if no cut is near,
/// the nearest one.
size_t CutFinder::choose(int64_t number, size_t begin) {
  int64_t wanted = total * number / count, slack = total / (3 * count), before = 0;
  size_t last = weights.size() - (count - number); // every later stage needs a weight
  using Cost = std::tuple<bool, int64_t, int64_t, size_t>;
  std::optional<Cost> best;
  for (size_t cut = 0; cut <= last; before += weights[cut++].bytes) {
    if (cut <= begin)
      continue;
    // Splits into the earlier stages, this one, and the rest. A step may read weights on
    // both sides of a cut, which can leave a stage without steps.
    DenseMap<int64_t, int64_t> three;
    for (auto [i, weight] : llvm::enumerate(weights))
      three[weight.offset] = i < begin ? 0 : i < cut ? 1 : 2;
    stages.run(three);
    if (!stages.hasSteps(1) || !stages.hasSteps(2))
      continue;
    int64_t distance = std::abs(before - wanted), handovers = stages.countHandovers();
    bool isFar = distance > slack;
    Cost cost(isFar, isFar ? distance : handovers, isFar ? handovers : distance, cut);
    if (!best || cost < *best)
      best = cost;
  }
  return best ? std::get<size_t>(*best) : begin + 1;
}

DenseMap<int64_t, int64_t> CutFinder::run() {
  DenseMap<int64_t, int64_t> result;
  size_t begin = 0;
  for (int64_t stage = 0; stage < count; ++stage) {
    size_t end = stage + 1 < count ? choose(stage + 1, begin) : weights.size();
    for (; begin < end; ++begin)
      result[weights[begin].offset] = stage;
  }
  return result;
}

/// Returns the annotated stages. A weight without annotation is on the stage of the
/// weight before it, and the first weights are on that of the first annotated one.
static FailureOr<DenseMap<int64_t, int64_t>>
followAnnotations(func::FuncOp function, ArrayRef<LargeWeight> weights,
                  const llvm::DenseMap<StringAttr, int64_t> &annotated) {
  auto saidOf = [&](const LargeWeight &weight) -> std::optional<int64_t> {
    auto it = annotated.find(StringAttr::get(function.getContext(), weight.name));
    return it == annotated.end() ? std::nullopt : std::optional(it->second);
  };
  auto first = llvm::find_if(weights, [&](const LargeWeight &w) { return saidOf(w); });
  DenseMap<int64_t, int64_t> stages;
  int64_t stage = first == weights.end() ? 0 : *saidOf(*first);
  std::string before;
  for (const LargeWeight &weight : weights) {
    int64_t own = saidOf(weight).value_or(stage);
    if (own < stage) {
      Diagnosis diagnosis;
      diagnosis.code = ErrorCode::ShardImpossible;
      diagnosis.where = "weight '" + weight.name + "'";
      diagnosis.what = "its stage is an earlier one than that of a weight that is read "
                       "before it";
      diagnosis.expected = "stages in the order in which weights are read";
      diagnosis.found = "stage " + std::to_string(own) + " behind stage " +
                        std::to_string(stage) + " of '" + before + "'";
      diagnosis.fix = "annotate stages of layers that follow each other";
      return emitError(function.getLoc(), diagnosis), failure();
    }
    stages[weight.offset] = stage = own;
    before = weight.name;
  }
  return stages;
}

static LogicalResult refuse(ArrayRef<Program> programs, int64_t stages,
                            const Twine &found) {
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::ShardImpossible;
  diagnosis.what =
      ("the model cannot be a pipeline of " + Twine(stages) + " stages").str();
  diagnosis.expected = "a product with weights for each stage";
  diagnosis.found = found.str();
  diagnosis.fix = "choose fewer stages, or compile without --shard pp";
  func::FuncOp function = programs.front().function;
  return emitError(function.getLoc(), diagnosis);
}

LogicalResult kiln::assignStages(MutableArrayRef<Program> programs, int64_t stages) {
  std::vector<LargeWeight> weights = findLargeWeights(programs, stages);
  if (int64_t(weights.size()) < stages)
    return refuse(programs, stages, Twine(weights.size()) + " large weights");
  StageAssigner assigner(programs);
  func::FuncOp function = programs.front().function;
  auto annotated = graph::stagesOfWeights(function->getParentOfType<ModuleOp>());
  if (annotated.empty()) {
    assigner.run(CutFinder(assigner, weights, stages).run());
  } else {
    FailureOr<DenseMap<int64_t, int64_t>> given =
        followAnnotations(function, weights, annotated);
    if (failed(given))
      return failure();
    int64_t last = 0;
    for (auto [weight, stage] : *given)
      last = std::max(last, stage);
    if (last >= stages)
      return refuse(programs, stages, "a weight on stage " + Twine(last));
    assigner.run(*given);
  }
  for (int64_t stage = 0; stage < stages; ++stage)
    if (!assigner.hasSteps(stage))
      return refuse(programs, stages, "no step of stage " + Twine(stage));
  assigner.insertHandovers();
  return success();
}
