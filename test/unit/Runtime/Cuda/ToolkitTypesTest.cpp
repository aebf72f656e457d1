//===- ToolkitTypesTest.cpp -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the runtime's own declarations of the driver's types with the CUDA toolkit's
// header. Compiling this file is the test.
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/driver_types.h"
// The toolkit defines a macro of this name, so read the value before including its
// header.
static constexpr int ownProgrammaticPort =
    kiln::rt::cuda::CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
#include <cuda.h>
#include <gtest/gtest.h>
#include <type_traits>

namespace own = kiln::rt::cuda;

#define SAME_VALUE(name) static_assert(int(own::name) == int(::name), #name)
SAME_VALUE(CUDA_SUCCESS);
SAME_VALUE(CUDA_ERROR_INVALID_VALUE);
SAME_VALUE(CUDA_ERROR_OUT_OF_MEMORY);
SAME_VALUE(CUDA_ERROR_NO_DEVICE);
SAME_VALUE(CUDA_ERROR_INVALID_DEVICE);
SAME_VALUE(CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME_VALUE(CUDA_ERROR_INVALID_PTX);
SAME_VALUE(CUDA_ERROR_ECC_UNCORRECTABLE);
SAME_VALUE(CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME_VALUE(CUDA_ERROR_ILLEGAL_ADDRESS);
SAME_VALUE(CUDA_ERROR_LAUNCH_TIMEOUT);
SAME_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME_VALUE(CUDA_ERROR_ASSERT);
SAME_VALUE(CUDA_ERROR_HARDWARE_STACK_ERROR);
SAME_VALUE(CUDA_ERROR_LAUNCH_FAILED);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME_VALUE(CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME_VALUE(CU_POINTER_ATTRIBUTE_IS_MANAGED);
SAME_VALUE(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
SAME_VALUE(CU_MEMORYTYPE_HOST);
SAME_VALUE(CU_MEMORYTYPE_DEVICE);
SAME_VALUE(CU_MEMORYTYPE_UNIFIED);
SAME_VALUE(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER);
SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME_VALUE(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
SAME_VALUE(CU_STREAM_NON_BLOCKING);
SAME_VALUE(CU_EVENT_DEFAULT);
static_assert(ownProgrammaticPort == CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC);
SAME_VALUE(CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC);

#define SAME_PLACE(type, member)                                                         \
  static_assert(offsetof(own::type, member) == offsetof(::type, member) &&               \
                    sizeof(own::type::member) == sizeof(::type::member),                 \
                #member)
static_assert(sizeof(own::CUDA_KERNEL_NODE_PARAMS_v2) ==
              sizeof(::CUDA_KERNEL_NODE_PARAMS_v2));
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, func);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, gridDimX);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, gridDimZ);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, blockDimX);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, blockDimZ);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, kernelParams);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, extra);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, kern);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, ctx);
static_assert(sizeof(own::CUgraphEdgeData) == sizeof(::CUgraphEdgeData));
SAME_PLACE(CUgraphEdgeData, from_port);
SAME_PLACE(CUgraphEdgeData, to_port);
SAME_PLACE(CUgraphEdgeData, type);
static_assert(sizeof(own::CUDA_MEMSET_NODE_PARAMS) == sizeof(::CUDA_MEMSET_NODE_PARAMS));
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, dst);
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, pitch);
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, value);
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, elementSize);
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, width);
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, height);
static_assert(sizeof(own::CUDA_MEMCPY3D_v2) == sizeof(::CUDA_MEMCPY3D_v2));
SAME_PLACE(CUDA_MEMCPY3D_v2, srcXInBytes);
SAME_PLACE(CUDA_MEMCPY3D_v2, srcMemoryType);
SAME_PLACE(CUDA_MEMCPY3D_v2, srcHost);
SAME_PLACE(CUDA_MEMCPY3D_v2, srcDevice);
SAME_PLACE(CUDA_MEMCPY3D_v2, srcPitch);
SAME_PLACE(CUDA_MEMCPY3D_v2, dstXInBytes);
SAME_PLACE(CUDA_MEMCPY3D_v2, dstMemoryType);
SAME_PLACE(CUDA_MEMCPY3D_v2, dstHost);
SAME_PLACE(CUDA_MEMCPY3D_v2, dstDevice);
SAME_PLACE(CUDA_MEMCPY3D_v2, dstHeight);
SAME_PLACE(CUDA_MEMCPY3D_v2, WidthInBytes);
SAME_PLACE(CUDA_MEMCPY3D_v2, Depth);

/// Counts the parameters of the toolkit's function and of the runtime's declaration.
template <typename... Parameters> constexpr size_t countOf(CUresult (*)(Parameters...)) {
  return sizeof...(Parameters);
}
template <typename... Parameters>
constexpr size_t ownCountOf(own::CUresult (*)(Parameters...)) {
  return sizeof...(Parameters);
}

namespace kiln::rt::cuda {
struct Declarations {
#define CALL(member, symbol, parameters) static own::CUresult member parameters;
#include "runtime/device/cuda/driver_calls.def"
};
} // namespace kiln::rt::cuda

#define CALL(member, symbol, parameters)                                                 \
  static_assert(countOf(decltype (&::symbol)(nullptr)) ==                                \
                    ownCountOf(decltype (&own::Declarations::member)(nullptr)),          \
                #symbol);
#include "runtime/device/cuda/driver_calls.def"

TEST(ToolkitTypes, AgreeWhenThisCompiles) { SUCCEED(); }
