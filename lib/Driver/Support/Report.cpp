//===- Report.cpp - Messages of the tools ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

/// Prints the word before a message, in colour if stderr is a terminal that supports
/// colours and the user did not disable them (no-color.org).
static void printSeverity(StringRef word, raw_ostream::Colors colour) {
  const char *refused = std::getenv("NO_COLOR");
  bool coloured = errs().has_colors() && !(refused && *refused);
  if (coloured)
    errs().changeColor(colour, /*Bold=*/true);
  errs() << word << ':';
  if (coloured)
    errs().resetColor();
  errs() << ' ';
}

int driver::report(Error error) {
  if (!error)
    return 0;
  outs().flush();
  Diagnosis diagnosis = takeDiagnosis(std::move(error));
  printSeverity("error", raw_ostream::RED);
  errs() << diagnosis.str() << '\n';
  return exitStatus(diagnosis.code);
}

static StringRef severityName(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return "note";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("unknown severity");
}

/// Returns the beginning of a note: MLIR appends entire modules, for which --save-temps
/// is better suited.
static std::string shortNote(mlir::Diagnostic &note) {
  constexpr size_t kMaxNote = 400;
  std::string text = note.str();
  if (text.size() <= kMaxNote)
    return text;
  return StringRef(text).take_front(kMaxNote).str() + " ...";
}

void DiagnosticReporter::handle(mlir::Diagnostic &diagnostic) {
  bool isError = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
  if (!isError && !remarks)
    return;
  printSeverity(severityName(diagnostic.getSeverity()),
                isError ? raw_ostream::RED : raw_ostream::MAGENTA);
  if (isError) {
    Diagnosis diagnosis = diagnosisOf(diagnostic);
    errs() << diagnosis.str() << '\n';
    if (!status)
      status = exitStatus(diagnosis.code);
  } else {
    errs() << withoutControls(describe(diagnostic.getLocation()) + ": " +
                              diagnostic.str())
           << '\n';
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    errs() << "  note: " << shortNote(note) << '\n';
}

int DiagnosticReporter::finish(Error error) {
  if (!error)
    return 0;
  if (!status)
    return report(std::move(error));
  consumeError(std::move(error));
  return status;
}
