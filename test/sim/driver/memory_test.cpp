//===- memory_test.cpp - Allocation, copies and fills ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "test/sim/driver/driver.h"
#include <cstring>
#include <numeric>

using namespace kiln::sim::cu;

TEST_F(DriverTest, AllocatesAndFrees) {
  size_t before = 0, after = 0, total = 0, size = 0;
  EXPECT_OK(cu.cuMemGetInfo_v2(&before, &total));
  CUdeviceptr a = alloc(100), base = 0;
  EXPECT_EQ(a % 256, 0u);
  EXPECT_OK(cu.cuMemGetInfo_v2(&after, &total));
  EXPECT_EQ(before - after, 400u);
  EXPECT_OK(cu.cuMemGetAddressRange_v2(&base, &size, a + 17));
  EXPECT_EQ(base, a);
  EXPECT_EQ(size, 400u);
  EXPECT_CU(CUDA_ERROR_NOT_FOUND, cu.cuMemGetAddressRange_v2(&base, &size, a + 400));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemFree_v2(a + 4));
  EXPECT_OK(cu.cuMemFree_v2(a));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemFree_v2(a));
  EXPECT_OK(cu.cuMemFree_v2(0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemFree_v2(0x1234));
  EXPECT_OK(cu.cuMemGetInfo_v2(&after, &total));
  EXPECT_EQ(before, after);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemAlloc_v2(&a, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemAlloc_v2(nullptr, 4));
  EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu.cuMemAlloc_v2(&a, total + 1));
  EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu.cuMemAlloc_v2(&a, ~size_t(0)));
  size_t pitch = 0;
  EXPECT_OK(cu.cuMemAllocPitch_v2(&a, &pitch, 100, 3, 4));
  EXPECT_EQ(pitch, 512u);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemAllocPitch_v2(&a, &pitch, 100, 3, 5));
}

TEST_F(DriverTest, HostMemory) {
  void *pinned = nullptr;
  CUdeviceptr device = 0;
  unsigned flags = 0;
  ASSERT_OK(cu.cuMemHostAlloc(&pinned, 64, 2));
  memset(pinned, 0, 64);
  EXPECT_OK(cu.cuMemHostGetFlags(&flags, pinned));
  EXPECT_EQ(flags, 2u);
  EXPECT_OK(cu.cuMemHostGetDevicePointer_v2(&device, pinned, 0));
  EXPECT_OK(set(device, 7, 16, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(static_cast<uint32_t *>(pinned)[15], 7u);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemFree_v2(device));
  EXPECT_OK(cu.cuMemFreeHost(pinned));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemFreeHost(pinned));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemHostAlloc(&pinned, 64, 8));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemHostAlloc(&pinned, 0, 0));

  std::vector<uint32_t> mine(64);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuMemHostGetDevicePointer_v2(&device, mine.data(), 0));
  EXPECT_OK(cu.cuMemHostRegister_v2(mine.data(), 256, 0));
  EXPECT_CU(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
            cu.cuMemHostRegister_v2(mine.data() + 1, 8, 0));
  EXPECT_OK(cu.cuMemHostGetDevicePointer_v2(&device, mine.data() + 3, 0));
  EXPECT_EQ(device, reinterpret_cast<CUdeviceptr>(mine.data() + 3));
  EXPECT_OK(cu.cuMemHostUnregister(mine.data()));
  EXPECT_CU(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cu.cuMemHostUnregister(mine.data()));

  CUdeviceptr managed = 0;
  ASSERT_OK(cu.cuMemAllocManaged(&managed, 64, 1));
  EXPECT_OK(set(managed, 3, 16, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(*reinterpret_cast<uint32_t *>(managed), 3u);
  CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  EXPECT_OK(cu.cuMemPrefetchAsync_v2(managed, 64, location, 0, stream));
  EXPECT_OK(cu.cuMemAdvise(managed, 64, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemPrefetchAsync(managed, 65, 0, stream));
  EXPECT_OK(cu.cuMemFree_v2(managed));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemAllocManaged(&managed, 64, 0));
}

TEST_F(DriverTest, PointerAttributes) {
  CUdeviceptr a = alloc(16);
  unsigned type = 0, managed = 9;
  int ordinal = -9;
  size_t size = 0;
  CUcontext owner = nullptr;
  auto get = [&](void *out, CUpointer_attribute attribute, CUdeviceptr at) {
    return cu.cuPointerGetAttribute(out, attribute, at);
  };
  EXPECT_OK(get(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a + 3));
  EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_DEVICE));
  EXPECT_OK(get(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, a));
  EXPECT_EQ(owner, context);
  EXPECT_OK(get(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, a));
  EXPECT_EQ(size, 64u);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, get(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 64));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, get(&type, CUpointer_attribute(99), a));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, get(nullptr, CU_POINTER_ATTRIBUTE_CONTEXT, a));
  CUpointer_attribute both[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                CU_POINTER_ATTRIBUTE_IS_MANAGED};
  void *values[] = {&ordinal, &managed};
  EXPECT_OK(cu.cuPointerGetAttributes(2, both, values, a));
  EXPECT_EQ(ordinal, 0);
  EXPECT_EQ(managed, 0u);
  EXPECT_OK(cu.cuPointerGetAttributes(2, both, values, 64));
  EXPECT_EQ(ordinal, -2);
  unsigned on = 1;
  EXPECT_OK(cu.cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, a));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_CONTEXT, a));
}

TEST_F(DriverTest, CopiesInEveryDirection) {
  std::vector<uint32_t> in(64), out(64);
  std::iota(in.begin(), in.end(), 1);
  CUdeviceptr a = alloc(64), b = alloc(64);
  auto at = [](std::vector<uint32_t> &v) {
    return reinterpret_cast<CUdeviceptr>(v.data());
  };
  EXPECT_OK(cu.cuMemcpyHtoD_v2(a, in.data(), 256));
  EXPECT_OK(cu.cuMemcpyDtoD_v2(b, a, 256));
  EXPECT_EQ(read(b, 64), in);
  EXPECT_OK(cu.cuMemcpy(at(out), b, 256));
  EXPECT_EQ(out, in);
  EXPECT_OK(cu.cuMemsetD32_v2(a, 0, 64));
  EXPECT_OK(cu.cuCtxSynchronize()); // the stream does not wait for stream 0
  EXPECT_OK(cu.cuMemcpyHtoDAsync_v2(a, in.data(), 256, stream));
  EXPECT_OK(cu.cuMemcpyDtoDAsync_v2(b, a, 128, stream));
  EXPECT_OK(cu.cuMemcpyAsync(b + 128, a + 128, 128, stream));
  EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(out.data(), b, 256, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_EQ(out, in);
  EXPECT_OK(cu.cuMemcpyPeer(b, context, a, context, 256));
  EXPECT_OK(cu.cuMemcpyPeerAsync(b, context, a, context, 256, stream));
  EXPECT_OK(cu.cuMemcpyHtoD_v2(a, nullptr, 0));

  constexpr auto Bad = CUDA_ERROR_INVALID_VALUE;
  EXPECT_CU(Bad, cu.cuMemcpyHtoD_v2(a, in.data(), 257));
  EXPECT_CU(Bad, cu.cuMemcpyHtoD_v2(a + 256, in.data(), 1));
  EXPECT_CU(Bad, cu.cuMemcpyHtoD_v2(a, nullptr, 4));
  EXPECT_CU(Bad, cu.cuMemcpyHtoD_v2(a, reinterpret_cast<void *>(b), 4));
  EXPECT_CU(Bad, cu.cuMemcpyDtoD_v2(a, at(in), 4));
  EXPECT_CU(Bad, cu.cuMemcpyDtoH_v2(out.data(), at(in), 4));
  EXPECT_CU(Bad, cu.cuMemcpyHtoD_v2(a, in.data(), ~size_t(0)));
  EXPECT_OK(cu.cuMemFree_v2(b));
  EXPECT_CU(Bad, cu.cuMemcpyDtoD_v2(b, a, 4));
  EXPECT_CU(
      CUDA_ERROR_INVALID_HANDLE,
      cu.cuMemcpyHtoDAsync_v2(a, in.data(), 4, reinterpret_cast<CUstream>(0x99990)));
}

TEST_F(DriverTest, CopiesRectanglesAndBoxes) {
  std::vector<uint8_t> in(1000), out(1000);
  std::iota(in.begin(), in.end(), 0);
  CUdeviceptr a = alloc(250);
  EXPECT_OK(cu.cuMemsetD8_v2(a, 0xff, 1000));
  CUDA_MEMCPY2D flat = {};
  flat.srcMemoryType = CU_MEMORYTYPE_HOST;
  flat.srcHost = in.data();
  flat.srcPitch = 10, flat.srcXInBytes = 2, flat.srcY = 1;
  flat.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  flat.dstDevice = a;
  flat.dstPitch = 20, flat.dstXInBytes = 3, flat.dstY = 2;
  flat.WidthInBytes = 5, flat.Height = 4;
  EXPECT_OK(cu.cuMemcpy2D_v2(&flat));
  EXPECT_OK(cu.cuMemcpy2DUnaligned_v2(&flat));
  EXPECT_OK(cu.cuMemcpy2DAsync_v2(&flat, stream));
  EXPECT_OK(cu.cuMemcpyDtoH_v2(out.data(), a, 1000));
  for (unsigned y = 0; y < 50; y++)
    for (unsigned x = 0; x < 20; x++) {
      bool inside = x >= 3 && x < 8 && y >= 2 && y < 6;
      ASSERT_EQ(out[y * 20 + x], inside ? in[(y - 1) * 10 + x - 1] : 0xff)
          << x << " " << y;
    }
  flat.dstPitch = 7;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemcpy2D_v2(&flat));
  flat.dstPitch = 400;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemcpy2D_v2(&flat));
  flat.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cu.cuMemcpy2D_v2(&flat));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemcpy2D_v2(nullptr));

  CUDA_MEMCPY3D box = {};
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = in.data();
  box.srcPitch = 10, box.srcHeight = 10, box.srcZ = 1, box.srcY = 2, box.srcXInBytes = 3;
  box.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  box.dstDevice = a;
  box.dstPitch = 4, box.dstHeight = 5;
  box.WidthInBytes = 4, box.Height = 3, box.Depth = 2;
  EXPECT_OK(cu.cuMemcpy3D_v2(&box));
  EXPECT_OK(cu.cuMemcpy3DAsync_v2(&box, stream));
  EXPECT_OK(cu.cuMemcpyDtoH_v2(out.data(), a, 1000));
  for (unsigned z = 0; z < 2; z++)
    for (unsigned y = 0; y < 3; y++)
      for (unsigned x = 0; x < 4; x++)
        ASSERT_EQ(out[(z * 5 + y) * 4 + x], in[(z + 1) * 100 + (y + 2) * 10 + x + 3]);
  box.dstHeight = 2;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemcpy3D_v2(&box));
  box.Depth = size_t(1) << 62;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemcpy3D_v2(&box));
}

TEST_F(DriverTest, Fills) {
  CUdeviceptr a = alloc(64);
  std::vector<uint8_t> out(256);
  EXPECT_OK(cu.cuMemsetD8_v2(a, 1, 256));
  EXPECT_OK(cu.cuMemsetD16_v2(a + 2, 0x0203, 4));
  EXPECT_OK(cu.cuMemsetD32_v2(a + 16, 0x04050607, 2));
  EXPECT_OK(cu.cuMemsetD2D8_v2(a + 64, 16, 9, 3, 4));
  EXPECT_OK(cu.cuCtxSynchronize()); // the stream does not wait for stream 0
  EXPECT_OK(cu.cuMemsetD2D16Async(a + 128, 16, 0x0a0b, 2, 2, stream));
  EXPECT_OK(cu.cuMemsetD2D32Async(a + 192, 32, 0x0c0d0e0f, 2, 2, stream));
  EXPECT_OK(cu.cuMemcpyDtoHAsync_v2(out.data(), a, 256, stream));
  EXPECT_EQ(out[1], 1);
  EXPECT_EQ(out[2], 3);
  EXPECT_EQ(out[3], 2);
  EXPECT_EQ(out[10], 1);
  EXPECT_EQ(out[16], 7);
  EXPECT_EQ(out[24], 1);
  EXPECT_EQ(out[64 + 3 * 16 + 2], 9);
  EXPECT_EQ(out[64 + 3], 1);
  EXPECT_EQ(out[128 + 16 + 3], 0x0a);
  EXPECT_EQ(out[192 + 32 + 7], 0x0c);
  constexpr auto Bad = CUDA_ERROR_INVALID_VALUE;
  EXPECT_CU(Bad, cu.cuMemsetD32_v2(a + 2, 0, 1));
  EXPECT_CU(Bad, cu.cuMemsetD32_v2(a, 0, 65));
  EXPECT_CU(Bad, cu.cuMemsetD2D8_v2(a, 2, 0, 3, 2));
  EXPECT_CU(Bad, cu.cuMemsetD8Async(0x40, 0, 1, stream));
  EXPECT_CU(Bad, cu.cuMemsetD32_v2(a, 0, ~size_t(0) / 2));
}

TEST_F(DriverTest, PoolsAndOrderedAllocation) {
  CUmemoryPool standard, own, got;
  CUdeviceptr a = 0, b = 0;
  cuuint64_t used = 9;
  EXPECT_OK(cu.cuDeviceGetDefaultMemPool(&standard, 0));
  EXPECT_OK(cu.cuDeviceGetMemPool(&got, 0));
  EXPECT_EQ(standard, got);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemPoolDestroy(standard));
  ASSERT_OK(cu.cuMemAllocAsync(&a, 64, stream));
  EXPECT_OK(set(a, 4, 16, stream));
  EXPECT_OK(cu.cuMemPoolGetAttribute(standard, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_EQ(used, 64u);
  EXPECT_OK(cu.cuPointerGetAttribute(&got, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, a));
  EXPECT_EQ(got, standard);
  EXPECT_OK(cu.cuMemFreeAsync(a, stream));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemFreeAsync(a, stream));
  EXPECT_OK(cu.cuStreamSynchronize(stream));
  EXPECT_OK(cu.cuMemPoolGetAttribute(standard, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_EQ(used, 0u);
  CUmemPoolProps props = {};
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  props.maxSize = 100;
  ASSERT_OK(cu.cuMemPoolCreate(&own, &props));
  EXPECT_OK(cu.cuMemAllocFromPoolAsync(&b, 100, own, stream));
  EXPECT_CU(CUDA_ERROR_OUT_OF_MEMORY, cu.cuMemAllocFromPoolAsync(&a, 1, own, stream));
  cuuint64_t threshold = 1 << 20;
  int on = 0;
  EXPECT_OK(cu.cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  EXPECT_OK(
      cu.cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &on));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            cu.cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &threshold));
  CUmemAccess_flags access;
  EXPECT_OK(cu.cuMemPoolGetAccess(&access, own, &props.location));
  EXPECT_EQ(access, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  EXPECT_OK(cu.cuDeviceSetMemPool(0, own));
  EXPECT_OK(cu.cuMemPoolTrimTo(own, 0));
  EXPECT_OK(cu.cuMemFree_v2(b));
  EXPECT_OK(cu.cuMemPoolDestroy(own));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cu.cuMemPoolTrimTo(own, 0));
  EXPECT_OK(cu.cuDeviceGetMemPool(&got, 0));
  EXPECT_EQ(got, standard);
  props.location.id = 5;
  EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cu.cuMemPoolCreate(&own, &props));
}
