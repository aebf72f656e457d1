//===- Error.cpp - Coded errors -------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/Error.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace mlir;

char DiagnosisError::ID = 0;

int kiln::exitStatus(ErrorCode code) {
  switch (code) {
#define KILN_ERROR(number, name, exit, summary)                                          \
  case ErrorCode::name:                                                                  \
    return exit;
#include "kiln/errors.def"
  }
  return 3;
}

std::string kiln::codeName(ErrorCode code) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("KILN-E%04u", static_cast<unsigned>(code));
  return text;
}

/// A message is one line, whatever is in the names and paths that it quotes.
static std::string withoutControls(llvm::StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  for (char c : text)
    if (c == '\n')
      os << "\\n";
    else if (c == '\t')
      os << "\\t";
    else if (llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80)
      os << c;
    else
      os << llvm::format("\\x%02x", static_cast<unsigned char>(c));
  return escaped;
}

std::string Diagnosis::str() const {
  std::string text = codeName(code) + ": ";
  if (!where.empty())
    text += where + ": ";
  text += what;
  if (!expected.empty())
    text += "; expected " + expected;
  if (!found.empty())
    text += (expected.empty() ? "; found " : ", found ") + found;
  if (!fix.empty())
    text += "; fix: " + fix;
  return withoutControls(text);
}

void DiagnosisError::log(llvm::raw_ostream &os) const { os << diagnosis.str(); }

std::error_code DiagnosisError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error kiln::makeError(Diagnosis diagnosis) {
  return llvm::make_error<DiagnosisError>(std::move(diagnosis));
}

Diagnosis kiln::takeDiagnosis(llvm::Error error) {
  Diagnosis result;
  llvm::handleAllErrors(
      std::move(error), [&](const DiagnosisError &e) { result = e.get(); },
      [&](const llvm::ErrorInfoBase &e) {
        result.what = e.message();
        result.fix = "report this with the command that shows it";
      });
  return result;
}

InFlightDiagnostic kiln::emitError(Location loc, const Diagnosis &diagnosis) {
  Diagnosis full = diagnosis;
  if (full.where.empty() && !isa<UnknownLoc>(loc))
    full.where = describe(loc);
  return mlir::emitError(loc) << full.str();
}

Diagnosis kiln::parseDiagnosis(StringRef text, Location loc) {
  Diagnosis result;
  unsigned number = 0;
  StringRef rest = text;
  if (rest.consume_front("KILN-E") && !rest.consumeInteger(10, number) &&
      rest.consume_front(": ")) {
    result.code = static_cast<ErrorCode>(number);
    result.what = rest.str();
    return result;
  }
  result.where = describe(loc);
  result.what = text.str();
  return result;
}

std::string kiln::describe(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().str();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (isa<NameLoc>(part))
        return describe(part);
  std::string text;
  llvm::raw_string_ostream os(text);
  loc->print(os);
  return text;
}
