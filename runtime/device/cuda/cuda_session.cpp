//===- cuda_session.cpp - Running a plan on a GPU ------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/cuda_session.h"
#include "runtime/device/cuda/nvtx.h"
#include "runtime/model/model.h"
#include <algorithm>
#include <cstdio>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

CudaSession::CudaSession(const kiln_model &model,
                         std::shared_ptr<const LoadedModel> loadedModel, size_t target,
                         const kiln_session_options &options, const ProcessGroup &group)
    : model(model), plan(model.plan), loaded(std::move(loadedModel)),
      context(*loaded->context), driver(*context.driver),
      device{context.name.c_str(),
             context.gpu.c_str(),
             plan.targets[target].name.c_str(),
             context.ordinal,
             context.capability,
             static_cast<uint32_t>(context.multiprocessors),
             driver.simulated,
             nullptr},
      observer{options.observer, options.observer_user},
      graphMemory(options.graph_memory ? options.graph_memory : plan.graphMemory),
      isRank(group.size() > 1),
      stepwise(options.profile || options.observer || options.no_graph),
      oneByOne(options.observer || options.no_graph), launches(plan, *loaded, target),
      collectives(plan, *loaded, group), checks(plan), inputBuffers(plan.inputs.size()),
      outputBuffers(plan.outputs.size()), arenas(plan.arenas.size()),
      arenaBases(plan.arenas.size()), arenaBytes(plan.arenas.size()) {
  if (options.profile)
    times.resize(plan.steps.size());
  if (nvtxActive())
    for (size_t i = 0; i < plan.steps.size(); ++i)
      rangeNames.push_back(launches.where(launches.commands()[i]));
}

CudaSession::~CudaSession() {
  Current current(context);
  if (stream)
    (void)wait(); // a CUDA graph may be running
  graphs.reset();
  for (CUevent event : events)
    if (event)
      (void)driver.eventDestroy(event);
  if (ownsStream)
    (void)driver.streamDestroy(own);
}

Status CudaSession::check(CUresult result, const char *call) const {
  return driver.check(result, call, [&] { return "device " + context.name; });
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// Whether an arena is in GPU memory. Scratch arenas are in shared memory.
static bool isOnDevice(kiln_arena_kind kind) {
  return kind == KILN_ARENA_ACTIVATIONS || kind == KILN_ARENA_STATE;
}

/// Fails, before anything is allocated, if the session's memory exceeds the free memory.
/// free: bytes that remain.
Status CudaSession::checkFree(const Capacities &capacities, const CudaSession *owner,
                              uint64_t &free) const {
  uint64_t needed = 0;
  for (size_t i = 0; !owner && i < arenas.size(); ++i)
    needed += isOnDevice(plan.arenas[i].kind) ? capacities.arenas[i] : 0;
  for (const std::vector<uint64_t> *tensors : {&capacities.inputs, &capacities.outputs})
    for (uint64_t bytes : *tensors)
      needed += bytes;
  const char *fix =
      plan.symbols.empty()
          ? "free memory on the GPU, or use another one"
          : "narrow the dims of the session (--dims), free memory on the GPU, "
            "or use another one";
  KILN_TRY(context.checkFree(
      needed, "the session does not fit into the memory of the GPU", fix, free));
  free -= needed;
  return {};
}

/// Allocates an arena, or uses the owner's: the arenas of two programs have the same
/// kinds.
Status CudaSession::allocateArena(size_t arena, uint64_t bytes,
                                  const CudaSession *owner) {
  kiln_arena_kind kind = plan.arenas[arena].kind;
  if (!isOnDevice(kind))
    return {};
  if (!owner)
    KILN_TRY(Memory::onDevice(loaded->context, bytes,
                              std::string("arena ") + kiln_arena_kind_name(kind),
                              arenas[arena]));
  arenaBases[arena] = owner ? owner->arenaBases[arena] : arenas[arena].device();
  arenaBytes[arena] = owner ? owner->arenaBytes[arena] : arenas[arena].size();
  return {};
}

Status CudaSession::allocateMemory(const Capacities &capacities,
                                   const CudaSession *owner) {
  for (size_t i = 0; i < arenas.size(); ++i)
    KILN_TRY(allocateArena(i, capacities.arenas[i], owner));
  auto allocateBuffers =
      [&](std::vector<StagingBuffer> &buffers, const std::vector<Tensor> &tensors,
          const std::vector<uint64_t> &bytes, const char *noun) -> Status {
    for (size_t i = 0; i < buffers.size(); ++i)
      KILN_TRY(buffers[i].allocate(
          loaded->context, std::string(noun) + " \"" + tensors[i].name + "\"", bytes[i]));
    return {};
  };
  KILN_TRY(allocateBuffers(inputBuffers, plan.inputs, capacities.inputs, "input"));
  return allocateBuffers(outputBuffers, plan.outputs, capacities.outputs, "output");
}

/// Creates the session's stream, or uses the owner's: programs of one session run one
/// after the other.
Status CudaSession::openStream(const CudaSession *owner) {
  if (owner)
    own = owner->own;
  else
    KILN_TRY(check(driver.streamCreate(&own, CU_STREAM_NON_BLOCKING), "cuStreamCreate"));
  ownsStream = !owner;
  device.stream = stream = own;
  return {};
}

Status CudaSession::allocate(const Capacities &capacities, const DeviceSession *other,
                             const Layout &layout, std::span<const int64_t> symbols,
                             uint64_t choices) {
  auto *owner = static_cast<const CudaSession *>(other);
  Current current(context);
  KILN_TRY(check(current.status(), "cuCtxPushCurrent"));
  uint64_t free = 0;
  KILN_TRY(checkFree(capacities, owner, free));
  KILN_TRY(allocateMemory(capacities, owner));
  KILN_TRY(openStream(owner));
  KILN_TRY(createEvents());
  KILN_TRY(checks.allocate(loaded->context));
  KILN_TRY(collectives.allocate(loaded->context, capacities.collective,
                                owner ? &owner->collectives : nullptr));
  KILN_TRY(resetState());
  bind(layout, symbols); // nodes of a graph need valid addresses from the start
  return stepwise ? Status() : createGraphs(free, choices);
}

/// Creates one event before the first step and one after each step.
Status CudaSession::createEvents() {
  events.resize(times.empty() ? 0 : times.size() + 1);
  for (CUevent &event : events)
    KILN_TRY(check(driver.eventCreate(&event, CU_EVENT_DEFAULT), "cuEventCreate"));
  return {};
}

/// Creates the CUDA graphs of a single rank. With several ranks graphs are created in the
/// first run of their dims: only then do ranks know whether their collectives can be
/// captured.
Status CudaSession::createGraphs(uint64_t free, uint64_t choices) {
  constexpr size_t nodesPerCollective = 4; // NCCL's nodes and one memset
  size_t nodes = launches.commands().size();
  for (const Step &step : plan.steps)
    nodes += step.collective ? nodesPerCollective : 0;
  size_t instances = graphInstances(nodes, std::min(graphMemory, free), choices);
  if (!isRank) {
    graphs.emplace(context);
    return graphs->create(launches, model.dependencies(), dims, instances, stream);
  }
  graphs.emplace(context, instances);
  collectives.setGraphs([this] {
    if (graphs)
      graphs->drop();
  });
  return {};
}

void CudaSession::bind(const Layout &layout, std::span<const int64_t> symbols) noexcept {
  dims.assign(symbols.begin(), symbols.end());
  launches.bind(layout, symbols, arenaBases);
  collectives.bind(layout, symbols);
  for (size_t i = 0; i < inputBuffers.size(); ++i) {
    inputBuffers[i].setBytes(layout.tensorBytes(plan.inputs[i]));
    launches.placeInput(i, inputBuffers[i].address());
  }
  for (size_t i = 0; i < outputBuffers.size(); ++i) {
    outputBuffers[i].setBytes(layout.tensorBytes(plan.outputs[i]));
    launches.placeOutput(i, outputBuffers[i].address());
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Status CudaSession::placeTensors(std::span<const TensorPlace> inputs,
                                 std::span<const TensorPlace> outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    KILN_TRY(inputBuffers[i].place(inputs[i]));
    launches.placeInput(i, inputBuffers[i].address());
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    KILN_TRY(outputBuffers[i].place(outputs[i]));
    launches.placeOutput(i, outputBuffers[i].address());
  }
  // An observer sees every step, so all checks run.
  checks.select(inputs, static_cast<bool>(observer), launches);
  return {};
}

bool CudaSession::anyOnHost() const {
  return std::ranges::any_of(inputBuffers, &StagingBuffer::isHost) ||
         std::ranges::any_of(outputBuffers, &StagingBuffer::isHost);
}

/// Finds or creates the CUDA graph of this run; null: the run launches step by step.
Status CudaSession::prepareGraph(CUgraphExec &out) {
  RunForm form = RunForm::Steps;
  if (graphs)
    form = !isRank || graphs->hasCaptured(launches, dims) ? RunForm::Replay
                                                          : RunForm::Capture;
  KILN_TRY(collectives.begin(form));
  if (form == RunForm::Steps)
    return {};
  if (form == RunForm::Capture)
    KILN_TRY(graphs->capture(launches, model.dependencies(), dims, collectives, stream));
  return graphs->prepare(launches, dims, out);
}

Status CudaSession::enqueue(RunControl &control) {
  CUgraphExec exec = nullptr;
  KILN_TRY(prepareGraph(exec));
  for (StagingBuffer &buffer : inputBuffers)
    KILN_TRY(buffer.copyIn(stream));
  if (exec && control.mustStop())
    return control.failure("before the launch of its graph");
  if (!exec)
    KILN_TRY(runSteps(control));
  else if (!isRank)
    KILN_TRY(check(driver.graphLaunch(exec, stream), "cuGraphLaunch"));
  else
    KILN_TRY(collectives.launch(exec, stream));
  KILN_TRY(collectives.finish());
  for (StagingBuffer &buffer : outputBuffers)
    KILN_TRY(buffer.copyOut(stream));
  return checks.copyOut(launches, dims, stream);
}

/// Waits for all work of the session. If the caller has destroyed its stream,
/// synchronizes the context, in which that stream's work continues.
CUresult CudaSession::wait() const {
  CUresult result = driver.streamSynchronize(stream);
  bool gone = result == CUDA_ERROR_INVALID_HANDLE || result == CUDA_ERROR_INVALID_CONTEXT;
  return gone && stream != own ? driver.ctxSynchronize() : result;
}

Status CudaSession::finish() {
  KILN_TRY(driver.check(
      wait(), "cuStreamSynchronize",
      [&] { return "device " + context.name + ", a run of the model"; },
      Code::KernelFailed));
  for (StagingBuffer &buffer : outputBuffers)
    buffer.finishOut();
  KILN_TRY(readTimes());
  return checks.collect();
}

Status CudaSession::run(std::span<const TensorPlace> inputs,
                        std::span<const TensorPlace> outputs, RunControl &control) {
  Current current(context);
  KILN_TRY(check(current.status(), "cuCtxPushCurrent"));
  NvtxRange range(model.path.c_str());
  if (checks.isFull())
    KILN_TRY(synchronize());
  KILN_TRY(placeTensors(inputs, outputs));
  Status enqueued = enqueue(control);
  if (!enqueued.ok()) {
    collectives.abandon();
    (void)wait(); // pending copies still use the caller's memory
    return blameStream(std::move(enqueued));
  }
  bool isAwaited = stream == own || !times.empty() || anyOnHost();
  return isAwaited ? finish() : Status();
}

Status CudaSession::synchronize() {
  Current current(context);
  KILN_TRY(check(current.status(), "cuCtxPushCurrent"));
  KILN_TRY(driver.check(wait(), "cuStreamSynchronize",
                        "device " + context.name + ", earlier runs of the model",
                        Code::KernelFailed));
  return checks.collect();
}

/// Checks that runs can use a stream of the caller.
Status CudaSession::checkStream(CUstream wanted) const {
  CUcontext owner = nullptr;
  CUresult result = driver.streamGetCtx(wanted, &owner);
  bool unknown = result == CUDA_ERROR_INVALID_HANDLE ||
                 result == CUDA_ERROR_INVALID_CONTEXT ||
                 result == CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (!unknown)
    KILN_TRY(check(result, "cuStreamGetCtx"));
  if (!unknown && owner == context.handle)
    return {};
  char name[32];
  std::snprintf(name, sizeof name, "stream %#llx",
                static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(wanted)));
  return Failure{
      Code::BadUsage,
      name,
      "the session cannot run on it",
      "a CUstream of the primary context of device " + context.name,
      unknown ? "none that the driver knows: " + driver.errorText(result)
              : "a stream of another context",
      "give a stream of this GPU that lives as long as the session uses it, or "
      "none (NULL) for the session's own"};
}

/// Returns the failure, or, if the caller's stream has been destroyed, an error that says
/// so.
Status CudaSession::blameStream(Status failed) const {
  if (failed.ok() || stream == own)
    return failed;
  Status gone = checkStream(stream);
  return !gone.ok() && gone.code() == Code::BadUsage ? std::move(gone)
                                                     : std::move(failed);
}

Status CudaSession::setStream(void *wanted) {
  Current current(context);
  KILN_TRY(check(current.status(), "cuCtxPushCurrent"));
  if (wanted)
    KILN_TRY(checkStream(static_cast<CUstream>(wanted)));
  KILN_TRY(synchronize()); // earlier runs use the same arenas
  stream = wanted ? static_cast<CUstream>(wanted) : own;
  device.stream = stream;
  return {};
}

Status CudaSession::trim() {
  return Failure{Code::BadUsage,
                 "kiln_session_trim",
                 "the session is on a GPU, where graphs hold addresses of its memory",
                 "a session on the CPU",
                 std::string("device ") + device.name,
                 "release the session, and create it again when it is needed"};
}

Status CudaSession::resetState() {
  Current current(context);
  KILN_TRY(check(current.status(), "cuCtxPushCurrent"));
  for (size_t i = 0; i < arenas.size(); ++i)
    if (plan.arenas[i].kind == KILN_ARENA_STATE && arenaBytes[i])
      KILN_TRY(
          blameStream(check(driver.memsetD8Async(arenaBases[i], 0, arenaBytes[i], stream),
                            "cuMemsetD8Async")));
  return {};
}

CUdeviceptr CudaSession::stateAt(uint64_t offset) const {
  for (size_t i = 0; i < arenas.size(); ++i)
    if (plan.arenas[i].kind == KILN_ARENA_STATE)
      return arenaBases[i] + offset;
  return 0;
}

// Copies on the stream of the runs and synchronizes it: the destination is the caller's.

Status CudaSession::readState(uint64_t offset, std::span<uint8_t> to) {
  Current current(context);
  KILN_TRY(check(current.status(), "cuCtxPushCurrent"));
  KILN_TRY(blameStream(
      check(driver.memcpyDtoHAsync(to.data(), stateAt(offset), to.size(), stream),
            "cuMemcpyDtoHAsync")));
  return synchronize();
}

Status CudaSession::writeState(uint64_t offset, std::span<const uint8_t> from) {
  Current current(context);
  KILN_TRY(check(current.status(), "cuCtxPushCurrent"));
  KILN_TRY(blameStream(
      check(driver.memcpyHtoDAsync(stateAt(offset), from.data(), from.size(), stream),
            "cuMemcpyHtoDAsync")));
  return synchronize();
}

Status CudaSession::copyState(uint64_t from, uint64_t to, uint64_t bytes) {
  Current current(context);
  KILN_TRY(check(current.status(), "cuCtxPushCurrent"));
  return blameStream(
      check(driver.memcpyDtoDAsync(stateAt(to), stateAt(from), bytes, stream),
            "cuMemcpyDtoDAsync"));
}
