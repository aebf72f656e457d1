//===- nvtx.h - Ranges for profilers ------------------------------*- C++ -*- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX ranges, which tools such as Nsight Systems show. The functions are found at run
// time: in the library that a tool injects (NVTX_INJECTION64_PATH), or in
// libnvToolsExt.so.1. Without either, ranges have no effect.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_NVTX_H
#define KILN_DEVICE_CUDA_NVTX_H

namespace kiln::rt::cuda {

/// Whether a tool receives ranges: otherwise their names need not be built.
bool nvtxActive();

/// An NVTX range of this thread, from construction to destruction.
class NvtxRange {
public:
  explicit NvtxRange(const char *name);
  ~NvtxRange();
  NvtxRange(const NvtxRange &) = delete;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_NVTX_H
