//===- TuneFile.cpp - The file that kiln tune writes ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TuneFile.h"
#include "Report.h"
#include "Values.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <unistd.h>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

/// Names come from the model: a comment is one line whatever they hold.
static void writeHeader(raw_ostream &os, StringRef device, StringRef target,
                        ArrayRef<SymbolValues> points) {
  os << "# Configs of kernels, measured by kiln tune; for kiln compile --configs.\n"
        "# KEY TARGET FAMILY PARAMETERS; what follows # is a comment.\n";
  if (target.empty())
    return;
  os << "# device " << withoutControls(device) << ", target " << target << '\n';
  for (const SymbolValues &dims : points) {
    if (dims.empty())
      continue;
    os << "# measured at";
    for (const auto &[name, value] : dims)
      os << ' ' << withoutControls(name) << '=' << value;
    os << '\n';
  }
}

static void writeProblem(raw_ostream &os, const TuneProblem &problem) {
  os << "\n# " << problem.code << ", " << problem.steps.size()
     << (problem.steps.size() == 1 ? " step" : " steps") << ": ";
  if (problem.best)
    os << formatSeconds(problem.before) << " -> " << formatSeconds(problem.after)
       << format(" (%+.1f %%), ", (problem.ratio - 1) * 100);
  os << problem.measured << " of " << problem.lines.size() - 1
     << " other configs measured";
  if (problem.fastest && !problem.best)
    os << format(", the fastest %+.1f %%", (*problem.fastest - 1) * 100);
  if (problem.refused)
    os << ", " << problem.refused << " refused";
  os << '\n';
  if (problem.best)
    os << problem.lines[problem.best] << '\n';
  else
    os << "# the compiler's choice stays: " << problem.lines.front() << '\n';
}

std::string driver::tuneFileText(ArrayRef<TuneProblem> problems, StringRef device,
                                 StringRef target, ArrayRef<SymbolValues> points) {
  std::string text;
  raw_string_ostream os(text);
  writeHeader(os, device, target, points);
  for (const TuneProblem &problem : problems)
    writeProblem(os, problem);
  return text;
}

Error driver::cannotWrite(const std::string &path, std::error_code code) {
  bool isFull = code == std::errc::no_space_on_device ||
                code == std::errc::file_too_large ||
                code == std::error_code(EDQUOT, std::generic_category());
  return makeError({isFull ? ErrorCode::DiskFull : ErrorCode::OutputNotWritable, path,
                    "the file cannot be written", "a file that takes the text",
                    code.message(), ""});
}

Error driver::writeAtomically(const std::string &path, StringRef text) {
  return writeAtomically(path, ArrayRef(text));
}

Error driver::writeAtomically(const std::string &path, ArrayRef<StringRef> parts) {
  // The name that checkOutput protects: an interrupt removes it.
  std::string temporary = path + "." + std::to_string(getpid()) + "-0.tmp";
  std::error_code code;
  raw_fd_ostream os(temporary, code);
  if (!code) {
    for (StringRef part : parts)
      os << part;
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (!code)
    code = sys::fs::rename(temporary, path);
  if (!code)
    return Error::success();
  (void)sys::fs::remove(temporary);
  return cannotWrite(path, code);
}

Expected<TemporaryFile> TemporaryFile::create(StringRef suffix) {
  SmallString<128> path;
  if (std::error_code code = sys::fs::createTemporaryFile("kiln-tune", suffix, path))
    return cannotWrite("a temporary file", code);
  TemporaryFile file;
  file.path = path.str().str();
  sys::RemoveFileOnSignal(file.path);
  return file;
}

TemporaryFile::TemporaryFile(TemporaryFile &&other) noexcept
    : path(std::exchange(other.path, {})) {}

TemporaryFile &TemporaryFile::operator=(TemporaryFile &&other) noexcept {
  std::swap(path, other.path);
  return *this;
}

TemporaryFile::~TemporaryFile() {
  if (path.empty())
    return;
  (void)sys::fs::remove(path);
  sys::DontRemoveFileOnSignal(path);
}
