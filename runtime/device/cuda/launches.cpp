//===- launches.cpp - What a session launches ---------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/launches.h"
#include <algorithm>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

static constexpr uint32_t noBuffer = UINT32_MAX;

Launches::Launches(const Plan &plan, const LoadedModel &loaded, size_t target)
    : plan(plan), loaded(loaded), target(target),
      envelope(plan, envelopeOf(plan.symbols)), inputSlots(plan.inputs.size()),
      outputSlots(plan.outputs.size()), bufferBytes(plan.buffers.size()) {
  for (const Step &step : plan.steps)
    addStep(step);
  // A check of inputs may be disabled, and a disabled node does not propagate
  // programmatic dependencies.
  for (const IndexCheck &check : plan.indexChecks)
    list[check.step].waits &= !check.isOfInputs();
  boundTasks.resize(plan.steps.size());
  addOutputCopies();
  // After all slots exist, since `slots` no longer grows: the driver reads parameters
  // through these pointers.
  for (uint64_t &slot : slots)
    slotPointers.push_back(&slot);
  for (LaunchMap &map : maps)
    slotPointers[map.parameterSlot] = &map.encoded;
}

void Launches::addBufferSlot(uint32_t buffer) {
  uint32_t slot = static_cast<uint32_t>(slots.size());
  slots.push_back(0);
  slotBuffer.push_back(buffer);
  kiln_arena_kind kind = plan.kindOf(buffer);
  bool input = kind == KILN_ARENA_INPUT;
  if (!input && kind != KILN_ARENA_OUTPUT)
    return;
  slotBuffer.back() = noBuffer;
  // The caller passes the memory of the first tensor with this storage.
  const std::vector<Tensor> &tensors = input ? plan.inputs : plan.outputs;
  for (uint32_t i = 0; i < tensors.size(); ++i)
    if (plan.buffers[tensors[i].buffer].storage == plan.buffers[buffer].storage) {
      (input ? inputSlots : outputSlots)[i].push_back(slot);
      return;
    }
}

void Launches::addStep(const Step &step) {
  Command command;
  slotsByStep.emplace_back();
  if (step.kind == StepKind::Launch) {
    command.waits = true;
    for (const DeviceCode &code : loaded.kernels[step.kernel]) {
      addCodeSlots(step, code);
      command.waits &=
          code.block->waits && envelope.bounds(code.gridOf(step, target)).min > 0;
    }
  } else {
    command.slots = static_cast<uint32_t>(slots.size());
    command.count = 2;
    addBufferSlot(step.reads[0]);
    addBufferSlot(step.writes[0]);
  }
  command.isCollective = step.kind == StepKind::Collective;
  command.isSkipped = !command.isCollective && !plan.runsOn(step, loaded.rank);
  command.waits &= !command.isSkipped;
  list.push_back(command);
}

void Launches::addCodeSlots(const Step &step, const DeviceCode &code) {
  CodeSlots codeSlots{&code, static_cast<uint32_t>(slots.size()), 0, 0, 0};
  for (uint32_t buffer : step.reads)
    addBufferSlot(buffer);
  for (uint32_t buffer : step.writes)
    addBufferSlot(buffer);
  slots.resize(slots.size() + plan.kernels[step.kernel].symbols.size());
  slotBuffer.resize(slots.size(), noBuffer);
  if (code.block->hasWorkspace()) {
    addBufferSlot(static_cast<uint32_t>(step.workspace));
    addBufferSlot(static_cast<uint32_t>(step.tickets));
  }
  codeSlots.count = static_cast<uint32_t>(slots.size()) - codeSlots.slots;
  addMaps(code.block->maps, codeSlots);
  slotsByStep.back().push_back(codeSlots);
}

/// Adds tensor maps, which are kernel parameters after the 64-bit ones. Each has a slot
/// that only reserves its parameter's position.
void Launches::addMaps(const std::vector<TensorMap> &described, CodeSlots &codeSlots) {
  const Step &step = plan.steps[list.size()];
  codeSlots.maps = static_cast<uint32_t>(maps.size());
  codeSlots.mapCount = static_cast<uint32_t>(described.size());
  for (const TensorMap &map : described) {
    bool reads = map.buffer < step.reads.size();
    LaunchMap launch{&map, {}, {}};
    launch.buffer =
        reads ? step.reads[map.buffer] : step.writes[map.buffer - step.reads.size()];
    launch.bufferSlot = codeSlots.slots + map.buffer;
    launch.parameterSlot = static_cast<uint32_t>(slots.size());
    maps.push_back(launch);
    slots.push_back(0);
    slotBuffer.push_back(noBuffer);
  }
}

Status Launches::encodeMaps(const Command &command) const {
  Where place = [this, &command] { return where(command); };
  for (uint32_t i = command.maps; i < command.maps + command.mapCount; ++i) {
    LaunchMap &map = maps[i];
    KILN_TRY(map.shape.check(*map.map, bufferBytes[map.buffer], place));
    KILN_TRY(map.encode(*loaded.context->driver, slots[map.bufferSlot], place));
  }
  return {};
}

/// Adds copies for outputs whose value is an input, a weight, state, or another output.
void Launches::addOutputCopies() {
  for (uint32_t i = 0; i < plan.outputs.size(); ++i) {
    if (plan.providesStorage(i))
      continue;
    Command command;
    command.slots = static_cast<uint32_t>(slots.size());
    command.count = 2;
    addBufferSlot(plan.outputs[i].buffer);
    outputSlots[i].push_back(static_cast<uint32_t>(slots.size()));
    slots.push_back(0);
    slotBuffer.push_back(noBuffer);
    list.push_back(command);
    copiedOutputs.push_back(i);
  }
}

void Launches::bind(const Layout &layout, std::span<const int64_t> symbols,
                    std::span<const CUdeviceptr> arenas) noexcept {
  for (size_t s = 0; s < slots.size(); ++s)
    if (uint32_t buffer = slotBuffer[s]; buffer != noBuffer)
      slots[s] = plan.kindOf(buffer) == KILN_ARENA_WEIGHTS
                     ? loaded.weights->address(layout.offset(buffer) +
                                               plan.partOf(buffer, loaded.rank))
                     : arenas[plan.buffers[buffer].arena] + layout.offset(buffer);
  for (uint32_t b = 0; b < plan.buffers.size(); ++b)
    bufferBytes[b] = layout.size(plan, b);
  for (size_t i = 0; i < list.size(); ++i) {
    Command &command = list[i];
    if (i >= plan.steps.size()) {
      const Tensor &output = plan.outputs[copiedOutputs[i - plan.steps.size()]];
      command.tasks = static_cast<int64_t>(layout.tensorBytes(output));
      continue;
    }
    const Step &step = plan.steps[i];
    if (step.kind != StepKind::Launch) {
      command.tasks = static_cast<int64_t>(layout.size(plan, step.writes[0]));
      continue;
    }
    select(layout, i);
    bindLaunch(layout, symbols, i);
    boundTasks[i] = command.tasks;
  }
}

/// Selects the variant of a step's kernel for the bound dims, and its slots.
void Launches::select(const Layout &layout, size_t index) {
  const Variant *wanted = layout.choose(plan.kernels[plan.steps[index].kernel], target);
  const CodeSlots &codeSlots = *std::ranges::find_if(
      slotsByStep[index], [&](const CodeSlots &v) { return v.code->variant == wanted; });
  Command &command = list[index];
  command.code = codeSlots.code;
  command.slots = codeSlots.slots;
  command.count = codeSlots.count;
  command.maps = codeSlots.maps;
  command.mapCount = codeSlots.mapCount;
}

void Launches::bindLaunch(const Layout &layout, std::span<const int64_t> symbols,
                          size_t index) {
  const Step &step = plan.steps[index];
  Command &command = list[index];
  size_t slot = command.slots + step.reads.size() + step.writes.size();
  for (uint32_t symbol : plan.kernels[step.kernel].symbols)
    slots[slot++] = static_cast<uint64_t>(symbols[symbol]);
  command.tasks = layout.value(command.code->gridOf(step, target));
  for (uint32_t m = command.maps; m < command.maps + command.mapCount; ++m)
    maps[m].shape = TensorShape(*maps[m].map, layout);
  const Block &block = *command.code->block;
  command.sharedBytes = static_cast<uint32_t>(layout.value(block.shared));
  command.workspaceBytes =
      block.hasWorkspace()
          ? static_cast<uint64_t>(layout.value(static_cast<ExprIndex>(block.workspace)))
          : 0;
}

void Launches::place(const std::vector<uint32_t> &places, CUdeviceptr address) {
  for (uint32_t slot : places)
    slots[slot] = address;
}

CUDA_KERNEL_NODE_PARAMS_v2 Launches::kernelParameters(const Command &command) const {
  const Block &block = *command.code->block;
  CUDA_KERNEL_NODE_PARAMS_v2 parameters = {};
  parameters.func = command.code->function;
  int64_t blocks = std::max<int64_t>(command.tasks, 1);
  if (block.persistent)
    blocks = std::min<int64_t>(blocks, loaded.context->multiprocessors);
  // The grid must be a multiple of the kernel's cluster size.
  blocks = std::max<int64_t>(blocks / block.cluster, 1) * block.cluster;
  // The driver rejects grids that are too large.
  parameters.gridDimX = static_cast<unsigned>(std::min<int64_t>(blocks, UINT32_MAX));
  parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = block.threads;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.sharedMemBytes = command.sharedBytes;
  parameters.kernelParams = const_cast<void **>(slotPointers.data()) + command.slots;
  return parameters;
}

CUDA_MEMCPY3D_v2 Launches::copyParameters(const Command &command) const {
  CUDA_MEMCPY3D_v2 parameters = {};
  parameters.srcMemoryType = parameters.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  parameters.srcDevice = slots[command.slots];
  parameters.dstDevice = slots[command.slots + 1];
  parameters.WidthInBytes = static_cast<size_t>(std::max<int64_t>(command.tasks, 1));
  parameters.Height = parameters.Depth = 1;
  return parameters;
}

std::string Launches::where(const Command &command) const {
  size_t index = static_cast<size_t>(&command - list.data());
  if (index >= plan.steps.size())
    return "the copy of output " +
           plan.outputs[copiedOutputs[index - plan.steps.size()]].name;
  std::string text = plan.stepName(static_cast<uint32_t>(index));
  if (command.code && command.code->variant)
    text += std::string(" as ") + command.code->name;
  for (const std::string &node : plan.steps[index].nodes)
    text += ", node " + node;
  return text;
}
