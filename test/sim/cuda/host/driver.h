//===- driver.h - The CUDA driver, loaded at run time ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Own declarations of the driver functions that the programs call: the programs need no
// CUDA header and link nothing but the dynamic loader, so the same binary runs on the
// simulated GPU and on hardware. KILN_CUDA_DRIVER names the library; the default is
// libcuda.so.1.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TEST_CUDA_HOST_DRIVER_H
#define KILN_SIM_TEST_CUDA_HOST_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace kiln::sim::programs {

using Result = int;
using DevicePointer = unsigned long long;
using Context = struct ContextTag *;
using ModuleHandle = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;

/// A CUtensorMap: 128 bytes that describe a tensor to the TMA unit.
struct alignas(64) TensorMap {
  uint64_t words[16];
};

/// One attribute of an extended launch, with the layout of CUlaunchAttribute.
struct LaunchAttribute {
  enum Id : uint32_t { Cooperative = 2, ClusterDimension = 4, Programmatic = 6 };
  uint32_t id = 0, padding = 0;
  union {
    char bytes[64] = {};
    uint32_t words[3];
  };
};

struct LaunchConfig {
  uint32_t gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  uint32_t attributeCount;
};

struct Driver {
  Result (*cuInit)(unsigned flags);
  Result (*cuGetErrorName)(Result error, const char **name);
  Result (*cuDeviceGet)(int *device, int ordinal);
  Result (*cuDeviceGetName)(char *name, int length, int device);
  Result (*cuDeviceGetAttribute)(int *value, int attribute, int device);
  Result (*cuDevicePrimaryCtxRetain)(Context *context, int device);
  Result (*cuDevicePrimaryCtxRelease)(int device);
  Result (*cuCtxSetCurrent)(Context context);
  Result (*cuCtxSynchronize)();
  Result (*cuModuleLoadData)(ModuleHandle *module, const void *image);
  Result (*cuModuleUnload)(ModuleHandle module);
  Result (*cuModuleGetFunction)(Function *function, ModuleHandle module,
                                const char *name);
  Result (*cuModuleGetGlobal)(DevicePointer *address, size_t *bytes, ModuleHandle module,
                              const char *name);
  Result (*cuFuncSetAttribute)(Function function, int attribute, int value);
  Result (*cuMemAlloc)(DevicePointer *address, size_t bytes);
  Result (*cuMemFree)(DevicePointer address);
  Result (*cuMemcpyHtoD)(DevicePointer target, const void *source, size_t bytes);
  Result (*cuMemcpyDtoH)(void *target, DevicePointer source, size_t bytes);
  Result (*cuMemsetD8)(DevicePointer target, unsigned char value, size_t bytes);
  Result (*cuStreamCreate)(Stream *stream, unsigned flags);
  Result (*cuStreamDestroy)(Stream stream);
  Result (*cuStreamSynchronize)(Stream stream);
  Result (*cuLaunchKernel)(Function function, unsigned gridX, unsigned gridY,
                           unsigned gridZ, unsigned blockX, unsigned blockY,
                           unsigned blockZ, unsigned sharedBytes, Stream stream,
                           void **parameters, void **extra);
  Result (*cuLaunchKernelEx)(const LaunchConfig *config, Function function,
                             void **parameters, void **extra);
  Result (*cuTensorMapEncodeTiled)(TensorMap *map, int dataType, uint32_t rank,
                                   void *address, const uint64_t *sizes,
                                   const uint64_t *strides, const uint32_t *box,
                                   const uint32_t *elementStrides, int interleave,
                                   int swizzle, int promotion, int fill);
};

/// Thrown by everything below; the message names the call and its result.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the driver, loaded on the first call. Throws Failure if it or a function is
/// missing.
const Driver &driver();

/// Throws Failure with the name of the call if it failed.
void require(Result result, const std::string &call);

/// Returns the driver's name of an error, such as "CUDA_ERROR_LAUNCH_FAILED".
std::string errorName(Result result);

inline constexpr int AttributeMajor = 75, AttributeMinor = 76, AttributeSmCount = 16;
inline constexpr int FunctionMaxDynamicShared = 8, FunctionNonPortableCluster = 14;

} // namespace kiln::sim::programs

#endif // KILN_SIM_TEST_CUDA_HOST_DRIVER_H
