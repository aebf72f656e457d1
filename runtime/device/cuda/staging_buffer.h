//===- staging_buffer.h - A model input or output on a GPU -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_STAGING_BUFFER_H
#define KILN_DEVICE_CUDA_STAGING_BUFFER_H

#include "runtime/device/cuda/context.h"
#include "runtime/device/device.h"

namespace kiln::rt::cuda {

/// The memory of one input or output in a run: the caller's memory on the GPU, or the
/// session's, with a copy from or to the host.
class StagingBuffer {
public:
  /// what: `input "x"`, for error messages; bytes: maximum over all dims. Errors:
  /// KILN-E0708.
  Status allocate(std::shared_ptr<const Context> context, std::string what,
                  uint64_t bytes);
  /// Sets the size at the current dims.
  void setBytes(uint64_t size) { bytes = size; }

  /// Sets the caller's memory of a run; without any, an output stays on the GPU. Errors:
  /// KILN-E0606 (alignment), E0613 (memory of another device), E0706.
  Status place(const TensorPlace &place);
  /// Address on the GPU in this run; the session's own memory before the first run.
  CUdeviceptr address() const { return current; }
  /// Whether a run copies from or to the host.
  bool isHost() const {
    return (home == Home::Pinned || home == Home::Pageable) && bytes;
  }

  /// Enqueue the copy, if there is one. Errors: KILN-E0706.
  Status copyIn(CUstream stream);
  Status copyOut(CUstream stream);
  /// Copies an output to the caller's memory, if needed, after the stream has been
  /// synchronized.
  void finishOut();

private:
  enum class Home : uint8_t { Device, Pinned, Pageable, None };

  Status checkOwner(CUdeviceptr address) const;
  Status check(CUresult result, const char *call) const;

  std::shared_ptr<const Context> context;
  std::string what;
  Memory onDevice, staging;
  uint64_t bytes = 0;
  CUdeviceptr current = 0;
  void *caller = nullptr;
  Home home = Home::Pageable;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_STAGING_BUFFER_H
