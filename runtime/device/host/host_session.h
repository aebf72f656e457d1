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

/// A session on the CPU. The constructor and bind() compute everything that runs need:
/// run() only stores the caller's pointers into the tables and calls the kernels.
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
  /// A launch of a step, or a copy to an output whose value is elsewhere.
  struct Command {
    kiln_host_kernel kernel = nullptr; ///< NULL: copy the first slot to the next
    int32_t collective = -1;           ///< index in `collectives`; -1: not a collective
    uint32_t slots = 0;                ///< index of its first pointer
    uint32_t symbols = 0;              ///< index of its first symbol value
    int64_t grid = 0;                  ///< number of tasks; bytes of a copy
    uint32_t workers = 1;              ///< max workers for the tasks
    int64_t parts = 1;                 ///< parts of a worker's tasks, see partsOf
    bool isSkipped = false;            ///< step of another pipeline stage
  };
  /// A pointer that the caller passes for each run.
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
  /// Whether a check is disabled: indices in model inputs are in host memory, where they
  /// are compared before the run.
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
  SharedWorkers *sharedWorkers; ///< instead of the process's thread pool; null: none
  uint32_t threadCount;
  CallerPool callerPool; ///< instead of the process's thread pool, if the caller has one
  StepObserver observer;
  bool measure;

  std::vector<Command> commands;           ///< steps, then output copies
  std::vector<CollectiveCall> collectives; ///< without the memory addresses of a run
  std::vector<uint32_t> slotBuffers;       ///< buffer of each slot, or noBuffer
  std::vector<void *> slots;
  std::vector<Patch> patches;
  std::vector<std::pair<uint32_t, uint32_t>> copies; ///< output and its command
  std::vector<int64_t> symbolValues;                 ///< for all kernels, concatenated
  std::vector<int64_t> boundSymbols;                 ///< values of the plan's symbols
  std::vector<uint32_t> kernelSymbols;               ///< index of each kernel's first
  std::vector<uint8_t *> storageOf; ///< per buffer: its address in the arena
  std::vector<uint64_t> bufferBytes;

  kiln_allocator allocator;
  std::shared_ptr<HostArenas> arenas; ///< common to all programs of the session
  bool isPlaced = false;              ///< pointers into the arenas are set
  uint8_t *scratch = nullptr;         ///< scratch memory of the first thread
  uint32_t scratchPages = 0;          ///< distance of two threads' scratch
  NeededSteps needed;
  std::vector<TensorPlace> outputPlaces; ///< outputs of the current run
  /// Memory for outputs that the steps write but the caller does not want.
  std::vector<ArenaMemory> spareOutputs;
  std::vector<uint64_t> outputCapacities;
  std::vector<uint64_t> times;
  std::vector<uint64_t> measured;
  std::vector<kiln_buffer_view> views;
};

/// Returns the CPU of this machine.
Device &hostDevice();

} // namespace kiln::rt

#endif // KILN_DEVICE_HOST_HOST_SESSION_H
