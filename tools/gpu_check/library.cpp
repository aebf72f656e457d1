//===- library.cpp - Libraries that may be absent -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVML and cuBLAS with declarations of our own, according to their references.
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/library.h"
#include <dlfcn.h>

using namespace kiln::gpucheck;

namespace {
constexpr int ClockSm = 1;
constexpr int OpN = 0, OpT = 1, TypeBf16 = 14, Compute32F = 68, DefaultAlgorithm = -1;
/// Bytes of workspace that cuBLAS recommends for Hopper.
constexpr size_t WorkspaceBytes = 32 << 20;
} // namespace

void *kiln::gpucheck::openLibrary(const std::string &path, std::vector<std::string> names,
                                  const std::string &what, const std::string &option,
                                  std::string &missing) {
  if (!path.empty())
    names = {path};
  std::string tried;
  for (const std::string &name : names) {
    tried += (tried.empty() ? "" : ", ") + name;
    if (void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
  }
  missing = what + " cannot be loaded; tried " + tried + "; " + option + " FILE names it";
  return nullptr;
}

void *kiln::gpucheck::findAddress(void *library, const char *symbol,
                                  std::string &missing) {
  void *address = dlsym(library, symbol);
  if (!address)
    missing = std::string("the library has no function ") + symbol;
  return address;
}

Nvml::Nvml(const Gpu &gpu) {
  if (gpu.driver.simulated) {
    missing = "a simulated GPU has no clock";
    return;
  }
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    missing = "libnvidia-ml.so.1 cannot be loaded";
    return;
  }
  int (*start)() = nullptr;
  int (*byBus)(const char *id, void **device) = nullptr;
  char id[64] = {};
  if (!findSymbol(library, start, "nvmlInit_v2", missing) ||
      !findSymbol(library, byBus, "nvmlDeviceGetHandleByPciBusId_v2", missing) ||
      !findSymbol(library, clockInfo, "nvmlDeviceGetClockInfo", missing))
    return;
  // Looks the GPU up by its PCI bus id, since NVML also counts GPUs that
  // CUDA_VISIBLE_DEVICES hides.
  gpu.driver.require(gpu.driver.devicePciBusId(id, sizeof id, gpu.handle),
                     "cuDeviceGetPCIBusId");
  if (int error = start() ? 1 : byBus(id, &device))
    missing = "NVML does not find the GPU, error " + std::to_string(error);
}

uint32_t Nvml::smClock() const {
  unsigned mhz = 0;
  return missing.empty() && !clockInfo(device, ClockSm, &mhz) ? mhz : 0;
}

Cublas::Cublas(const Gpu &gpu, const std::string &path) {
  // A library named by the user is tried nevertheless: it may contain PTX.
  if (gpu.driver.simulated && path.empty()) {
    missing = "it has no code for a simulated GPU";
    return;
  }
  open(path);
  if (!missing.empty())
    return;
  workspace = Buffer(gpu, WorkspaceBytes);
}

void Cublas::open(const std::string &path) {
  void *library = openLibrary(path,
                              {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                               "libcublas.so", "/usr/local/cuda/lib64/libcublas.so"},
                              "cuBLAS", "--cublas", missing);
  if (!library)
    return;
  int (*create)(void **handle) = nullptr;
  if (!findSymbol(library, create, "cublasCreate_v2", missing) ||
      !findSymbol(library, destroy, "cublasDestroy_v2", missing) ||
      !findSymbol(library, setStream, "cublasSetStream_v2", missing) ||
      !findSymbol(library, setWorkspace, "cublasSetWorkspace_v2", missing) ||
      !findSymbol(library, gemmEx, "cublasGemmEx", missing))
    return;
  if (int error = create(&handle))
    missing = "cublasCreate failed with " + std::to_string(error);
}

Cublas::~Cublas() {
  if (handle)
    (void)destroy(handle);
}

void Cublas::multiply(Stream stream, int m, int n, int k, bool transposedB, Address a,
                      Address b, Address c) {
  const float one = 1, zero = 0;
  // cuBLAS is column-major: a row-major C is its C transposed, B' A'.
  int error = setStream(handle, stream);
  // After cublasSetStream, which resets the workspace. With a workspace set, a call
  // allocates nothing, as stream capture requires.
  if (!error)
    error = setWorkspace(handle, reinterpret_cast<void *>(workspace.address),
                         workspace.bytes);
  if (!error)
    error = gemmEx(
        handle, transposedB ? OpT : OpN, OpN, n, m, k, &one, reinterpret_cast<void *>(b),
        TypeBf16, transposedB ? k : n, reinterpret_cast<void *>(a), TypeBf16, k, &zero,
        reinterpret_cast<void *>(c), TypeBf16, n, Compute32F, DefaultAlgorithm);
  if (error)
    throw Failure(Machine, "KILN-E0706", "cuBLAS", "cublasGemmEx failed", "success",
                  "status " + std::to_string(error), "try another --cublas");
}
