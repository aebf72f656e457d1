//===- peer_backend.h - Sums over peer memory -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-reduces of small tensors between GPUs of one process, by kernels of the package
// that write into each other's memory and spin on flags there (protocol: kiln/abi.h).
// Ranks negotiate this before the first run and exchange addresses by collectives on the
// host. A kernel waits for its peers until the host sets the abort word: abort().
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_PEER_BACKEND_H
#define KILN_DEVICE_CUDA_PEER_BACKEND_H

#include "runtime/device/cuda/gpu_backends.h"
#include "runtime/device/cuda/loaded_model.h"
#include <span>

namespace kiln::rt {

/// The kernels of a collective step for all-reduces over peer memory, and memory for the
/// parameters of a launch: a run allocates nothing.
class CollectiveKernels {
public:
  CollectiveKernels() = default;
  CollectiveKernels(const Plan &plan, const cuda::LoadedModel &loaded,
                    const Collective &collective);
  /// Not copyable: `parameters` points into `words`.
  CollectiveKernels(CollectiveKernels &&) = default;
  CollectiveKernels &operator=(CollectiveKernels &&) = default;
  void bind(std::span<const int64_t> values);
  /// Returns the kernel for an all-reduce of `bytes` bytes over `ranks` ranks; null:
  /// there is none.
  const cuda::DeviceCode *find(uint64_t bytes, uint32_t ranks) const;

  const cuda::DeviceCode *whole = nullptr, *split = nullptr; ///< one-shot, two-shot
  std::span<const uint32_t> symbols;                         ///< symbols of both kernels
  /// Parameters in the order of kiln/abi.h, then the values of symbols.
  std::vector<uint64_t> words;
  std::vector<void *> parameters; ///< pointers to `words`
};

} // namespace kiln::rt

namespace kiln::rt::cuda {

/// Message that each rank sends to all others before the first run, to negotiate peer
/// access.
struct PeerOffer {
  uint64_t process = 0; ///< identifies the process
  uint8_t gpu[16] = {}; ///< its UUID
  CUcontext context = nullptr;
  CUdevice device = 0;
};

/// Returns why these ranks cannot access each other's memory; empty if they can.
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
  bool runsBeside() const override { return false; } // its collectives are short
  const char *advice() const override { return "set KILN_COLLECTIVES=host"; }

private:
  /// Memory of a rank that its peers access: staging buffers, flags and state, in this
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
  bool isClear = false;       ///< flags and epochs match those of the other ranks
  Memory memory;              ///< this rank's memory, which the others write to
  Memory abortWord;           ///< pinned: not 0 makes kernels stop waiting for peers
  std::vector<Places> places; ///< by rank of the stage
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_PEER_BACKEND_H
