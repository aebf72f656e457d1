//===- collectives.cpp - Collectives of ranks on GPUs ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/collectives.h"
#include "runtime/collective/meeting.h"
#include <atomic>
#include <thread>
#include <utility>

using namespace kiln::rt;
using namespace kiln::rt::cuda;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

Collectives::Collectives(const Plan &plan, const LoadedModel &loaded,
                         const RankPlace &place)
    : plan(plan), place(place), entries(place.communicator ? plan.steps.size() : 0) {
  uint32_t count = 0;
  for (uint32_t step = 0; step < entries.size(); ++step)
    if (const auto &collective = plan.steps[step].collective) {
      Entry &entry = entries[step];
      entry.number = ++count;
      entry.call = collectiveOf(plan, step);
      entry.join = collective->join;
      entry.kernels = PeerKernels(plan, loaded, *collective);
      hasKernels |= entry.kernels.whole != nullptr;
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
  if (nccl)
    nccl->removeGraphs(this);
  nccl.reset();
  peers.reset();
}

Status Collectives::allocate(std::shared_ptr<const Context> gpu, uint64_t bytes,
                             const Collectives *owner) {
  context = std::move(gpu);
  if (owner) {
    nccl = owner->nccl;
    peers = owner->peers;
  } else if (place.communicator) {
    KILN_TRY(NcclRank::open(context, place, plan.ranksPerStage(), nccl));
    KILN_TRY(PeerRank::open(context, place, plan.ranksPerStage(), peers));
  }
  if (place.communicator)
    KILN_TRY(
        Memory::onHost(context, sizeof(uint32_t), "the progress of a run", progress));
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

/// Returns whether every collective with data runs on the GPU at the bound dims, by peer
/// kernels or by NCCL. All ranks get the same answer.
bool Collectives::areOnGpu() const {
  for (uint32_t step = 0; step < entries.size(); ++step) {
    const Entry &entry = entries[step];
    if (plan.steps[step].collective && entry.call.bytes() && !isOverPeers(entry) &&
        !nccl->takes(entry.call))
      return false;
  }
  return true;
}

Status Collectives::begin(RunForm &form) {
  pending.clear();
  running.clear();
  hasEnqueued = isGraph = false;
  if (!nccl)
    return {};
  KILN_TRY(nccl->begin(form));
  if (hasKernels)
    KILN_TRY(peers->begin());
  if (!areOnGpu())
    form = RunForm::Steps;
  return {};
}

Status Collectives::run(uint32_t step, CUdeviceptr from, CUdeviceptr to, CUstream stream,
                        const Where &where) {
  Entry &entry = entries[step];
  last = step;
  if (isOverPeers(entry) || nccl->takes(entry.call))
    return enqueue(entry, from, to, stream, where);
  KILN_TRY(finish());
  return runOnHost(entry, from, to, stream, where);
}

/// Runs a collective through pinned host memory. In a handover between pipeline stages a
/// rank sends or receives; in any other collective it does both.
Status Collectives::runOnHost(Entry &entry, CUdeviceptr from, CUdeviceptr to,
                              CUstream stream, const Where &where) {
  const Driver &driver = *context->driver;
  CollectiveCall call = entry.call;
  call.from = operand.host();
  call.to = result.host();
  bool isOf = call.in(place.ranks).isOf(place.rank);
  bool gets = call.in(place.ranks).gets(place.rank);
  if (isOf && entry.fromBytes)
    KILN_TRY(driver.check(
        driver.memcpyDtoHAsync(operand.host(), from, entry.fromBytes, stream),
        "cuMemcpyDtoHAsync", where));
  // The copy of an earlier result has then been read from its place, too.
  KILN_TRY(driver.check(driver.streamSynchronize(stream), "cuStreamSynchronize", where,
                        Code::KernelFailed));
  KILN_TRY(place.communicator->run(call));
  if (!gets || !entry.toBytes)
    return {};
  return driver.check(driver.memcpyHtoDAsync(to, result.host(), entry.toBytes, stream),
                      "cuMemcpyHtoDAsync", where);
}

//===----------------------------------------------------------------------===//
// On the GPU
//===----------------------------------------------------------------------===//

Status Collectives::enqueue(Entry &entry, CUdeviceptr from, CUdeviceptr to,
                            CUstream stream, const Where &where) {
  const Driver &driver = *context->driver;
  hasEnqueued = true;
  if (!entry.call.bytes())
    return {};
  KILN_TRY(place.communicator->health(entry.call.step));
  place.communicator->noteEnqueued(entry.call);
  if (entry.join && !isOverPeers(entry)) {
    KILN_TRY(fork(stream, where));
    stream = beside;
    running.push_back(entry.call.step);
  } else {
    KILN_TRY(join(plan.steps.size(), stream)); // no communicator is in two streams
  }
  KILN_TRY(enqueueIn(entry, from, to, stream, where));
  if (!entry.done)
    KILN_TRY(driver.check(driver.eventCreate(&entry.done, CU_EVENT_DISABLE_TIMING),
                          "cuEventCreate", where));
  KILN_TRY(driver.check(driver.eventRecord(entry.done, stream), "cuEventRecord", where));
  pending.push_back(entry.call.step);
  return {};
}

Status Collectives::enqueueIn(Entry &entry, CUdeviceptr from, CUdeviceptr to,
                              CUstream stream, const Where &where) {
  if (isOverPeers(entry))
    return peers->enqueue(entry.kernels, entry.call, from, to, stream, where);
  return nccl->enqueue(entry.call, from, to, stream, where());
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

/// From here on `beside` is behind what `stream` has so far.
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
                          [&] { return placeText(place.rank, one); }));
  }
  running.resize(kept);
  return {};
}

//===----------------------------------------------------------------------===//
// In a graph
//===----------------------------------------------------------------------===//

/// In a stream of its own, and by itself: what is between collectives is not captured.
/// The mode is that of this thread alone, for threads of other ranks, and those in which
/// NCCL goes on with a call, use the driver meanwhile.
Status Collectives::capture(uint32_t step, CUdeviceptr from, CUdeviceptr to,
                            const Where &where, CUgraph &out) {
  Entry &entry = entries[step];
  const CollectiveCall &call = entry.call;
  if (!call.bytes() || (!call.isOf(place.rank) && !call.gets(place.rank)))
    return {};
  const Driver &driver = *context->driver;
  KILN_TRY(makeStreams(where));
  KILN_TRY(place.communicator->health(step));
  KILN_TRY(
      driver.check(driver.streamBeginCapture(beside, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                   "cuStreamBeginCapture", where));
  Status enqueued = enqueueIn(entry, from, to, beside, where);
  CUresult ended = driver.streamEndCapture(beside, &out);
  if (enqueued.ok() && ended == CUDA_SUCCESS)
    return {};
  if (!out) // the call may have done nothing: the stream must not go on capturing
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
    place.communicator->noteEnqueued(call);
    pending.push_back(step);
  }
  KILN_TRY(place.communicator->health(last));
  KILN_TRY(driver.check(driver.graphLaunch(exec, stream), "cuGraphLaunch", where));
  noteStep();
  return driver.check(driver.eventRecord(before, stream), "cuEventRecord", where);
}

void Collectives::setGraphs(std::function<void()> drop) {
  if (nccl)
    nccl->addGraphs(this, std::move(drop));
}

/// Ranks meet in a collective without data first, so an error names the rank that has not
/// enqueued its part.
Status Collectives::finish() {
  if (!hasEnqueued)
    return {};
  hasEnqueued = false;
  KILN_TRY(place.communicator->run({CollectiveKind::AllReduce, Reduction::Sum,
                                    KILN_DTYPE_U8, 0, 0, nullptr, nullptr, last, 0, 0}));
  for (uint32_t step : pending)
    KILN_TRY(await(entries[step]));
  pending.clear();
  // An error may also have ended a collective, without its result.
  return nccl->health(placeText(place.rank, last));
}

CUresult Collectives::query(const Entry &entry) const {
  if (!isGraph)
    return context->driver->eventQuery(entry.done);
  auto *word = reinterpret_cast<uint32_t *>(progress.host());
  if (std::atomic_ref(*word).load(std::memory_order_acquire) >= entry.number)
    return CUDA_SUCCESS;
  return context->driver->eventQuery(before); // recorded behind the launch
}

/// All ranks have enqueued the collective.
Status Collectives::await(const Entry &entry) {
  constexpr auto slice = 50ms;
  const Driver &driver = *context->driver;
  std::chrono::milliseconds patience = place.communicator->patience();
  Clock::time_point begin = Clock::now(), look = begin + slice;
  for (;;) {
    CUresult result = query(entry);
    if (result == CUDA_SUCCESS)
      break;
    uint32_t step = entry.call.step;
    auto where = [&] {
      return placeText(place.rank, step) + ", " + collectiveName(entry.call.kind);
    };
    if (result != CUDA_ERROR_NOT_READY)
      return driver.check(result, "cuEventQuery", where, Code::KernelFailed);
    Clock::time_point now = Clock::now();
    if (now - begin > 1ms) // as long as most runs of a decoder, a CPU may spin
      std::this_thread::sleep_for(20us);
    if (now < look)
      continue;
    look = now + slice;
    KILN_TRY(place.communicator->health(step));
    KILN_TRY(nccl->health(where()));
    if (now - begin > patience)
      return Failure{Code::RankLate,
                     where(),
                     "the GPUs do not complete a collective that all ranks have enqueued",
                     "its result within " + std::to_string(patience.count()) + " ms",
                     "none of it",
                     isOverPeers(entry)
                         ? "give the group a longer timeout, or set KILN_COLLECTIVES=host"
                         : "set NCCL_DEBUG=INFO, or give the group a longer timeout"};
  }
  place.communicator->noteDone();
  noteStep();
  return {};
}

void Collectives::abandon() {
  if (nccl) {
    peers->abort(); // NCCL may wait for graphs with such kernels
    nccl->abort();
    if (beside)
      (void)context->driver->streamSynchronize(beside);
  }
  pending.clear();
  running.clear();
}
