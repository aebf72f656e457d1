//===- collectives.h - Collectives of ranks on GPUs -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective is enqueued by the first backend of the GPU that supports it: small sums
// over peer memory, the rest by NCCL. Without any it goes by way of pinned host memory:
// the stream copies this rank's operand there and is waited for, the host's backend runs
// it as for ranks on a CPU, and the stream copies the result back. That works between any
// GPUs and has the bits of ranks on the CPU.
//
// Collectives that may run beside kernels have a stream of their own. It waits for the
// stream of kernels in front of each, and that one for it where the plan says. All others
// are in the stream of kernels.
//
// Where all collectives of a run are on the GPU, the run is one graph: they are captured
// into it, and its launch is theirs. A word in pinned memory says how many are done.
//
// No wait is without a bound. At the end of a run the ranks meet, so that one that has
// not enqueued its part is named, and then look at each other while their GPUs work.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_COLLECTIVES_H
#define KILN_DEVICE_CUDA_COLLECTIVES_H

#include "runtime/device/cuda/gpu_backends.h"
#include "runtime/device/cuda/peer_backend.h"
#include "runtime/package/layout.h"

namespace kiln::rt::cuda {

class Collectives {
public:
  Collectives(const Plan &plan, const LoadedModel &loaded, const ProcessGroup &group);
  ~Collectives();
  Collectives(const Collectives &) = delete;

  /// Allocates pinned memory for an operand and a result of `bytes` bytes each. owner:
  /// the collectives of another program of this rank, or null. Errors: KILN-E0708, those
  /// of GpuBackends::open.
  Status allocate(std::shared_ptr<const Context> context, uint64_t bytes,
                  const Collectives *owner);
  void bind(const Layout &layout, std::span<const int64_t> symbols) noexcept;
  /// Before the first step of a run. form: what this rank asks for, then what all do;
  /// steps, if a collective goes through the host. Errors: of GpuBackends::agree and
  /// DeviceBackend::begin.
  Status begin(RunForm &form);
  /// from, to: of this rank, on its GPU. where: the step, for messages. Errors:
  /// KILN-E0706, E0709, and those of HostBackend::run.
  Status run(uint32_t step, CUdeviceptr from, CUdeviceptr to, CUstream stream,
             const Where &where);
  /// Captures the collective of a step as a graph, which the caller destroys. out: null
  /// if this rank takes no part in it.
  Status capture(uint32_t step, CUdeviceptr from, CUdeviceptr to, const Where &where,
                 CUgraph &out);
  /// Writes that the collectives up to this step are done.
  CUDA_MEMSET_NODE_PARAMS progressBehind(uint32_t step) const;
  /// Launches a graph with all collectives of the run.
  Status launch(CUgraphExec exec, CUstream stream);
  /// See DeviceBackend::addGraphs.
  void setGraphs(std::function<void()> drop);
  /// Lets `stream` wait for the collectives beside which steps up to this one ran.
  Status join(size_t step, CUstream stream);
  /// Waits until the GPU has carried out what was enqueued. Errors: as of run.
  Status finish();
  /// Ends the collectives in progress on the GPU, after an error of a run.
  void abandon();
  /// Says that this rank has completed a step.
  void noteStep() const { group.noteStep(); }

private:
  struct Entry {
    CollectiveCall call;
    uint64_t fromBytes = 0, toBytes = 0;
    CUevent done = nullptr; ///< of one that the GPU carries out
    uint32_t number = 0;    ///< among the collectives of the program, from 1
    uint32_t join = 0;      ///< see Collective
    CollectiveKernels kernels;

    void place(CUdeviceptr from, CUdeviceptr to) {
      call.from = reinterpret_cast<const void *>(static_cast<uintptr_t>(from));
      call.to = reinterpret_cast<void *>(static_cast<uintptr_t>(to));
    }
  };

  /// The backend that enqueues a collective at the bound dims; null: it goes through the
  /// host. All ranks get the same.
  DeviceBackend *backendOf(const CollectiveCall &call) const;
  Status runOnHost(Entry &entry, CUdeviceptr from, CUdeviceptr to, CUstream stream,
                   const Where &where);
  Status enqueue(Entry &entry, DeviceBackend &backend, CUstream stream,
                 const Where &where);
  Status await(const Entry &entry);
  CUresult query(const Entry &entry) const;
  bool areOnGpu() const;
  Status makeStreams(const Where &where);
  Status fork(CUstream stream, const Where &where);
  Status checkBackends(uint32_t step) const;

  const Plan &plan;
  const ProcessGroup group;
  std::shared_ptr<const Context> context;
  std::shared_ptr<GpuBackends> shared;   ///< of all programs; null: one rank
  std::vector<DeviceBackend *> backends; ///< of these, those that this program may use
  Memory operand, result;          ///< pinned
  std::vector<Entry> entries;      ///< by step; those of other steps mean nothing
  std::vector<uint32_t> pending;   ///< steps that the run has enqueued
  /// For collectives that run beside kernels, and to capture them; made with the first.
  CUstream beside = nullptr;
  CUevent before = nullptr;      ///< what such a collective waits for
  std::vector<uint32_t> running; ///< steps that `stream` has not waited for yet
  Memory progress;               ///< pinned: a word, the number of the last that is done
  bool isGraph = false;          ///< the run
  bool hasEnqueued = false;      ///< since ranks last met: the same on all of them
  uint32_t last = 0;             ///< the last collective
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_COLLECTIVES_H
