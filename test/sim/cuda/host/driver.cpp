//===- driver.cpp - The CUDA driver, loaded at run time -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/driver.h"

#include <cstdlib>
#include <dlfcn.h>

namespace kiln::sim::programs {
namespace {

template <typename Pointer>
void resolve(void *library, Pointer &pointer, const char *name) {
  pointer = reinterpret_cast<Pointer>(dlsym(library, name));
  if (!pointer)
    throw Failure(std::string("the driver has no function ") + name);
}

Driver loadDriver() {
  const char *chosen = std::getenv("KILN_CUDA_DRIVER");
  const char *name = chosen ? chosen : "libcuda.so.1";
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Failure(std::string("cannot load the CUDA driver: ") + dlerror());
  Driver out;
  resolve(library, out.cuInit, "cuInit");
  resolve(library, out.cuGetErrorName, "cuGetErrorName");
  resolve(library, out.cuDeviceGet, "cuDeviceGet");
  resolve(library, out.cuDeviceGetName, "cuDeviceGetName");
  resolve(library, out.cuDeviceGetAttribute, "cuDeviceGetAttribute");
  resolve(library, out.cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  resolve(library, out.cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  resolve(library, out.cuCtxSetCurrent, "cuCtxSetCurrent");
  resolve(library, out.cuCtxSynchronize, "cuCtxSynchronize");
  resolve(library, out.cuModuleLoadData, "cuModuleLoadData");
  resolve(library, out.cuModuleUnload, "cuModuleUnload");
  resolve(library, out.cuModuleGetFunction, "cuModuleGetFunction");
  resolve(library, out.cuModuleGetGlobal, "cuModuleGetGlobal_v2");
  resolve(library, out.cuFuncSetAttribute, "cuFuncSetAttribute");
  resolve(library, out.cuMemAlloc, "cuMemAlloc_v2");
  resolve(library, out.cuMemFree, "cuMemFree_v2");
  resolve(library, out.cuMemcpyHtoD, "cuMemcpyHtoD_v2");
  resolve(library, out.cuMemcpyDtoH, "cuMemcpyDtoH_v2");
  resolve(library, out.cuMemsetD8, "cuMemsetD8_v2");
  resolve(library, out.cuStreamCreate, "cuStreamCreate");
  resolve(library, out.cuStreamDestroy, "cuStreamDestroy_v2");
  resolve(library, out.cuStreamSynchronize, "cuStreamSynchronize");
  resolve(library, out.cuLaunchKernel, "cuLaunchKernel");
  resolve(library, out.cuLaunchKernelEx, "cuLaunchKernelEx");
  resolve(library, out.cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled");
  return out;
}

} // namespace

const Driver &driver() {
  static const Driver loaded = loadDriver();
  return loaded;
}

std::string errorName(Result result) {
  const char *name = nullptr;
  if (driver().cuGetErrorName(result, &name) || !name)
    return "error " + std::to_string(result);
  return name;
}

void require(Result result, const std::string &call) {
  if (result)
    throw Failure(call + ": " + errorName(result));
}

} // namespace kiln::sim::programs
