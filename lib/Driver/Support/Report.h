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

/// Prints "error: KILN-E...." to stderr and returns the exit status.
int report(llvm::Error error);

/// Prints MLIR's diagnostics in the format of all other messages.
class DiagnosticReporter {
public:
  /// remarks: also print warnings and remarks.
  explicit DiagnosticReporter(bool remarks) : remarks(remarks) {}

  void handle(mlir::Diagnostic &diagnostic);
  /// Returns the exit status of a step that returned `error`: that of the first printed
  /// diagnostic, in which case `error` only repeats it.
  int finish(llvm::Error error);

private:
  bool remarks;
  int status = 0;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_REPORT_H
