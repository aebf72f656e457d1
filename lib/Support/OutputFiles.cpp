//===- OutputFiles.cpp - Atomically written output files ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/OutputFiles.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <utility>

using namespace kiln;
using namespace llvm;

namespace {
/// Names of temporary files, built ahead: a signal handler may only call unlink.
struct Protected {
  enum { capacity = 64, length = 4096 + 32 };
  char (*names)[length] = nullptr;
  unsigned count = 0;
};
} // namespace
static Protected protectedFiles;

/// Temporary names contain the process id and a small counter (the runtime's OutputFile);
/// an output has one, or a few after failed attempts.
void kiln::protectOutput(llvm::StringRef path) {
  Protected &files = protectedFiles;
  if (!files.names)
    files.names = static_cast<decltype(files.names)>(
        calloc(Protected::capacity, sizeof *files.names));
  std::string name = path.str();
  for (unsigned i = 0; files.names && i < 8 && files.count < Protected::capacity; ++i)
    snprintf(files.names[files.count++], Protected::length, "%s.%ld-%u.tmp", name.c_str(),
             static_cast<long>(getpid()), i);
}

void kiln::removeProtectedOutputs() {
  for (unsigned i = 0; i < protectedFiles.count; ++i)
    unlink(protectedFiles.names[i]);
}

static Error notWritable(StringRef path, StringRef what, StringRef expected,
                         const Twine &found, StringRef fix) {
  return makeError({ErrorCode::OutputNotWritable, path.str(), what.str(), expected.str(),
                    found.str(), fix.str()});
}

Error kiln::checkOutput(StringRef path) {
  protectOutput(path);
  sys::fs::file_status status;
  if (!sys::fs::status(path, status)) {
    if (status.type() == sys::fs::file_type::directory_file)
      return notWritable(path, "the output is a folder", "the name of a file", "a folder",
                         "add the name of a file");
    // Devices and pipes are written directly.
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

Error kiln::cannotWrite(const std::string &path, std::error_code code) {
  bool isFull = code == std::errc::no_space_on_device ||
                code == std::errc::file_too_large ||
                code == std::error_code(EDQUOT, std::generic_category());
  return makeError({isFull ? ErrorCode::DiskFull : ErrorCode::OutputNotWritable, path,
                    "the file cannot be written", "a file that takes the text",
                    code.message(), ""});
}

Error kiln::writeAtomically(const std::string &path, StringRef text) {
  return writeAtomically(path, ArrayRef(text));
}

Error kiln::writeAtomically(const std::string &path, ArrayRef<StringRef> parts) {
  // This name is protected by checkOutput: an interrupt removes the file.
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
