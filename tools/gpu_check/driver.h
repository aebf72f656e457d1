//===- driver.h - A CUDA driver, found at run time --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's functions with declarations of our own (CUDA Driver API reference), so
// that the program needs no toolkit. Two drivers can be open at once: the GPU's and a
// simulator.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_DRIVER_H
#define KILN_GPU_CHECK_DRIVER_H

#include "tools/gpu_check/failure.h"
#include <cstddef>
#include <cstdint>

namespace kiln::gpucheck {

using Result = int;
using Address = unsigned long long;
using Context = struct CUctx_st *;
using Module = struct CUmod_st *;
using Function = struct CUfunc_st *;
using Stream = struct CUstream_st *;
using Event = struct CUevent_st *;
using Graph = struct CUgraph_st *;
using GraphExec = struct CUgraphExec_st *;

inline constexpr int AttributeSmCount = 16, AttributeL2Bytes = 38, AttributeMajor = 75,
                     AttributeMinor = 76, JitErrorLog = 5, JitErrorLogBytes = 6,
                     CaptureRelaxed = 2;
inline constexpr unsigned StreamNonBlocking = 1;

/// A driver's function table; never unloaded, since drivers have threads of their own.
struct Driver {
#define CALL(member, symbol, parameters) Result(*member) parameters = nullptr;
#include "tools/gpu_check/driver_calls.def"

  /// Loads the library and calls cuInit. profile: GPU for a simulated driver to model, or
  /// empty. Throws Failure: KILN-E0704, E0705, E0702, E0706.
  Driver(const std::string &path, const std::string &profile);

  /// Throws KILN-E0706 with the call and the driver's error unless `result` is success.
  void require(Result result, const std::string &call) const;

  std::string library; ///< path from which it was loaded
  int version = 0;     ///< 13000 for CUDA 13.0
  bool simulated = false;
};

/// Copies a driver library and loads the copy, which has no state in common with the
/// original: a second simulated machine in one process.
Driver loadPrivateCopy(const std::string &path, const std::string &profile);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_DRIVER_H
