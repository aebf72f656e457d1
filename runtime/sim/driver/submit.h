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

/// Enqueues the work in the stream's order, or adds it to the graph that the stream
/// captures; in that case the result is null.
std::shared_ptr<Op> submit(Stream &stream, Work work);
/// Enqueues work without a stream. Handles event records and event waits too.
std::shared_ptr<Op> enqueueWork(const Work &work, const std::shared_ptr<Context> &context,
                                std::vector<std::shared_ptr<Op>> waits);
/// Returns the operations that new work in the stream has to wait for.
std::vector<std::shared_ptr<Op>> streamWaits(const Stream &stream,
                                             const Context &context);

/// Copies and returns when the driver would: from pageable memory once the source is
/// read, to pageable memory once the bytes have arrived; with `synchronous` when all is
/// done.
void submitCopy(Stream &stream, CopyWork copy, bool synchronous);
/// Waits for a stream; throws if it captures or its context is poisoned.
void synchronize(Stream &stream);

/// Throws STREAM_CAPTURE_UNSUPPORTED and invalidates the capture, for a call that is
/// illegal while this thread captures or a global capture is in progress.
void forbidInCapture();
/// Throws STREAM_CAPTURE_UNSUPPORTED, and invalidates the capture, if the stream
/// captures.
void forbidIfCapturing(const Stream &stream);
/// Invalidates every capture in the context and throws, as a synchronisation of the
/// context does.
void forbidCapturesIn(const Context &context);
/// Throws if work in the legacy stream would depend on blocking streams that capture.
void forbidImplicit(const Stream &stream);
/// Implements cuStreamWaitEvent if the stream, the event or both are captured.
void waitCaptured(const std::shared_ptr<Stream> &stream,
                  const std::shared_ptr<Event> &event, bool external);
/// Returns the capture that the stream takes part in; throws if it has been invalidated.
Capture &activeCapture(const Stream &stream);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_SUBMIT_H
