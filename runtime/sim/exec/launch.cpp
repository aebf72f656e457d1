//===- launch.cpp - Checking and running launches --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/launch.h"

#include "runtime/sim/exec/code.h"
#include "runtime/sim/exec/counters.h"
#include "runtime/sim/exec/report.h"
#include "runtime/sim/exec/team.h"
#include "runtime/sim/exec/watch.h"
#include "runtime/sim/exec/worker.h"
#include "runtime/sim/profile/profile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace kiln::sim {

namespace {
using namespace exec;

constexpr int InvalidValue = 1, OutOfResources = 701, CooperativeTooLarge = 720,
              InvalidClusterSize = 912;
constexpr uint32_t RegisterUnit = 256; ///< allocation granularity of registers per warp
constexpr uint32_t MaxGrid[3] = {0x7fffffff, 65535, 65535};
constexpr uint32_t MaxBlock[3] = {1024, 1024, 64};

uint64_t product(const std::array<uint32_t, 3> &v) {
  return uint64_t(v[0]) * v[1] * v[2];
}

Outcome refused(int cuda, const Launch &launch, const std::string &why) {
  Outcome outcome;
  outcome.cuda = cuda;
  outcome.message = "kernel " + launch.kernel->name + ": " + why;
  return outcome;
}

std::string text(uint64_t value) { return std::to_string(value); }

Outcome checkDimensions(const Launch &launch) {
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.grid[i] == 0 || launch.grid[i] > MaxGrid[i])
      return refused(InvalidValue, launch,
                     "grid dimension " + text(i) + " is " + text(launch.grid[i]) +
                         "; 1 to " + text(MaxGrid[i]) + " are possible");
    if (launch.block[i] == 0 || launch.block[i] > MaxBlock[i])
      return refused(InvalidValue, launch,
                     "block dimension " + text(i) + " is " + text(launch.block[i]) +
                         "; 1 to " + text(MaxBlock[i]) + " are possible");
  }
  const KernelInfo &kernel = *launch.kernel;
  uint64_t threads = product(launch.block);
  if (kernel.requiredThreads[0])
    for (unsigned i = 0; i < 3; ++i)
      if (launch.block[i] != std::max(kernel.requiredThreads[i], 1u))
        return refused(InvalidValue, launch, "the block differs from .reqntid");
  if (threads > kernel.maxThreads)
    return refused(InvalidValue, launch,
                   text(threads) + " threads per block are more than the " +
                       text(kernel.maxThreads) + " that the kernel allows");
  if (launch.parameters.size() != kernel.parameterBytes)
    return refused(InvalidValue, launch,
                   text(launch.parameters.size()) + " bytes of parameters were given, " +
                       text(kernel.parameterBytes) + " are needed");
  return {};
}

Outcome checkCluster(const Launch &launch) {
  uint64_t size = product(launch.cluster);
  const DeviceProfile &profile = *launch.profile;
  if (size == 1)
    return {};
  if (size == 0 || size > std::max(profile.maxClusterNonPortable, 1u))
    return refused(InvalidClusterSize, launch,
                   "a cluster of " + text(size) + " blocks; the device has at most " +
                       text(profile.maxClusterNonPortable));
  for (unsigned i = 0; i < 3; ++i)
    if (launch.grid[i] % launch.cluster[i])
      return refused(InvalidClusterSize, launch,
                     "the grid is no multiple of the cluster in dimension " + text(i));
  return {};
}

Outcome checkResources(const Launch &launch) {
  const DeviceProfile &profile = *launch.profile;
  const KernelInfo &kernel = *launch.kernel;
  uint64_t shared = uint64_t(kernel.staticShared) + launch.dynamicShared;
  if (shared > profile.sharedPerBlockOptin)
    return refused(InvalidValue, launch,
                   text(shared) + " bytes of shared memory; a block has at most " +
                       text(profile.sharedPerBlockOptin));
  uint32_t threads = uint32_t(product(launch.block));
  uint32_t fit = residentBlocksPerSm(kernel, profile, threads, launch.dynamicShared);
  if (fit == 0)
    return refused(OutOfResources, launch,
                   "not one block fits on a multiprocessor: " + text(threads) +
                       " threads of about " + text(kernel.registers) + " registers, " +
                       text(shared) + " bytes of shared memory");
  uint64_t room = uint64_t(fit) * profile.multiprocessors;
  if (launch.cooperative && product(launch.grid) > room)
    return refused(CooperativeTooLarge, launch,
                   "a cooperative launch of " + text(product(launch.grid)) +
                       " blocks needs them all resident; " + text(room) + " fit");
  return {};
}

std::string environment(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

void readEnvironment(Grid &grid, Team &team) {
  std::string timeout = environment("KILN_SIM_TIMEOUT");
  if (!timeout.empty())
    team.timeout = atof(timeout.c_str());
}

void readSchedule(Grid &grid) {
  std::string error, schedule = environment("KILN_SIM_SCHEDULE");
  if (!schedule.empty() && !Schedule::parse(schedule, grid.schedule, error))
    fprintf(stderr, "kiln-sim: KILN_SIM_SCHEDULE: %s; eager,forward is used\n",
            error.c_str());
}

/// Bytes of the workspace in which cooperative groups count arrivals.
constexpr uint64_t WorkspaceBytes = 256;

bool makeWorkspace(Grid &grid) {
  if (!grid.launch->cooperative)
    return true;
  std::shared_ptr<Allocation> a = grid.memory->allocate(
      Allocation::Kind::Module, grid.launch->device, WorkspaceBytes);
  if (!a)
    return false;
  a->name = "grid workspace";
  memset(a->bytes, 0, a->size);
  a->markWritten(0, a->size);
  grid.workspace = a->address;
  return true;
}

/// Number of host threads: one per ClustersPerWorker clusters, but a single one for
/// detectors that compare blocks and for schedules that must be reproducible.
unsigned workerCount(const Grid &grid) {
  constexpr uint64_t ClustersPerWorker = 4;
  Schedule plain;
  if (grid.observer || grid.schedule.text() != plain.text())
    return 1;
  std::string wanted = environment("KILN_SIM_THREADS");
  uint64_t maxWorkers = wanted.empty() ? std::thread::hardware_concurrency()
                                       : uint64_t(atoi(wanted.c_str()));
  return unsigned(std::max<uint64_t>(
      1,
      std::min(maxWorkers, (grid.clusters + ClustersPerWorker - 1) / ClustersPerWorker)));
}

void runWorker(Grid &grid, Team &team, unsigned index) {
  Worker worker(grid, team, index);
  worker.run();
}

std::atomic<uint64_t> launches = 0;
} // namespace

uint32_t residentBlocksPerSm(const KernelInfo &kernel, const DeviceProfile &profile,
                             uint32_t threads, uint64_t dynamicShared) {
  uint32_t warps = (threads + WarpSize - 1) / WarpSize;
  if (!warps)
    return 0;
  uint32_t fit = std::min(profile.blocksPerSm, profile.threadsPerSm / (warps * WarpSize));
  uint32_t perWarp = (std::max(kernel.registers, 1u) * WarpSize + RegisterUnit - 1) /
                     RegisterUnit * RegisterUnit;
  if (uint64_t(perWarp) * warps > profile.registersPerBlock)
    return 0;
  fit = std::min(fit, profile.registersPerSm / (perWarp * warps));
  uint64_t shared = kernel.staticShared + dynamicShared + profile.sharedReserved;
  if (kernel.staticShared + dynamicShared > profile.sharedPerBlockOptin)
    return 0;
  return uint32_t(
      std::min<uint64_t>(fit, profile.sharedPerSm / std::max<uint64_t>(shared, 1)));
}

Outcome checkLaunch(const Launch &launch) {
  for (auto check : {checkDimensions, checkCluster, checkResources}) {
    Outcome outcome = check(launch);
    if (!outcome.ok())
      return outcome;
  }
  return {};
}

Outcome exec::run(const Launch &launch, DetectorFactory makeDetector) {
  Outcome outcome = checkLaunch(launch);
  if (!outcome.ok())
    return outcome;
  auto &code = *static_cast<const ModuleCode *>(launch.code);
  Grid grid;
  grid.launch = &launch;
  grid.kernel = code.find(launch.kernel);
  grid.memory = launch.memory;
  grid.grid = launch.grid;
  grid.block = launch.block;
  grid.cluster = launch.cluster;
  grid.blocks = product(launch.grid);
  grid.clusters = grid.blocks / product(launch.cluster);
  grid.threads = uint32_t(product(launch.block));
  grid.serial = launches.fetch_add(1) + 1;
  grid.checks = code.options.checks;
  grid.hasPeers = grid.memory->hasPeers(launch.device);
  readSchedule(grid);
  if (!makeWorkspace(grid))
    return refused(2, launch, "no memory for the workspace of a cooperative launch");
  std::unique_ptr<AccessCounters> counters;
  if (code.options.counting())
    counters = std::make_unique<AccessCounters>();
  Observers observers;
  if (counters)
    observers.add(counters.get());
  std::unique_ptr<Observer> detector;
  if (grid.checks.ordering()) {
    detector = makeDetector(grid);
    observers.add(detector.get());
  }
  if (!observers.empty())
    grid.observer = counters ? &observers : detector.get();
  unsigned workers = workerCount(grid);
  grid.concurrent = workers > 1 || grid.hasPeers;
  uint64_t resident = uint64_t(residentBlocksPerSm(*launch.kernel, *launch.profile,
                                                   grid.threads, launch.dynamicShared)) *
                      launch.profile->multiprocessors / product(launch.cluster);
  Team team(grid, workers, std::max<uint64_t>(resident, workers));
  readEnvironment(grid, team);
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < workers; ++i)
    helpers.emplace_back(runWorker, std::ref(grid), std::ref(team), i);
  runWorker(grid, team, 0);
  for (std::thread &helper : helpers)
    helper.join();
  if (grid.workspace)
    grid.memory->release(grid.workspace);
  if (grid.observer)
    grid.observer->finishLaunch(grid.outcome);
  finishCounters(grid, code, counters.get());
  return grid.outcome;
}

} // namespace kiln::sim
