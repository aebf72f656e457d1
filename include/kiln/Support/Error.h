//===- Error.h - Coded errors -----------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One way to say what went wrong: a code from errors.def, the place, what is
// wrong, what was expected, what was found and how to fix it. Printed as
//   KILN-E0123: <where>: <what>; expected <e>, found <f>; fix: <fix>
// with the parts that are empty left out. The codes are constants such as
// ErrorCode::OutOfMemory in kiln/ErrorCodes/<range>.h (cmake/ErrorCodes.cmake); a
// source includes the ranges that it uses.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_ERROR_H
#define KILN_SUPPORT_ERROR_H

#include "kiln/ErrorCodes/Internal.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kiln {

/// Exit status of a tool that stops with this code: 2 usage, 3 model or package,
/// 4 machine.
int exitStatus(ErrorCode::ID code);
/// "KILN-E0700"
std::string codeName(ErrorCode::ID code);

struct Diagnosis {
  ErrorCode::ID code = ErrorCode::Internal;
  std::string where, what, expected, found, fix;

  /// "KILN-E0123: where: what; expected ..., found ...; fix: ..."
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
/// The diagnosis an error carries; any other error becomes Internal.
Diagnosis takeDiagnosis(llvm::Error error);

/// Reports through MLIR. `where` defaults to the location's ONNX node.
mlir::InFlightDiagnostic emitError(mlir::Location loc, const Diagnosis &diagnosis);

/// The diagnosis that `emitError` sent. Of a diagnostic that another library
/// wrote: its code, if its text begins with one, and, as `what`, the rest; a text
/// without a code is Internal at its location.
Diagnosis diagnosisOf(mlir::Diagnostic &diagnostic);

/// Gives a diagnostic that `emitError` sent another fix, which must outlive it; leaves
/// one of another library alone.
void replaceFix(mlir::Diagnostic &diagnostic, llvm::StringRef fix);

/// The text on one line: control characters escaped.
std::string withoutControls(llvm::StringRef text);

/// "node 'name' (Op, opset 17)" as the importer writes it into locations, or
/// the location as text.
std::string describe(mlir::Location loc);

} // namespace kiln

#endif // KILN_SUPPORT_ERROR_H
