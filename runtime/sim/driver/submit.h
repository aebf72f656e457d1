//===- submit.h - From a call to work in a stream or a captured graph -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_SUBMIT_H
#define KILN_SIM_DRIVER_SUBMIT_H

#include "runtime/sim/driver/graph.h"

namespace kiln::sim::driver {

/// Enqueues the work behind everything that the stream orders it behind, or adds it to
/// the graph that the stream captures; then the result is null.
std::shared_ptr<Op> submit(Stream &stream, Work work);
/// Enqueues without a stream. Sets events that are recorded, waits for those waited for.
std::shared_ptr<Op> enqueueWork(const Work &work, const std::shared_ptr<Context> &context,
                                std::vector<std::shared_ptr<Op>> waits);
/// Returns the ops that new work in the stream has to wait for.
std::vector<std::shared_ptr<Op>> streamWaits(const Stream &stream,
                                             const Context &context);

/// Copies, and returns when it may: from pageable memory once the bytes are taken, to
/// pageable memory once they have arrived; `synchronous` calls when all is done.
void submitCopy(Stream &stream, CopyWork copy, bool synchronous);
/// Waits for a stream; throws if it captures or its context is poisoned.
void synchronize(Stream &stream);

/// Throws STREAM_CAPTURE_UNSUPPORTED, and invalidates the capture, for a call that
/// must not happen while a capture of this thread, or a global one, is under way.
void forbidInCapture();
/// Throws STREAM_CAPTURE_UNSUPPORTED, and invalidates the capture, if the stream
/// captures.
void forbidIfCapturing(const Stream &stream);
/// Invalidates every capture in the context, and throws, as for a synchronisation of
/// all of it.
void forbidCapturesIn(const Context &context);
/// Work in the legacy stream would depend on capturing blocking streams: throws.
void forbidImplicit(const Stream &stream);
/// cuStreamWaitEvent where the stream, the event or both are captured.
void waitCaptured(const std::shared_ptr<Stream> &stream,
                  const std::shared_ptr<Event> &event, bool external);
/// The capture that the stream takes part in; throws if it has been invalidated.
Capture &activeCapture(const Stream &stream);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_SUBMIT_H
