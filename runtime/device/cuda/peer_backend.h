//===- peer_backend.h - Sums over peer memory -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small sums of GPUs of one process: kernels of the package that write into each other's
// memory and wait for each other there (kiln/abi.h says how). Ranks agree on it before
// the first run and exchange addresses, by collectives of the host. A kernel waits for
// its peers until the host says that a run is over: abort().
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_PEER_BACKEND_H
#define KILN_DEVICE_CUDA_PEER_BACKEND_H

#include "runtime/device/cuda/gpu_backends.h"
#include "runtime/device/cuda/loaded_model.h"
#include <span>

namespace kiln::rt {

/// The code of a collective step for sums over peer memory, and room for the parameters
/// of a launch: a run allocates nothing.
class CollectiveKernels {
public:
  CollectiveKernels() = default;
  CollectiveKernels(const Plan &plan, const cuda::LoadedModel &loaded,
                    const Collective &collective);
  /// Does not copy: parameters point to its words.
  CollectiveKernels(CollectiveKernels &&) = default;
  CollectiveKernels &operator=(CollectiveKernels &&) = default;
  void bind(std::span<const int64_t> values);
  /// Returns the kernel for a sum of `bytes` bytes over `ranks` ranks; null: there is
  /// none.
  const cuda::DeviceCode *find(uint64_t bytes, uint32_t ranks) const;

  const cuda::DeviceCode *whole = nullptr, *split = nullptr; ///< in one shot, in two
  std::span<const uint32_t> symbols;                         ///< of both
  /// As kiln/abi.h has them, with the values of symbols last.
  std::vector<uint64_t> words;
  std::vector<void *> parameters; ///< to each of them
};

} // namespace kiln::rt

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

class PeerBackend final : public DeviceBackend {
public:
  static Status open(const GpuRank &rank, bool isRequired,
                     std::unique_ptr<DeviceBackend> &out);
  PeerBackend(const PeerBackend &) = delete;

  const char *name() const override { return "peer"; }
  bool mayRun(const CollectiveCall &call) const override {
    return call.kernels && call.kernels->whole;
  }
  bool supports(const CollectiveCall &call) const override;
  Status begin(RunForm &form) override;
  Status enqueue(const CollectiveCall &call, void *stream, const Where &where) override;
  Status health(uint32_t) override { return {}; }
  void abort() override;
  bool runsBeside() const override { return false; } // they are small
  const char *advice() const override { return "set KILN_COLLECTIVES=host"; }

private:
  /// Memory of a rank that its peers reach: staging buffers, flags and state, in this
  /// order.
  struct Places {
    CUdeviceptr staging = 0;
    uint32_t isReady = 0;
  };

  PeerBackend(const GpuRank &rank, bool isRequired)
      : context(rank.context), group(rank.group), perStage(rank.perStage),
        isRequired(isRequired), places(perStage) {}
  Status negotiate();
  Status refuse(const std::string &reason);
  Status reach(std::span<const PeerOffer> offers, std::string &obstacle);
  Status allocate();
  Status clear();
  uint32_t firstOfStage() const { return group.rank() - group.rank() % perStage; }
  uint64_t stagingBytes() const;
  uint64_t flagBytes() const;
  CUdeviceptr flagsOf(CUdeviceptr staging) const { return staging + stagingBytes(); }
  CUdeviceptr stateOf(CUdeviceptr staging) const {
    return flagsOf(staging) + flagBytes();
  }

  const std::shared_ptr<const Context> context;
  const ProcessGroup group;
  const uint32_t perStage;
  const bool isRequired;
  bool hasAgreed = false, isUsed = false;
  bool isClear = false;       ///< flags and epochs fit to those of the others
  Memory memory;              ///< of this rank, which the others write to
  Memory abortWord;           ///< pinned: not 0 once nobody is to be awaited any more
  std::vector<Places> places; ///< of the ranks of the stage
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_PEER_BACKEND_H
