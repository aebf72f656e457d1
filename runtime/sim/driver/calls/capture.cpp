//===- capture.cpp - Stream capture ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/submit.h"
#include <algorithm>
#include <unordered_set>

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

void join(const std::shared_ptr<Stream> &stream,
          const std::shared_ptr<Capture> &capture) {
  stream->capture = capture;
  stream->frontier.clear();
  capture->streams.push_back(stream);
}

void addTo(Dependencies &frontier, const Dependencies &more) {
  for (const Dependency &dependency : more)
    if (std::none_of(frontier.begin(), frontier.end(),
                     [&](auto &known) { return known.first == dependency.first; }))
      frontier.push_back(dependency);
}

/// Returns the nodes and all their direct and indirect dependencies.
std::unordered_set<const Node *> ancestors(const Dependencies &from) {
  std::unordered_set<const Node *> seen;
  std::vector<const Node *> stack;
  for (const Dependency &dependency : from)
    stack.push_back(dependency.first.get());
  while (!stack.empty()) {
    const Node *node = stack.back();
    stack.pop_back();
    if (seen.insert(node).second)
      for (const Dependency &dependency : node->dependencies)
        stack.push_back(dependency.first.get());
  }
  return seen;
}

/// Whether the origin stream depends on all nodes that other streams captured.
bool joined(const Capture &capture, const Stream &origin) {
  std::unordered_set<const Node *> covered = ancestors(origin.frontier);
  for (const std::weak_ptr<Stream> &member : capture.streams) {
    std::shared_ptr<Stream> stream = member.lock();
    if (!stream || stream.get() == &origin)
      continue;
    for (const Dependency &last : stream->frontier)
      if (!covered.count(last.first.get()))
        return false;
  }
  return true;
}

void release(const std::shared_ptr<Capture> &capture) {
  for (const std::weak_ptr<Stream> &member : capture->streams)
    if (std::shared_ptr<Stream> stream = member.lock()) {
      stream->capture = nullptr;
      stream->frontier.clear();
    }
  std::erase(runtime().captures, capture);
}

void begin(CUstream handle, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph,
           Dependencies dependencies) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  std::shared_ptr<Context> context = ownerOf(*stream);
  checkHealthy(*context);
  require(mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED,
          "there is no such capture mode");
  if (stream->legacy)
    fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
         "the legacy default stream cannot be captured; use a stream of your own");
  if (stream->capture)
    fail(CUDA_ERROR_ILLEGAL_STATE, "the stream is capturing already");
  auto capture = std::make_shared<Capture>();
  capture->foreignGraph = graph != nullptr;
  capture->graph = graph ? graph : std::make_shared<Graph>();
  if (!graph)
    runtime().handles.add(capture->graph);
  capture->context = context;
  capture->origin = stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->id = ++runtime().ids;
  join(stream, capture);
  stream->frontier = std::move(dependencies);
  runtime().captures.push_back(capture);
}

[[noreturn]] void breakCapture(const std::shared_ptr<Capture> &a,
                               const std::shared_ptr<Capture> &b, CUresult code,
                               const char *message) {
  for (const std::shared_ptr<Capture> &capture : {a, b})
    if (capture)
      capture->invalidated = true;
  fail(code, "%s", message);
}

} // namespace

void driver::waitCaptured(const std::shared_ptr<Stream> &stream,
                          const std::shared_ptr<Event> &event, bool external) {
  if (stream->capture && external) {
    submit(*stream, WaitWork{event});
    return;
  }
  if (!event->capture)
    breakCapture(stream->capture, nullptr, CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                 "a capturing stream cannot wait for an event that was recorded outside "
                 "of the capture; record it inside, or wait before the capture begins");
  bool over = std::find(runtime().captures.begin(), runtime().captures.end(),
                        event->capture) == runtime().captures.end();
  if (over || stream->legacy)
    breakCapture(stream->capture, nullptr, CUDA_ERROR_CAPTURED_EVENT,
                 "the event belongs to a capture that the stream cannot join");
  if (stream->capture && stream->capture != event->capture)
    breakCapture(stream->capture, event->capture, CUDA_ERROR_STREAM_CAPTURE_MERGE,
                 "the event was recorded in another capture than the stream's");
  if (!stream->capture)
    join(stream, event->capture);
  activeCapture(*stream);
  addTo(stream->frontier, event->captured);
}

void calls::streamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  begin(stream, mode, nullptr, {});
}

void calls::streamBeginCapture(CUstream stream) {
  begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL, nullptr, {});
}

void calls::streamBeginCaptureToGraph(CUstream stream, CUgraph handle,
                                      const CUgraphNode *dependencies,
                                      const CUgraphEdgeData *dependencyData,
                                      size_t numDependencies, CUstreamCaptureMode mode) {
  std::shared_ptr<Graph> graph = graphOf(handle);
  begin(stream, mode, graph,
        readDependencies(*graph, dependencies, dependencyData, numDependencies));
}

void calls::streamEndCapture(CUstream handle, CUgraph *phGraph) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  CUgraph &out = output(phGraph);
  std::shared_ptr<Capture> capture = stream->capture;
  if (!capture)
    fail(CUDA_ERROR_ILLEGAL_STATE, "the stream is not capturing");
  if (capture->origin.lock() != stream) {
    capture->invalidated = true;
    fail(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
         "the capture began in another stream; end it there");
  }
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
      capture->thread != std::this_thread::get_id())
    fail(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
         "the capture was begun by another thread, and not in relaxed mode");
  bool complete = joined(*capture, *stream), valid = !capture->invalidated;
  release(capture);
  out = nullptr;
  if (!complete || !valid) {
    if (!capture->foreignGraph)
      forgetGraph(*capture->graph);
    if (!valid)
      fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
           "an error during the capture invalidated it; there is no graph");
    fail(
        CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
        "a stream that joined the capture was not joined back: record an event in it and "
        "let the first stream wait for that before the capture ends");
  }
  out = Handles::handle(*capture->graph);
}

static CUstreamCaptureStatus statusOf(const Stream &stream) {
  if (!stream.capture)
    return CU_STREAM_CAPTURE_STATUS_NONE;
  return stream.capture->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                     : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

void calls::streamIsCapturing(CUstream handle, CUstreamCaptureStatus *captureStatus) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  forbidImplicit(*stream);
  output(captureStatus) = statusOf(*stream);
}

void calls::streamGetCaptureInfo(CUstream handle, CUstreamCaptureStatus *status,
                                 cuuint64_t *id, CUgraph *graph,
                                 const CUgraphNode **dependencies,
                                 const CUgraphEdgeData **edgeData,
                                 size_t *numDependencies) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  forbidImplicit(*stream);
  output(status) = statusOf(*stream);
  if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    return;
  if (id)
    *id = stream->capture->id;
  if (graph)
    *graph = Handles::handle(*stream->capture->graph);
  // The lists stay valid until the thread's next call.
  static thread_local std::vector<CUgraphNode> nodes;
  static thread_local std::vector<CUgraphEdgeData> edges;
  nodes.clear();
  edges.clear();
  bool plain = true;
  for (const auto &[node, edge] : stream->frontier) {
    nodes.push_back(Handles::handle(*node));
    edges.push_back(edge);
    plain &= edge.type == 0 && edge.from_port == 0;
  }
  if (!edgeData && !plain)
    failQuietly(CUDA_ERROR_LOSSY_QUERY);
  if (dependencies)
    *dependencies = nodes.data();
  if (edgeData)
    *edgeData = edges.data();
  if (numDependencies)
    *numDependencies = nodes.size();
}

void calls::streamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status,
                                 cuuint64_t *id, CUgraph *graph,
                                 const CUgraphNode **dependencies,
                                 size_t *numDependencies) {
  streamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, numDependencies);
}

void calls::streamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status,
                                 cuuint64_t *id) {
  const CUgraphEdgeData *edges;
  streamGetCaptureInfo(stream, status, id, nullptr, nullptr, &edges, nullptr);
}

void calls::streamUpdateCaptureDependencies(CUstream handle, CUgraphNode *dependencies,
                                            const CUgraphEdgeData *dependencyData,
                                            size_t numDependencies, unsigned int flags) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (!stream->capture)
    fail(CUDA_ERROR_ILLEGAL_STATE, "the stream is not capturing");
  Capture &capture = activeCapture(*stream);
  require(flags <= 1, "dependencies are added (0) or set (1)");
  Dependencies list =
      readDependencies(*capture.graph, dependencies, dependencyData, numDependencies);
  if (flags == 1)
    stream->frontier.clear();
  addTo(stream->frontier, list);
}

void calls::streamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,
                                            size_t numDependencies, unsigned int flags) {
  streamUpdateCaptureDependencies(stream, dependencies, nullptr, numDependencies, flags);
}

void calls::threadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  CUstreamCaptureMode &wanted = output(mode);
  require(wanted >= CU_STREAM_CAPTURE_MODE_GLOBAL &&
              wanted <= CU_STREAM_CAPTURE_MODE_RELAXED,
          "there is no such capture mode");
  std::swap(wanted, thisThread().captureMode);
}
