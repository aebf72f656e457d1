//===- stream_test.cpp - Streams, events, host functions and modelled time ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "test/sim/driver/driver.h"
#include <atomic>
#include <thread>

using namespace kiln::sim::cu;

TEST_F(DriverTest, StreamProperties) {
  CUstream low = nullptr;
  int priority = 9;
  unsigned flags = 9;
  unsigned long long idA = 0, idB = 0;
  CUcontext owner = nullptr;
  CUdevice device = -1;
  EXPECT_OK(cu.cuStreamCreateWithPriority(&low, 0, -99));
  EXPECT_OK(cu.cuStreamGetPriority(low, &priority));
  EXPECT_EQ(priority, -5);
  EXPECT_OK(cu.cuStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, 1u);
  EXPECT_OK(cu.cuStreamGetId(low, &idA));
  EXPECT_OK(cu.cuStreamGetId(nullptr, &idB));
  EXPECT_NE(idA, idB);
  EXPECT_OK(cu.cuStreamGetCtx(low, &owner));
  EXPECT_EQ(owner, context);
  EXPECT_OK(cu.cuStreamGetDevice(low, &device));
  EXPECT_EQ(device, 0);
  CUstreamAttrValue value = {};
  value.syncPolicy = CU_SYNC_POLICY_SPIN;
  EXPECT_OK(
      cu.cuStreamSetAttribute(low, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  EXPECT_OK(cu.cuStreamCopyAttributes(stream, low));
  value = {};
  EXPECT_OK(cu.cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
                                    &value));
  EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_SPIN);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuStreamSetAttribute(low, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuStreamCreate(&low, 2));
  EXPECT_OK(cu.cuStreamDestroy_v2(low));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuStreamDestroy_v2(low));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuStreamSynchronize(low));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuStreamDestroy_v2(nullptr));
  EXPECT_OK(cu.cuStreamQuery(stream));
  EXPECT_OK(cu.cuStreamQuery(nullptr));
}

TEST_F(DriverTest, DefaultStreams) {
  CUdeviceptr a = alloc(4);
  auto legacy = reinterpret_cast<CUstream>(1), own = reinterpret_cast<CUstream>(2);
  EXPECT_OK(set(a, 1, 4, legacy));
  EXPECT_OK(cu.cuStreamSynchronize(legacy));
  EXPECT_OK(set(a, 2, 4, own));
  EXPECT_OK(cu.cuStreamSynchronize(own));
  unsigned long long mine = 0, others = 0, same = 0;
  auto perThreadId = reinterpret_cast<CUresult (*)(CUstream, unsigned long long *)>(
      cu.find("cuStreamGetId_ptsz"));
  EXPECT_OK(perThreadId(nullptr, &mine));
  EXPECT_OK(cu.cuStreamGetId(own, &same));
  EXPECT_EQ(mine, same);
  std::thread([&] {
    EXPECT_OK(cu.cuCtxSetCurrent(context));
    EXPECT_OK(perThreadId(nullptr, &others));
  }).join();
  EXPECT_NE(mine, others);
}

TEST_F(DriverTest, EventsAndModelledTime) {
  CUevent start, end, untimed, never;
  ASSERT_OK(cu.cuEventCreate(&start, 0));
  ASSERT_OK(cu.cuEventCreate(&end, 1));
  ASSERT_OK(cu.cuEventCreate(&untimed, 2));
  ASSERT_OK(cu.cuEventCreate(&never, 0));
  float first = -1, second = -1;
  uint64_t bytes = 4800ull << 20;
  void *parameters[] = {&bytes};
  auto timed = [&](float *out) {
    EXPECT_OK(cu.cuEventRecord(start, stream));
    EXPECT_OK(cu.cuLaunchKernel(function("cost"), 1, 1, 1, 1, 1, 1, 0, stream, parameters,
                                nullptr));
    EXPECT_OK(cu.cuEventRecordWithFlags(end, stream, 0));
    EXPECT_OK(cu.cuEventSynchronize(end));
    EXPECT_OK(cu.cuEventElapsedTime_v2(out, start, end));
  };
  timed(&first);
  timed(&second);
  // 4800 MiB at 4800 GB/s, plus the launch overhead.
  EXPECT_NEAR(first, 1.048576 + 0.002, 1e-4);
  EXPECT_FLOAT_EQ(first, second);
  // 48 kB take 10 ns: for small kernels the launch overhead dominates.
  bytes = 48000;
  timed(&second);
  EXPECT_NEAR(second, 0.00201, 1e-6);
  EXPECT_OK(cu.cuEventQuery(end));
  EXPECT_OK(cu.cuEventQuery(never));
  EXPECT_OK(cu.cuEventRecord(untimed, stream));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuEventElapsedTime(&first, start, untimed));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuEventElapsedTime(&first, start, never));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuEventCreate(&never, 64));
  EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu.cuEventCreate(&never, 6));
  EXPECT_OK(cu.cuEventDestroy_v2(start));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuEventDestroy_v2(start));
  EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cu.cuEventRecord(start, stream));
}

TEST_F(DriverTest, EventsOrderStreams) {
  CUstream other;
  CUevent event;
  ASSERT_OK(cu.cuStreamCreate(&other, 1));
  ASSERT_OK(cu.cuEventCreate(&event, 2));
  CUdeviceptr a = alloc(4), b = alloc(4);
  EXPECT_OK(cu.cuStreamWaitEvent(other, event, 0)); // never recorded: nothing to wait for
  EXPECT_OK(set(a, 5, 4, stream));
  EXPECT_OK(cu.cuEventRecord(event, stream));
  EXPECT_OK(cu.cuStreamWaitEvent(other, event, 0));
  EXPECT_OK(set(b, 1, 4, other));
  EXPECT_OK(add(b, a, 4, other));
  EXPECT_OK(cu.cuStreamSynchronize(other));
  EXPECT_EQ(read(b, 4), std::vector<uint32_t>(4, 6));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuStreamWaitEvent(other, event, 2));
}

namespace {

struct HostWork {
  const Driver *cu;
  std::atomic<int> runs = 0;
  CUresult inside = CUDA_SUCCESS;
  std::atomic<bool> go = false;
};

void hostFunction(void *data) {
  auto *work = static_cast<HostWork *>(data);
  CUdeviceptr p;
  work->inside = work->cu->cuMemAlloc_v2(&p, 4);
  work->runs++;
}

} // namespace

TEST_F(DriverTest, HostFunctionsRunInOrderOutsideTheCaller) {
  HostWork work = {&cu};
  CUdeviceptr a = alloc(4);
  EXPECT_OK(cu.cuLaunchHostFunc(stream, hostFunction, &work));
  EXPECT_OK(cu.cuStreamAddCallback(
      stream,
      [](CUstream, CUresult status, void *data) {
        static_cast<HostWork *>(data)->runs += status == CUDA_SUCCESS ? 10 : 100;
      },
      &work, 0));
  EXPECT_OK(set(a, 3, 4, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(work.runs, 11);
  EXPECT_EQ(work.inside, CUDA_ERROR_NOT_PERMITTED);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuLaunchHostFunc(stream, nullptr, nullptr));

  // A host function may wait for the thread that enqueued it; later work waits.
  EXPECT_OK(cu.cuLaunchHostFunc(
      stream,
      [](void *data) {
        while (!static_cast<HostWork *>(data)->go)
          std::this_thread::yield();
      },
      &work));
  EXPECT_OK(set(a, 8, 4, stream));
  EXPECT_CU(CUDA_ERROR_NOT_READY, cu.cuStreamQuery(stream));
  work.go = true;
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(read(a, 4), std::vector<uint32_t>(4, 8));
}

TEST_F(DriverTest, LegacyStreamWaitsForBlockingStreams) {
  CUstream blocking;
  HostWork work = {&cu};
  CUdeviceptr a = alloc(4);
  ASSERT_OK(cu.cuStreamCreate(&blocking, 0));
  EXPECT_OK(cu.cuLaunchHostFunc(
      blocking,
      [](void *data) {
        while (!static_cast<HostWork *>(data)->go)
          std::this_thread::yield();
      },
      &work));
  EXPECT_OK(set(a, 1, 4, blocking));
  EXPECT_OK(cu.cuStreamDestroy_v2(blocking)); // its work continues
  EXPECT_OK(set(a, 2, 4, nullptr));
  EXPECT_CU(CUDA_ERROR_NOT_READY, cu.cuStreamQuery(nullptr));
  EXPECT_OK(cu.cuStreamQuery(stream)); // a non-blocking stream is not affected
  work.go = true;
  EXPECT_EQ(read(a, 4), std::vector<uint32_t>(4, 2));
}

TEST_F(DriverTest, ThreadsShareAContext) {
  CUdeviceptr totals = alloc(4 * 8);
  CUfunction addFunction = function("add"), setFunction = function("set");
  EXPECT_OK(cu.cuMemsetD32_v2(totals, 0, 32));
  EXPECT_OK(cu.cuCtxSynchronize());
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 4; id++)
    threads.emplace_back([&, id] {
      ASSERT_OK(cu.cuCtxSetCurrent(context));
      CUstream mine;
      CUevent event;
      ASSERT_OK(cu.cuStreamCreate(&mine, 1));
      ASSERT_OK(cu.cuEventCreate(&event, 2));
      for (uint32_t i = 1; i <= 50; i++) {
        CUdeviceptr one, to = totals + id * 32;
        uint32_t words = 8;
        ASSERT_OK(cu.cuMemAllocAsync(&one, 32, mine));
        void *setParameters[] = {&one, &i, &words},
             *addParameters[] = {&to, &one, &words};
        ASSERT_OK(cu.cuLaunchKernel(setFunction, 1, 1, 1, 1, 1, 1, 0, mine, setParameters,
                                    nullptr));
        ASSERT_OK(cu.cuLaunchKernel(addFunction, 1, 1, 1, 1, 1, 1, 0, mine, addParameters,
                                    nullptr));
        ASSERT_OK(cu.cuMemFreeAsync(one, mine));
        ASSERT_OK(cu.cuEventRecord(event, mine));
        ASSERT_OK(cu.cuEventSynchronize(event));
      }
      ASSERT_OK(cu.cuStreamDestroy_v2(mine));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(read(totals, 32), std::vector<uint32_t>(32, 50 * 51 / 2));
}
