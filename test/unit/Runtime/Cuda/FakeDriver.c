/*===- FakeDriver.c - A driver library that is wrong ---------------------===
 *
 * Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All functions the runtime asks for, which do nothing and return FAKE_RESULT; with
 * FAKE_LACKS without the graphs' launch, as a driver of long ago. Where a library has
 * one of them in another file too, that counts.
 *
 *===----------------------------------------------------------------------===*/
#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef void *CUcontext, *CUmodule, *CUfunction, *CUstream, *CUevent, *CUgraph,
    *CUgraphNode, *CUgraphExec;
typedef struct CUDA_KERNEL_NODE_PARAMS_v2 CUDA_KERNEL_NODE_PARAMS_v2;
typedef struct CUDA_MEMCPY3D_v2 CUDA_MEMCPY3D_v2;
typedef struct CUDA_MEMSET_NODE_PARAMS CUDA_MEMSET_NODE_PARAMS;
typedef struct CUgraphEdgeData CUgraphEdgeData;
typedef struct CUtensorMap CUtensorMap;

#ifdef FAKE_LACKS
#define cuGraphLaunch notTheGraphsLaunch
#endif

#define CALL(member, symbol, parameters)                                                 \
  __attribute__((weak, visibility("default"))) CUresult symbol parameters {                    \
    return FAKE_RESULT;                                                                  \
  }
#include "runtime/device/cuda/driver_calls.def"
