//===- CrashReproducer.cpp - Command and input behind a crash -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashReproducer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln;
using namespace llvm;

namespace {
/// Texts made ahead of time: a signal handler may not allocate.
struct Reproducer {
  std::string path, command, input;
};
} // namespace
/// Never destroyed: LLVM's streams may fail behind main, in their destructors.
static Reproducer &reproducer = *new Reproducer;

/// An argument as a shell takes it.
static std::string shellWord(StringRef word) {
  constexpr StringLiteral kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789-_=./,:+%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == StringRef::npos)
    return word.str();
  return "'" + join(split(word, '\''), "'\\''") + "'";
}

/// True of names of files whose text begins with comments as well as without.
static bool isText(StringRef name) {
  return name.ends_with(".mlir") || name.ends_with(".onnxtxt");
}

void kiln::prepareReproducer(StringRef tool, ArrayRef<const char *> arguments) {
  SmallString<128> path;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, path);
  sys::path::append(path, tool + "-crash-" + Twine(getpid()));
  reproducer = {path.str().str(), "// RUN: " + tool.str(), ""};
  StringRef before;
  for (StringRef argument : arguments) {
    reproducer.command += " " + shellWord(argument);
    if (isText(argument) && !argument.starts_with("-") && before != "-o")
      reproducer.input = argument.str();
    before = argument;
  }
  reproducer.command += "\n";
  reproducer.path +=
      reproducer.input.empty() ? ".txt" : sys::path::extension(reproducer.input).str();
}

static bool writeAll(int file, const char *text, size_t length) {
  while (length > 0) {
    ssize_t written = write(file, text, length);
    if (written <= 0)
      return false;
    text += written;
    length -= size_t(written);
  }
  return true;
}

/// Appends the text of the input; it may be gone.
static bool copyInput(int to) {
  int from = reproducer.input.empty() ? -1 : open(reproducer.input.c_str(), O_RDONLY);
  if (from < 0)
    return true;
  static char buffer[4096];
  ssize_t length = 0;
  bool ok = true;
  while (ok && (length = read(from, buffer, sizeof buffer)) > 0)
    ok = writeAll(to, buffer, size_t(length));
  close(from);
  return ok && length == 0;
}

const char *kiln::writeReproducer() {
  const char *path = reproducer.path.c_str();
  if (reproducer.path.empty())
    return nullptr;
  unlink(path); // of an earlier process with this number
  int file = open(path, O_CREAT | O_WRONLY | O_EXCL, S_IRUSR | S_IWUSR);
  if (file < 0)
    return nullptr;
  bool ok = writeAll(file, reproducer.command.data(), reproducer.command.size()) &&
            copyInput(file);
  close(file);
  return ok ? path : nullptr;
}
