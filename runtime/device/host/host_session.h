//===- host_session.h - Running a plan on the CPU ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_HOST_HOST_SESSION_H
#define KILN_DEVICE_HOST_HOST_SESSION_H

#include "kiln/abi.h"
#include "runtime/base/file.h"
#include "runtime/device/device.h"
#include "runtime/device/host/caller_pool.h"
#include "runtime/device/host/host_arenas.h"
#include "runtime/device/host/needed_steps.h"
#include "runtime/device/host/shared_workers.h"
#include "runtime/device/host/thread_pool.h"
#include "runtime/device/observer.h"

namespace kiln::rt {

/// Everything a run needs is computed by the constructor and bind(): run() only
/// stores the caller's pointers into the tables and calls the kernels.
class HostSession final : public DeviceSession {
public:
  HostSession(const kiln_model &model, const kiln_session_options &options,
              const ProcessGroup &group);

  Status allocate(const Capacities &capacities, const DeviceSession *owner,
                  const Layout &layout, std::span<const int64_t> symbols,
                  uint64_t choices) override;
  Status checkMemory(const Layout &layout) override;
  void bind(const Layout &layout, std::span<const int64_t> symbols) noexcept override;
  Status run(std::span<const TensorPlace> inputs, std::span<const TensorPlace> outputs,
             RunControl &control) override;
  Status resetState() override;
  Status setStream(void *stream) override;
  Status readState(uint64_t offset, std::span<uint8_t> to) override;
  Status writeState(uint64_t offset, std::span<const uint8_t> from) override;
  Status copyState(uint64_t from, uint64_t to, uint64_t bytes) override;
  Status synchronize() override { return {}; }
  const kiln_device_info &info() const override { return device; }
  Status stepLaunch(size_t step, kiln_step_launch &out) const override;
  uint32_t threads() const override { return threadCount; }
  const uint64_t *stepTimes() const override {
    return times.empty() ? nullptr : times.data();
  }
  uint64_t measuredBytes(size_t arena) const override { return measured[arena]; }
  Status trim() override;
  bool isBound() const override { return isPlaced; }

private:
  /// A step of the plan, or the copy of an output that lives elsewhere.
  struct Command {
    kiln_host_kernel kernel = nullptr; ///< NULL: copy the first slot to the next
    int32_t collective = -1;           ///< among `collectives`; -1: it is none
    uint32_t slots = 0;                ///< first of its pointers
    uint32_t symbols = 0;              ///< first of its symbol values
    int64_t grid = 0;                  ///< tasks; bytes for a copy
    uint32_t workers = 1;              ///< that share the tasks, at most
    int64_t parts = 1;                 ///< of each worker's tasks, see partsOf
    bool isSkipped = false;            ///< it is of another stage of a pipeline
  };
  /// A pointer that the caller supplies anew for each run.
  struct Patch {
    uint32_t slot;
    uint32_t tensor;
    bool output;
  };
  static constexpr uint32_t noBuffer = UINT32_MAX;

  Status placeOutputs(std::span<const TensorPlace> outputs);
  bool isLeftOut(size_t command) const;
  void addStep(const Step &step);
  void addOutputCopies();
  void addSlot(uint32_t buffer);
  uint32_t workersOf(const Step &step, const Layout &layout) const;
  Status launch(const Command &command, RunControl &control);
  Status runCollective(const Command &command);
  std::string placeOf(size_t command) const;
  Status runCommands(RunControl &control);
  /// The launch that checks indices of inputs only has nothing to do: those are in
  /// memory of the host, and were compared before the run.
  bool isLeftOut(const IndexCheck &check) const {
    return (!observer && check.isOfInputs()) || commands[check.step].isSkipped;
  }
  Status readChecks() const;
  Status observe(size_t step, bool after);
  kiln_buffer_view view(uint32_t buffer, uint32_t slot) const;
  uint8_t *stateAt(uint64_t offset);
  void fillArenas();
  void measureArenas();

  const kiln_model &model;
  const Plan &plan;
  const ProcessGroup group;
  kiln_device_info device = {"cpu", "", "", -1, 0, 0, 0, nullptr};
  struct ReleaseWorkers {
    void operator()(kiln_workers *workers) const { kiln_workers_release(workers); }
  };
  std::unique_ptr<kiln_workers, ReleaseWorkers> ownWorkers;
  SharedWorkers *sharedWorkers; ///< in place of those of the process; null: none
  uint32_t threadCount;
  CallerPool callerPool; ///< in place of that of the process, if the caller has one
  StepObserver observer;
  bool measure;

  std::vector<Command> commands;           ///< steps first, then output copies
  std::vector<CollectiveCall> collectives; ///< without the memory of a run
  std::vector<uint32_t> slotBuffers;       ///< buffer of each slot, or noBuffer
  std::vector<void *> slots;
  std::vector<Patch> patches;
  std::vector<std::pair<uint32_t, uint32_t>> copies; ///< output, its command
  std::vector<int64_t> symbolValues;                 ///< per kernel, flat
  std::vector<int64_t> boundSymbols;                 ///< of the plan
  std::vector<uint32_t> kernelSymbols;               ///< first of each kernel
  std::vector<uint8_t *> storageOf; ///< per buffer: where the arena put it
  std::vector<uint64_t> bufferBytes;

  kiln_allocator allocator;
  std::shared_ptr<HostArenas> arenas; ///< with the other programs
  bool isPlaced = false;              ///< pointers lead to the arenas
  uint8_t *scratch = nullptr;         ///< of the first thread
  uint32_t scratchPages = 0;          ///< from one thread's scratch to the next
  NeededSteps needed;
  std::vector<TensorPlace> outputPlaces; ///< of the run at hand
  /// Memory of outputs that a run was not asked for, but writes.
  std::vector<ArenaMemory> spareOutputs;
  std::vector<uint64_t> outputCapacities;
  std::vector<uint64_t> times;
  std::vector<uint64_t> measured;
  std::vector<kiln_buffer_view> views;
};

/// The CPU of this machine.
Device &hostDevice();

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_HOST_SESSION_H
