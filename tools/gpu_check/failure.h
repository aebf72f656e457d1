//===- failure.h - What the program stops for -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error codes are those of the project (docs/errors); the runtime's own messages are
// passed on unchanged.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_FAILURE_H
#define KILN_GPU_CHECK_FAILURE_H

#include "kiln/runtime.h"
#include <stdexcept>
#include <string>

namespace kiln::gpucheck {

/// Exit statuses: a comparison failed; usage; a fault of the given files; a fault of the
/// machine.
enum Exit { Passed = 0, Differs = 1, Usage = 2, BadFile = 3, Machine = 4 };

/// Exception that main prints as `error: <message>` before it exits with `exit`.
struct Failure : std::runtime_error {
  Failure(int exit, const std::string &message)
      : std::runtime_error(message), exit(exit) {}
  /// Formats a message from its parts, as everywhere in Kiln.
  Failure(int exit, const char *code, const std::string &where, const std::string &what,
          const std::string &expected, const std::string &found, const std::string &fix)
      : Failure(exit, std::string(code) + ": " + where + ": " + what + "; expected " +
                          expected + ", found " + found + "; fix: " + fix) {}
  int exit;
};

/// Throws the error of a runtime call, if any, and frees the status.
inline void require(kiln_status *status) {
  if (!status)
    return;
  Failure failure(kiln_status_exit_code(status), kiln_status_message(status));
  kiln_status_free(status);
  throw failure;
}

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_FAILURE_H
