//===- Report.cpp - Messages of the tools ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

Error driver::toError(kiln_status *status) {
  if (!status)
    return Error::success();
  auto part = [&](kiln_status_part p) { return std::string(kiln_status_get(status, p)); };
  Diagnosis diagnosis{static_cast<ErrorCode>(kiln_status_code(status)),
                      part(KILN_STATUS_WHERE),
                      part(KILN_STATUS_WHAT),
                      part(KILN_STATUS_EXPECTED),
                      part(KILN_STATUS_FOUND),
                      part(KILN_STATUS_FIX)};
  kiln_status_free(status);
  return makeError(std::move(diagnosis));
}

static bool quietReports = false;
bool driver::isQuiet() { return quietReports; }
void driver::setQuiet(bool quiet) { quietReports = quiet; }
raw_ostream &driver::text() { return quietReports ? nulls() : outs(); }

/// The word before a message, in colour where stderr is a terminal that has colours
/// and the user did not say no (no-color.org).
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

Error driver::usageError(const Twine &where, const Twine &what, const Twine &expected,
                         const Twine &found, const Twine &fix) {
  return makeError({ErrorCode::BadUsage, where.str(), what.str(), expected.str(),
                    found.str(), fix.str()});
}

static Error notWritable(StringRef path, StringRef what, StringRef expected,
                         const Twine &found, StringRef fix) {
  return makeError({ErrorCode::OutputNotWritable, path.str(), what.str(), expected.str(),
                    found.str(), fix.str()});
}

Error driver::checkOutput(StringRef path) {
  protectOutput(path);
  sys::fs::file_status status;
  if (!sys::fs::status(path, status)) {
    if (status.type() == sys::fs::file_type::directory_file)
      return notWritable(path, "the output is a folder", "the name of a file", "a folder",
                         "add the name of a file");
    // Devices and pipes are written to as they are.
    if (status.type() != sys::fs::file_type::regular_file)
      return Error::success();
  }
  StringRef folder = sys::path::parent_path(path);
  if (folder.empty())
    folder = ".";
  if (!sys::fs::is_directory(folder))
    return notWritable(path, "the folder of the output is missing", "a folder",
                       "no folder '" + folder + "'", "create it first");
  if (std::error_code ec = sys::fs::access(folder, sys::fs::AccessMode::Write))
    return notWritable(path, "the output cannot be created",
                       "a folder that can be written to",
                       "'" + folder + "': " + ec.message(),
                       "choose another folder or change its permissions");
  return Error::success();
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

/// The start of a note: MLIR adds whole modules, which --save-temps shows better.
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
