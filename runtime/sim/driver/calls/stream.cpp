//===- stream.cpp - Streams ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/launch_attributes.h"
#include "runtime/sim/driver/submit.h"
#include <algorithm>

using namespace kiln::sim;
using namespace kiln::sim::driver;

constexpr int GreatestPriority = -5;

void calls::streamCreateWithPriority(CUstream *phStream, unsigned int flags,
                                     int priority) {
  std::shared_ptr<Context> context = currentContext();
  CUstream &out = output(phStream);
  require(flags <= Stream::CU_STREAM_NON_BLOCKING_FLAG, "there is no such stream flag");
  auto stream = std::make_shared<Stream>();
  stream->context = context;
  stream->flags = flags;
  stream->priority = std::clamp(priority, GreatestPriority, 0);
  stream->id = ++runtime().ids;
  out = runtime().handles.add(stream);
  context->streams.push_back(stream);
}

void calls::streamCreate(CUstream *stream, unsigned int flags) {
  streamCreateWithPriority(stream, flags, 0);
}

static std::shared_ptr<Stream> ownStream(CUstream handle) {
  // 1 and 2 are the driver's handles of the default streams.
  if (reinterpret_cast<uint64_t>(handle) <= 2)
    fail(CUDA_ERROR_INVALID_HANDLE, "a default stream cannot be destroyed");
  return streamOf(handle);
}

void calls::streamDestroy(CUstream handle) {
  std::shared_ptr<Stream> stream = ownStream(handle);
  if (stream->capture)
    stream->capture->invalidated = true;
  // Enqueued work continues; its operations hold what they need.
  if (std::shared_ptr<Context> context = stream->context.lock()) {
    context->retired.push_back(stream->last);
    std::erase(context->streams, stream);
    std::erase_if(context->retired, [](auto &op) { return !op || op->done(); });
  }
  runtime().handles.remove(*stream);
}

void calls::streamSynchronize(CUstream handle) { synchronize(*streamOf(handle)); }

void calls::streamQuery(CUstream handle) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  std::shared_ptr<Context> context = ownerOf(*stream);
  forbidIfCapturing(*stream);
  forbidImplicit(*stream);
  checkHealthy(*context);
  for (const std::shared_ptr<Op> &op :
       stream->legacy ? streamWaits(*stream, *context) : std::vector{stream->last}) {
    runtime().engine.nudge(op);
    checkHealthy(*context);
    if (op && !op->done())
      failQuietly(CUDA_ERROR_NOT_READY);
    if (op)
      runtime().engine.observe(*op);
  }
}

void calls::streamGetPriority(CUstream handle, int *priority) {
  output(priority) = streamOf(handle)->priority;
}

void calls::streamGetFlags(CUstream handle, unsigned int *flags) {
  output(flags) = streamOf(handle)->flags;
}

void calls::streamGetCtx(CUstream handle, CUcontext *pctx) {
  CUcontext &out = output(pctx);
  out = Handles::handle(*ownerOf(*streamOf(handle)));
}

void calls::streamGetDevice(CUstream handle, CUdevice *device) {
  output(device) = ownerOf(*streamOf(handle))->device->ordinal;
}

void calls::streamGetId(CUstream handle, unsigned long long *streamId) {
  output(streamId) = streamOf(handle)->id;
}

static void checkStreamAttribute(CUstreamAttrID attribute) {
  switch (attribute) {
  case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
  case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
  case CU_LAUNCH_ATTRIBUTE_PRIORITY:
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
  case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    return;
  default:
    fail(CUDA_ERROR_INVALID_VALUE, "streams have no attribute %d", int(attribute));
  }
}

void calls::streamGetAttribute(CUstream handle, CUstreamAttrID attr,
                               CUstreamAttrValue *value) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  checkStreamAttribute(attr);
  CUstreamAttrValue &out = output(value);
  out = {};
  auto entry = stream->attributes.find(attr);
  if (attr == CU_LAUNCH_ATTRIBUTE_PRIORITY)
    out.priority = stream->priority;
  else if (entry != stream->attributes.end())
    out = entry->second;
  else if (attr == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY)
    out.syncPolicy = CU_SYNC_POLICY_AUTO;
}

void calls::streamSetAttribute(CUstream handle, CUstreamAttrID attr,
                               const CUstreamAttrValue *value) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  checkStreamAttribute(attr);
  require(value, "the attribute's value is null");
  checkLaunchAttribute(attr, *value);
  if (attr == CU_LAUNCH_ATTRIBUTE_PRIORITY)
    stream->priority = std::clamp(value->priority, GreatestPriority, 0);
  else
    stream->attributes[attr] = *value;
}

void calls::streamCopyAttributes(CUstream dst, CUstream src) {
  std::shared_ptr<Stream> to = streamOf(dst), from = streamOf(src);
  to->attributes = from->attributes;
}

void calls::streamAttachMemAsync(CUstream handle, CUdeviceptr dptr, size_t length,
                                 unsigned int flags) {
  streamOf(handle);
  auto range = runtime().memory.find(dptr);
  require(range && !range->freed && range->kind == Allocation::Kind::Managed &&
              range->address == dptr && (!length || length == range->size) &&
              (flags == 1 || flags == 2 || flags == 4),
          "a whole managed allocation is attached, globally, to the host or the stream");
}

void calls::streamWaitEvent(CUstream handle, CUevent hEvent, unsigned int flags) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  std::shared_ptr<Event> event = eventOf(hEvent);
  std::shared_ptr<Context> context = ownerOf(*stream);
  checkHealthy(*context);
  require(flags <= 1, "there is no such flag of cuStreamWaitEvent"); // 1: external
  if (event->capture || stream->capture) {
    waitCaptured(stream, event, flags == 1);
    return;
  }
  if (!event->recorded)
    return;
  stream->last = enqueueWork(WaitWork{event}, context, streamWaits(*stream, *context));
  runtime().engine.advance();
}
