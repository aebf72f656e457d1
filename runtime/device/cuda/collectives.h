//===- collectives.h - Collectives of ranks on GPUs -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective is enqueued by the first backend of the GPU that supports it: small
// reductions over peer memory, others by NCCL. Without such a backend it goes through
// pinned host memory: the stream copies this rank's operand there and is synchronized,
// the host backend runs the collective as for ranks on a CPU, and the stream copies the
// result back. That works between any GPUs and gives the same bits as ranks on the CPU.
//
// Collectives that may overlap with kernels have a separate stream. It waits for the
// kernels' stream before each collective, and the kernels' stream waits for it where the
// plan says so. All other collectives are enqueued on the kernels' stream.
//
// If all collectives of a run are on the GPU, the run is one CUDA graph into which they
// are captured. A word in pinned memory counts the collectives that are done.
//
// All waits have a timeout. At the end of a run the ranks first synchronize on the host,
// so that an error names a rank that has not enqueued its part, and then check each
// other's health while their GPUs work.
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
  /// the collectives of another program of this rank, whose backends are reused, or null.
  /// Errors: KILN-E0708, those of GpuBackends::open.
  Status allocate(std::shared_ptr<const Context> context, uint64_t bytes,
                  const Collectives *owner);
  void bind(const Layout &layout, std::span<const int64_t> symbols) noexcept;
  /// Prepares a run. form: in: what this rank asks for; out: what all ranks do; Steps if
  /// a collective goes through the host. Errors: those of GpuBackends::agree and
  /// DeviceBackend::begin.
  Status begin(RunForm &form);
  /// Runs the collective of a step. from, to: this rank's memory on its GPU. where: the
  /// step, for error messages. Errors: KILN-E0706, E0709, and those of HostBackend::run.
  Status run(uint32_t step, CUdeviceptr from, CUdeviceptr to, CUstream stream,
             const Where &where);
  /// Captures the collective of a step as a CUDA graph, which the caller destroys. out:
  /// null if this rank takes no part in it.
  Status capture(uint32_t step, CUdeviceptr from, CUdeviceptr to, const Where &where,
                 CUgraph &out);
  /// Returns the memset node that records that the collectives up to this step are done.
  CUDA_MEMSET_NODE_PARAMS progressBehind(uint32_t step) const;
  /// Launches a CUDA graph that contains all collectives of the run.
  Status launch(CUgraphExec exec, CUstream stream);
  /// See DeviceBackend::addGraphs.
  void setGraphs(std::function<void()> drop);
  /// Makes `stream` wait for the overlapping collectives whose results are needed after
  /// `step`.
  Status join(size_t step, CUstream stream);
  /// Waits until the GPU has completed the enqueued collectives. Errors: those of run.
  Status finish();
  /// Aborts the collectives in progress on the GPU, after an error of a run.
  void abandon();
  /// Notes that this rank has completed a step.
  void noteStep() const { group.noteStep(); }

private:
  struct Entry {
    CollectiveCall call;
    uint64_t fromBytes = 0, toBytes = 0;
    CUevent done = nullptr; ///< recorded after a collective on the GPU
    uint32_t number = 0;    ///< from 1, in the order of the program's collectives
    uint32_t join = 0;      ///< step that waits for it, see Collective
    CollectiveKernels kernels;

    void place(CUdeviceptr from, CUdeviceptr to) {
      call.from = reinterpret_cast<const void *>(static_cast<uintptr_t>(from));
      call.to = reinterpret_cast<void *>(static_cast<uintptr_t>(to));
    }
  };

  /// Returns the backend that enqueues a collective at the bound dims; null: it goes
  /// through the host. All ranks get the same backend.
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
  std::shared_ptr<GpuBackends> shared;   ///< common to all programs; null: one rank
  std::vector<DeviceBackend *> backends; ///< those of `shared` that this program may use
  Memory operand, result;                ///< pinned
  std::vector<Entry> entries;    ///< by step; unused for steps without a collective
  std::vector<uint32_t> pending; ///< steps whose collectives the run has enqueued
  /// Stream for collectives that overlap with kernels and for capturing; created on first
  /// use.
  CUstream beside = nullptr;
  CUevent before = nullptr;      ///< recorded on the kernels' stream; awaited by `beside`
  std::vector<uint32_t> running; ///< steps that may still overlap with kernels
  Memory progress;               ///< pinned: number of the last completed collective
  bool isGraph = false;          ///< the run is a CUDA graph
  bool hasEnqueued = false;      ///< since ranks last synchronized; equal on all ranks
  uint32_t last = 0;             ///< step of the last collective
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_COLLECTIVES_H
