//===- collectives.cpp - Collectives of ranks on GPUs ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/collectives.h"
#include <atomic>
#include <thread>
#include <utility>

using namespace kiln::rt;
using namespace kiln::rt::cuda;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

Collectives::Collectives(const Plan &plan, const LoadedModel &loaded,
                         const ProcessGroup &group)
    : plan(plan), group(group), entries(group.isAlone() ? 0 : plan.steps.size()) {
  uint32_t count = 0;
  for (uint32_t step = 0; step < entries.size(); ++step)
    if (const auto &collective = plan.steps[step].collective) {
      Entry &entry = entries[step];
      entry.number = ++count;
      entry.call = collectiveOf(plan, step);
      entry.join = collective->join;
      entry.kernels = CollectiveKernels(plan, loaded, *collective);
      entry.call.kernels = &entry.kernels;
    }
}

Collectives::~Collectives() {
  if (!context)
    return;
  Current current(*context);
  for (Entry &entry : entries)
    if (entry.done)
      (void)context->driver->eventDestroy(entry.done);
  if (before)
    (void)context->driver->eventDestroy(before);
  if (beside)
    (void)context->driver->streamDestroy(beside);
  for (DeviceBackend *backend : backends)
    backend->removeGraphs(this);
  shared.reset();
}

Status Collectives::allocate(std::shared_ptr<const Context> gpu, uint64_t bytes,
                             const Collectives *owner) {
  context = std::move(gpu);
  if (!group.isAlone()) {
    if (owner)
      shared = owner->shared;
    else
      KILN_TRY(GpuBackends::open({context, group, plan.ranksPerStage()}, gpuBackends(),
                                 shared));
    for (const auto &backend : shared->all())
      if (std::ranges::any_of(entries, [&](const Entry &entry) {
            return entry.number && backend->mayRun(entry.call);
          }))
        backends.push_back(backend.get());
    KILN_TRY(
        Memory::onHost(context, sizeof(uint32_t), "the progress of a run", progress));
  }
  pending.reserve(entries.size());
  running.reserve(entries.size());
  KILN_TRY(Memory::onHost(context, bytes, "operands of collectives", operand));
  return Memory::onHost(context, bytes, "results of collectives", result);
}

void Collectives::bind(const Layout &layout, std::span<const int64_t> symbols) noexcept {
  for (uint32_t step = 0; step < entries.size(); ++step)
    if (const auto &collective = plan.steps[step].collective) {
      Entry &entry = entries[step];
      entry.call.outer = layout.value(collective->outer);
      entry.call.inner = layout.value(collective->inner);
      entry.fromBytes = layout.size(plan, plan.steps[step].reads[0]);
      entry.toBytes = layout.size(plan, plan.steps[step].writes[0]);
      entry.kernels.bind(symbols);
    }
}

DeviceBackend *Collectives::backendOf(const CollectiveCall &call) const {
  for (DeviceBackend *backend : backends)
    if (backend->supports(call))
      return backend;
  return nullptr;
}

/// Whether every collective with data runs on the GPU at the bound dims. All ranks get
/// the same answer.
bool Collectives::areOnGpu() const {
  return std::ranges::all_of(entries, [&](const Entry &entry) {
    return !entry.number || !entry.call.bytes() || backendOf(entry.call);
  });
}

Status Collectives::begin(RunForm &form) {
  pending.clear();
  running.clear();
  hasEnqueued = isGraph = false;
  if (!shared)
    return {};
  KILN_TRY(shared->agree());
  for (DeviceBackend *backend : backends)
    KILN_TRY(backend->begin(form));
  if (!areOnGpu())
    form = RunForm::Steps;
  return {};
}

Status Collectives::run(uint32_t step, CUdeviceptr from, CUdeviceptr to, CUstream stream,
                        const Where &where) {
  Entry &entry = entries[step];
  last = step;
  if (DeviceBackend *backend = backendOf(entry.call)) {
    entry.place(from, to);
    return enqueue(entry, *backend, stream, where);
  }
  KILN_TRY(finish());
  return runOnHost(entry, from, to, stream, where);
}

/// Runs a collective through pinned host memory. In a transfer between pipeline stages a
/// rank either sends or receives; in any other collective it does both.
Status Collectives::runOnHost(Entry &entry, CUdeviceptr from, CUdeviceptr to,
                              CUstream stream, const Where &where) {
  const Driver &driver = *context->driver;
  CollectiveCall call = entry.call;
  call.from = operand.host();
  call.to = result.host();
  bool isOf = call.resolved(group.size()).inGroup(group.rank());
  bool gets = call.resolved(group.size()).receives(group.rank());
  if (isOf && entry.fromBytes)
    KILN_TRY(driver.check(
        driver.memcpyDtoHAsync(operand.host(), from, entry.fromBytes, stream),
        "cuMemcpyDtoHAsync", where));
  // Also ensures that the result of an earlier collective has been copied out of pinned
  // memory.
  KILN_TRY(driver.check(driver.streamSynchronize(stream), "cuStreamSynchronize", where,
                        Code::KernelFailed));
  KILN_TRY(group.run(call));
  if (!gets || !entry.toBytes)
    return {};
  return driver.check(driver.memcpyHtoDAsync(to, result.host(), entry.toBytes, stream),
                      "cuMemcpyHtoDAsync", where);
}

//===----------------------------------------------------------------------===//
// On the GPU
//===----------------------------------------------------------------------===//

Status Collectives::enqueue(Entry &entry, DeviceBackend &backend, CUstream stream,
                            const Where &where) {
  const Driver &driver = *context->driver;
  hasEnqueued = true;
  if (!entry.call.bytes())
    return {};
  KILN_TRY(group.health(entry.call.step));
  group.noteEnqueued(entry.call);
  if (entry.join && backend.runsBeside()) {
    KILN_TRY(fork(stream, where));
    stream = beside;
    running.push_back(entry.call.step);
  } else {
    KILN_TRY(join(plan.steps.size(), stream)); // one stream per communicator
  }
  KILN_TRY(backend.enqueue(entry.call, stream, where));
  if (!entry.done)
    KILN_TRY(driver.check(driver.eventCreate(&entry.done, CU_EVENT_DISABLE_TIMING),
                          "cuEventCreate", where));
  KILN_TRY(driver.check(driver.eventRecord(entry.done, stream), "cuEventRecord", where));
  pending.push_back(entry.call.step);
  return {};
}

Status Collectives::makeStreams(const Where &where) {
  const Driver &driver = *context->driver;
  if (!beside)
    KILN_TRY(driver.check(driver.streamCreate(&beside, CU_STREAM_NON_BLOCKING),
                          "cuStreamCreate", where));
  if (before)
    return {};
  return driver.check(driver.eventCreate(&before, CU_EVENT_DISABLE_TIMING),
                      "cuEventCreate", where);
}

/// Makes `beside` wait for everything that `stream` has so far.
Status Collectives::fork(CUstream stream, const Where &where) {
  const Driver &driver = *context->driver;
  KILN_TRY(makeStreams(where));
  KILN_TRY(driver.check(driver.eventRecord(before, stream), "cuEventRecord", where));
  return driver.check(driver.streamWaitEvent(beside, before, 0), "cuStreamWaitEvent",
                      where);
}

Status Collectives::join(size_t step, CUstream stream) {
  const Driver &driver = *context->driver;
  size_t kept = 0;
  for (uint32_t one : running) {
    if (entries[one].join > step) {
      running[kept++] = one;
      continue;
    }
    KILN_TRY(driver.check(driver.streamWaitEvent(stream, entries[one].done, 0),
                          "cuStreamWaitEvent",
                          [&] { return placeText(group.rank(), one); }));
  }
  running.resize(kept);
  return {};
}

//===----------------------------------------------------------------------===//
// In a graph
//===----------------------------------------------------------------------===//

/// Captures a collective on a separate stream, so that only the collective is captured.
/// Capture is thread-local: threads of other ranks, and NCCL's own threads, use the
/// driver meanwhile.
Status Collectives::capture(uint32_t step, CUdeviceptr from, CUdeviceptr to,
                            const Where &where, CUgraph &out) {
  Entry &entry = entries[step];
  const CollectiveCall &call = entry.call;
  if (!call.bytes() || (!call.inGroup(group.rank()) && !call.receives(group.rank())))
    return {};
  entry.place(from, to);
  const Driver &driver = *context->driver;
  KILN_TRY(makeStreams(where));
  KILN_TRY(group.health(step));
  KILN_TRY(
      driver.check(driver.streamBeginCapture(beside, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                   "cuStreamBeginCapture", where));
  Status enqueued = backendOf(call)->enqueue(call, beside, where);
  CUresult ended = driver.streamEndCapture(beside, &out);
  if (enqueued.ok() && ended == CUDA_SUCCESS)
    return {};
  if (!out) // always end the capture, even if the call enqueued nothing
    (void)driver.streamEndCapture(beside, &out);
  if (out)
    (void)driver.graphDestroy(std::exchange(out, nullptr));
  return enqueued.ok() ? driver.check(ended, "cuStreamEndCapture", where)
                       : std::move(enqueued);
}

CUDA_MEMSET_NODE_PARAMS Collectives::progressBehind(uint32_t step) const {
  constexpr size_t word = sizeof(uint32_t);
  auto address = static_cast<CUdeviceptr>(reinterpret_cast<uintptr_t>(progress.host()));
  return {address, word, entries[step].number, word, 1, 1};
}

Status Collectives::launch(CUgraphExec exec, CUstream stream) {
  const Driver &driver = *context->driver;
  auto where = [&] { return "device " + context->name; };
  KILN_TRY(makeStreams(where));
  isGraph = true;
  std::atomic_ref(*reinterpret_cast<uint32_t *>(progress.host())).store(0);
  for (uint32_t step = 0; step < entries.size(); ++step) {
    const CollectiveCall &call = entries[step].call;
    if (!plan.steps[step].collective || !call.bytes())
      continue;
    hasEnqueued = true;
    last = step;
    group.noteEnqueued(call);
    pending.push_back(step);
  }
  KILN_TRY(group.health(last));
  KILN_TRY(driver.check(driver.graphLaunch(exec, stream), "cuGraphLaunch", where));
  noteStep();
  return driver.check(driver.eventRecord(before, stream), "cuEventRecord", where);
}

void Collectives::setGraphs(std::function<void()> drop) {
  for (DeviceBackend *backend : backends)
    backend->addGraphs(this, drop);
}

/// Waits for the collectives of the run. A collective without data comes first, so that
/// an error names the rank that has not enqueued its part.
Status Collectives::finish() {
  if (!hasEnqueued)
    return {};
  hasEnqueued = false;
  KILN_TRY(group.barrier(last));
  for (uint32_t step : pending)
    KILN_TRY(await(entries[step]));
  pending.clear();
  // An error may have ended a collective without its result.
  return checkBackends(last);
}

Status Collectives::checkBackends(uint32_t step) const {
  for (DeviceBackend *backend : backends)
    KILN_TRY(backend->health(step));
  return {};
}

CUresult Collectives::query(const Entry &entry) const {
  if (!isGraph)
    return context->driver->eventQuery(entry.done);
  auto *word = reinterpret_cast<uint32_t *>(progress.host());
  if (std::atomic_ref(*word).load(std::memory_order_acquire) >= entry.number)
    return CUDA_SUCCESS;
  return context->driver->eventQuery(before); // recorded after the launch
}

/// Waits for a collective that all ranks have enqueued.
Status Collectives::await(const Entry &entry) {
  constexpr auto slice = 50ms;
  const Driver &driver = *context->driver;
  std::chrono::milliseconds timeout = group.backend().timeout();
  Clock::time_point begin = Clock::now(), look = begin + slice;
  for (;;) {
    CUresult result = query(entry);
    if (result == CUDA_SUCCESS)
      break;
    uint32_t step = entry.call.step;
    auto where = [&] {
      return placeText(group.rank(), step) + ", " + collectiveName(entry.call.kind);
    };
    if (result != CUDA_ERROR_NOT_READY)
      return driver.check(result, "cuEventQuery", where, Code::KernelFailed);
    Clock::time_point now = Clock::now();
    if (now - begin > 1ms) // spin for the duration of most decoder runs
      std::this_thread::sleep_for(20us);
    if (now < look)
      continue;
    look = now + slice;
    KILN_TRY(group.health(step));
    KILN_TRY(checkBackends(step));
    if (now - begin > timeout)
      return Failure{Code::RankLate,
                     where(),
                     "the GPUs do not complete a collective that all ranks have enqueued",
                     "its result within " + std::to_string(timeout.count()) + " ms",
                     "none of it",
                     std::string(backendOf(entry.call)->advice()) +
                         ", or give the group a longer timeout"};
  }
  group.noteDone();
  noteStep();
  return {};
}

void Collectives::abandon() {
  for (DeviceBackend *backend : backends)
    backend->abort();
  if (beside)
    (void)context->driver->streamSynchronize(beside);
  pending.clear();
  running.clear();
}
