//===- cuda_session.cpp - Running a plan on a GPU -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/cuda_session.h"
#include "runtime/device/cuda/dependencies.h"
#include "runtime/session/model.h"
#include <algorithm>
#include <cstring>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

static constexpr uint32_t noBuffer = UINT32_MAX;

CudaSession::CudaSession(const kiln_model &model,
                         std::shared_ptr<const LoadedModel> loadedModel, size_t target,
                         const kiln_session_options &options)
    : plan(model.plan), loaded(std::move(loadedModel)),
      context(*loaded->context), driver(*context.driver), target(target),
      observer(options.observer), observerUser(options.observer_user),
      stepwise(options.profile || options.observer || options.no_graph),
      inputPorts(plan.inputs.size()), outputPorts(plan.outputs.size()),
      arenas(plan.arenas.size()), bufferBytes(plan.buffers.size()) {
  for (const Step &step : plan.steps)
    addAction(step);
  addOutputCopies();
  // Not before all slots exist: the driver reads parameters through these.
  for (uint64_t &slot : slots)
    slotPointers.push_back(&slot);
  if (options.profile)
    times.resize(plan.steps.size());
}

CudaSession::~CudaSession() {
  Current current(context);
  if (stream)
    (void)driver.streamSynchronize(stream); // a graph may still run
  if (exec)
    (void)driver.graphExecDestroy(exec);
  if (graph)
    (void)driver.graphDestroy(graph);
  for (CUevent event : events)
    (void)driver.eventDestroy(event);
  if (stream)
    (void)driver.streamDestroy(stream);
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

void CudaSession::addBufferSlot(uint32_t buffer) {
  uint32_t slot = static_cast<uint32_t>(slots.size());
  slots.push_back(0);
  slotBuffer.push_back(buffer);
  kiln_arena_kind kind = plan.kindOf(buffer);
  bool input = kind == KILN_ARENA_INPUT;
  if (!input && kind != KILN_ARENA_OUTPUT)
    return;
  // The first tensor that names the storage provides it.
  const std::vector<Tensor> &tensors = input ? plan.inputs : plan.outputs;
  for (uint32_t i = 0; i < tensors.size(); ++i)
    if (plan.buffers[tensors[i].buffer].storage == plan.buffers[buffer].storage) {
      (input ? inputPorts : outputPorts)[i].slots.push_back(slot);
      return;
    }
}

void CudaSession::addAction(const Step &step) {
  Action action;
  action.slots = static_cast<uint32_t>(slots.size());
  for (uint32_t buffer : step.reads)
    addBufferSlot(buffer);
  for (uint32_t buffer : step.writes)
    addBufferSlot(buffer);
  if (step.kind == StepKind::Launch) {
    action.kernel = static_cast<int32_t>(step.kernel);
    slots.resize(slots.size() + plan.kernels[step.kernel].symbols.size());
    slotBuffer.resize(slots.size(), noBuffer);
  }
  action.count = static_cast<uint32_t>(slots.size()) - action.slots;
  actions.push_back(action);
}

/// An output whose value is an input, a weight, state, or another output.
void CudaSession::addOutputCopies() {
  for (uint32_t i = 0; i < plan.outputs.size(); ++i) {
    uint32_t buffer = plan.outputs[i].buffer;
    if (plan.providesStorage(i))
      continue;
    Action action;
    action.slots = static_cast<uint32_t>(slots.size());
    action.count = 2;
    addBufferSlot(buffer);
    outputPorts[i].slots.push_back(static_cast<uint32_t>(slots.size()));
    slots.push_back(0);
    slotBuffer.push_back(noBuffer);
    actions.push_back(action);
    copiedOutputs.push_back(i);
  }
}

std::string CudaSession::where(const Action &action) const {
  size_t index = static_cast<size_t>(&action - actions.data());
  if (index >= plan.steps.size())
    return "the copy of an output";
  std::string text = plan.stepName(static_cast<uint32_t>(index));
  for (const std::string &node : plan.steps[index].nodes)
    text += ", node " + node;
  return text;
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// Arenas of a session on the GPU. Scratch lies in the blocks' shared memory.
static bool isOnDevice(kiln_arena_kind kind) {
  return kind == KILN_ARENA_ACTIVATIONS || kind == KILN_ARENA_STATE;
}

/// Says how much is missing before anything is allocated.
Status CudaSession::checkFree(std::span<const uint64_t> capacities,
                              const Layout &largest) const {
  uint64_t needed = 0;
  for (size_t i = 0; i < arenas.size(); ++i)
    needed += isOnDevice(plan.arenas[i].kind) ? capacities[i] : 0;
  for (const std::vector<Tensor> *tensors : {&plan.inputs, &plan.outputs})
    for (const Tensor &tensor : *tensors)
      needed += largest.tensorBytes(tensor);
  size_t available = 0, total = 0;
  std::string device = "device " + context.name;
  KILN_TRY(driver.check(driver.memGetInfo(&available, &total), "cuMemGetInfo", device));
  if (needed <= available)
    return {};
  return Failure{Code::DeviceMemory,
                 device,
                 "the session does not fit into the memory of the GPU",
                 "at most " + std::to_string(available) + " bytes, which are free",
                 std::to_string(needed) + " bytes",
                 "narrow the dims of the session or free memory on the GPU"};
}

Status CudaSession::allocate(std::span<const uint64_t> capacities, const Layout &largest) {
  Current current(context);
  std::string device = "device " + context.name;
  KILN_TRY(driver.check(current.status(), "cuCtxPushCurrent", device));
  KILN_TRY(checkFree(capacities, largest));
  for (size_t i = 0; i < arenas.size(); ++i)
    if (isOnDevice(plan.arenas[i].kind))
      KILN_TRY(Memory::onDevice(loaded->context, capacities[i],
                                std::string("arena ") +
                                    kiln_arena_kind_name(plan.arenas[i].kind),
                                arenas[i]));
  for (size_t i = 0; i < inputPorts.size(); ++i)
    KILN_TRY(allocatePort(inputPorts[i], plan.inputs[i], largest));
  for (size_t i = 0; i < outputPorts.size(); ++i)
    KILN_TRY(allocatePort(outputPorts[i], plan.outputs[i], largest));
  KILN_TRY(driver.check(driver.streamCreate(&stream, CU_STREAM_NON_BLOCKING),
                        "cuStreamCreate", device));
  // One before the first step and one after each.
  for (size_t i = 0; !times.empty() && i <= times.size(); ++i) {
    events.push_back(nullptr);
    KILN_TRY(driver.check(driver.eventCreate(&events.back(), CU_EVENT_DEFAULT),
                          "cuEventCreate", device));
  }
  resetState();
  return buildGraph();
}

Status CudaSession::allocatePort(Port &port, const Tensor &tensor, const Layout &largest) {
  uint64_t bytes = largest.tensorBytes(tensor);
  KILN_TRY(Memory::onDevice(loaded->context, bytes, "tensor " + tensor.name, port.onDevice));
  return Memory::onHost(loaded->context, bytes, "tensor " + tensor.name, port.staging);
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

/// The nodes get their real parameters before the first run.
Status CudaSession::buildGraph() {
  std::string device = "device " + context.name;
  KILN_TRY(driver.check(driver.graphCreate(&graph, 0), "cuGraphCreate", device));
  std::vector<std::vector<uint32_t>> dependencies = stepDependencies(plan);
  std::vector<CUgraphNode> after;
  for (size_t i = 0; i < actions.size(); ++i) {
    after.clear();
    if (i < dependencies.size())
      for (uint32_t earlier : dependencies[i])
        after.push_back(actions[earlier].node);
    else // the copy of an output: behind all steps
      for (size_t step = 0; step < dependencies.size(); ++step)
        after.push_back(actions[step].node);
    KILN_TRY(addNode(actions[i], after));
  }
  KILN_TRY(driver.check(driver.graphInstantiate(&exec, graph, 0),
                        "cuGraphInstantiateWithFlags", device));
  return driver.check(driver.graphUpload(exec, stream), "cuGraphUpload", device);
}

CUDA_KERNEL_NODE_PARAMS_v2 CudaSession::kernelParameters(const Action &action) {
  const DeviceKernel &kernel = loaded->kernels[static_cast<size_t>(action.kernel)];
  CUDA_KERNEL_NODE_PARAMS_v2 parameters = {};
  parameters.func = kernel.function;
  parameters.gridDimX = static_cast<unsigned>(std::max<int64_t>(action.tasks, 1));
  parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = kernel.threads;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.sharedMemBytes = action.sharedBytes;
  parameters.kernelParams = slotPointers.data() + action.slots;
  return parameters;
}

CUDA_MEMCPY3D_v2 CudaSession::copyParameters(const Action &action) const {
  CUDA_MEMCPY3D_v2 parameters = {};
  parameters.srcMemoryType = parameters.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  parameters.srcDevice = slots[action.slots];
  parameters.dstDevice = slots[action.slots + 1];
  parameters.WidthInBytes = static_cast<size_t>(std::max<int64_t>(action.tasks, 1));
  parameters.Height = parameters.Depth = 1;
  return parameters;
}

Status CudaSession::addNode(Action &action, std::span<const CUgraphNode> after) {
  if (action.kernel >= 0) {
    CUDA_KERNEL_NODE_PARAMS_v2 parameters = kernelParameters(action);
    return driver.check(driver.graphAddKernelNode(&action.node, graph, after.data(),
                                                  after.size(), &parameters),
                        "cuGraphAddKernelNode", where(action));
  }
  CUDA_MEMCPY3D_v2 parameters = copyParameters(action);
  return driver.check(driver.graphAddMemcpyNode(&action.node, graph, after.data(),
                                                after.size(), &parameters,
                                                context.handle),
                      "cuGraphAddMemcpyNode", where(action));
}

/// Brings the instantiated nodes up to date. A node without work is disabled.
Status CudaSession::updateNodes() {
  for (Action &action : actions) {
    if (!action.changed)
      continue;
    bool works = action.tasks > 0;
    if (works != action.enabled)
      KILN_TRY(driver.check(driver.graphNodeSetEnabled(exec, action.node, works),
                            "cuGraphNodeSetEnabled", where(action)));
    action.enabled = works;
    if (works && action.kernel >= 0) {
      CUDA_KERNEL_NODE_PARAMS_v2 parameters = kernelParameters(action);
      KILN_TRY(driver.check(
          driver.graphExecKernelNodeSetParams(exec, action.node, &parameters),
          "cuGraphExecKernelNodeSetParams", where(action)));
    } else if (works) {
      CUDA_MEMCPY3D_v2 parameters = copyParameters(action);
      KILN_TRY(driver.check(driver.graphExecMemcpyNodeSetParams(
                                exec, action.node, &parameters, context.handle),
                            "cuGraphExecMemcpyNodeSetParams", where(action)));
    }
    action.changed = false;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void CudaSession::bind(const Layout &layout, std::span<const int64_t> symbols) noexcept {
  for (size_t s = 0; s < slots.size(); ++s)
    if (slotBuffer[s] != noBuffer)
      slots[s] = baseOf(slotBuffer[s]) + layout.offset(slotBuffer[s]);
  for (uint32_t b = 0; b < plan.buffers.size(); ++b)
    bufferBytes[b] = layout.size(plan, b);
  for (size_t i = 0; i < actions.size(); ++i) {
    Action &action = actions[i];
    action.changed = true;
    if (i >= plan.steps.size()) {
      const Tensor &output = plan.outputs[copiedOutputs[i - plan.steps.size()]];
      action.tasks = static_cast<int64_t>(layout.tensorBytes(output));
      continue;
    }
    const Step &step = plan.steps[i];
    if (step.kind == StepKind::Copy) {
      action.tasks = static_cast<int64_t>(layout.size(plan, step.writes[0]));
      continue;
    }
    const Kernel &kernel = plan.kernels[step.kernel];
    uint32_t slot = action.slots + action.count - static_cast<uint32_t>(kernel.symbols.size());
    for (uint32_t symbol : kernel.symbols)
      slots[slot++] = static_cast<uint64_t>(symbols[symbol]);
    action.tasks = layout.value(step.grids[target]);
    action.sharedBytes =
        static_cast<uint32_t>(layout.value(loaded->kernels[step.kernel].shared));
  }
  for (size_t i = 0; i < inputPorts.size(); ++i)
    bindPort(inputPorts[i], layout.tensorBytes(plan.inputs[i]));
  for (size_t i = 0; i < outputPorts.size(); ++i)
    bindPort(outputPorts[i], layout.tensorBytes(plan.outputs[i]));
}

CUdeviceptr CudaSession::baseOf(uint32_t buffer) const {
  uint32_t arena = plan.buffers[buffer].arena;
  return plan.arenas[arena].kind == KILN_ARENA_WEIGHTS ? loaded->weights.device()
                                                       : arenas[arena].device();
}

void CudaSession::bindPort(Port &port, uint64_t bytes) {
  port.bytes = bytes;
  for (uint32_t slot : port.slots)
    slots[slot] = port.current;
}

/// Takes the caller's own memory if it is on the GPU, and the session's copy
/// otherwise.
void CudaSession::place(Port &port, void *data) {
  auto address = reinterpret_cast<CUdeviceptr>(data);
  unsigned type = 0;
  CUresult known =
      driver.pointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
  port.isHost = known != CUDA_SUCCESS || type == CU_MEMORYTYPE_HOST;
  CUdeviceptr wanted = port.isHost ? port.onDevice.device() : address;
  if (wanted == port.current)
    return;
  port.current = wanted;
  for (uint32_t slot : port.slots) {
    slots[slot] = wanted;
    actionOf(slot).changed = true;
  }
}

CudaSession::Action &CudaSession::actionOf(uint32_t slot) {
  auto next = std::upper_bound(actions.begin(), actions.end(), slot,
                               [](uint32_t s, const Action &a) { return s < a.slots; });
  return *std::prev(next);
}

Status CudaSession::copyIn(std::span<void *const> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Port &port = inputPorts[i];
    place(port, inputs[i]);
    if (!port.isHost || !port.bytes)
      continue;
    std::memcpy(port.staging.host(), inputs[i], port.bytes);
    KILN_TRY(driver.check(driver.memcpyHtoDAsync(port.onDevice.device(),
                                                 port.staging.host(), port.bytes, stream),
                          "cuMemcpyHtoDAsync", "input " + plan.inputs[i].name));
  }
  return {};
}

Status CudaSession::copyOut(std::span<void *const> outputs) {
  auto fromHost = [&](const Port &port) { return port.isHost && port.bytes; };
  for (size_t i = 0; i < outputs.size(); ++i) {
    Port &port = outputPorts[i];
    if (fromHost(port))
      KILN_TRY(driver.check(driver.memcpyDtoHAsync(port.staging.host(),
                                                   port.onDevice.device(), port.bytes,
                                                   stream),
                            "cuMemcpyDtoHAsync", "output " + plan.outputs[i].name));
  }
  KILN_TRY(driver.check(driver.streamSynchronize(stream), "cuStreamSynchronize",
                        "device " + context.name + ", the graph of the model",
                        Code::KernelFailed));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (fromHost(outputPorts[i]))
      std::memcpy(outputs[i], outputPorts[i].staging.host(), outputPorts[i].bytes);
  return {};
}

Status CudaSession::run(std::span<void *const> inputs, std::span<void *const> outputs) {
  Current current(context);
  KILN_TRY(
      driver.check(current.status(), "cuCtxPushCurrent", "device " + context.name));
  for (size_t i = 0; i < outputs.size(); ++i)
    place(outputPorts[i], outputs[i]);
  KILN_TRY(copyIn(inputs));
  if (stepwise) {
    KILN_TRY(runSteps());
  } else {
    KILN_TRY(updateNodes());
    KILN_TRY(driver.check(driver.graphLaunch(exec, stream), "cuGraphLaunch",
                          "device " + context.name));
  }
  KILN_TRY(copyOut(outputs));
  return readTimes();
}

void CudaSession::resetState() noexcept {
  Current current(context);
  for (size_t i = 0; i < arenas.size(); ++i)
    if (plan.arenas[i].kind == KILN_ARENA_STATE && arenas[i].size())
      (void)driver.memsetD8Async(arenas[i].device(), 0, arenas[i].size(), stream);
}

//===----------------------------------------------------------------------===//
// One step after the other
//===----------------------------------------------------------------------===//

Status CudaSession::runSteps() {
  if (!events.empty())
    KILN_TRY(record(0));
  for (size_t i = 0; i < actions.size(); ++i) {
    bool isStep = i < plan.steps.size();
    if (observer && isStep)
      KILN_TRY(observe(i, /*after=*/false));
    if (actions[i].tasks > 0)
      KILN_TRY(launch(actions[i]));
    if (!events.empty() && isStep)
      KILN_TRY(record(i + 1));
    if (observer && isStep)
      KILN_TRY(observe(i, /*after=*/true));
  }
  return {};
}

Status CudaSession::launch(const Action &action) {
  if (action.kernel < 0)
    return driver.check(driver.memcpyDtoDAsync(slots[action.slots + 1],
                                               slots[action.slots],
                                               static_cast<size_t>(action.tasks), stream),
                        "cuMemcpyDtoDAsync", where(action));
  CUDA_KERNEL_NODE_PARAMS_v2 p = kernelParameters(action);
  KILN_TRY(driver.check(driver.launchKernel(p.func, p.gridDimX, 1, 1, p.blockDimX, 1, 1,
                                            p.sharedMemBytes, stream, p.kernelParams,
                                            nullptr),
                        "cuLaunchKernel", where(action)));
  return driver.check(driver.streamSynchronize(stream), "cuStreamSynchronize",
                      where(action), Code::KernelFailed);
}

Status CudaSession::record(size_t event) {
  return driver.check(driver.eventRecord(events[event], stream), "cuEventRecord",
                      "device " + context.name);
}

Status CudaSession::readTimes() {
  for (size_t i = 0; i < times.size(); ++i) {
    float milliseconds = 0;
    KILN_TRY(driver.check(
        driver.eventElapsedTime(&milliseconds, events[i], events[i + 1]),
        "cuEventElapsedTime", where(actions[i])));
    times[i] = static_cast<uint64_t>(milliseconds * 1e6f);
  }
  return {};
}

/// Shows the observer copies of a step's buffers in host memory. What a step reads is
/// copied before it runs, since it may write its result to the same place.
Status CudaSession::observe(size_t index, bool after) {
  const Step &step = plan.steps[index];
  uint32_t slot = actions[index].slots;
  size_t used = 0;
  std::vector<kiln_buffer_view> views;
  for (const std::vector<uint32_t> *buffers : {&step.reads, &step.writes}) {
    bool current = !after || buffers == &step.writes;
    for (uint32_t buffer : *buffers) {
      if (copies.size() <= used)
        copies.emplace_back();
      std::vector<uint8_t> &copy = copies[used++];
      copy.resize(bufferBytes[buffer]);
      if (current && !copy.empty())
        KILN_TRY(driver.check(
            driver.memcpyDtoHAsync(copy.data(), slots[slot], copy.size(), stream),
            "cuMemcpyDtoHAsync", where(actions[index])));
      ++slot;
      views.push_back({plan.buffers[buffer].name.c_str(), copy.data(), copy.size()});
    }
  }
  KILN_TRY(driver.check(driver.streamSynchronize(stream), "cuStreamSynchronize",
                        where(actions[index]), Code::KernelFailed));
  observer(observerUser, index, after, views.data(), step.reads.size(),
           views.data() + step.reads.size(), step.writes.size());
  return {};
}
