//===- failure.h - Errors inside the driver layer ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implementations throw Failure; the exported C functions catch it. Nothing is thrown
// through the C interface.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_FAILURE_H
#define KILN_SIM_DRIVER_FAILURE_H

#include "runtime/sim/driver/api/structs.h"
#include <string>

namespace kiln::sim::driver {

using namespace cu;

struct Failure {
  CUresult code;
  std::string message; ///< for people; empty if the code is an ordinary answer
};

/// Throws a Failure with a printf-like message.
[[noreturn, gnu::format(printf, 2, 3)]] void fail(CUresult code, const char *format, ...);
/// Throws a code that is no mistake of the program: not ready, not found.
[[noreturn]] void failQuietly(CUresult code);
/// Throws INVALID_VALUE unless `condition`; `what` names the requirement.
inline void require(bool condition, const char *what) {
  if (!condition)
    fail(CUDA_ERROR_INVALID_VALUE, "%s", what);
}
/// Returns an output parameter; throws if it is null.
template <class T> T &output(T *pointer) {
  require(pointer, "an output pointer is null");
  return *pointer;
}

/// Return "CUDA_ERROR_INVALID_VALUE" and "invalid argument"; null for an unknown code.
const char *resultName(CUresult code);
const char *resultText(CUresult code);
/// Parses a code by name, with or without CUDA_ERROR_, or by number; false if there is
/// none.
bool parseResult(const std::string &text, CUresult &out);

/// Prints one line on stderr, after "kiln-sim: ".
[[gnu::format(printf, 1, 2)]] void say(const char *format, ...);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_FAILURE_H
