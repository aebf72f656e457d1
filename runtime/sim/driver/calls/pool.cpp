//===- pool.cpp - Memory pools and stream-ordered allocation ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/memory_blocks.h"
#include "runtime/sim/driver/submit.h"

using namespace kiln::sim;
using namespace kiln::sim::driver;

static std::shared_ptr<Pool> makePool(Device &device) {
  auto pool = std::make_shared<Pool>();
  pool->device = device.ordinal;
  pool->access[device.ordinal] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  runtime().handles.add(pool);
  return pool;
}

static std::shared_ptr<Pool> &defaultPool(Device &device) {
  if (!device.defaultPool)
    device.pool = device.defaultPool = makePool(device);
  return device.defaultPool;
}

void calls::deviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice dev) {
  output(pool) = Handles::handle(*defaultPool(runtime().device(dev)));
}

void calls::deviceGetMemPool(CUmemoryPool *pool, CUdevice dev) {
  Device &device = runtime().device(dev);
  defaultPool(device);
  output(pool) = Handles::handle(*device.pool);
}

void calls::deviceSetMemPool(CUdevice dev, CUmemoryPool handle) {
  Device &device = runtime().device(dev);
  std::shared_ptr<Pool> pool = poolOf(handle);
  require(pool->device == dev, "the pool is of another device");
  defaultPool(device);
  device.pool = pool;
}

void calls::memPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps) {
  CUmemoryPool &out = output(pool);
  require(poolProps, "the pool's properties are null");
  require(poolProps->allocType == CU_MEM_ALLOCATION_TYPE_PINNED,
          "a pool's allocations are pinned");
  require(poolProps->location.type == CU_MEM_LOCATION_TYPE_DEVICE,
          "only pools of device memory are modelled");
  if (poolProps->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
    fail(CUDA_ERROR_NOT_SUPPORTED, "pools are not shared between modelled processes");
  std::shared_ptr<Pool> made = makePool(runtime().device(poolProps->location.id));
  made->maxSize = poolProps->maxSize;
  out = Handles::handle(*made);
}

void calls::memPoolDestroy(CUmemoryPool handle) {
  std::shared_ptr<Pool> pool = poolOf(handle);
  Device &device = runtime().devices[pool->device];
  require(pool != device.defaultPool, "a device's default pool cannot be destroyed");
  if (device.pool == pool)
    device.pool = device.defaultPool;
  // Allocations from the pool stay valid until freed.
  runtime().handles.remove(*pool);
}

void calls::memPoolTrimTo(CUmemoryPool pool, size_t) {
  poolOf(pool); // nothing to trim: freed memory is released at once
}

namespace {

template <class T> T &valueOf(void *value) {
  require(value, "the attribute's value is null");
  return *static_cast<T *>(value);
}

} // namespace

void calls::memPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attr,
                                void *value) {
  std::shared_ptr<Pool> pool = poolOf(handle);
  switch (attr) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    pool->reuseEvents = valueOf<int>(value);
    return;
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    pool->reuseOpportunistic = valueOf<int>(value);
    return;
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
    pool->reuseInternal = valueOf<int>(value);
    return;
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
    pool->threshold = valueOf<cuuint64_t>(value);
    return;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
    require(!valueOf<cuuint64_t>(value), "a high-water mark can be reset to 0 only");
    pool->usedHigh = pool->used;
    return;
  default:
    fail(CUDA_ERROR_INVALID_VALUE, "pool attribute %d cannot be set", int(attr));
  }
}

void calls::memPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attr,
                                void *value) {
  std::shared_ptr<Pool> pool = poolOf(handle);
  switch (attr) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    valueOf<int>(value) = pool->reuseEvents;
    return;
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    valueOf<int>(value) = pool->reuseOpportunistic;
    return;
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
    valueOf<int>(value) = pool->reuseInternal;
    return;
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
    valueOf<cuuint64_t>(value) = pool->threshold;
    return;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
  case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
    valueOf<cuuint64_t>(value) = pool->used;
    return;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
    valueOf<cuuint64_t>(value) = pool->usedHigh;
    return;
  }
  fail(CUDA_ERROR_INVALID_VALUE, "there is no pool attribute %d", int(attr));
}

void calls::memPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *map,
                             size_t count) {
  std::shared_ptr<Pool> pool = poolOf(handle);
  require(map || !count, "the access descriptions are null");
  for (size_t i = 0; i < count; i++) {
    require(map[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE, "access is of devices");
    int device = runtime().device(map[i].location.id).ordinal;
    bool on = map[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    require(on ||
                (map[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE && device != pool->device),
            "access is none or read-write, and a device always has its own pool's");
    bool was = pool->access[device] == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    pool->access[device] = map[i].flags;
    if (device == pool->device || on == was)
      continue;
    if (on)
      runtime().memory.enablePeer(device, pool->device);
    else
      runtime().memory.disablePeer(device, pool->device);
  }
}

void calls::memPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool,
                             CUmemLocation *location) {
  std::shared_ptr<Pool> pool = poolOf(memPool);
  require(location && location->type == CU_MEM_LOCATION_TYPE_DEVICE,
          "access is of devices");
  output(flags) = pool->access[runtime().device(location->id).ordinal];
}

static void allocateInOrder(CUdeviceptr *dptr, size_t bytes, std::shared_ptr<Pool> pool,
                            CUstream handle) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  std::shared_ptr<Context> context = ownerOf(*stream);
  checkHealthy(*context);
  CUdeviceptr &out = output(dptr);
  if (stream->capture) {
    activeCapture(*stream).invalidated = true;
    fail(CUDA_ERROR_NOT_SUPPORTED, "allocations in graphs are not modelled: allocate "
                                   "before the capture begins");
  }
  if (!pool) {
    defaultPool(*context->device);
    pool = context->device->pool;
  }
  // The address is valid from the call on. The program must order earlier work before its
  // use; use after the free is detected.
  out = allocateDevice(context, bytes, pool);
}

void calls::memAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream) {
  allocateInOrder(dptr, bytesize, nullptr, hStream);
}

void calls::memAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool,
                                  CUstream hStream) {
  allocateInOrder(dptr, bytesize, poolOf(pool), hStream);
}

void calls::memFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  std::shared_ptr<Stream> stream = streamOf(hStream);
  if (dptr)
    freeAsync(*stream, dptr);
}
