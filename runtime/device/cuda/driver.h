//===- driver.h - The CUDA driver as a table of functions --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver library is loaded when a cuda device is requested: machines without it run
// everything else. The simulated driver is another library with the same function table.
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

/// The driver's functions. Immutable once open and used by all sessions and threads.
/// Never unloaded: drivers have threads and exit handlers of their own.
class Driver {
public:
#define CALL(member, symbol, parameters) CUresult(*member) parameters = nullptr;
#include "runtime/device/cuda/driver_calls.def"

  /// Loads the library and calls cuInit. path: as for dlopen; device: the name given by
  /// the user, for error messages; profile: GPU for a simulated driver to model, or
  /// empty. Errors: KILN-E0704 (no library), E0705 (a function is missing), E0706 (cuInit
  /// failed), E0702 (no GPU).
  static Status open(const std::string &path, const std::string &device,
                     const std::string &profile, std::shared_ptr<const Driver> &out);

  /// Returns success, or a Failure of `code` that names the call, the driver's error and
  /// `where`. Out of memory is always KILN-E0708; a sticky error, which a kernel caused
  /// and every later call returns, always KILN-E0709; an error of the call's arguments
  /// never. where: text, or a function that builds it only on failure.
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
  /// Returns "CUDA_ERROR_INVALID_VALUE (1): invalid argument".
  std::string errorText(CUresult result) const;

  int version = 0;        ///< 13000 for CUDA 13.0
  bool simulated = false; ///< events measure modelled time

private:
  Status failure(CUresult result, const char *call, const std::string &where,
                 Code::ID code) const;
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_DRIVER_H
