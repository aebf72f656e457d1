//===- kernel_work.cpp - Kernel launches ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/model.h"
#include "runtime/sim/driver/perform.h"
#include "runtime/sim/driver/runtime.h"
#include "runtime/sim/launch/run.h"
#include <cstring>

using namespace kiln::sim;
using namespace kiln::sim::driver;

bool KernelWork::flag(CUlaunchAttributeID id) const {
  auto entry = attributes.find(id);
  if (entry == attributes.end())
    return false;
  return id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE
             ? entry->second.cooperative
             : entry->second.programmaticStreamSerializationAllowed;
}

std::array<uint32_t, 3> KernelWork::cluster() const {
  auto entry = attributes.find(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  if (entry != attributes.end() && entry->second.clusterDim.x) {
    const auto &dim = entry->second.clusterDim;
    return {dim.x, dim.y, dim.z};
  }
  for (const std::array<uint32_t, 3> &dims :
       {function->info->requiredCluster, function->cluster})
    if (dims[0])
      return {dims[0], std::max(dims[1], 1u), std::max(dims[2], 1u)};
  return {1, 1, 1};
}

static Launch launchOf(const KernelWork &work) {
  Launch launch;
  launch.code = work.function->code.get();
  launch.kernel = work.function->info;
  launch.device = work.function->device->ordinal;
  launch.profile = &work.function->device->profile;
  launch.memory = &runtime().memory;
  launch.grid = work.grid;
  launch.block = work.block;
  launch.cluster = work.cluster();
  launch.dynamicShared = work.dynamicShared;
  launch.parameters = work.parameters;
  launch.cooperative = work.flag(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  launch.programmatic = work.flag(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  return launch;
}

/// Checks the cluster shape against the function's attributes.
static void checkCluster(const KernelWork &work) {
  const Function &function = *work.function;
  const DeviceProfile &profile = function.device->profile;
  const char *kernel = function.info->name.c_str();
  std::array<uint32_t, 3> cluster = work.cluster(),
                          required = function.info->requiredCluster;
  uint64_t blocks = uint64_t(cluster[0]) * cluster[1] * cluster[2];
  if (blocks == 1 && !required[0])
    return;
  if (!profile.maxCluster)
    fail(CUDA_ERROR_INVALID_CLUSTER_SIZE, "kernel %s: %s has no clusters", kernel,
         profile.name.c_str());
  if (required[0] &&
      cluster != std::array<uint32_t, 3>{required[0], std::max(required[1], 1u),
                                         std::max(required[2], 1u)})
    fail(CUDA_ERROR_INVALID_CLUSTER_SIZE,
         "kernel %s is compiled for clusters of %u x %u x %u, not %u x %u x %u", kernel,
         required[0], required[1], required[2], cluster[0], cluster[1], cluster[2]);
  uint32_t maxBlocks =
      function.nonPortableCluster ? profile.maxClusterNonPortable : profile.maxCluster;
  if (blocks > maxBlocks)
    fail(CUDA_ERROR_INVALID_CLUSTER_SIZE,
         "kernel %s: a cluster of %llu blocks, but %s takes %u%s", kernel,
         (unsigned long long)blocks, profile.name.c_str(), maxBlocks,
         function.nonPortableCluster
             ? ""
             : " (more only with CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)");
  for (int i = 0; i < 3; i++)
    if (!cluster[i] || work.grid[i] % cluster[i])
      fail(CUDA_ERROR_INVALID_CLUSTER_SIZE,
           "kernel %s: the grid's dimension %d, %u, is no multiple of the cluster's, %u",
           kernel, i, work.grid[i], cluster[i]);
}

void driver::checkKernel(const KernelWork &work) {
  const Function &function = *work.function;
  if (!function.alive())
    fail(CUDA_ERROR_INVALID_HANDLE, "kernel %s: its module is unloaded",
         function.info->name.c_str());
  for (int i = 0; i < 3; i++)
    if (!work.grid[i] || !work.block[i])
      fail(CUDA_ERROR_INVALID_VALUE, "kernel %s: a dimension of grid or block is 0",
           function.info->name.c_str());
  if (work.dynamicShared > function.maxDynamicShared)
    fail(CUDA_ERROR_INVALID_VALUE,
         "kernel %s: %u bytes of dynamic shared memory, but %u are allowed; raise "
         "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES first",
         function.info->name.c_str(), work.dynamicShared, function.maxDynamicShared);
  checkCluster(work);
  Outcome outcome = checkLaunch(launchOf(work));
  if (!outcome.ok())
    fail(CUresult(outcome.cuda), "%s", outcome.message.c_str());
}

Result driver::performKernel(const KernelWork &work, const OverBlocks &known) {
  Launch launch = launchOf(work);
  launch.known = known;
  launch.owner = work.function->code;
  Outcome outcome = run(launch);
  return {CUresult(outcome.cuda), outcome.message,
          kernelSeconds(*launch.profile, outcome.cost), outcome.over};
}

static std::vector<uint8_t> fromBuffer(const KernelInfo &kernel, void **extra) {
  // The driver's CU_LAUNCH_PARAM_END, _BUFFER_POINTER, _BUFFER_SIZE.
  constexpr uint64_t End = 0, Pointer = 1, Size = 2;
  const uint8_t *bytes = nullptr;
  const size_t *size = nullptr;
  for (; reinterpret_cast<uint64_t>(*extra) != End; extra += 2)
    switch (reinterpret_cast<uint64_t>(*extra)) {
    case Pointer:
      bytes = static_cast<const uint8_t *>(extra[1]);
      break;
    case Size:
      size = static_cast<const size_t *>(extra[1]);
      break;
    default:
      fail(CUDA_ERROR_INVALID_VALUE, "kernel %s: unknown key %p in `extra`",
           kernel.name.c_str(), *extra);
    }
  require(size && (bytes || !*size), "`extra` needs a buffer's pointer and its size");
  if (*size != kernel.parameterBytes)
    fail(CUDA_ERROR_INVALID_VALUE, "kernel %s takes %u bytes of parameters, not %zu",
         kernel.name.c_str(), kernel.parameterBytes, *size);
  return std::vector<uint8_t>(bytes, bytes + *size);
}

std::vector<uint8_t> driver::packParameters(const KernelInfo &kernel, void **parameters,
                                            void **extra) {
  if (extra) {
    require(!parameters, "a launch takes kernelParams or extra, not both");
    return fromBuffer(kernel, extra);
  }
  std::vector<uint8_t> bytes(kernel.parameterBytes);
  size_t count = kernel.parameterSizes.size();
  if (count && !parameters)
    fail(CUDA_ERROR_INVALID_VALUE,
         "kernel %s takes %zu parameters, but kernelParams is null", kernel.name.c_str(),
         count);
  for (size_t i = 0; i < count; i++) {
    if (!parameters[i])
      fail(CUDA_ERROR_INVALID_VALUE, "kernel %s: the pointer to parameter %zu is null",
           kernel.name.c_str(), i);
    memcpy(bytes.data() + kernel.parameterOffsets[i], parameters[i],
           kernel.parameterSizes[i]);
  }
  return bytes;
}
