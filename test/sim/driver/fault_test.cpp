//===- fault_test.cpp - Faults: sticky errors, injected failures, schedules ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "test/sim/driver/driver.h"
#include <set>

using namespace kiln::sim::cu;

TEST_F(DriverTest, AFaultPoisonsTheContext) {
  CUdeviceptr a = alloc(4), p = 0;
  CUstream other;
  CUevent event;
  void *pinned = nullptr;
  ASSERT_OK(cu.cuStreamCreate(&other, 1));
  ASSERT_OK(cu.cuEventCreate(&event, 0));
  ASSERT_OK(cu.cuMemHostAlloc(&pinned, 16, 0));
  // The launch itself succeeds; the error comes with the next call.
  EXPECT_OK(
      cu.cuLaunchKernel(function("bad"), 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
  constexpr auto Fault = CUDA_ERROR_ILLEGAL_ADDRESS;
  EXPECT_CU(Fault, cu.cuStreamSynchronize(stream));
  EXPECT_CU(Fault, cu.cuStreamSynchronize(other));
  EXPECT_CU(Fault, cu.cuCtxSynchronize());
  EXPECT_CU(Fault, cu.cuMemAlloc_v2(&p, 4));
  EXPECT_CU(Fault, cu.cuMemcpyDtoH_v2(pinned, a, 4));
  EXPECT_CU(Fault, cu.cuMemsetD8Async(a, 0, 1, other));
  EXPECT_CU(Fault, cu.cuStreamQuery(stream));
  EXPECT_CU(Fault, cu.cuEventRecord(event, stream));
  EXPECT_CU(Fault, cu.cuEventQuery(event));
  EXPECT_CU(Fault, cu.cuEventCreate(&event, 0));
  EXPECT_CU(Fault, cu.cuModuleLoadData(&module, Program));
  EXPECT_CU(Fault, cu.cuMemFree_v2(a)); // freed in spite of the error
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemFree_v2(a));
  EXPECT_CU(Fault, cu.cuMemFreeHost(pinned));
  // Another context of the same process still works.
  CUcontext fresh;
  ASSERT_OK(cu.cuCtxCreate_v2(&fresh, 0, 0));
  EXPECT_OK(cu.cuMemAlloc_v2(&p, 4));
  EXPECT_OK(cu.cuCtxDestroy_v2(fresh));
}

TEST_F(DriverTest, AKernelSeesFreedMemory) {
  CUdeviceptr a = alloc(4);
  EXPECT_OK(cu.cuMemFree_v2(a));
  EXPECT_OK(set(a, 1, 4, stream));
  EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu.cuStreamSynchronize(stream));
}

namespace {

/// Loads, runs, checks and releases everything, as a careful program does, whichever call
/// fails. Returns the first error.
CUresult session(const Driver &cu) {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUstream stream = nullptr;
  CUfunction set = nullptr;
  CUdeviceptr device = 0;
  void *host = nullptr;
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUresult result = CUDA_SUCCESS;
  auto ok = [&](CUresult code) {
    if (result == CUDA_SUCCESS)
      result = code;
    return code == CUDA_SUCCESS;
  };
  uint32_t value = 3, words = 4;
  void *parameters[] = {&device, &value, &words};
  CUDA_MEMSET_NODE_PARAMS fill = {0, 0, 5, 4, 4, 1};
  bool done =
      ok(cu.cuDevicePrimaryCtxRetain(&context, 0)) &&
      ok(cu.cuCtxPushCurrent_v2(context)) && ok(cu.cuModuleLoadData(&module, Program)) &&
      ok(cu.cuModuleGetFunction(&set, module, "set")) &&
      ok(cu.cuStreamCreate(&stream, 1)) && ok(cu.cuMemAlloc_v2(&device, 16)) &&
      ok(cu.cuMemHostAlloc(&host, 16, 0)) &&
      ok(cu.cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr)) &&
      ok(cu.cuMemcpyDtoHAsync_v2(host, device, 16, stream)) &&
      ok(cu.cuStreamSynchronize(stream));
  if (done) {
    EXPECT_EQ(static_cast<uint32_t *>(host)[3], 3u);
    fill.dst = device;
    done = ok(cu.cuGraphCreate(&graph, 0)) &&
           ok(cu.cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context)) &&
           ok(cu.cuGraphInstantiateWithFlags(&exec, graph, 0)) &&
           ok(cu.cuGraphLaunch(exec, stream));
  }
  if (exec)
    ok(cu.cuGraphExecDestroy(exec));
  if (graph)
    ok(cu.cuGraphDestroy(graph));
  if (host)
    ok(cu.cuMemFreeHost(host));
  if (device)
    ok(cu.cuMemFree_v2(device));
  if (stream)
    ok(cu.cuStreamDestroy_v2(stream));
  if (module)
    ok(cu.cuModuleUnload(module));
  CUcontext current = nullptr;
  if (context && cu.cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context)
    ok(cu.cuCtxPopCurrent_v2(&current));
  if (context)
    ok(cu.cuDevicePrimaryCtxRelease_v2(0));
  return result;
}

} // namespace

TEST(Faults, EachCallMayFailAndNothingIsLeft) {
  const Driver &cu = driver();
  cu.kilnSimFailAt(0, 0);
  uint64_t before = cu.kilnSimCallCount();
  ASSERT_OK(session(cu));
  uint64_t calls = cu.kilnSimCallCount() - before;
  EXPECT_GT(calls, 20u);
  unsigned failures = 0;
  for (uint64_t n = 1; n <= calls; n++) {
    SCOPED_TRACE(n);
    cu.kilnSimFailAt(n, CUDA_ERROR_UNKNOWN);
    failures += session(cu) == CUDA_ERROR_UNKNOWN;
    cu.kilnSimFailAt(0, 0);
    CUcontext current = nullptr;
    unsigned flags;
    int active = 1;
    // The session's only query without another effect may fail unnoticed; then its pop is
    // missing.
    EXPECT_OK(cu.cuCtxGetCurrent(&current));
    if (current)
      EXPECT_OK(cu.cuCtxSetCurrent(nullptr));
    EXPECT_OK(cu.cuDevicePrimaryCtxGetState(0, &flags, &active));
    EXPECT_EQ(active, 0);
  }
  EXPECT_EQ(failures, calls - 1);
  // All device memory was released.
  CUcontext context;
  size_t free = 0, total = 1;
  ASSERT_OK(cu.cuCtxCreate_v2(&context, 0, 0));
  EXPECT_OK(cu.cuMemGetInfo_v2(&free, &total));
  EXPECT_EQ(free, total);
  EXPECT_OK(cu.cuCtxDestroy_v2(context));
}

namespace {

/// Returns the value read by a program that does not wait for its copy into pinned
/// memory.
uint32_t withoutWaiting(const Driver &cu) {
  CUcontext context;
  CUstream stream;
  CUdeviceptr device;
  void *host;
  EXPECT_OK(cu.cuCtxCreate_v2(&context, 0, 0));
  EXPECT_OK(cu.cuStreamCreate(&stream, 1));
  EXPECT_OK(cu.cuMemAlloc_v2(&device, 4));
  EXPECT_OK(cu.cuMemHostAlloc(&host, 4, 0));
  *static_cast<uint32_t *>(host) = 1;
  EXPECT_OK(cu.cuMemsetD32Async(device, 2, 1, stream));
  EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(host, device, 4, stream));
  uint32_t early = *static_cast<uint32_t *>(host);
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(*static_cast<uint32_t *>(host), 2u);
  EXPECT_OK(cu.cuCtxDestroy_v2(context));
  return early;
}

/// Lets eight unordered streams append their numbers to a list, and returns their order.
std::vector<int> arrival(const Driver &cu) {
  CUcontext context;
  std::vector<int> order;
  struct Mark {
    std::vector<int> *order;
    int id;
  } marks[8];
  EXPECT_OK(cu.cuCtxCreate_v2(&context, 0, 0));
  for (int i = 0; i < 8; i++) {
    CUstream stream;
    marks[i] = {&order, i};
    EXPECT_OK(cu.cuStreamCreate(&stream, 1));
    EXPECT_OK(cu.cuLaunchHostFunc(
        stream,
        [](void *data) {
          auto *mark = static_cast<Mark *>(data);
          mark->order->push_back(mark->id);
        },
        &marks[i]));
  }
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_OK(cu.cuCtxDestroy_v2(context));
  return order;
}

} // namespace

TEST(Schedule, DISABLED_Late) {
  const Driver &cu = driver();
  EXPECT_EQ(withoutWaiting(cu), 1u);
  // A program that polls makes progress.
  CUcontext context;
  CUevent event;
  CUdeviceptr device;
  ASSERT_OK(cu.cuCtxCreate_v2(&context, 0, 0));
  ASSERT_OK(cu.cuMemAlloc_v2(&device, 4));
  ASSERT_OK(cu.cuEventCreate(&event, 0));
  ASSERT_OK(cu.cuMemsetD32Async(device, 2, 1, nullptr));
  ASSERT_OK(cu.cuEventRecord(event, nullptr));
  EXPECT_CU(CUDA_ERROR_NOT_READY, cu.cuEventQuery(event));
  int polls = 0;
  while (cu.cuEventQuery(event) == CUDA_ERROR_NOT_READY && polls < 100)
    polls++;
  EXPECT_LT(polls, 3);
  EXPECT_OK(cu.cuCtxDestroy_v2(context));
}

TEST(Schedule, DISABLED_Order) {
  std::string text;
  for (int id : arrival(driver()))
    text += std::to_string(id);
  ASSERT_EQ(std::set<char>(text.begin(), text.end()).size(), 8u);
  printf("order=%s\n", text.c_str());
}

TEST(Schedule, EagerRunsAtOnce) { EXPECT_EQ(withoutWaiting(driver()), 2u); }

TEST(Schedule, LateAndRandom) {
  Child child = runChild("DISABLED_Late", {{"KILN_SIM_SCHEDULE", "late"}});
  EXPECT_EQ(child.status, 0) << child.output;
  auto order = [](const std::string &schedule) {
    Child child = runChild("DISABLED_Order", {{"KILN_SIM_SCHEDULE", schedule}});
    EXPECT_EQ(child.status, 0) << child.output;
    size_t at = child.output.find("order=");
    return at == std::string::npos ? "" : child.output.substr(at, 14);
  };
  std::set<std::string> orders;
  for (int seed = 1; seed <= 6; seed++)
    orders.insert(order("random,forward," + std::to_string(seed)));
  EXPECT_GT(orders.size(), 2u);
  EXPECT_EQ(order("random,forward,3"), order("random,forward,3"));
}

TEST(Schedule, IsReadAgain) {
  const Driver &cu = driver();
  const char *before = getenv("KILN_SIM_SCHEDULE");
  std::string own = before ? before : "";
  setenv("KILN_SIM_SCHEDULE", "late", 1);
  EXPECT_EQ(cu.kilnSimReadSchedule(), CUDA_SUCCESS);
  EXPECT_EQ(withoutWaiting(cu), 1u);
  setenv("KILN_SIM_SCHEDULE", "soon", 1);
  EXPECT_EQ(cu.kilnSimReadSchedule(), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(withoutWaiting(cu), 1u);
  setenv("KILN_SIM_SCHEDULE", "eager", 1);
  EXPECT_EQ(cu.kilnSimReadSchedule(), CUDA_SUCCESS);
  EXPECT_EQ(withoutWaiting(cu), 2u);
  setenv("KILN_SIM_SCHEDULE", own.c_str(), 1);
  EXPECT_EQ(cu.kilnSimReadSchedule(), CUDA_SUCCESS);
}

/// Runs the entire suite again in the other orders: correct programs give the same
/// results.
TEST(Schedule, OtherTestsPassInEveryOrder) {
  for (const char *schedule : {"late", "random,forward,1", "random,forward,2"}) {
    for (const char *suite : {"CaptureTest.*", "GraphTest.*", "DriverTest.*"}) {
      Child child = runChild(suite, {{"KILN_SIM_SCHEDULE", schedule}});
      EXPECT_EQ(child.status, 0) << schedule << "\n" << child.output;
    }
  }
}
