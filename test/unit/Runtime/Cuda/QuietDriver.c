/*===- QuietDriver.c - A driver that computes nothing --------------------===
 *
 * Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One GPU of compute capability 9.0 whose kernels do nothing and whose calls
 * allocate nothing, so that every allocation of a process is the runtime's own. The
 * functions that are not here are FakeDriver.c's.
 *
 *===----------------------------------------------------------------------===*/
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef void *CUcontext, *CUstream, *CUevent;

#define QUIET __attribute__((visibility("default")))

static _Alignas(256) char memory[1 << 22];
static size_t used;

static void *allocate(size_t bytes) {
  void *block = memory + used;
  used += (bytes + 255) / 256 * 256;
  return used <= sizeof memory ? block : NULL;
}

QUIET CUresult cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
QUIET CUresult cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}
QUIET CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 132; /* capability, then processors */
  return 0;
}
QUIET CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  *context = memory;
  return 0;
}
QUIET CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
  *available = *total = sizeof memory - used;
  return 0;
}
QUIET CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  *address = (CUdeviceptr)(uintptr_t)allocate(bytes);
  return *address ? 0 : 2;
}
QUIET CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  *address = allocate(bytes);
  return *address ? 0 : 2;
}
QUIET CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                                    CUstream stream) {
  memcpy((void *)(uintptr_t)to, from, bytes);
  return 0;
}
QUIET CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                                    CUstream stream) {
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  return 0;
}
/* No address is known: all tensors are in pageable memory. */
QUIET CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr pointer) {
  return 1;
}
QUIET CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
  *milliseconds = 1;
  return 0;
}
