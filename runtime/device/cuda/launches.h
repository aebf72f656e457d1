//===- launches.h - What a session launches ------------------------*- C++ -*- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a plan as the driver wants them: functions, grids and parameters. One
// list serves the graphs and the launches one by one.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_LAUNCHES_H
#define KILN_DEVICE_CUDA_LAUNCHES_H

#include "runtime/device/cuda/loaded_model.h"
#include "runtime/device/cuda/tensor_maps.h"
#include "runtime/package/layout.h"
#include <span>

namespace kiln::rt::cuda {

/// A step of the plan, or the copy of an output that lives elsewhere. Its parameters
/// are slots: addresses of buffers, then values of symbols, then addresses of a
/// workspace and of tickets. Code and slots are those that the dims ask for.
struct Command {
  const DeviceCode *code = nullptr; ///< null: copies the first slot to the second
  uint32_t slots = 0;               ///< first of its slots
  uint32_t count = 0;
  uint32_t maps = 0, mapCount = 0; ///< behind the slots: in the list of maps
  int64_t tasks = 0;               ///< blocks; bytes for a copy
  bool isSkipped = false;          ///< of another stage of a pipeline
  bool isCollective = false;
  /// Whether the kernel waits for earlier ones by itself (griddepcontrol) and has tasks
  /// at all dims, hence in all variants.
  bool waits = false;
  uint32_t sharedBytes = 0;
  uint64_t workspaceBytes = 0;
};

class Launches {
public:
  Launches(const Plan &plan, const LoadedModel &loaded, size_t target);
  Launches(const Launches &) = delete;

  /// Parameters for these dims. arenas: where each arena of the plan is.
  void bind(const Layout &layout, std::span<const int64_t> symbols,
            std::span<const CUdeviceptr> arenas) noexcept;
  /// Parameters for a model input or output at this address.
  void placeInput(size_t index, CUdeviceptr address) {
    place(inputSlots[index], address);
  }
  void placeOutput(size_t index, CUdeviceptr address) {
    place(outputSlots[index], address);
  }

  /// Whether a step of a check runs at all at these dims, as it does after bind().
  void enable(size_t step, bool works) {
    list[step].tasks = works ? boundTasks[step] : 0;
  }

  std::span<const Command> commands() const { return list; } ///< steps, then copies
  std::span<const uint64_t> slotValues() const { return slots; }
  std::span<const uint64_t> slotsOf(const Command &command) const {
    return slotValues().subspan(command.slots, command.count);
  }
  uint64_t bytesOf(uint32_t buffer) const { return bufferBytes[buffer]; }

  /// Parameters of the kernel node of a command; the driver reads what they point to
  /// during its call. The grid has at least one block, since nodes without work are
  /// disabled, not changed.
  CUDA_KERNEL_NODE_PARAMS_v2 kernelParameters(const Command &command) const;
  /// Makes the command's tensor maps for the slots and dims at hand; before
  /// kernelParameters are used. Errors: KILN-E0506, E0705, E0706.
  Status encodeMaps(const Command &command) const;
  CUDA_MEMCPY3D_v2 copyParameters(const Command &command) const;

  /// `step 3 (kernel "gemm0"), node MatMul_7`, for messages.
  std::string where(const Command &command) const;

private:
  /// A way to run a step, with slots of its own.
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
  Envelope envelope; ///< that the package is for
  std::vector<Command> list;
  std::vector<int64_t> boundTasks;                 ///< by step
  std::vector<std::vector<CodeSlots>> slotsByStep; ///< by step: as LoadedModel::kernels
  std::vector<uint64_t> slots;
  std::vector<uint32_t> slotBuffer; ///< per slot: its buffer, or noBuffer
  std::vector<void *> slotPointers; ///< as the driver wants parameters
  /// Where the driver reads them; encoded when they are about to be read.
  mutable std::vector<LaunchMap> maps;
  std::vector<std::vector<uint32_t>> inputSlots, outputSlots; ///< of the caller's tensors
  std::vector<uint32_t> copiedOutputs; ///< of the commands behind the steps
  std::vector<uint64_t> bufferBytes;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_LAUNCHES_H
