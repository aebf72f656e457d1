//===- driver.h - The CUDA driver as a table of functions --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver is found when a cuda device is asked for, not before: a machine without
// one runs everything else. The simulated driver is another library behind the same
// table.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_DRIVER_H
#define KILN_DEVICE_CUDA_DRIVER_H

#include "runtime/base/status.h"
#include "runtime/device/cuda/driver_types.h"
#include <memory>
#include <string>
#include <type_traits>

namespace kiln::rt::cuda {

/// Immutable once open; shared by all sessions and threads. Never unloaded: drivers
/// keep threads and exit handlers of their own.
class Driver {
public:
#define CALL(member, symbol, parameters) CUresult(*member) parameters = nullptr;
#include "runtime/device/cuda/driver_calls.def"

  /// Loads the library and calls cuInit. path: as for dlopen; device: the name the
  /// user gave, for messages; profile: the GPU that a simulated driver is to model,
  /// or empty. Errors: KILN-E0704 (no library), E0705 (lacks a function), E0706
  /// (cuInit failed), E0702 (no GPU).
  static Status open(const std::string &path, const std::string &device,
                     const std::string &profile, std::shared_ptr<const Driver> &out);

  /// Success, or a Failure of `code` that names the call, the driver's error and
  /// `where`. Out of memory is always KILN-E0708; an error that a kernel caused and
  /// that comes back from every later call always KILN-E0709; a refusal, of a call
  /// that cannot be meant, never.
  /// where: text, or a function that makes it: a run that succeeds builds no text.
  template <typename Text>
  Status check(CUresult result, const char *call, const Text &where,
               Code::ID code = Code::DriverCall) const {
    if (result == CUDA_SUCCESS)
      return {};
    if constexpr (std::is_invocable_v<Text>)
      return failure(result, call, where(), code);
    else
      return failure(result, call, where, code);
  }
  /// "CUDA_ERROR_INVALID_VALUE (1): invalid argument".
  std::string errorText(CUresult result) const;

  int version = 0;        ///< 13000 for CUDA 13.0
  bool simulated = false; ///< events measure a modelled clock

private:
  Status failure(CUresult result, const char *call, const std::string &where,
                 Code::ID code) const;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_DRIVER_H
