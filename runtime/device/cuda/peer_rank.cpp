//===- peer_rank.cpp - A rank that reaches the memory of others -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/peer_rank.h"
#include "kiln/abi.h"
#include "runtime/collective/meeting.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

//===----------------------------------------------------------------------===//
// Whether ranks use it
//===----------------------------------------------------------------------===//

/// Random number that identifies this process: all its ranks send the same one.
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

PeerRank::PeerRank(std::shared_ptr<const Context> context, const RankPlace &place,
                   uint32_t ranksPerStage)
    : context(std::move(context)), place(place), perStage(ranksPerStage),
      places(ranksPerStage) {}

Status PeerRank::open(std::shared_ptr<const Context> context, const RankPlace &place,
                      uint32_t ranksPerStage, std::shared_ptr<PeerRank> &out) {
  std::shared_ptr<PeerRank> rank(new PeerRank(std::move(context), place, ranksPerStage));
  KILN_TRY(readCollectivePath(rank->path));
  out = std::move(rank);
  return {};
}

Status PeerRank::gather(const void *own, void *all, size_t bytes) {
  return place.communicator->run({CollectiveKind::AllGather, Reduction::Sum,
                                  KILN_DTYPE_U8, 1, static_cast<int64_t>(bytes), own, all,
                                  noStep, 0, 0});
}

/// All ranks come to the same end: they ask the same questions about the same answers.
Status PeerRank::negotiate() {
  if (perStage < 2 || perStage > KILN_PEER_RANKS) {
    hasAgreed = true;
    return {};
  }
  PeerOffer own{processNumber(), {}, context->handle, context->device};
  const Driver &driver = *context->driver;
  KILN_TRY(driver.check(driver.deviceGetUuid(own.gpu, context->device), "cuDeviceGetUuid",
                        "device " + context->name));
  std::vector<PeerOffer> offers(place.ranks);
  KILN_TRY(gather(&own, offers.data(), sizeof own));
  std::string obstacle = peerObstacle(offers);
  if (!obstacle.empty())
    return refuse(obstacle);
  KILN_TRY(reach(offers, obstacle));
  if (obstacle.empty())
    KILN_TRY(allocate());
  Places mine{memory.device(), obstacle.empty()};
  std::vector<Places> all(place.ranks);
  KILN_TRY(gather(&mine, all.data(), sizeof mine));
  for (uint32_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].isReady)
      return refuse("the GPU of " + rankText(rank) +
                    " cannot reach the memory of another rank's");
  auto first = all.begin() + firstOfStage();
  places.assign(first, first + perStage);
  hasAgreed = isUsed = true;
  return {};
}

Status PeerRank::refuse(const std::string &reason) {
  if (path != CollectivePath::Peer) {
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

/// Opens the memory of the stage's other ranks to this one.
Status PeerRank::reach(std::span<const PeerOffer> offers, std::string &obstacle) {
  const Driver &driver = *context->driver;
  std::string where = "device " + context->name;
  for (uint32_t i = 0; i < perStage; ++i) {
    uint32_t rank = firstOfStage() + i;
    if (rank == place.rank)
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

uint64_t PeerRank::stagingBytes() const {
  return uint64_t(2) * KILN_PEER_BLOCKS * perStage * KILN_PEER_STAGING_BYTES;
}

uint64_t PeerRank::flagBytes() const { return uint64_t(4) * KILN_PEER_BLOCKS * perStage; }

Status PeerRank::allocate() {
  KILN_TRY(Memory::onDevice(context,
                            stagingBytes() + flagBytes() + 4 * KILN_PEER_STATE_WORDS,
                            "staging buffers of sums over peer memory", memory));
  return Memory::onHost(context, sizeof(uint32_t), "the end of sums over peer memory",
                        abortWord);
}

/// Clears this rank's state. No kernel of this rank is running, and no kernel of a peer
/// begins before all ranks have cleared theirs.
Status PeerRank::clear() {
  const Driver &driver = *context->driver;
  std::string where = "device " + context->name;
  uint32_t rank = place.rank % perStage;
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

Status PeerRank::begin() {
  if (path == CollectivePath::Host || path == CollectivePath::Nccl)
    return {};
  if (!hasAgreed)
    KILN_TRY(negotiate());
  if (!isUsed)
    return {};
  uint32_t lacks = !isClear, anyLacks = 0;
  auto meet = [&] {
    return place.communicator->run({CollectiveKind::AllReduce, Reduction::Max,
                                    KILN_DTYPE_U32, 1, 1, &lacks, &anyLacks, noStep, 0,
                                    0});
  };
  KILN_TRY(meet());
  if (!anyLacks)
    return {};
  KILN_TRY(clear());
  return meet();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The operand, the word for an abort, the result, the state, staging buffers, flags.
static constexpr size_t kOwnWords = 6;

PeerKernels::PeerKernels(const Plan &plan, const LoadedModel &loaded,
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

void PeerKernels::bind(std::span<const int64_t> all) {
  size_t first = words.size() - symbols.size();
  for (size_t i = 0; i < symbols.size(); ++i)
    words[first + i] = static_cast<uint64_t>(all[symbols[i]]);
}

const DeviceCode *PeerKernels::find(uint64_t bytes, uint32_t ranks) const {
  constexpr uint64_t limit = KILN_PEER_BLOCKS * KILN_PEER_STAGING_BYTES;
  if (!bytes || bytes > limit * ranks)
    return nullptr;
  return bytes > limit ? split : whole;
}

bool PeerRank::takes(const PeerKernels &kernels, const CollectiveCall &call) const {
  return isUsed && kernels.find(call.bytes(), perStage);
}

Status PeerRank::enqueue(PeerKernels &kernels, const CollectiveCall &call,
                         CUdeviceptr from, CUdeviceptr to, CUstream stream,
                         const Where &where) {
  if (!call.isOf(place.rank))
    return {};
  const DeviceCode &code = *kernels.find(call.bytes(), perStage);
  CUdeviceptr own = memory.device();
  const uint64_t ofRank[kOwnWords] = {from, reinterpret_cast<uintptr_t>(abortWord.host()),
                                      to,   stateOf(own),
                                      own,  flagsOf(own)};
  auto word = std::copy(std::begin(ofRank), std::end(ofRank), kernels.words.begin());
  for (const Places &peer : places)
    *word++ = peer.staging;
  for (const Places &peer : places)
    *word++ = flagsOf(peer.staging);
  uint64_t piece = KILN_PEER_STAGING_BYTES * (&code == kernels.split ? perStage : 1);
  auto blocks = static_cast<unsigned>((call.bytes() + piece - 1) / piece);
  const Driver &driver = *context->driver;
  return driver.check(driver.launchKernel(code.function, blocks, 1, 1,
                                          code.block->threads, 1, 1, 0, stream,
                                          kernels.parameters.data(), nullptr),
                      "cuLaunchKernel", where);
}

void PeerRank::abort() {
  if (!isUsed)
    return;
  std::atomic_ref(*reinterpret_cast<uint32_t *>(abortWord.host())).store(1);
  isClear = false;
}
