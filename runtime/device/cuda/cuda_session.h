//===- cuda_session.h - Running a plan on a GPU ------------------*- C++ -*- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session on a GPU. Runs launch CUDA graphs (graph_cache.h), or step by step: to time
// steps, to show them to an observer, to find the one that fails, or to synchronize with
// other ranks on the host between two steps.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_CUDA_SESSION_H
#define KILN_DEVICE_CUDA_CUDA_SESSION_H

#include "runtime/device/cuda/check_results.h"
#include "runtime/device/cuda/collectives.h"
#include "runtime/device/cuda/graph_cache.h"
#include "runtime/device/cuda/staging_buffer.h"
#include "runtime/device/observer.h"
#include <optional>

namespace kiln::rt::cuda {

class CudaSession final : public DeviceSession {
public:
  CudaSession(const kiln_model &model, std::shared_ptr<const LoadedModel> loaded,
              size_t target, const kiln_session_options &options,
              const ProcessGroup &group);
  ~CudaSession() override;

  Status allocate(const Capacities &capacities, const DeviceSession *owner,
                  const Layout &layout, std::span<const int64_t> symbols,
                  uint64_t choices) override;
  void bind(const Layout &layout, std::span<const int64_t> symbols) noexcept override;
  Status run(std::span<const TensorPlace> inputs, std::span<const TensorPlace> outputs,
             RunControl &control) override;
  Status trim() override;
  bool isBound() const override { return true; }
  Status resetState() override;
  Status readState(uint64_t offset, std::span<uint8_t> to) override;
  Status writeState(uint64_t offset, std::span<const uint8_t> from) override;
  Status copyState(uint64_t from, uint64_t to, uint64_t bytes) override;
  Status setStream(void *stream) override;
  Status synchronize() override;
  const kiln_device_info &info() const override { return device; }
  Status stepLaunch(size_t step, kiln_step_launch &out) const override;
  uint32_t threads() const override { return 1; }
  const uint64_t *stepTimes() const override {
    return times.empty() ? nullptr : times.data();
  }
  uint64_t measuredBytes(size_t) const override { return 0; }

private:
  Status check(CUresult result, const char *call) const;
  Status checkStream(CUstream wanted) const;
  Status blameStream(Status failed) const;
  CUresult wait() const;
  Status checkFree(const Capacities &capacities, const CudaSession *owner,
                   uint64_t &free) const;
  Status allocateMemory(const Capacities &capacities, const CudaSession *owner);
  Status allocateArena(size_t arena, uint64_t bytes, const CudaSession *owner);
  Status openStream(const CudaSession *owner);
  CUdeviceptr stateAt(uint64_t offset) const;
  Status createEvents();
  Status createGraphs(uint64_t free, uint64_t choices);
  Status prepareGraph(CUgraphExec &out);

  Status placeTensors(std::span<const TensorPlace> inputs,
                      std::span<const TensorPlace> outputs);
  bool anyOnHost() const;
  Status enqueue(RunControl &control);
  Status finish();

  Status runSteps(RunControl &control);
  Status runStep(size_t index);
  Status launch(const Command &command);
  Status recordEvent(size_t event);
  Status readTimes();
  Status observe(size_t step, bool after);

  const kiln_model &model;
  const Plan &plan;
  std::shared_ptr<const LoadedModel> loaded;
  const Context &context;
  const Driver &driver;
  kiln_device_info device;
  StepObserver observer;
  uint64_t graphMemory;
  bool isRank;   ///< one of several ranks
  bool stepwise; ///< launch step by step rather than a CUDA graph
  bool oneByOne; ///< also synchronize after every step

  Launches launches;
  Collectives collectives;
  CheckResults checks;
  std::vector<StagingBuffer> inputBuffers, outputBuffers;
  std::vector<Memory> arenas;          ///< empty if another session owns them
  std::vector<CUdeviceptr> arenaBases; ///< addresses of the session's arenas
  std::vector<uint64_t> arenaBytes;
  std::vector<int64_t> dims;                ///< current values of the symbols
  std::vector<std::vector<uint8_t>> copies; ///< host copies of buffers, for the observer

  CUstream own = nullptr; ///< this session's stream, or that of its arenas' owner
  bool ownsStream = false;
  CUstream stream = nullptr; ///< stream of the runs: `own` or the caller's
  std::optional<GraphCache> graphs;
  std::vector<CUevent> events;         ///< around every step, if times are requested
  std::vector<uint64_t> times;         ///< ns per step
  std::vector<std::string> rangeNames; ///< names of steps in profilers
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_CUDA_SESSION_H
