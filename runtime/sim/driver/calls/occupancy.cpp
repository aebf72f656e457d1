//===- occupancy.cpp - Occupancy ------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/runtime.h"
#include "runtime/sim/driver/work.h"
#include <algorithm>

using namespace kiln::sim;
using namespace kiln::sim::driver;

constexpr int WarpSize = 32;

static int blocksPerSm(const Function &function, int threads, size_t dynamicShared) {
  const DeviceProfile &profile = function.device->profile;
  if (uint32_t(threads) > function.info->maxThreads ||
      dynamicShared + function.info->staticShared > profile.sharedPerBlockOptin)
    return 0;
  return residentBlocksPerSm(*function.info, profile, threads, dynamicShared);
}

void calls::occupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks,
                                                               CUfunction func,
                                                               int blockSize,
                                                               size_t dynamicSMemSize,
                                                               unsigned int flags) {
  currentContext();
  int &out = output(numBlocks);
  std::shared_ptr<Function> function = functionOf(func);
  require(blockSize > 0 && flags <= 1, "the block size must be positive, flags 0 or 1");
  out = blocksPerSm(*function, blockSize, dynamicSMemSize);
}

void calls::occupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func,
                                                      int blockSize,
                                                      size_t dynamicSMemSize) {
  occupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize,
                                                     dynamicSMemSize, 0);
}

void calls::occupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, CUfunction func,
    CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
    int blockSizeLimit, unsigned int flags) {
  currentContext();
  int &grid = output(minGridSize), &size = output(blockSize);
  std::shared_ptr<Function> function = functionOf(func);
  require(blockSizeLimit >= 0 && flags <= 1,
          "the limit must not be negative, flags 0 or 1");
  int limit = function->info->maxThreads, best = 0;
  if (blockSizeLimit)
    limit = std::min(limit, blockSizeLimit);
  for (int threads = limit; threads > 0; threads = (threads - 1) / WarpSize * WarpSize) {
    size_t shared = dynamicSMemSize;
    if (blockSizeToDynamicSMemSize) {
      Unlocked unlocked; // the program's callback may wait for other threads
      shared = blockSizeToDynamicSMemSize(threads);
    }
    int blocks = blocksPerSm(*function, threads, shared);
    if (blocks * threads > best) {
      best = blocks * threads;
      size = threads;
      grid = blocks * int(function->device->profile.multiprocessors);
    }
  }
  if (!best)
    fail(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "kernel %s fits with no block size",
         function->info->name.c_str());
}

void calls::occupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
                                           CUfunction func,
                                           CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                           size_t dynamicSMemSize, int blockSizeLimit) {
  occupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func,
                                          blockSizeToDynamicSMemSize, dynamicSMemSize,
                                          blockSizeLimit, 0);
}

void calls::occupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                  CUfunction func, int numBlocks,
                                                  int blockSize) {
  currentContext();
  size_t &out = output(dynamicSmemSize);
  std::shared_ptr<Function> function = functionOf(func);
  const DeviceProfile &profile = function->device->profile;
  require(numBlocks > 0 && blockSize > 0, "blocks and threads must be positive");
  uint64_t share = profile.sharedPerSm / numBlocks;
  uint64_t taken = profile.sharedReserved + function->info->staticShared;
  out = share > taken
            ? std::min<uint64_t>(share - taken, profile.sharedPerBlockOptin -
                                                    function->info->staticShared)
            : 0;
  if (blocksPerSm(*function, blockSize, 0) < numBlocks)
    out = 0;
}

static KernelWork readConfig(CUfunction func, const CUlaunchConfig *config) {
  require(config, "the launch configuration is null");
  KernelWork work;
  work.function = functionOf(func);
  for (unsigned i = 0; i < config->numAttrs; i++)
    work.attributes[config->attrs[i].id] = config->attrs[i].value;
  work.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
  work.dynamicShared = config->sharedMemBytes;
  return work;
}

static int threadsOf(const KernelWork &work) {
  uint64_t threads = uint64_t(work.block[0]) * work.block[1] * work.block[2];
  require(threads && threads <= 1024, "a block has 1 to 1024 threads");
  return threads;
}

void calls::occupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func,
                                             const CUlaunchConfig *config) {
  currentContext();
  int &out = output(clusterSize);
  KernelWork work = readConfig(func, config);
  const DeviceProfile &profile = work.function->device->profile;
  bool fits = blocksPerSm(*work.function, threadsOf(work), work.dynamicShared) > 0;
  uint32_t maxCluster = work.function->nonPortableCluster ? profile.maxClusterNonPortable
                                                          : profile.maxCluster;
  out = fits ? std::max(maxCluster, 1u) : 0;
}

void calls::occupancyMaxActiveClusters(int *numClusters, CUfunction func,
                                       const CUlaunchConfig *config) {
  currentContext();
  int &out = output(numClusters);
  KernelWork work = readConfig(func, config);
  const DeviceProfile &profile = work.function->device->profile;
  std::array<uint32_t, 3> cluster = work.cluster();
  uint64_t size = uint64_t(cluster[0]) * cluster[1] * cluster[2];
  uint32_t maxCluster = work.function->nonPortableCluster ? profile.maxClusterNonPortable
                                                          : profile.maxCluster;
  if (!size || size > std::max(maxCluster, 1u))
    fail(CUDA_ERROR_INVALID_CLUSTER_SIZE, "a cluster of %llu blocks does not exist on %s",
         (unsigned long long)size, profile.name.c_str());
  uint64_t blocks =
      uint64_t(blocksPerSm(*work.function, threadsOf(work), work.dynamicShared)) *
      profile.multiprocessors;
  out = blocks / size;
}
