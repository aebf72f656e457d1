//===- launches.h - What a session launches ------------------------*- C++ -*- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a plan as CUDA launches: functions, grids and parameters, for graph nodes
// and for launches one by one.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_LAUNCHES_H
#define KILN_DEVICE_CUDA_LAUNCHES_H

#include "runtime/device/cuda/loaded_model.h"
#include "runtime/device/cuda/tensor_maps.h"
#include "runtime/package/layout.h"
#include <span>

namespace kiln::rt::cuda {

/// A launch of a step, or a copy to an output whose value is elsewhere. Its parameters
/// are slots: addresses of buffers, then values of symbols, then addresses of a workspace
/// and of arrival counters. `code` and `slots` are those selected by the dims.
struct Command {
  const DeviceCode *code = nullptr; ///< null: copies the first slot to the second
  uint32_t slots = 0;               ///< index of its first slot
  uint32_t count = 0;
  uint32_t maps = 0, mapCount = 0; ///< range in the list of tensor maps
  int64_t tasks = 0;               ///< number of blocks; bytes of a copy
  bool isSkipped = false;          ///< step of another pipeline stage
  bool isCollective = false;
  /// Whether the kernel waits for earlier ones by griddepcontrol (programmatic dependent
  /// launch) and has tasks at all dims, hence in all variants.
  bool waits = false;
  uint32_t sharedBytes = 0;
  uint64_t workspaceBytes = 0;
};

class Launches {
public:
  Launches(const Plan &plan, const LoadedModel &loaded, size_t target);
  Launches(const Launches &) = delete;

  /// Sets the parameters for these dims. arenas: base address of each arena of the plan.
  void bind(const Layout &layout, std::span<const int64_t> symbols,
            std::span<const CUdeviceptr> arenas) noexcept;
  /// Sets the address of a model input or output.
  void placeInput(size_t index, CUdeviceptr address) {
    place(inputSlots[index], address);
  }
  void placeOutput(size_t index, CUdeviceptr address) {
    place(outputSlots[index], address);
  }

  /// Enables or disables a step with a check; bind() enables it.
  void enable(size_t step, bool works) {
    list[step].tasks = works ? boundTasks[step] : 0;
  }

  std::span<const Command> commands() const { return list; } ///< steps, then copies
  std::span<const uint64_t> slotValues() const { return slots; }
  std::span<const uint64_t> slotsOf(const Command &command) const {
    return slotValues().subspan(command.slots, command.count);
  }
  uint64_t bytesOf(uint32_t buffer) const { return bufferBytes[buffer]; }

  /// Returns the parameters of a command's kernel node, with pointers that the driver
  /// reads during the call. The grid has at least one block: nodes without work are
  /// disabled instead.
  CUDA_KERNEL_NODE_PARAMS_v2 kernelParameters(const Command &command) const;
  /// Encodes the command's tensor maps for the current slots and dims; to be called
  /// before kernelParameters are used. Errors: KILN-E0506, E0705, E0706.
  Status encodeMaps(const Command &command) const;
  CUDA_MEMCPY3D_v2 copyParameters(const Command &command) const;

  /// Returns `step 3 (kernel "gemm0"), node MatMul_7`, for error messages.
  std::string where(const Command &command) const;

private:
  /// A kernel variant of a step, with slots of its own.
  struct CodeSlots {
    const DeviceCode *code;
    uint32_t slots, count, maps, mapCount;
  };

  void addStep(const Step &step);
  void addCodeSlots(const Step &step, const DeviceCode &code);
  void addMaps(const std::vector<TensorMap> &described, CodeSlots &codeSlots);
  void select(const Layout &layout, size_t step);
  void bindLaunch(const Layout &layout, std::span<const int64_t> symbols, size_t step);
  void addOutputCopies();
  void addBufferSlot(uint32_t buffer);
  void place(const std::vector<uint32_t> &places, CUdeviceptr address);

  const Plan &plan;
  const LoadedModel &loaded;
  size_t target;
  Envelope envelope; ///< ranges of the package's symbols
  std::vector<Command> list;
  std::vector<int64_t> boundTasks;                 ///< by step
  std::vector<std::vector<CodeSlots>> slotsByStep; ///< by step, then by kernel variant
  std::vector<uint64_t> slots;
  std::vector<uint32_t> slotBuffer; ///< per slot: its buffer, or noBuffer
  std::vector<void *> slotPointers; ///< parameters in the driver's form
  /// Tensor maps at the addresses that the driver reads; encoded just before a launch.
  mutable std::vector<LaunchMap> maps;
  std::vector<std::vector<uint32_t>> inputSlots, outputSlots; ///< by input and output
  std::vector<uint32_t> copiedOutputs; ///< outputs of the copies after the steps
  std::vector<uint64_t> bufferBytes;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_LAUNCHES_H
