//===- files.cpp - The file of a package changes while it is in use -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abuse.h"
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace abuse;

static void write(const std::string &path, const std::vector<char> &bytes) {
  if (FILE *file = std::fopen(path.c_str(), "r+b")) {
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
  }
}

static void cut(const std::string &path, off_t size) {
  if (truncate(path.c_str(), size))
    report("truncate", "fails");
}

namespace {

/// A change of a file with these bytes, and whether runs then fail with KILN-E0514.
struct Change {
  const char *name;
  bool isSeen;
  void (*make)(const std::string &path, std::vector<char> bytes);
};

} // namespace

static const Change changes[] = {
    {"cut to nothing", true, [](const std::string &p, std::vector<char>) { cut(p, 0); }},
    {"cut to half", true,
     [](const std::string &p, std::vector<char> b) {
       cut(p, static_cast<off_t>(b.size() / 2));
     }},
    {"made longer", true,
     [](const std::string &p, std::vector<char> b) {
       cut(p, static_cast<off_t>(b.size() + 1));
     }},
    {"overwritten by zeros", true,
     [](const std::string &p, std::vector<char> b) {
       write(p, std::vector<char>(b.size()));
     }},
    {"overwritten by itself", true,
     [](const std::string &p, std::vector<char> b) { write(p, b); }},
    {"touched", true,
     [](const std::string &p, std::vector<char>) {
       timespec times[2] = {{1, 0}, {1, 0}};
       utimensat(AT_FDCWD, p.c_str(), times, 0);
     }},
    {"removed", false,
     [](const std::string &p, std::vector<char>) { unlink(p.c_str()); }},
    {"renamed", false,
     [](const std::string &p, std::vector<char>) {
       rename(p.c_str(), (p + ".old").c_str());
     }},
    {"made unreadable", false,
     [](const std::string &p, std::vector<char>) { chmod(p.c_str(), 0); }},
};

static std::string trial(const std::string &path, const std::vector<char> &bytes,
                         const Change &change, bool inMemory) {
  Program program;
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.guard_mapping = 1;
  options.in_memory = inMemory;
  kiln_status *status = kiln_model_load(path.c_str(), &options, &program.model);
  if (!status)
    status = kiln_model_check_weights(program.model);
  if (!status)
    status = program.create();
  if (!status)
    status = program.prepare();
  if (!status)
    status = program.run();
  if (status)
    return "before: " + codeOf(status);
  uint64_t before = program.hash();
  change.make(path, bytes);
  status = program.run();
  if (!status)
    return program.hash() == before ? "same bits" : "other bits";
  return codeOf(status);
}

/// Arguments PACKAGE FOLDER: runs after each change, with mapped weights and with weights
/// in memory.
void abuse::files(const Arguments &arguments) {
  std::vector<char> bytes = readFile(arguments[0].c_str());
  for (const Change &change : changes)
    for (bool inMemory : {false, true}) {
      std::string path = arguments[1] + "/changed.kiln";
      unlink(path.c_str());
      close(open(path.c_str(), O_CREAT | O_WRONLY, 0644));
      write(path, bytes);
      std::string result = inChild([&] { return trial(path, bytes, change, inMemory); });
      std::string expected = change.isSeen && !inMemory ? "KILN-E0514" : "same bits";
      report(std::string(change.name) + (inMemory ? ", in memory" : ""),
             result == expected ? result : "expected " + expected + ", found " + result);
    }
}
