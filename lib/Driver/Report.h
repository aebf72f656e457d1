//===- Report.h - Messages of the tools -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_REPORT_H
#define KILN_LIB_DRIVER_REPORT_H

#include "kiln/Support/Error.h"
#include "kiln/runtime.h"
#include "llvm/Support/raw_ostream.h"

namespace kiln::driver {

/// Takes a status of the runtime; success for NULL.
llvm::Error toError(kiln_status *status);

/// Prints "error: KILN-E...." on stderr and gives the exit status.
int report(llvm::Error error);

/// A usage error of `where` ("kiln run: --dims").
llvm::Error usageError(const llvm::Twine &where, const llvm::Twine &what,
                       const llvm::Twine &expected, const llvm::Twine &found,
                       const llvm::Twine &fix);

/// Where reports for people go: stdout, or nowhere after `--quiet`. What an option
/// asks for (JSON, IR, a list) goes to stdout in any case.
llvm::raw_ostream &text();
bool isQuiet();
/// Called by the options of every command.
void setQuiet(bool quiet);

/// Fails if `path` cannot be written: a folder, or in a folder that is missing
/// or read-only. Called before the work, not after it; also protects the path.
llvm::Error checkOutput(llvm::StringRef path);

/// Gives MLIR's diagnostics the form of every other message.
class DiagnosticReporter {
public:
  /// `remarks`: print warnings and remarks too.
  explicit DiagnosticReporter(bool remarks) : remarks(remarks) {}

  void handle(mlir::Diagnostic &diagnostic);
  /// The exit status when a step ended with `error`: that of the first error
  /// printed, after which `error` is only its echo.
  int finish(llvm::Error error);

private:
  bool remarks;
  int status = 0;
};

} // namespace kiln::driver

/// Returns from a function of type llvm::Error if `expr` failed.
#define KILN_CHECK(expr)                                                                 \
  do {                                                                                   \
    if (llvm::Error kilnError = (expr))                                                  \
      return kilnError;                                                                  \
  } while (false)

#endif // KILN_LIB_DRIVER_REPORT_H
