//===- CostModel.cpp - Memory and time of a mesh --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/CostModel.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace kiln::estimate;
using namespace llvm;

StringRef kiln::estimate::nameOf(Limit limit) {
  static constexpr StringLiteral names[] = {"computing", "memory bandwidth",
                                            "collectives", "the start of steps"};
  return names[static_cast<int>(limit)];
}

std::string MeshShape::str() const {
  const char *rows = dividesCaches ? "dcp=" : "cp=";
  if (weightRanks > 1)
    return (pp == 1 ? "" : "pp=" + std::to_string(pp) + ",") +
           "tp=" + std::to_string(weightRanks) + "," + rows +
           std::to_string(tp / weightRanks);
  const char *name = division == Division::Context    ? rows
                     : division == Division::Sequence ? "sp="
                                                      : "tp=";
  std::string stage = name + std::to_string(tp);
  return pp == 1 ? stage : "pp=" + std::to_string(pp) + (tp == 1 ? "" : "," + stage);
}

std::string MeshShape::withParts() const {
  if (parts == 1)
    return str();
  return pp == 1 ? str() + ", overlap " + std::to_string(parts)
                 : str() + ", " + std::to_string(parts) + " micro-batches";
}

Group kiln::estimate::tensorGroup(const MeshShape &mesh, int64_t stage) {
  Group group;
  for (int64_t i = 0; i < mesh.tp; ++i)
    group.ranks.push_back(stage * mesh.tp + i);
  return group;
}

std::vector<Group> kiln::estimate::groupsOf(const Step &step, const MeshShape &mesh,
                                            int64_t stage, const Topology &topology) {
  if (step.groupSize == 0 || step.groupSize == mesh.tp)
    return {tensorGroup(mesh, stage)};
  std::vector<Group> groups;
  int64_t stride = step.groupStride, block = step.groupSize * stride;
  for (int64_t place = 0; place < mesh.tp; ++place) {
    if (place / stride % step.groupSize != 0)
      continue;
    Group group;
    for (int64_t rank = place; rank < place / block * block + block; rank += stride)
      group.ranks.push_back(stage * mesh.tp + rank);
    // Adjacent ranks have separate links; strided groups have the links of a node in
    // common.
    group.others = std::min(stride, topology.devicesPerNode) - 1;
    groups.push_back(std::move(group));
  }
  return groups;
}

Group kiln::estimate::pipelineGroup(const MeshShape &mesh, int64_t place,
                                    const Topology &topology) {
  Group group;
  for (int64_t stage = 0; stage < mesh.pp; ++stage)
    group.ranks.push_back(stage * mesh.tp + place);
  group.others = std::min(mesh.tp, topology.devicesPerNode) - 1;
  return group;
}

Group kiln::estimate::pairGroup(const MeshShape &mesh, int64_t place, int64_t from,
                                int64_t to, const Topology &topology) {
  Group group = pipelineGroup(mesh, place, topology);
  group.ranks = {group.ranks[from], group.ranks[to]};
  return group;
}

static double computeSeconds(const Step &step, const Device &device) {
  return step.productFlops / device.productRate(step.arithmetic) +
         step.otherFlops / device.otherRate;
}

double kiln::estimate::secondsOf(const Step &step, const Device &device) {
  return std::max(computeSeconds(step, device), step.bytes / device.memoryRate);
}

namespace {
/// Computes the time of one program.
class ProgramCost {
public:
  ProgramCost(const Program &program, const StagedProgram &staged, const MeshShape &mesh,
              const Topology &topology)
      : program(program), staged(staged), mesh(mesh), topology(topology) {
    time.name = program.name;
    busy.assign(mesh.pp, 0);
    clock.assign(mesh.pp, 0);
  }
  ProgramTime run(int64_t runs);

private:
  void addStep(const Step &step, int64_t stage);
  void addHandover(const Handover &handover, int64_t stage);
  void addCollective(const Step &step, int64_t stage);
  const CollectiveTime &timeOf(const Step &step, int64_t stage);
  CollectiveTime permuteTime(const Step &step, int64_t stage) const;
  void addSeconds(double seconds, int64_t stage);
  double now() const { return clock.front(); }
  void waitFor(size_t step);
  void receive(const Step &step, int64_t stage);
  void findLimit();

  const Program &program;
  const StagedProgram &staged;
  const MeshShape &mesh;
  const Topology &topology;
  ProgramTime time;
  std::vector<double> busy;  ///< seconds of each stage alone
  double common = 0;         ///< seconds of steps that all ranks run
  std::vector<double> clock; ///< time at which each stage has finished its steps so far
  /// Values from other stages: the sending stage, and the time of arrival.
  std::map<unsigned, std::pair<int64_t, double>> received;
  /// Collectives that overlap with kernels (one stage only): the step that waits for
  /// each, and its end. Collectives do not overlap with each other.
  std::vector<std::pair<unsigned, double>> running;
  double collectivesEnd = 0;
  /// Key: kind, bytes, stage, size and stride of the groups.
  using Key = std::tuple<CollectiveKind, double, int64_t, int64_t, int64_t>;
  std::map<Key, CollectiveTime> known;
};
} // namespace

void ProgramCost::addSeconds(double seconds, int64_t stage) {
  (stage == kAllStages ? common : busy[stage]) += seconds;
  for (auto [number, time] : enumerate(clock))
    if (stage == kAllStages || stage == int64_t(number))
      time += seconds;
}

/// Delays a stage until the values of other stages that it reads have arrived.
void ProgramCost::receive(const Step &step, int64_t stage) {
  for (unsigned read : step.reads)
    if (auto it = received.find(read); it != received.end() && it->second.first != stage)
      clock[stage] = std::max(clock[stage], it->second.second);
}

/// Returns the time of a permute. A package does not say which stages it connects;
/// assumes the slowest pair of neighbors.
CollectiveTime ProgramCost::permuteTime(const Step &step, int64_t stage) const {
  auto between = [&](int64_t from, int64_t to) {
    Group group = pairGroup(mesh, 0, from, to, topology);
    return cheapest(CollectiveKind::Permute, step.bytes, group, topology);
  };
  if (step.groupSize)
    return between(stage, stage + step.groupStride);
  CollectiveTime slowest;
  for (int64_t from = 0; from + 1 < mesh.pp; ++from)
    if (CollectiveTime one = between(from, from + 1); one.seconds > slowest.seconds)
      slowest = one;
  return slowest;
}

const CollectiveTime &ProgramCost::timeOf(const Step &step, int64_t stage) {
  CollectiveKind kind = step.collective;
  auto [it, isNew] =
      known.try_emplace({kind, step.bytes, stage, step.groupSize, step.groupStride});
  if (!isNew)
    return it->second;
  if (kind == CollectiveKind::Broadcast)
    return it->second = cheapest(kind, step.bytes, pipelineGroup(mesh, 0, topology),
                                 topology, stage);
  if (kind == CollectiveKind::Permute)
    return it->second = permuteTime(step, stage);
  // The time of all groups is that of the slowest one.
  for (const Group &group : groupsOf(step, mesh, std::max<int64_t>(stage, 0), topology)) {
    CollectiveTime one = cheapest(kind, step.bytes, group, topology);
    if (one.seconds > it->second.seconds)
      it->second = one;
  }
  return it->second;
}

void ProgramCost::addCollective(const Step &step, int64_t stage) {
  CollectiveKind kind = step.collective;
  double bytes = step.bytes;
  CollectiveTime one = timeOf(step, stage);
  double seconds = one.seconds + topology.device.stepSeconds;
  if (step.join) {
    collectivesEnd = std::max(now(), collectivesEnd) + seconds;
    running.emplace_back(step.join, collectivesEnd);
  } else {
    waitFor(program.steps.size()); // collectives of one communicator are serialized
    addSeconds(seconds, stage);
  }
  time.collectives += seconds;
  auto it = find_if(time.counts, [&](const CollectiveCount &count) {
    return count.kind == kind && count.algorithm == one.algorithm && count.bytes == bytes;
  });
  if (it == time.counts.end()) {
    time.counts.push_back(CollectiveCount{kind, one.algorithm, bytes});
    it = std::prev(time.counts.end());
  }
  ++it->count;
  it->seconds += seconds;
}

/// Waits for the collectives that must end before `step`.
void ProgramCost::waitFor(size_t step) {
  erase_if(running, [&](const auto &collective) {
    auto [join, end] = collective;
    if (join > step)
      return false;
    addSeconds(std::max(end - now(), 0.0), 0);
    return true;
  });
}

void ProgramCost::addStep(const Step &step, int64_t stage) {
  if (step.kind == Step::Kind::Collective) {
    if (mesh.ranks() > 1)
      addCollective(step, stage);
    return;
  }
  double work = secondsOf(step, topology.device), start = topology.device.stepSeconds;
  addSeconds(work + start, stage);
  time.kernels += work + start;
  time.steps += start;
  time.compute += computeSeconds(step, topology.device);
  time.memory += step.bytes / topology.device.memoryRate;
}

void ProgramCost::addHandover(const Handover &handover, int64_t stage) {
  Step step;
  step.kind = Step::Kind::Collective;
  step.collective = handover.kind();
  step.bytes = program.values[handover.value].bytes;
  if (handover.to != kAllStages) {
    step.groupSize = 2;
    step.groupStride = handover.to - stage;
  }
  addCollective(step, stage);
  received[handover.value] = {stage, clock[stage]};
}

/// Sets the limit to the roofline term with the largest sum over the program.
void ProgramCost::findLimit() {
  std::pair<double, Limit> sides[] = {{time.compute, Limit::Compute},
                                      {time.memory, Limit::Memory},
                                      {time.collectives, Limit::Collectives},
                                      {time.steps, Limit::Steps}};
  time.limit = llvm::max_element(sides)->second;
}

ProgramTime ProgramCost::run(int64_t runs) {
  const Handover *next = staged.handovers.data(), *end = next + staged.handovers.size();
  for (auto [i, step] : enumerate(program.steps)) {
    waitFor(i);
    if (staged.stages[i] != kAllStages)
      receive(step, staged.stages[i]);
    addStep(step, staged.stages[i]);
    for (; next != end && next->step == i; ++next)
      addHandover(*next, staged.stages[i]);
  }
  waitFor(program.steps.size());
  double all = 0, slowest = 0;
  for (double stage : busy) {
    all += stage;
    slowest = std::max(slowest, stage);
  }
  time.first = *llvm::max_element(clock);
  time.seconds = time.first + double(runs - 1) * (common + slowest);
  time.tokens = program.tokens * double(runs);
  double working = double(runs) * (common + all / double(mesh.pp));
  time.waiting = time.seconds > 0 ? 1 - working / time.seconds : 0;
  findLimit();
  return time;
}

static Memory memoryOf(const Workload &workload, const StagedWorkload &staged) {
  Memory memory;
  for (int64_t stage = 0; stage < staged.stages; ++stage) {
    double bytes = staged.weightBytes[stage] + staged.stateBytes[stage];
    if (bytes < memory.weights + memory.state)
      continue;
    memory.weights = staged.weightBytes[stage];
    memory.replicated = staged.replicatedBytes[stage];
    memory.state = staged.stateBytes[stage];
  }
  // Only one program runs at a time.
  for (const Program &program : workload.programs) {
    memory.activations = std::max(memory.activations, program.activationBytes);
    memory.workspace = std::max(memory.workspace, program.workspaceBytes);
    memory.inputsAndOutputs =
        std::max(memory.inputsAndOutputs, program.inputBytes + program.outputBytes);
  }
  return memory;
}

Prediction kiln::estimate::predict(const Workload &workload, const StagedWorkload &staged,
                                   const MeshShape &mesh, const Topology &topology,
                                   int64_t runs) {
  Prediction prediction{mesh, memoryOf(workload, staged), {}};
  // Each run in flight has its own caches.
  prediction.memory.state *= double(runs);
  for (auto [program, stages] : zip(workload.programs, staged.programs))
    prediction.programs.push_back(ProgramCost(program, stages, mesh, topology).run(runs));
  return prediction;
}
