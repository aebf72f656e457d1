//===- context.h - A GPU's context and memory -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_CONTEXT_H
#define KILN_DEVICE_CUDA_CONTEXT_H

#include "runtime/device/cuda/driver.h"
#include <utility>

namespace kiln::rt::cuda {

/// The primary context of a GPU. Everything else in the process that uses CUDA has the
/// same context, so pointers and streams can be exchanged.
class Context {
public:
  /// name: as given by the user, for error messages. Errors: KILN-E0702, E0706.
  static Status create(std::shared_ptr<const Driver> driver, int ordinal,
                       const std::string &name, std::shared_ptr<const Context> &out);
  Context(std::shared_ptr<const Driver> driver, CUdevice device)
      : driver(std::move(driver)), device(device) {}
  ~Context();
  Context(const Context &) = delete;

  /// Fails if `bytes` exceeds the GPU's free memory, which is returned in `free`. what,
  /// fix: parts of the error message. The context must be current. Errors: KILN-E0708,
  /// E0706.
  Status checkFree(uint64_t bytes, const std::string &what, const char *fix,
                   uint64_t &free) const;

  std::shared_ptr<const Driver> driver;
  CUdevice device;
  int ordinal = 0;
  CUcontext handle = nullptr;
  std::string name;   ///< "cuda:0", for error messages
  std::string gpu;    ///< model name as reported by the driver
  int capability = 0; ///< 90 for compute capability 9.0
  int multiprocessors = 0;
};

/// Makes a context current on this thread during its lifetime, then restores the
/// caller's.
class Current {
public:
  explicit Current(const Context &context) : driver(*context.driver) {
    entered = driver.ctxPushCurrent(context.handle);
  }
  ~Current() {
    CUcontext popped;
    if (entered == CUDA_SUCCESS)
      (void)driver.ctxPopCurrent(&popped);
  }
  Current(const Current &) = delete;
  CUresult status() const { return entered; }

private:
  const Driver &driver;
  CUresult entered;
};

/// One allocation in GPU memory, or in pinned host memory, which a GPU copies from and to
/// at full bandwidth.
class Memory {
public:
  Memory() = default;
  Memory(Memory &&other) noexcept { *this = std::move(other); }
  Memory &operator=(Memory &&other) noexcept {
    std::swap(context, other.context);
    std::swap(address, other.address);
    std::swap(pinned, other.pinned);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~Memory();

  /// bytes: 0 gives an empty Memory. what: for error messages. Errors: KILN-E0708.
  static Status onDevice(std::shared_ptr<const Context> context, uint64_t bytes,
                         const std::string &what, Memory &out);
  static Status onHost(std::shared_ptr<const Context> context, uint64_t bytes,
                       const std::string &what, Memory &out);

  CUdeviceptr device() const { return address; }
  uint8_t *host() const { return static_cast<uint8_t *>(pinned); }
  uint64_t size() const { return bytes; }

private:
  std::shared_ptr<const Context> context;
  CUdeviceptr address = 0;
  void *pinned = nullptr;
  uint64_t bytes = 0;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_CONTEXT_H
