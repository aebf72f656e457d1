//===- fake_exec.cpp - A stand-in for the interpreter ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/launch/run.h"
#include "runtime/sim/memory/memory.h"
#include "runtime/sim/profile/profile.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <sstream>

using namespace kiln::sim;

namespace {

struct FakeKernel {
  KernelInfo info;
  std::string action;
  int code = 0;
};

struct FakeCode : Code {
  std::map<std::string, FakeKernel> entries;
  std::map<std::string, std::shared_ptr<Allocation>> globals;
  AddressSpace *memory = nullptr;

  ~FakeCode() override {
    for (auto &[name, range] : globals)
      memory->release(range->address);
  }
  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const auto &[name, kernel] : entries)
      names.push_back(name);
    return names;
  }
  const KernelInfo *kernel(std::string_view name) const override {
    auto entry = entries.find(std::string(name));
    return entry == entries.end() ? nullptr : &entry->second.info;
  }
  Global global(std::string_view name) const override {
    auto entry = globals.find(std::string(name));
    return entry == globals.end() ? Global()
                                  : Global{entry->second->address, entry->second->size};
  }
};

void addKernel(FakeCode &code, std::istringstream &words) {
  FakeKernel kernel;
  words >> kernel.info.name >> kernel.action;
  if (kernel.action == "fault")
    words >> kernel.code;
  kernel.info.registers = 32;
  kernel.info.staticShared = 1024;
  kernel.info.ptxVersion = 90;
  kernel.info.targetSm = 80;
  uint32_t offset = 0;
  for (uint32_t size; words >> size; offset += size) {
    offset = (offset + size - 1) / size * size;
    kernel.info.parameterOffsets.push_back(offset);
    kernel.info.parameterSizes.push_back(size);
  }
  kernel.info.parameterBytes = offset;
  if (kernel.action == "cluster")
    kernel.info.requiredCluster = {2, 1, 1};
  code.entries[kernel.info.name] = kernel;
}

template <class T> T parameter(const Launch &launch, size_t index) {
  T value;
  memcpy(&value, launch.parameters.data() + launch.kernel->parameterOffsets[index],
         sizeof value);
  return value;
}

uint32_t *words(const Launch &launch, uint64_t address, uint32_t count) {
  auto range = launch.memory->find(address);
  if (!range || range->freed || !range->contains(address, 4ull * count) ||
      !launch.memory->reachable(launch.device, *range))
    return nullptr;
  range->markWritten(address - range->address, 4ull * count);
  return reinterpret_cast<uint32_t *>(range->bytes + (address - range->address));
}

} // namespace

Outcome kiln::sim::loadCode(std::string_view ptx, int device, const DeviceProfile &,
                            AddressSpace &memory, std::shared_ptr<Code> &out) {
  auto code = std::make_shared<FakeCode>();
  code->memory = &memory;
  std::istringstream lines{std::string(ptx)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, name;
    uint64_t bytes;
    words >> kind;
    if (kind == "kernel") {
      addKernel(*code, words);
    } else if (kind == "global" && words >> name >> bytes) {
      code->globals[name] = memory.allocate(Allocation::Kind::Module, device, bytes);
    } else if (kind == "error" && words >> bytes) {
      std::getline(words >> std::ws, name);
      return {int(bytes), name};
    } else {
      return {218, "line 1: '" + kind + "' is no fake PTX"};
    }
  }
  out = code;
  return {};
}

Outcome kiln::sim::checkLaunch(const Launch &launch) {
  uint64_t threads = uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  if (threads > launch.kernel->maxThreads)
    return {1, "too many threads"};
  uint64_t blocks = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  uint64_t fits = uint64_t(residentBlocksPerSm(*launch.kernel, *launch.profile, threads,
                                               launch.dynamicShared)) *
                  launch.profile->multiprocessors;
  if (launch.cooperative && blocks > fits)
    return {720, "too many blocks for a cooperative launch"};
  return {};
}

Outcome kiln::sim::run(const Launch &launch) {
  const FakeKernel &kernel =
      static_cast<const FakeCode *>(launch.code)->entries.at(launch.kernel->name);
  if (kernel.action == "fault")
    return {kernel.code, "fake fault in kernel " + kernel.info.name};
  Outcome outcome;
  if (kernel.action == "cost") {
    outcome.cost.globalBytes = parameter<uint64_t>(launch, 0);
    return outcome;
  }
  if (kernel.action == "cluster" || kernel.action == "nothing")
    return outcome;
  uint32_t count = parameter<uint32_t>(launch, 2);
  uint32_t *to = words(launch, parameter<uint64_t>(launch, 0), count);
  if (!to)
    return {700, "fake kernel " + kernel.info.name + ": bad destination"};
  if (kernel.action == "set") {
    for (uint32_t i = 0; i < count; i++)
      to[i] = parameter<uint32_t>(launch, 1);
    return outcome;
  }
  // count: grid blocks plus the launch's flags, to check how a launch was passed on.
  if (kernel.action == "count") {
    to[0] = launch.grid[0] * launch.cluster[0] + 1000 * launch.cooperative +
            2000 * launch.programmatic;
    return outcome;
  }
  uint32_t *from = words(launch, parameter<uint64_t>(launch, 1), count);
  if (!from)
    return {700, "fake kernel " + kernel.info.name + ": bad source"};
  for (uint32_t i = 0; i < count; i++)
    to[i] += from[i];
  return outcome;
}

kiln::sim::EnvironmentMistake kiln::sim::environmentMistake() { return {}; }

uint32_t kiln::sim::residentBlocksPerSm(const KernelInfo &kernel,
                                        const DeviceProfile &profile, uint32_t threads,
                                        uint64_t dynamicShared) {
  uint64_t shared = kernel.staticShared + dynamicShared + profile.sharedReserved;
  return std::min<uint64_t>({uint64_t(profile.blocksPerSm),
                             profile.threadsPerSm / threads,
                             profile.sharedPerSm / shared});
}
