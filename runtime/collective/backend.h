//===- backend.h - What carries out collectives -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank of a process group (process_group.h) has a backend for the memory of the host,
// which also knows which ranks live, and on a GPU further ones, which enqueue collectives
// on a stream. A new transport is one subclass of HostBackend or DeviceBackend and a row
// in a table: transports.h for processes, device/cuda/gpu_backends.h for GPUs.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_BACKEND_H
#define KILN_COLLECTIVE_BACKEND_H

#include "runtime/collective/collective_call.h"
#include "runtime/collective/reduce.h"
#include <chrono>

namespace kiln::rt {

/// One rank's end of a transport. Used by one thread at a time, but for fail.
class Backend {
public:
  virtual ~Backend() = default;
  /// Name of the transport, as environment variables ask for it: "gloo", "nccl".
  virtual const char *name() const = 0;
  /// Whether it carries out a collective of this kind, type, layout and size. All ranks
  /// of a group get the same answer.
  virtual bool supports(const CollectiveCall &call) const = 0;
  /// Returns why no collective can complete any more: a rank that has failed or is lost,
  /// or an error of the transport itself. For a rank that waits for something else; asked
  /// every now and then, as it may look at every rank. step: of the plan, for messages.
  virtual Status health(uint32_t step) = 0;
};

/// The first failure of a group, and the rank that failed.
struct RankFailure {
  uint32_t rank;
  Failure failure;
};

/// Collectives on the memory of the host. It also tells ranks of each other's failures,
/// and lets device backends find each other.
class HostBackend : public Backend {
public:
  /// Returns when this rank has its result and no other rank reads its memory any more.
  /// All ranks get the same bits of an all-reduce: elements are combined in the order of
  /// the ranks. Allocates nothing unless it fails. Errors: KILN-E0710, E0711, E0712; then
  /// all ranks of the group fail, here or in the next collective.
  virtual Status run(const CollectiveCall &call) = 0;
  bool supports(const CollectiveCall &call) const override {
    return !call.reduces() || findCombine(call.dtype, call.reduction);
  }

  /// Makes every rank's next collective fail, as `rank` has. Later failures change
  /// nothing.
  virtual void fail(uint32_t rank, const Failure &what) = 0;
  virtual std::optional<RankFailure> firstFailure() const = 0;
  /// Says that this rank has completed a step: others that wait for it wait on.
  virtual void noteStep() = 0;
  /// Time for which ranks wait for one that completes no step.
  virtual std::chrono::milliseconds timeout() const = 0;
  virtual void setTimeout(std::chrono::milliseconds) = 0;
  /// CPUs for each rank of this machine; at least 1.
  virtual uint32_t cpusPerRank() const = 0;
};

/// How ranks carry out a run on GPUs, from what takes least on. Whether a collective is
/// captured into a graph, and the launch of such a graph, are as collective as itself
/// ("Using NCCL with CUDA Graphs" in its user guide): all ranks take the last form that
/// any of them asks for.
enum class RunForm : uint32_t { Replay, Capture, Steps };

/// Collectives on the memory of a GPU, enqueued on a stream or captured from it.
class DeviceBackend : public Backend {
public:
  /// Whether it may carry out such a collective at some dims. Backends without any in a
  /// program take no part in its runs.
  virtual bool mayRun(const CollectiveCall &) const { return true; }
  /// Before a run, on the thread of each rank: connects them the first time and after an
  /// abort. form: what this rank asks for, then what all do. Errors: KILN-E0702 (it was
  /// asked for by name and cannot be had), E0706, E0711, and those of HostBackend::run.
  virtual Status begin(RunForm &form) = 0;
  /// Enqueues a collective that it supports, whose memory is on the GPU. stream: a
  /// CUstream. where: the step, for messages. Errors: KILN-E0706.
  virtual Status enqueue(const CollectiveCall &call, void *stream,
                         const Where &where) = 0;
  /// Ends the collectives in progress, on the GPU as well, after an error of a run.
  virtual void abort() = 0;

  /// Whether its collectives may run beside kernels, on a stream of their own.
  virtual bool runsBeside() const = 0;
  /// How to find out why GPUs do not complete its collectives, for messages.
  virtual const char *advice() const = 0;
  /// Registers a callback that destroys the graphs of `owner`, a program, into which
  /// collectives were captured: some backends must not outlive them.
  virtual void addGraphs(const void *, std::function<void()>) {}
  virtual void removeGraphs(const void *) {}
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_BACKEND_H
