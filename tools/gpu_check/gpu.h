//===- gpu.h - One GPU and what runs on it ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_GPU_H
#define KILN_GPU_CHECK_GPU_H

#include "tools/gpu_check/driver.h"
#include <memory>
#include <utility>
#include <vector>

namespace kiln::gpucheck {

/// A parsed device name: "cuda", "cuda:1", "sim", "sim:h200". Throws KILN-E0702.
struct DeviceName {
  explicit DeviceName(const std::string &given);
  std::string text, profile; ///< profile: never empty for a simulated GPU
  bool simulated = false;
  int ordinal = 0;
};

/// A GPU and its primary context, which is current on the thread that created this
/// object.
class Gpu {
public:
  /// Opens GPU `ordinal`. Throws Failure: KILN-E0702 (there is no such GPU), E0706.
  Gpu(Driver driver, std::string device, int ordinal);
  ~Gpu();
  Gpu(const Gpu &) = delete;

  /// Makes this GPU's context current on the calling thread.
  void enter() const { driver.require(driver.setCurrent(context), "cuCtxSetCurrent"); }
  int attribute(int which) const;

  const Driver driver;
  const std::string device; ///< as given by the user
  std::string name;         ///< name reported by its driver
  int capability = 0;       ///< 90 for compute capability 9.0
  int handle = 0;           ///< CUdevice

private:
  Context context = nullptr;
};

/// Opens a GPU by name: through libcuda.so.1 (or $KILN_CUDA_DRIVER), or the simulator.
std::unique_ptr<Gpu> openGpu(const DeviceName &name);
/// Opens a separate simulated GPU in addition to others. profile: empty for the one with
/// this `capability`. Throws Failure: KILN-E0702.
std::unique_ptr<Gpu> openReference(const std::string &profile, int capability);
/// Returns the simulator's profile with the tensor cores of a compute capability: 80 is
/// "a100".
std::string profileOf(int capability);
/// Returns $KILN_SIM_DRIVER, or libkiln_sim_cuda.so in lib/ of the program's folder.
std::string simulatorPath();
/// Returns the folder of this program.
std::string programFolder();

/// GPU memory, freed on destruction.
class Buffer {
public:
  Buffer() = default;
  Buffer(const Gpu &gpu, size_t bytes);
  template <typename T>
  Buffer(const Gpu &gpu, const std::vector<T> &values)
      : Buffer(gpu, values.size() * sizeof(T)) {
    upload(values.data(), bytes);
  }
  Buffer(Buffer &&other) noexcept { *this = std::move(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    std::swap(gpu, other.gpu);
    std::swap(address, other.address);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~Buffer();

  void upload(const void *from, size_t count, size_t at = 0);
  void download(void *to) const;

  Address address = 0;
  size_t bytes = 0;

private:
  const Gpu *gpu = nullptr;
};

/// A kernel of a module that is loaded from PTX text.
class Kernel {
public:
  /// Throws KILN-E0707 with the driver's log if the driver rejects the text.
  Kernel(const Gpu &gpu, const std::string &ptx, const char *name);
  ~Kernel();
  Kernel(const Kernel &) = delete;
  /// Enqueues one launch; every parameter is 8 bytes.
  void launch(unsigned blocks, unsigned threads, std::vector<Address> parameters,
              Stream stream = nullptr) const;

private:
  const Gpu &gpu;
  Module module = nullptr;
  Function function = nullptr;
};

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_GPU_H
