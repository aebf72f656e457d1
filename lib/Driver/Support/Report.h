//===- Report.h - Messages of the tools -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_REPORT_H
#define KILN_LIB_DRIVER_SUPPORT_REPORT_H

#include "kiln/Execution/Status.h"
#include "kiln/Support/Console.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/OutputFiles.h"
#include "kiln/Support/UsageError.h"
#include "llvm/Support/raw_ostream.h"

namespace kiln::driver {

/// Prints "error: KILN-E...." on stderr and gives the exit status.
int report(llvm::Error error);

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

#endif // KILN_LIB_DRIVER_SUPPORT_REPORT_H
