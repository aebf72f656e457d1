//===- event.cpp - Events ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/submit.h"
#include <algorithm>

using namespace kiln::sim;
using namespace kiln::sim::driver;

void calls::eventCreate(CUevent *phEvent, unsigned int flags) {
  std::shared_ptr<Context> context = currentContext();
  CUevent &out = output(phEvent);
  // Flags: 1 blocking sync, 2 no timing, 4 interprocess.
  require(flags < 8, "there is no such event flag");
  if (flags & 4)
    fail(CUDA_ERROR_NOT_SUPPORTED, "events are not shared between modelled processes");
  auto event = std::make_shared<Event>();
  event->context = context;
  event->flags = flags;
  out = runtime().handles.add(event);
  context->events.push_back(event);
}

void calls::eventDestroy(CUevent handle) {
  std::shared_ptr<Event> event = eventOf(handle);
  if (std::shared_ptr<Context> context = event->context.lock())
    std::erase(context->events, event);
  runtime().handles.remove(*event);
}

void calls::eventRecordWithFlags(CUevent handle, CUstream hStream, unsigned int flags) {
  std::shared_ptr<Event> event = eventOf(handle);
  std::shared_ptr<Stream> stream = streamOf(hStream);
  std::shared_ptr<Context> context = ownerOf(*stream);
  checkHealthy(*context);
  require(flags <= 1, "there is no such flag of cuEventRecord"); // 1: external
  if (event->context.lock() != context)
    fail(CUDA_ERROR_INVALID_HANDLE,
         "the event belongs to another context than the stream");
  if (!stream->capture || flags == 1) {
    submit(*stream, RecordWork{event});
    return;
  }
  activeCapture(*stream);
  event->capture = stream->capture;
  event->captured = stream->frontier;
}

void calls::eventRecord(CUevent event, CUstream stream) {
  eventRecordWithFlags(event, stream, 0);
}

static void forbidCaptured(const Event &event) {
  if (!event.capture)
    return;
  event.capture->invalidated = true;
  fail(CUDA_ERROR_CAPTURED_EVENT,
       "the event was recorded in a capturing stream: it marks a place in the graph, and "
       "never happens");
}

void calls::eventQuery(CUevent handle) {
  std::shared_ptr<Event> event = eventOf(handle);
  std::shared_ptr<Context> context = ownerOf(*event);
  forbidCaptured(*event);
  checkHealthy(*context);
  std::shared_ptr<Op> op = event->recorded;
  runtime().engine.nudge(op);
  checkHealthy(*context);
  if (op && !op->done())
    failQuietly(CUDA_ERROR_NOT_READY);
  if (op)
    runtime().engine.observe(*op);
}

void calls::eventSynchronize(CUevent handle) {
  std::shared_ptr<Event> event = eventOf(handle);
  std::shared_ptr<Context> context = ownerOf(*event);
  forbidCaptured(*event);
  checkHealthy(*context);
  runtime().engine.wait(event->recorded);
  checkHealthy(*context);
}

void calls::eventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd) {
  float &out = output(pMilliseconds);
  std::shared_ptr<Event> start = eventOf(hStart), end = eventOf(hEnd);
  checkHealthy(*ownerOf(*start));
  forbidCaptured(*start);
  forbidCaptured(*end);
  if (!start->timed() || !end->timed() || !start->recorded || !end->recorded)
    fail(CUDA_ERROR_INVALID_HANDLE,
         "an event was never recorded, or was created without timing");
  if (!start->recorded->done() || !end->recorded->done())
    failQuietly(CUDA_ERROR_NOT_READY);
  out = float((end->recorded->end - start->recorded->end) * 1e3);
}
