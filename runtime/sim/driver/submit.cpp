//===- submit.cpp - From a call to work in a stream or a captured graph ---===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/submit.h"
#include <algorithm>
#include <cstring>
#include <utility>

using namespace kiln::sim;
using namespace kiln::sim::driver;

std::vector<std::shared_ptr<Op>> driver::streamWaits(const Stream &stream,
                                                     const Context &context) {
  std::vector<std::shared_ptr<Op>> waits = {stream.last};
  if (stream.legacy) {
    for (const std::shared_ptr<Stream> &other : context.streams)
      if (other->blocking())
        waits.push_back(other->last);
    for (const auto &[thread, other] : context.perThread)
      waits.push_back(other->last);
    waits.insert(waits.end(), context.retired.begin(), context.retired.end());
  } else if (stream.blocking()) {
    waits.push_back(context.legacy->last);
  }
  return waits;
}

std::shared_ptr<Op> driver::enqueueWork(const Work &work,
                                        const std::shared_ptr<Context> &context,
                                        std::vector<std::shared_ptr<Op>> waits) {
  auto op = std::make_shared<Op>();
  op->context = context;
  if (auto *wait = std::get_if<WaitWork>(&work)) {
    waits.push_back(wait->event->recorded);
  } else if (auto *record = std::get_if<RecordWork>(&work)) {
    record->event->recorded = op;
    record->event->capture = nullptr;
    record->event->captured.clear();
  } else if (auto *release = std::get_if<FreeWork>(&work)) {
    op->finish = [address = release->address] { releaseBlock(address); };
  } else if (!std::holds_alternative<EmptyWork>(work)) {
    Device *device = context->device;
    op->hostFunction = std::holds_alternative<HostWork>(work);
    op->ownThread = op->hostFunction || (std::holds_alternative<KernelWork>(work) &&
                                         runtime().memory.hasPeers(device->ordinal));
    op->body = [shared = std::make_shared<const Work>(work), device](
                   const OverBlocks &known) { return perform(*shared, *device, known); };
  }
  runtime().engine.enqueue(op, waits);
  return op;
}

static void captureWork(Stream &stream, Work work) {
  Capture &capture = activeCapture(stream);
  if (std::holds_alternative<FreeWork>(work)) {
    capture.invalidated = true;
    fail(CUDA_ERROR_NOT_SUPPORTED, "allocations in graphs are not modelled: allocate "
                                   "before the capture begins");
  }
  if (auto *kernel = std::get_if<KernelWork>(&work))
    checkKernel(*kernel);
  std::shared_ptr<Node> node =
      addNode(capture.graph, std::move(work), std::exchange(stream.frontier, {}));
  stream.frontier = {{node, CUgraphEdgeData()}};
}

std::shared_ptr<Op> driver::submit(Stream &stream, Work work) {
  std::shared_ptr<Context> context = ownerOf(stream);
  checkHealthy(*context);
  if (stream.capture) {
    captureWork(stream, std::move(work));
    return nullptr;
  }
  forbidImplicit(stream);
  if (auto *kernel = std::get_if<KernelWork>(&work)) {
    checkKernel(*kernel);
    if (kernel->function->context.lock() != context)
      fail(CUDA_ERROR_INVALID_HANDLE,
           "kernel %s belongs to another context than the stream",
           kernel->function->info->name.c_str());
  }
  std::shared_ptr<Op> op = enqueueWork(work, context, streamWaits(stream, *context));
  stream.last = op;
  runtime().engine.advance();
  return op;
}

/// Copies the source bytes from pageable memory, rows packed without gaps.
static std::shared_ptr<std::vector<uint8_t>> take(const CopyWork &copy) {
  auto bytes =
      std::make_shared<std::vector<uint8_t>>(copy.width * copy.height * copy.depth);
  uint8_t *to = bytes->data();
  for (uint64_t z = 0; z < copy.depth; z++)
    for (uint64_t y = 0; y < copy.height; y++, to += copy.width)
      memcpy(to,
             reinterpret_cast<const uint8_t *>(copy.from.start) + z * copy.from.slice +
                 y * copy.from.pitch,
             copy.width);
  return bytes;
}

void driver::submitCopy(Stream &stream, CopyWork copy, bool synchronous) {
  if (!copy.width || !copy.height || !copy.depth) {
    checkHealthy(*ownerOf(stream));
    return;
  }
  bool toPageable = copy.to.host;
  if (copy.from.host && !synchronous && !stream.capture)
    copy.staged = take(copy);
  std::shared_ptr<Op> op = submit(stream, std::move(copy));
  if (!op || !(synchronous || toPageable))
    return;
  runtime().engine.wait(op);
  checkHealthy(*op->context);
}

void driver::synchronize(Stream &stream) {
  std::shared_ptr<Context> context = ownerOf(stream);
  forbidIfCapturing(stream);
  checkHealthy(*context);
  for (const std::shared_ptr<Op> &op :
       stream.legacy ? streamWaits(stream, *context) : std::vector{stream.last})
    runtime().engine.wait(op);
  checkHealthy(*context);
}

Capture &driver::activeCapture(const Stream &stream) {
  if (stream.capture->invalidated)
    fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
         "an earlier error invalidated this capture; end it and begin again");
  return *stream.capture;
}

void driver::forbidIfCapturing(const Stream &stream) {
  if (!stream.capture)
    return;
  stream.capture->invalidated = true;
  fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
       "the stream is capturing: its work does not run, so it cannot be waited for");
}

void driver::forbidCapturesIn(const Context &context) {
  bool any = false;
  for (const std::shared_ptr<Capture> &capture : runtime().captures)
    if (capture->context.lock().get() == &context)
      any = capture->invalidated = true;
  if (any)
    fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
         "a stream of this context is capturing: the context cannot be waited for");
}

void driver::forbidImplicit(const Stream &stream) {
  if (!stream.legacy)
    return;
  bool any = false;
  for (const std::shared_ptr<Capture> &capture : runtime().captures)
    for (const std::weak_ptr<Stream> &member : capture->streams) {
      std::shared_ptr<Stream> other = member.lock();
      if (other && other->blocking() && other->context.lock() == stream.context.lock())
        any = capture->invalidated = true;
    }
  if (any)
    fail(
        CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
        "the legacy default stream waits for a stream that is capturing; use a stream of "
        "your own, or make the capturing one non-blocking");
}

void driver::forbidInCapture() {
  CUstreamCaptureMode mine = thisThread().captureMode;
  if (mine == CU_STREAM_CAPTURE_MODE_RELAXED)
    return;
  bool any = false;
  for (const std::shared_ptr<Capture> &capture : runtime().captures) {
    bool own = capture->thread == std::this_thread::get_id();
    bool forbids = own ? capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED
                       : capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                             mine == CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (forbids)
      any = capture->invalidated = true;
  }
  if (any)
    fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
         "this call is not allowed while a stream is capturing; do it before, or capture "
         "in relaxed mode");
}
