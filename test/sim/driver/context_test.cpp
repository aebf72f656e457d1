//===- context_test.cpp - Devices and contexts ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "test/sim/driver/driver.h"
#include <thread>

using namespace kiln::sim::cu;

namespace {

int attribute(int number) {
  int value = -7;
  EXPECT_OK(driver().cuDeviceGetAttribute(&value, CUdevice_attribute(number), 0));
  return value;
}

} // namespace

TEST(Device, AnswersForTheDefaultProfile) {
  const Driver &cu = driver();
  int count = 0, version = 0, major = 0, minor = 0;
  CUdevice device = -1;
  char name[64], bus[32];
  size_t bytes = 0;
  EXPECT_OK(cu.cuDeviceGetCount(&count));
  EXPECT_EQ(count, 1);
  EXPECT_OK(cu.cuDeviceGet(&device, 0));
  EXPECT_OK(cu.cuDriverGetVersion(&version));
  EXPECT_EQ(version, 13000);
  EXPECT_OK(cu.cuDeviceGetName(name, sizeof name, device));
  EXPECT_STREQ(name, "NVIDIA H200");
  EXPECT_OK(cu.cuDeviceGetName(name, 7, device));
  EXPECT_STREQ(name, "NVIDIA");
  EXPECT_OK(cu.cuDeviceTotalMem_v2(&bytes, device));
  EXPECT_GT(bytes, 139ull << 30);
  EXPECT_OK(cu.cuDeviceComputeCapability(&major, &minor, device));
  EXPECT_EQ(major * 10 + minor, 90);
  EXPECT_OK(cu.cuDeviceGetPCIBusId(bus, sizeof bus, device));
  CUdevice again = -1;
  EXPECT_OK(cu.cuDeviceGetByPCIBusId(&again, bus));
  EXPECT_EQ(again, device);
  CUuuid first, second;
  EXPECT_OK(cu.cuDeviceGetUuid(&first, device));
  EXPECT_OK(cu.cuDeviceGetUuid_v2(&second, device));
  EXPECT_EQ(memcmp(&first, &second, sizeof first), 0);
}

TEST(Device, AttributesFollowTheProfile) {
  EXPECT_EQ(attribute(1), 1024);    // threads per block
  EXPECT_EQ(attribute(8), 49152);   // shared memory per block
  EXPECT_EQ(attribute(10), 32);     // warp size
  EXPECT_EQ(attribute(16), 132);    // multiprocessors
  EXPECT_EQ(attribute(39), 2048);   // threads per multiprocessor
  EXPECT_EQ(attribute(75), 9);      // capability
  EXPECT_EQ(attribute(81), 233472); // shared memory per multiprocessor
  EXPECT_EQ(attribute(97), 232448); // with opt-in
  EXPECT_EQ(attribute(120), 1);     // clusters
  CUdevprop properties;
  EXPECT_OK(driver().cuDeviceGetProperties(&properties, 0));
  EXPECT_EQ(properties.SIMDWidth, 32);
  EXPECT_EQ(properties.maxGridSize[0], 0x7fffffff);
}

TEST(Device, RefusesWhatIsNotThere) {
  const Driver &cu = driver();
  CUdevice device;
  int value;
  char name[4];
  EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu.cuDeviceGet(&device, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu.cuDeviceGet(&device, -1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuDeviceGet(nullptr, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuDeviceGetCount(nullptr));
  for (int number : {0, -1, 148, 9999})
    EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
              cu.cuDeviceGetAttribute(&value, CUdevice_attribute(number), 0));
  EXPECT_CU(CUDA_ERROR_INVALID_DEVICE,
            cu.cuDeviceGetAttribute(&value, CUdevice_attribute(1), 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuDeviceGetName(name, 0, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuDeviceGetName(nullptr, 4, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu.cuDeviceGetByPCIBusId(&device, "0000:99:00.0"));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuInit(1));
  EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu.cuDeviceGetLuid(nullptr, nullptr, 0));
}

TEST(Context, StackAndCurrent) {
  const Driver &cu = driver();
  CUcontext a, b, current;
  CUdevice device = -1;
  ASSERT_OK(cu.cuCtxCreate_v2(&a, 0, 0));
  ASSERT_OK(cu.cuCtxCreate_v4(&b, nullptr, 0, 0));
  EXPECT_OK(cu.cuCtxGetCurrent(&current));
  EXPECT_EQ(current, b);
  EXPECT_OK(cu.cuCtxPopCurrent_v2(&current));
  EXPECT_EQ(current, b);
  EXPECT_OK(cu.cuCtxGetCurrent(&current));
  EXPECT_EQ(current, a);
  EXPECT_OK(cu.cuCtxPushCurrent_v2(b));
  EXPECT_OK(cu.cuCtxGetDevice(&device));
  EXPECT_EQ(device, 0);
  unsigned long long idA = 0, idB = 0;
  EXPECT_OK(cu.cuCtxGetId(a, &idA));
  EXPECT_OK(cu.cuCtxGetId(nullptr, &idB));
  EXPECT_NE(idA, idB);
  EXPECT_OK(cu.cuCtxDestroy_v2(b));
  EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu.cuCtxDestroy_v2(b));
  EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu.cuCtxPushCurrent_v2(b));
  EXPECT_OK(cu.cuCtxGetCurrent(&current));
  EXPECT_EQ(current, a);
  EXPECT_OK(cu.cuCtxDestroy_v2(a));
  EXPECT_OK(cu.cuCtxGetCurrent(&current));
  EXPECT_EQ(current, nullptr);
  EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu.cuCtxPopCurrent_v2(&current));
  EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu.cuCtxSynchronize());
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuCtxCreate_v2(&a, 3, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuCtxCreate_v2(nullptr, 0, 0));
}

TEST(Context, DestroyedElsewhereIsNoticed) {
  const Driver &cu = driver();
  CUcontext context;
  ASSERT_OK(cu.cuCtxCreate_v2(&context, 0, 0));
  std::thread([&] { EXPECT_OK(cu.cuCtxDestroy_v2(context)); }).join();
  EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cu.cuCtxSynchronize());
  EXPECT_OK(cu.cuCtxSetCurrent(nullptr));
}

TEST(Context, PrimaryIsCounted) {
  const Driver &cu = driver();
  CUcontext a, b;
  unsigned flags = 9;
  int active = -1;
  EXPECT_OK(cu.cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(active, 0);
  ASSERT_OK(cu.cuDevicePrimaryCtxRetain(&a, 0));
  ASSERT_OK(cu.cuDevicePrimaryCtxRetain(&b, 0));
  EXPECT_EQ(a, b);
  EXPECT_OK(cu.cuDevicePrimaryCtxSetFlags_v2(0, 4));
  EXPECT_OK(cu.cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(active, 1);
  EXPECT_EQ(flags, 4u);
  EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu.cuCtxDestroy_v2(a));
  EXPECT_OK(cu.cuDevicePrimaryCtxRelease_v2(0));
  EXPECT_OK(cu.cuCtxSetCurrent(a));
  EXPECT_OK(cu.cuDevicePrimaryCtxRelease_v2(0));
  EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cu.cuCtxSynchronize());
  EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu.cuDevicePrimaryCtxRelease_v2(0));
  ASSERT_OK(cu.cuDevicePrimaryCtxRetain(&b, 0));
  EXPECT_NE(a, b);
  EXPECT_OK(cu.cuDevicePrimaryCtxReset_v2(0));
  EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cu.cuCtxSetCurrent(b));
  EXPECT_OK(cu.cuDevicePrimaryCtxSetFlags_v2(0, 0));
  EXPECT_OK(cu.cuCtxSetCurrent(nullptr));
}

TEST_F(DriverTest, LimitsAndConfigurations) {
  size_t value = 0;
  int least = 1, greatest = 1;
  unsigned version = 0;
  CUfunc_cache cache;
  EXPECT_OK(cu.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  EXPECT_OK(cu.cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(value, 4096u);
  EXPECT_CU(CUDA_ERROR_UNSUPPORTED_LIMIT, cu.cuCtxGetLimit(&value, CU_LIMIT_SHMEM_SIZE));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuCtxGetLimit(&value, CUlimit(77)));
  EXPECT_OK(cu.cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  EXPECT_OK(cu.cuCtxGetCacheConfig(&cache));
  EXPECT_EQ(cache, CU_FUNC_CACHE_PREFER_L1);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuCtxSetCacheConfig(CUfunc_cache(9)));
  EXPECT_OK(cu.cuCtxGetStreamPriorityRange(&least, &greatest));
  EXPECT_LT(greatest, least);
  EXPECT_OK(cu.cuCtxGetApiVersion(context, &version));
  EXPECT_EQ(version, 3020u);
  EXPECT_OK(cu.cuCtxResetPersistingL2Cache());
  EXPECT_OK(cu.cuCtxSynchronize());
}

TEST(Device, DISABLED_TwoDevices) {
  const Driver &cu = driver();
  CUcontext a, b;
  int can = -1, count = 0;
  EXPECT_OK(cu.cuDeviceGetCount(&count));
  EXPECT_EQ(count, 2);
  EXPECT_OK(cu.cuDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  EXPECT_OK(
      cu.cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  EXPECT_CU(
      CUDA_ERROR_INVALID_DEVICE,
      cu.cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
  ASSERT_OK(cu.cuCtxCreate_v2(&b, 0, 1));
  CUdeviceptr far = 0, near = 0;
  ASSERT_OK(cu.cuMemAlloc_v2(&far, 64));
  EXPECT_OK(cu.cuMemsetD32_v2(far, 5, 16));
  ASSERT_OK(cu.cuCtxCreate_v2(&a, 0, 0));
  ASSERT_OK(cu.cuMemAlloc_v2(&near, 64));
  EXPECT_OK(cu.cuMemcpyPeer(near, a, far, b, 64));
  uint32_t word = 0;
  EXPECT_OK(cu.cuMemcpyDtoH_v2(&word, near, 4));
  EXPECT_EQ(word, 5u);
  EXPECT_CU(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cu.cuCtxDisablePeerAccess(b));
  EXPECT_CU(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cu.cuCtxEnablePeerAccess(a, 0));
  EXPECT_OK(cu.cuCtxEnablePeerAccess(b, 0));
  EXPECT_CU(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cu.cuCtxEnablePeerAccess(b, 0));
  CUmodule module;
  CUfunction set;
  ASSERT_OK(cu.cuModuleLoadData(&module, Program));
  ASSERT_OK(cu.cuModuleGetFunction(&set, module, "set"));
  uint32_t value = 9, words = 1;
  void *parameters[] = {&far, &value, &words};
  EXPECT_OK(cu.cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_OK(cu.cuCtxSynchronize());
  EXPECT_OK(cu.cuCtxDisablePeerAccess(b));
  EXPECT_OK(cu.cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cu.cuCtxSynchronize());
  EXPECT_OK(cu.cuCtxDestroy_v2(a));
  EXPECT_OK(cu.cuCtxDestroy_v2(b));
}

TEST(Device, PeersNeedTwo) {
  Child child = runChild("TwoDevices", {{"KILN_SIM_DEVICES", "h100,a100"}});
  EXPECT_EQ(child.status, 0) << child.output;
}
