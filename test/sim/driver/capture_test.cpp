//===- capture_test.cpp - Stream capture ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "test/sim/driver/driver.h"
#include <functional>
#include <thread>

using namespace kiln::sim::cu;

namespace {

class CaptureTest : public DriverTest {
protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_OK(cu.cuStreamCreate(&other, 1));
    ASSERT_OK(cu.cuEventCreate(&event, 2));
    ASSERT_OK(cu.cuEventCreate(&back, 2));
    a = alloc(4), b = alloc(4);
  }
  CUresult begin(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
    return cu.cuStreamBeginCapture_v2(stream, mode);
  }
  CUstreamCaptureStatus status(CUstream of) {
    CUstreamCaptureStatus result;
    EXPECT_OK(cu.cuStreamIsCapturing(of, &result));
    return result;
  }
  void expectInvalid() {
    EXPECT_EQ(status(stream), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, set(a, 1, 4, stream));
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
              cu.cuStreamEndCapture(stream, &graph));
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(status(stream), CU_STREAM_CAPTURE_STATUS_NONE);
  }
  CUstream other = nullptr;
  CUevent event = nullptr, back = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr a = 0, b = 0;
};

} // namespace

TEST_F(CaptureTest, RecordsWithoutRunning) {
  EXPECT_OK(cu.cuMemsetD32Async(a, 0, 4, stream));
  ASSERT_OK(begin());
  EXPECT_EQ(status(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_OK(set(a, 5, 4, stream));
  EXPECT_OK(cu.cuMemcpyDtoDAsync_v2(b, a, 16, stream));
  EXPECT_OK(cu.cuMemsetD32Async(a, 1, 4, stream));
  EXPECT_OK(add(b, a, 4, stream));
  cuuint64_t id = 0;
  CUgraph into = nullptr;
  const CUgraphNode *nodes = nullptr;
  const CUgraphEdgeData *edges = nullptr;
  size_t count = 9;
  CUstreamCaptureStatus state;
  EXPECT_OK(
      cu.cuStreamGetCaptureInfo_v3(stream, &state, &id, &into, &nodes, &edges, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_OK(cu.cuStreamGetCaptureInfo_v2(stream, &state, &id, &into, &nodes, &count));
  ASSERT_OK(cu.cuStreamEndCapture(stream, &graph));
  EXPECT_EQ(into, graph);
  EXPECT_OK(cu.cuGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 4u);
  EXPECT_OK(cu.cuGraphGetEdges(graph, nullptr, nullptr, &count));
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(read(a, 4), std::vector<uint32_t>(4, 0));
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_OK(cu.cuGraphLaunch(exec, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(read(b, 4), std::vector<uint32_t>(4, 6));
  EXPECT_OK(cu.cuGraphExecDestroy(exec));
  EXPECT_OK(cu.cuGraphDestroy(graph));
}

TEST_F(CaptureTest, ForksAndJoinsOverEvents) {
  ASSERT_OK(begin());
  EXPECT_OK(set(a, 5, 4, stream));
  EXPECT_OK(cu.cuEventRecord(event, stream));
  EXPECT_OK(cu.cuStreamWaitEvent(other, event, 0));
  EXPECT_EQ(status(other), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_OK(set(b, 2, 4, other));
  EXPECT_OK(add(b, a, 4, other));
  EXPECT_OK(cu.cuEventRecord(back, other));
  EXPECT_OK(cu.cuStreamWaitEvent(stream, back, 0));
  EXPECT_OK(add(a, b, 4, stream));
  EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cu.cuStreamWaitEvent(nullptr, back, 0));
  ASSERT_OK(cu.cuStreamEndCapture(stream, &graph));
  EXPECT_EQ(status(other), CU_STREAM_CAPTURE_STATUS_NONE);
  ASSERT_OK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
  EXPECT_OK(cu.cuGraphLaunch(exec, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(read(a, 4), std::vector<uint32_t>(4, 12));
}

TEST_F(CaptureTest, NeedsTheForkJoinedAndTheOrigin) {
  ASSERT_OK(begin());
  EXPECT_OK(cu.cuEventRecord(event, stream));
  EXPECT_OK(cu.cuStreamWaitEvent(other, event, 0));
  EXPECT_OK(set(b, 2, 4, other));
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cu.cuStreamEndCapture(stream, &graph));
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(status(other), CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, cu.cuStreamEndCapture(stream, &graph));

  ASSERT_OK(begin());
  EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, begin());
  EXPECT_OK(cu.cuEventRecord(event, stream));
  EXPECT_OK(cu.cuStreamWaitEvent(other, event, 0));
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cu.cuStreamEndCapture(other, &graph));
  expectInvalid();
}

TEST_F(CaptureTest, IllegalCallsInvalidate) {
  CUdeviceptr p = 0;
  const std::function<CUresult()> calls[] = {
      [&] { return cu.cuStreamSynchronize(stream); },
      [&] { return cu.cuStreamQuery(stream); },
      [&] { return cu.cuCtxSynchronize(); },
      [&] { return cu.cuMemAlloc_v2(&p, 4); },
      [&] { return cu.cuMemFree_v2(a); },
      [&] { return cu.cuModuleUnload(module); },
      [&] { return cu.cuMemsetD8_v2(a, 0, 1); },
  };
  for (const auto &call : calls) {
    ASSERT_OK(begin());
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, call());
    expectInvalid();
  }
  EXPECT_EQ(p, 0u);
  ASSERT_OK(begin());
  EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu.cuMemAllocAsync(&p, 4, stream));
  expectInvalid();
  ASSERT_OK(begin());
  EXPECT_OK(cu.cuEventRecord(event, stream));
  EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cu.cuEventSynchronize(event));
  expectInvalid();
  // An event of an ended capture can be neither waited for nor queried.
  EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cu.cuEventQuery(event));
  EXPECT_OK(cu.cuEventRecord(event, stream));
  EXPECT_OK(cu.cuEventSynchronize(event));
}

TEST_F(CaptureTest, OutsideEventsOtherCapturesAndTheLegacyStream) {
  EXPECT_OK(cu.cuEventRecord(event, other));
  ASSERT_OK(begin());
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cu.cuStreamWaitEvent(stream, event, 0));
  expectInvalid();

  ASSERT_OK(begin());
  ASSERT_OK(cu.cuStreamBeginCapture_v2(other, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(cu.cuEventRecord(event, other));
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_MERGE, cu.cuStreamWaitEvent(stream, event, 0));
  expectInvalid();
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cu.cuStreamEndCapture(other, &graph));

  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
            cu.cuStreamBeginCapture_v2(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUstream blocking;
  ASSERT_OK(cu.cuStreamCreate(&blocking, 0));
  ASSERT_OK(cu.cuStreamBeginCapture_v2(blocking, CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, set(a, 1, 4, nullptr));
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
            cu.cuStreamEndCapture(blocking, &graph));
}

TEST_F(CaptureTest, ModesAndThreads) {
  CUdeviceptr p = 0;
  auto elsewhere = [&](auto body) {
    std::thread([&] {
      EXPECT_OK(cu.cuCtxSetCurrent(context));
      body();
    }).join();
  };
  ASSERT_OK(begin(CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_OK(cu.cuMemAlloc_v2(&p, 4));
  elsewhere([&] { EXPECT_OK(cu.cuStreamEndCapture(stream, &graph)); });

  ASSERT_OK(begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  elsewhere([&] {
    EXPECT_OK(cu.cuMemAlloc_v2(&p, 4));
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
              cu.cuStreamEndCapture(stream, &graph));
  });
  EXPECT_OK(cu.cuStreamEndCapture(stream, &graph));

  ASSERT_OK(begin());
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  EXPECT_OK(cu.cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
  EXPECT_OK(cu.cuMemAlloc_v2(&p, 4));
  EXPECT_OK(cu.cuThreadExchangeStreamCaptureMode(&mode));
  elsewhere(
      [&] { EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cu.cuMemAlloc_v2(&p, 4)); });
  expectInvalid();
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, begin(CUstreamCaptureMode(7)));
}

TEST_F(CaptureTest, IntoAGraphAndWithOtherDependencies) {
  CUgraphNode first, second;
  ASSERT_OK(cu.cuGraphCreate(&graph, 0));
  ASSERT_OK(cu.cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  ASSERT_OK(cu.cuGraphAddEmptyNode(&second, graph, nullptr, 0));
  ASSERT_OK(cu.cuStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1,
                                           CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(cu.cuStreamUpdateCaptureDependencies_v2(stream, &second, nullptr, 1, 0));
  EXPECT_OK(set(a, 1, 4, stream));
  CUgraph same = nullptr;
  EXPECT_OK(cu.cuStreamEndCapture(stream, &same));
  EXPECT_EQ(same, graph);
  size_t edges = 0;
  EXPECT_OK(cu.cuGraphGetEdges(graph, nullptr, nullptr, &edges));
  EXPECT_EQ(edges, 2u);
  EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE,
            cu.cuStreamUpdateCaptureDependencies_v2(stream, &second, nullptr, 1, 0));
}
