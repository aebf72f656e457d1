//===- status.h - Errors inside the runtime ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime throws nothing of its own. Functions that can fail return Status.
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

/// Constants such as Code::OutOfMemory. Sources that use the ranges of the compiler
/// include those as well.
namespace Code = ErrorCode;
/// Whether errors.def has a code of this number.
bool isCode(uint32_t number);

/// Says where something is wrong, once it is. A lambda of two pointers fits into it
/// without an allocation.
using Where = std::function<std::string()>;

/// The six parts of a message. Numbers are formatted by the caller.
struct Failure {
  ~Failure(); ///< out of line: there are hundreds of places where one is made

  Code::ID code;
  std::string where;
  std::string what;
  std::string expected = {};
  std::string found = {};
  std::string fix = {};
};

/// Success, or one kiln_status. A few bytes, cheap to move.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Failure failure);

  bool ok() const { return !status; }
  Code::ID code() const;
  const char *message() const { return kiln_status_message(status.get()); }
  const Failure &failure() const;
  /// 2, 3 or 4, see kiln_status_exit_code.
  int exitCode() const { return kiln_status_exit_code(status.get()); }
  /// Hands the status to a caller of the C interface.
  kiln_status *release() { return status.release(); }

  /// Memory ran out where no text can be built: a constant that needs none.
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
