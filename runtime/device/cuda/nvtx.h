//===- nvtx.h - Ranges for profilers ------------------------------*- C++ -*- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tools such as Nsight Systems show ranges that a program opens and closes by NVTX.
// The functions are found at run time: in the library that a tool injects
// (NVTX_INJECTION64_PATH), or in libnvToolsExt.so.1. Without either nothing happens.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_NVTX_H
#define KILN_DEVICE_CUDA_NVTX_H

namespace kiln::rt::cuda {

/// Whether ranges are seen by anybody: names need not be built otherwise.
bool nvtxActive();

/// A range from construction to destruction, on this thread.
class NvtxRange {
public:
  explicit NvtxRange(const char *name);
  ~NvtxRange();
  NvtxRange(const NvtxRange &) = delete;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_NVTX_H
