//===- driver_types.h - Types of the CUDA driver interface ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the CUDA driver's C interface that the runtime uses, declared here so that
// the build needs no CUDA toolkit. Names, layouts and values are those of the CUDA Driver
// API reference; a test compares them with the toolkit's header.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_DRIVER_TYPES_H
#define KILN_DEVICE_CUDA_DRIVER_TYPES_H

#include <cstddef>
#include <cstdint>

namespace kiln::rt::cuda {

using CUresult = int; ///< 0 is success
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUkernel = struct CUkern_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphNode = struct CUgraphNode_st *;
using CUgraphExec = struct CUgraphExec_st *;
using CUarray = struct CUarray_st *;

inline constexpr CUresult CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1,
                          CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_NOT_INITIALIZED = 3,
                          CUDA_ERROR_DEINITIALIZED = 4, CUDA_ERROR_NO_DEVICE = 100,
                          CUDA_ERROR_INVALID_DEVICE = 101,
                          CUDA_ERROR_INVALID_CONTEXT = 201,
                          CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
                          CUDA_ERROR_INVALID_PTX = 218,
                          CUDA_ERROR_ECC_UNCORRECTABLE = 214,
                          CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
                          CUDA_ERROR_INVALID_HANDLE = 400, CUDA_ERROR_NOT_READY = 600,
                          CUDA_ERROR_ILLEGAL_ADDRESS = 700,
                          CUDA_ERROR_LAUNCH_TIMEOUT = 702,
                          CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
                          CUDA_ERROR_CONTEXT_IS_DESTROYED = 709, CUDA_ERROR_ASSERT = 710,
                          CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
                          CUDA_ERROR_LAUNCH_FAILED = 719, CUDA_ERROR_NOT_PERMITTED = 800,
                          CUDA_ERROR_NOT_SUPPORTED = 801,
                          CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
                          CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908;

inline constexpr int CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
                     CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
                     CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
                     CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
                     CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
                     CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9, CU_MEMORYTYPE_HOST = 1,
                     CU_MEMORYTYPE_DEVICE = 2, CU_MEMORYTYPE_UNIFIED = 4,
                     CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
                     CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6;
inline constexpr int CU_TENSOR_MAP_DATA_TYPE_FLOAT16 = 6,
                     CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9,
                     CU_TENSOR_MAP_INTERLEAVE_NONE = 0, CU_TENSOR_MAP_SWIZZLE_32B = 1,
                     CU_TENSOR_MAP_SWIZZLE_64B = 2, CU_TENSOR_MAP_SWIZZLE_128B = 3,
                     CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3,
                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0;
inline constexpr int CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1;
inline constexpr unsigned CU_STREAM_NON_BLOCKING = 1, CU_EVENT_DEFAULT = 0,
                          CU_EVENT_DISABLE_TIMING = 2;

struct alignas(64) CUtensorMap {
  uint64_t opaque[16];
};

struct CUgraphEdgeData {
  unsigned char from_port, to_port, type;
  unsigned char reserved[5];
};
inline constexpr unsigned char CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC = 1,
                               CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC = 1;

struct CUDA_KERNEL_NODE_PARAMS_v2 {
  CUfunction func;
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  void **kernelParams;
  void **extra;
  CUkernel kern;
  CUcontext ctx;
};

struct CUDA_MEMSET_NODE_PARAMS {
  CUdeviceptr dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};

struct CUDA_MEMCPY3D_v2 {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_DRIVER_TYPES_H
