//===- status.h - Errors inside the runtime ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the runtime that can fail return Status; the runtime throws no exceptions
// of its own.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_STATUS_H
#define KILN_BASE_STATUS_H

#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/ErrorCodes/Internal.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Package.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/runtime.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace kiln::rt {

/// Constants such as Code::OutOfMemory. Sources that use the compiler's ranges of codes
/// also include those.
namespace Code = ErrorCode;
/// Whether errors.def has a code of this number.
bool isCode(uint32_t number);

/// Returns the text that says where an error is, called only when there is one. A lambda
/// that captures two pointers fits into it without an allocation.
using Where = std::function<std::string()>;

/// The six parts of an error message. The caller formats numbers.
struct Failure {
  ~Failure(); ///< out of line, as hundreds of places construct a Failure

  Code::ID code;
  std::string where;
  std::string what;
  std::string expected = {};
  std::string found = {};
  std::string fix = {};
};

/// Success, or an owned kiln_status. A few bytes, cheap to move.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Failure failure);

  bool ok() const { return !status; }
  Code::ID code() const;
  const char *message() const { return kiln_status_message(status.get()); }
  const Failure &failure() const;
  /// Returns 2, 3 or 4, see kiln_status_exit_code.
  int exitCode() const { return kiln_status_exit_code(status.get()); }
  /// Transfers ownership of the status to a caller of the C interface.
  kiln_status *release() { return status.release(); }

  /// Returns a static status for the case that there is no memory to build a message.
  static kiln_status *outOfMemory();

private:
  struct Free {
    void operator()(kiln_status *s) const { kiln_status_free(s); }
  };
  std::unique_ptr<kiln_status, Free> status;
};

} // namespace kiln::rt

/// Returns from the enclosing function if `expr` failed.
#define KILN_TRY(expr)                                                                   \
  do {                                                                                   \
    if (::kiln::rt::Status kilnStatus = (expr); !kilnStatus.ok())                        \
      return kilnStatus;                                                                 \
  } while (false)

#endif // KILN_BASE_STATUS_H
