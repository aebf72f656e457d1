//===- Error.cpp - Errors with codes --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/Error.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <array>

using namespace kiln;
using namespace mlir;

char DiagnosisError::ID = 0;
static constexpr size_t kPieces = 10;

int kiln::exitStatus(ErrorCode::ID code) {
  switch (static_cast<unsigned>(code)) {
#define KILN_ERROR(number, name, exit, summary)                                          \
  case 1##number - 10000:                                                                \
    return exit;
#include "kiln/errors.def"
  }
  return 3;
}

std::string kiln::codeName(ErrorCode::ID code) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("KILN-E%04u", static_cast<unsigned>(code));
  return text;
}

/// Escapes control characters in names and paths, so that a message is one line.
std::string kiln::withoutControls(llvm::StringRef text) {
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

/// Splits the message: the code, then each field and its separator. The number of parts
/// is fixed, so that the fields can be read back from them.
static std::array<std::string, kPieces> piecesOf(const Diagnosis &d) {
  auto unless = [](bool empty, const char *text) { return empty ? "" : text; };
  return {codeName(d.code) + ": ",
          d.where,
          unless(d.where.empty(), ": "),
          d.what,
          unless(d.expected.empty(), "; expected "),
          d.expected,
          unless(d.found.empty(), d.expected.empty() ? "; found " : ", found "),
          d.found,
          unless(d.fix.empty(), "; fix: "),
          d.fix};
}

std::string Diagnosis::str() const {
  std::string text;
  for (const std::string &piece : piecesOf(*this))
    text += piece;
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
  // Appends one argument per part, so that `diagnosisOf` can read them back.
  InFlightDiagnostic result = mlir::emitError(loc);
  for (const std::string &piece : piecesOf(full))
    result << Twine(withoutControls(piece));
  return result;
}

/// Returns the fields of a diagnostic whose arguments are the parts of piecesOf.
static std::optional<Diagnosis> fromPieces(const Diagnostic &diagnostic,
                                           ErrorCode::ID code) {
  ArrayRef<DiagnosticArgument> pieces = diagnostic.getArguments();
  if (pieces.size() != kPieces ||
      llvm::any_of(pieces, [](const DiagnosticArgument &piece) {
        return piece.getKind() != DiagnosticArgument::DiagnosticArgumentKind::String;
      }))
    return std::nullopt;
  auto text = [&](size_t i) { return pieces[i].getAsString().str(); };
  return Diagnosis{code, text(1), text(3), text(5), text(7), text(9)};
}

Diagnosis kiln::diagnosisOf(Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  unsigned number = 0;
  StringRef rest = text;
  if (rest.consume_front("KILN-E") && !rest.consumeInteger(10, number) &&
      rest.consume_front(": ")) {
    auto code = static_cast<ErrorCode::ID>(number);
    if (std::optional<Diagnosis> sent = fromPieces(diagnostic, code))
      return *sent;
    Diagnosis result;
    result.code = code;
    result.what = rest.str();
    return result;
  }
  Diagnosis result;
  result.where = describe(diagnostic.getLocation());
  result.what = text;
  return result;
}

void kiln::replaceFix(Diagnostic &diagnostic, StringRef fix) {
  if (fromPieces(diagnostic, ErrorCode::Internal))
    diagnostic.getArguments().back() = DiagnosticArgument(fix);
}

std::optional<std::string> kiln::nodeName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().str();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (isa<NameLoc>(part))
        return nodeName(part);
  return std::nullopt;
}

std::string kiln::describe(Location loc) {
  if (std::optional<std::string> name = nodeName(loc))
    return *name;
  if (auto fused = dyn_cast<FusedLoc>(loc); fused && !fused.getLocations().empty())
    return describe(fused.getLocations().front());
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    return (llvm::sys::path::filename(place.getFilename()) + ":" +
            Twine(place.getLine()) + ":" + Twine(place.getColumn()))
        .str();
  if (isa<UnknownLoc>(loc))
    return "an unknown place";
  std::string text;
  llvm::raw_string_ostream os(text);
  loc->print(os);
  return text;
}
