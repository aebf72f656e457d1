//===- cuda_session.h - Running a plan on a GPU ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of the plan are the nodes of one CUDA graph, which is instantiated when
// the session is created. Other dims change the parameters of its nodes, never its
// shape, so a request compiles, captures and instantiates nothing.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_CUDA_SESSION_H
#define KILN_DEVICE_CUDA_CUDA_SESSION_H

#include "runtime/device/cuda/loaded_model.h"
#include "runtime/device/device.h"
#include <span>

namespace kiln::rt::cuda {

class CudaSession final : public DeviceSession {
public:
  CudaSession(const kiln_model &model, std::shared_ptr<const LoadedModel> loaded,
              size_t target, const kiln_session_options &options);
  ~CudaSession() override;

  Status allocate(std::span<const uint64_t> capacities, const Layout &largest) override;
  void bind(const Layout &layout, std::span<const int64_t> symbols) noexcept override;
  Status run(std::span<void *const> inputs, std::span<void *const> outputs) override;
  void resetState() noexcept override;
  uint32_t threads() const override { return 1; }
  const uint64_t *stepTimes() const override {
    return times.empty() ? nullptr : times.data();
  }
  uint64_t measuredBytes(size_t) const override { return 0; }

private:
  /// A step of the plan, or the copy of an output that lives elsewhere. Its
  /// parameters are slots: addresses of buffers, then values of symbols.
  struct Action {
    int32_t kernel = -1; ///< -1: copies the first slot to the second
    uint32_t slots = 0;  ///< first of its slots
    uint32_t count = 0;
    int64_t tasks = 0; ///< blocks; bytes for a copy
    uint32_t sharedBytes = 0;
    CUgraphNode node = nullptr;
    bool enabled = true; ///< of the instantiated node
    bool changed = true; ///< since the node was set
  };
  /// A model input or output: where its bytes are on the GPU in this run.
  struct Port {
    Memory onDevice, staging; ///< of the largest size, for tensors of the host
    uint64_t bytes = 0;       ///< at the dims at hand
    CUdeviceptr current = 0;  ///< the caller's own memory, or onDevice
    bool isHost = true;
    std::vector<uint32_t> slots; ///< that hold `current`
  };

  void addAction(const Step &step);
  void addOutputCopies();
  void addBufferSlot(uint32_t buffer);
  Action &actionOf(uint32_t slot);
  std::string where(const Action &action) const;

  Status checkFree(std::span<const uint64_t> capacities, const Layout &largest) const;
  Status allocatePort(Port &port, const Tensor &tensor, const Layout &largest);
  Status buildGraph();
  Status addNode(Action &action, std::span<const CUgraphNode> after);
  Status updateNodes();
  CUDA_KERNEL_NODE_PARAMS_v2 kernelParameters(const Action &action);
  CUDA_MEMCPY3D_v2 copyParameters(const Action &action) const;

  CUdeviceptr baseOf(uint32_t buffer) const;
  void bindPort(Port &port, uint64_t bytes);
  void place(Port &port, void *data);
  Status copyIn(std::span<void *const> inputs);
  Status copyOut(std::span<void *const> outputs);

  Status runSteps();
  Status launch(const Action &action);
  Status record(size_t event);
  Status readTimes();
  Status observe(size_t step, bool after);

  const Plan &plan;
  std::shared_ptr<const LoadedModel> loaded;
  const Context &context;
  const Driver &driver;
  size_t target;
  kiln_step_observer observer;
  void *observerUser;
  /// Every step by itself: to time it, to show it, or to know which one fails.
  bool stepwise;

  std::vector<Action> actions;      ///< steps first, then output copies
  std::vector<uint64_t> slots;      ///< addresses and symbol values
  std::vector<uint32_t> slotBuffer; ///< per slot: its buffer, or noBuffer
  std::vector<void *> slotPointers; ///< as the driver wants parameters
  std::vector<Port> inputPorts, outputPorts;
  std::vector<uint32_t> copiedOutputs; ///< of the actions behind the steps
  std::vector<Memory> arenas;
  std::vector<uint64_t> bufferBytes; ///< at the dims at hand
  std::vector<std::vector<uint8_t>> copies; ///< of buffers, for the observer

  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  std::vector<CUevent> events; ///< around every step when times are asked for
  std::vector<uint64_t> times; ///< ns
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_CUDA_SESSION_H
