//===- peer_backend.cpp - Sums over peer memory ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/peer_backend.h"
#include "kiln/abi.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

//===----------------------------------------------------------------------===//
// Negotiation of peer access
//===----------------------------------------------------------------------===//

/// Random number that identifies this process: all its ranks send the same number.
static uint64_t processNumber() {
  static const uint64_t number = [] {
    std::random_device device;
    return uint64_t(device()) << 32 | device();
  }();
  return number;
}

std::string kiln::rt::cuda::peerObstacle(std::span<const PeerOffer> offers) {
  for (uint32_t rank = 1; rank < offers.size(); ++rank) {
    if (offers[rank].process != offers[0].process)
      return rankText(rank) + " is in another process than rank 0";
    for (uint32_t other = 0; other < rank; ++other)
      if (!std::memcmp(offers[rank].gpu, offers[other].gpu, sizeof offers[rank].gpu))
        return rankText(other) + " and " + rankText(rank) + " share one GPU";
  }
  return {};
}

Status PeerBackend::open(const GpuRank &rank, bool isRequired,
                         std::unique_ptr<DeviceBackend> &out) {
  out.reset(new PeerBackend(rank, isRequired));
  return {};
}

/// Decides whether ranks use peer access. All ranks get the same result, as they evaluate
/// the same offers.
Status PeerBackend::negotiate() {
  if (perStage < 2 || perStage > KILN_PEER_RANKS) {
    hasAgreed = true;
    return {};
  }
  PeerOffer own{processNumber(), {}, context->handle, context->device};
  const Driver &driver = *context->driver;
  KILN_TRY(driver.check(driver.deviceGetUuid(own.gpu, context->device), "cuDeviceGetUuid",
                        "device " + context->name));
  std::vector<PeerOffer> offers(group.size());
  KILN_TRY(group.allGather(&own, offers.data(), sizeof own));
  std::string obstacle = peerObstacle(offers);
  if (!obstacle.empty())
    return refuse(obstacle);
  KILN_TRY(reach(offers, obstacle));
  if (obstacle.empty())
    KILN_TRY(allocate());
  Places mine{memory.device(), obstacle.empty()};
  std::vector<Places> all(group.size());
  KILN_TRY(group.allGather(&mine, all.data(), sizeof mine));
  for (uint32_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].isReady)
      return refuse("the GPU of " + rankText(rank) +
                    " cannot reach the memory of another rank's");
  auto first = all.begin() + firstOfStage();
  places.assign(first, first + perStage);
  hasAgreed = isUsed = true;
  return {};
}

Status PeerBackend::refuse(const std::string &reason) {
  if (!isRequired) {
    hasAgreed = true;
    return {};
  }
  return Failure{Code::DeviceUnavailable,
                 "KILN_COLLECTIVES",
                 "these ranks cannot add up in each other's memory",
                 "threads of one process that have a GPU each, and reach the others'",
                 reason,
                 "give each rank a GPU of its own (--device cuda), or set "
                 "KILN_COLLECTIVES=auto"};
}

/// Enables access of this rank to the memory of the stage's other ranks.
Status PeerBackend::reach(std::span<const PeerOffer> offers, std::string &obstacle) {
  const Driver &driver = *context->driver;
  std::string where = "device " + context->name;
  for (uint32_t i = 0; i < perStage; ++i) {
    uint32_t rank = firstOfStage() + i;
    if (rank == group.rank())
      continue;
    int can = 0;
    KILN_TRY(driver.check(
        driver.deviceCanAccessPeer(&can, context->device, offers[rank].device),
        "cuDeviceCanAccessPeer", where));
    if (!can) {
      obstacle = rankText(rank);
      return {};
    }
    CUresult result = driver.ctxEnablePeerAccess(offers[rank].context, 0);
    if (result != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
      KILN_TRY(driver.check(result, "cuCtxEnablePeerAccess", where));
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint64_t PeerBackend::stagingBytes() const {
  return uint64_t(2) * KILN_PEER_BLOCKS * perStage * KILN_PEER_STAGING_BYTES;
}

uint64_t PeerBackend::flagBytes() const {
  return uint64_t(4) * KILN_PEER_BLOCKS * perStage;
}

Status PeerBackend::allocate() {
  KILN_TRY(Memory::onDevice(context,
                            stagingBytes() + flagBytes() + 4 * KILN_PEER_STATE_WORDS,
                            "staging buffers of sums over peer memory", memory));
  return Memory::onHost(context, sizeof(uint32_t), "the end of sums over peer memory",
                        abortWord);
}

/// Clears this rank's flags and state. No kernel of this rank is running, and no kernel
/// of a peer starts before all ranks have cleared theirs.
Status PeerBackend::clear() {
  const Driver &driver = *context->driver;
  std::string where = "device " + context->name;
  uint32_t rank = group.rank() % perStage;
  CUdeviceptr state = stateOf(memory.device());
  KILN_TRY(
      driver.check(driver.memsetD8Async(flagsOf(memory.device()), 0,
                                        flagBytes() + 4 * KILN_PEER_STATE_WORDS, nullptr),
                   "cuMemsetD8Async", where));
  KILN_TRY(driver.check(
      driver.memcpyHtoDAsync(state + 4 * KILN_PEER_BLOCKS, &rank, sizeof rank, nullptr),
      "cuMemcpyHtoDAsync", where));
  KILN_TRY(driver.check(driver.streamSynchronize(nullptr), "cuStreamSynchronize", where));
  std::atomic_ref(*reinterpret_cast<uint32_t *>(abortWord.host())).store(0);
  isClear = true;
  return {};
}

Status PeerBackend::begin(RunForm &) {
  if (!hasAgreed)
    KILN_TRY(negotiate());
  if (!isUsed)
    return {};
  uint32_t lacks = !isClear;
  KILN_TRY(group.allReduceMax(&lacks, 1));
  if (!lacks)
    return {};
  KILN_TRY(clear());
  return group.barrier(noStep);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Number of parameters before the addresses of peers: operand, abort word, result, and
/// this rank's state, staging buffers and flags.
static constexpr size_t kOwnWords = 6;

CollectiveKernels::CollectiveKernels(const Plan &plan, const LoadedModel &loaded,
                                     const Collective &collective) {
  auto find = [&](int32_t kernel) {
    return kernel < 0 ? nullptr : &loaded.kernels[static_cast<size_t>(kernel)].back();
  };
  whole = find(collective.kernel);
  split = find(collective.splitKernel);
  if (!whole)
    return;
  symbols = plan.kernels[static_cast<size_t>(collective.kernel)].symbols;
  words.resize(kOwnWords + 2 * plan.ranksPerStage() + symbols.size());
  for (uint64_t &word : words)
    parameters.push_back(&word);
}

void CollectiveKernels::bind(std::span<const int64_t> all) {
  size_t first = words.size() - symbols.size();
  for (size_t i = 0; i < symbols.size(); ++i)
    words[first + i] = static_cast<uint64_t>(all[symbols[i]]);
}

const DeviceCode *CollectiveKernels::find(uint64_t bytes, uint32_t ranks) const {
  constexpr uint64_t limit = KILN_PEER_BLOCKS * KILN_PEER_STAGING_BYTES;
  if (!bytes || bytes > limit * ranks)
    return nullptr;
  return bytes > limit ? split : whole;
}

bool PeerBackend::supports(const CollectiveCall &call) const {
  return isUsed && call.kernels && call.count == perStage &&
         call.kernels->find(call.bytes(), perStage);
}

Status PeerBackend::enqueue(const CollectiveCall &call, void *stream,
                            const Where &where) {
  if (!call.inGroup(group.rank()))
    return {};
  CollectiveKernels &kernels = *call.kernels;
  const DeviceCode &code = *kernels.find(call.bytes(), perStage);
  CUdeviceptr own = memory.device();
  const uint64_t ofRank[kOwnWords] = {reinterpret_cast<uintptr_t>(call.from),
                                      reinterpret_cast<uintptr_t>(abortWord.host()),
                                      reinterpret_cast<uintptr_t>(call.to),
                                      stateOf(own),
                                      own,
                                      flagsOf(own)};
  auto word = std::copy(std::begin(ofRank), std::end(ofRank), kernels.words.begin());
  for (const Places &peer : places)
    *word++ = peer.staging;
  for (const Places &peer : places)
    *word++ = flagsOf(peer.staging);
  uint64_t piece = KILN_PEER_STAGING_BYTES * (&code == kernels.split ? perStage : 1);
  auto blocks = static_cast<unsigned>((call.bytes() + piece - 1) / piece);
  const Driver &driver = *context->driver;
  return driver.check(driver.launchKernel(code.function, blocks, 1, 1,
                                          code.block->threads, 1, 1, 0,
                                          static_cast<CUstream>(stream),
                                          kernels.parameters.data(), nullptr),
                      "cuLaunchKernel", where);
}

void PeerBackend::abort() {
  if (!isUsed)
    return;
  std::atomic_ref(*reinterpret_cast<uint32_t *>(abortWord.host())).store(1);
  isClear = false;
}
