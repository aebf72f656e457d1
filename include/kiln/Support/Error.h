//===- Error.h - Coded errors -----------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format of all errors: a code from errors.def, the place, the problem, what was
// expected, what was found and how to fix it. Printed as
//   KILN-E0123: <where>: <what>; expected <e>, found <f>; fix: <fix>
// without the parts that are empty. The codes are constants such as
// ErrorCode::OutOfMemory in kiln/ErrorCodes/<range>.h (cmake/ErrorCodes.cmake); a source
// includes the ranges that it uses.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_ERROR_H
#define KILN_SUPPORT_ERROR_H

#include "kiln/ErrorCodes/Internal.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace kiln {

/// Exit status of a tool that stops with this code: 2 usage, 3 model or package, 4
/// machine.
int exitStatus(ErrorCode::ID code);
/// Returns text such as "KILN-E0700".
std::string codeName(ErrorCode::ID code);

struct Diagnosis {
  ErrorCode::ID code = ErrorCode::Internal;
  std::string where, what, expected, found, fix;

  /// Returns "KILN-E0123: where: what; expected ..., found ...; fix: ...".
  std::string str() const;
};

/// A Diagnosis as llvm::Error.
class DiagnosisError : public llvm::ErrorInfo<DiagnosisError> {
public:
  static char ID;
  explicit DiagnosisError(Diagnosis diagnosis) : diagnosis(std::move(diagnosis)) {}
  const Diagnosis &get() const { return diagnosis; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  Diagnosis diagnosis;
};

llvm::Error makeError(Diagnosis diagnosis);
/// Returns the diagnosis that an error carries; any other error becomes Internal.
Diagnosis takeDiagnosis(llvm::Error error);

/// Reports a diagnosis through MLIR. `where` defaults to the location's ONNX node.
mlir::InFlightDiagnostic emitError(mlir::Location loc, const Diagnosis &diagnosis);

/// Returns the diagnosis that `emitError` reported. For a diagnostic of another library:
/// its code, if the text begins with one, with the rest as `what`; without a code it is
/// Internal at the diagnostic's location.
Diagnosis diagnosisOf(mlir::Diagnostic &diagnostic);

/// Replaces the fix of a diagnostic that `emitError` reported; the text must outlive it.
/// Diagnostics of other libraries are not changed.
void replaceFix(mlir::Diagnostic &diagnostic, llvm::StringRef fix);

/// Returns the text with control characters escaped, so that it fits on one line.
std::string withoutControls(llvm::StringRef text);

/// Returns "node 'name' (Op, opset 17)" as the importer writes it into locations; nullopt
/// if the location has no name.
std::optional<std::string> nodeName(mlir::Location loc);

/// Returns the name of a location, or file:line:column. The folder of the file is left
/// out: IR and reports must not depend on where a model lies.
std::string describe(mlir::Location loc);

} // namespace kiln

#endif // KILN_SUPPORT_ERROR_H
