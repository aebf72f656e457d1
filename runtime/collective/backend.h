//===- backend.h - What carries out collectives -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank of a process group (process_group.h) has a backend for host memory, which
// also tracks which ranks are alive. On a GPU it has further backends, which enqueue
// collectives on a stream. To add a transport, derive from HostBackend or DeviceBackend
// and add a row to a table: transports.h for processes, device/cuda/gpu_backends.h for
// GPUs.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_BACKEND_H
#define KILN_COLLECTIVE_BACKEND_H

#include "runtime/collective/collective_call.h"
#include "runtime/collective/reduce.h"
#include <chrono>

namespace kiln::rt {

/// One rank's end of a transport. Not thread-safe, except for fail.
class Backend {
public:
  virtual ~Backend() = default;
  /// Returns the transport's name as used in environment variables: "gloo", "nccl".
  virtual const char *name() const = 0;
  /// Whether the backend supports a collective of this kind, type, layout and size. All
  /// ranks of a group get the same answer.
  virtual bool supports(const CollectiveCall &call) const = 0;
  /// Returns why no collective can complete any more: a failed or lost rank, or an error
  /// of the transport itself. For a rank that polls while it waits for something else;
  /// not to be called often, as it may check every rank. step: of the plan, for error
  /// messages.
  virtual Status health(uint32_t step) = 0;
};

/// The first failure of a group: its rank and its description.
struct RankFailure {
  uint32_t rank;
  Failure failure;
};

/// Collectives on host memory. Also propagates failures between ranks, and lets device
/// backends exchange what they need to connect.
class HostBackend : public Backend {
public:
  /// Runs a collective. Returns when this rank has its result and no other rank reads its
  /// memory any more. An all-reduce gives all ranks the same bits: elements are combined
  /// in rank order. Allocates nothing unless it fails. Errors: KILN-E0710, E0711, E0712;
  /// then all ranks of the group fail, here or in the next collective.
  virtual Status run(const CollectiveCall &call) = 0;
  bool supports(const CollectiveCall &call) const override {
    return !call.reduces() || findCombine(call.dtype, call.reduction);
  }

  /// Makes every rank's next collective fail because of the failure of `rank`. Later
  /// failures have no effect.
  virtual void fail(uint32_t rank, const Failure &what) = 0;
  virtual std::optional<RankFailure> firstFailure() const = 0;
  /// Notes that this rank has completed a step, which restarts the timeout of ranks that
  /// wait for it.
  virtual void noteStep() = 0;
  /// Time after which a rank that completes no step is reported as late.
  virtual std::chrono::milliseconds timeout() const = 0;
  virtual void setTimeout(std::chrono::milliseconds) = 0;
  /// CPUs per rank of this machine; at least 1.
  virtual uint32_t cpusPerRank() const = 0;
};

/// How ranks carry out a run on GPUs, in ascending order of cost: replay a CUDA graph,
/// capture one, or enqueue the steps one by one. All ranks must capture and launch a
/// graph with collectives together ("Using NCCL with CUDA Graphs" in NCCL's user guide),
/// so all use the maximum of the forms that they ask for.
enum class RunForm : uint32_t { Replay, Capture, Steps };

/// Collectives on GPU memory, enqueued on a stream or captured from it.
class DeviceBackend : public Backend {
public:
  /// Whether the backend may run such a collective at some dims. A backend without any
  /// such collective in a program takes no part in its runs.
  virtual bool mayRun(const CollectiveCall &) const { return true; }
  /// Prepares a run, on the thread of each rank: connects the ranks the first time and
  /// after an abort. form: in: this rank's form; out: the form of all ranks. Errors:
  /// KILN-E0702 (the backend was requested by name and is not available), E0706, E0711,
  /// and those of HostBackend::run.
  virtual Status begin(RunForm &form) = 0;
  /// Enqueues a supported collective on GPU memory. stream: a CUstream. where: the step,
  /// for error messages. Errors: KILN-E0706.
  virtual Status enqueue(const CollectiveCall &call, void *stream,
                         const Where &where) = 0;
  /// Aborts the collectives in progress, also on the GPU, after an error of a run.
  virtual void abort() = 0;

  /// Whether its collectives may overlap with kernels, on a separate stream.
  virtual bool runsBeside() const = 0;
  /// Advice on finding out why GPUs do not complete its collectives, for error messages.
  virtual const char *advice() const = 0;
  /// Registers a callback that destroys the CUDA graphs of `owner`, a program, into which
  /// collectives were captured: some backends must outlive such graphs.
  virtual void addGraphs(const void *, std::function<void()>) {}
  virtual void removeGraphs(const void *) {}
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_BACKEND_H
