//===- peer_rank.h - A rank that reaches the memory of others ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small sums of GPUs of one process: kernels of the package that write into each other's
// memory and wait for each other there (kiln/abi.h says how). Ranks agree on it before
// the first run and exchange addresses, by way of the host's communicator. A kernel waits
// for its peers until the host says that a run is over: abort().
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_PEER_RANK_H
#define KILN_DEVICE_CUDA_PEER_RANK_H

#include "runtime/collective/communicator.h"
#include "runtime/device/cuda/context.h"
#include "runtime/device/cuda/loaded_model.h"
#include "runtime/device/cuda/nccl.h"
#include <span>

namespace kiln::rt::cuda {

/// Message that each rank sends to all others before the first run, to agree on peer
/// access.
struct PeerOffer {
  uint64_t process = 0; ///< a number that no other process has
  uint8_t gpu[16] = {}; ///< its UUID
  CUcontext context = nullptr;
  CUdevice device = 0;
};

/// Returns why these ranks cannot reach each other's memory; empty: nothing speaks
/// against it.
std::string peerObstacle(std::span<const PeerOffer> offers);

/// The code of a collective step for sums over peer memory, and room for the parameters
/// of a launch: a run allocates nothing.
struct PeerKernels {
  PeerKernels() = default;
  PeerKernels(const Plan &plan, const LoadedModel &loaded, const Collective &collective);
  /// Does not copy: parameters point to its words.
  PeerKernels(PeerKernels &&) = default;
  PeerKernels &operator=(PeerKernels &&) = default;
  void bind(std::span<const int64_t> values);
  /// Returns the kernel for a sum of `bytes` bytes over `ranks` ranks; null: there is
  /// none.
  const DeviceCode *find(uint64_t bytes, uint32_t ranks) const;

  const DeviceCode *whole = nullptr, *split = nullptr; ///< in one shot, in two
  std::span<const uint32_t> symbols;                   ///< of both
  std::vector<uint64_t>
      words; ///< as kiln/abi.h has them, with the values of symbols last
  std::vector<void *> parameters; ///< to each of them
};

/// All programs of a rank share one.
class PeerRank {
public:
  /// Errors: of readCollectivePath.
  static Status open(std::shared_ptr<const Context> context, const RankPlace &place,
                     uint32_t ranksPerStage, std::shared_ptr<PeerRank> &out);
  ~PeerRank() = default;
  PeerRank(const PeerRank &) = delete;

  /// Before a run of a program that has kernels for it, on the thread of the rank: all
  /// ranks meet, and begin anew if any of them was aborted. Errors: KILN-E0702 (it was
  /// asked for and cannot be had), E0706, and those of Communicator::run.
  Status begin();
  /// Whether a call is carried out this way.
  bool takes(const PeerKernels &kernels, const CollectiveCall &call) const;
  /// Launches the kernel. from, to: on the GPU. Errors: KILN-E0706.
  Status enqueue(PeerKernels &kernels, const CollectiveCall &call, CUdeviceptr from,
                 CUdeviceptr to, CUstream stream, const Where &where);
  /// Ends kernels that wait.
  void abort();

private:
  /// Memory of a rank that its peers reach: staging buffers, flags and state, in this
  /// order.
  struct Places {
    CUdeviceptr staging = 0;
    uint32_t isReady = 0;
  };

  PeerRank(std::shared_ptr<const Context> context, const RankPlace &place,
           uint32_t ranksPerStage);
  Status negotiate();
  Status refuse(const std::string &reason);
  Status reach(std::span<const PeerOffer> offers, std::string &obstacle);
  Status allocate();
  Status clear();
  Status gather(const void *own, void *all, size_t bytes);
  uint32_t firstOfStage() const { return place.rank - place.rank % perStage; }
  uint64_t stagingBytes() const;
  uint64_t flagBytes() const;
  CUdeviceptr flagsOf(CUdeviceptr staging) const { return staging + stagingBytes(); }
  CUdeviceptr stateOf(CUdeviceptr staging) const {
    return flagsOf(staging) + flagBytes();
  }

  std::shared_ptr<const Context> context;
  RankPlace place;
  const uint32_t perStage;
  CollectivePath path = CollectivePath::Auto;
  bool hasAgreed = false, isUsed = false;
  bool isClear = false;       ///< flags and epochs fit to those of the others
  Memory memory;              ///< of this rank, which the others write to
  Memory abortWord;           ///< pinned: not 0 once nobody is to be awaited any more
  std::vector<Places> places; ///< of the ranks of the stage
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_PEER_RANK_H
