//===- named_code.cpp - Kernels by name in profilers and debuggers --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/named_code.h"
#include "runtime/base/log.h"
#include "runtime/code/gdb_interface.h"
#include "runtime/code/jit_dump.h"
#include <algorithm>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <unistd.h>

using namespace kiln::rt;

namespace {
enum SymbolKind : unsigned { Nowhere = 0, Map = 1, Dump = 2, Gdb = 4 };

/// Registry of all code of the process; writes its symbols to the profilers and debuggers
/// that are enabled.
class Publisher {
public:
  /// Returns the singleton, which is never destroyed: models may be released at exit.
  static Publisher &get() {
    static Publisher &one = *new Publisher;
    return one;
  }

  Status add(const NamedCode &code);
  void remove(const NamedCode &code);
  Status publish(const std::string &to);

private:
  Status addKinds(const std::string &to);
  Status publishTo(unsigned wanted, const NamedCode &code);
  Status begin(unsigned wanted);
  Status openDump();
  Status writeMap(const NamedCode &code, std::span<const KernelSymbol> symbols);

  std::mutex mutex;
  std::vector<const NamedCode *> all;
  unsigned kinds = 0;
  pid_t process = 0; ///< process that the files belong to
  std::optional<JitDump> dump;
  bool wasEnvironmentRead = false;
};
} // namespace

static Status kindsOf(std::string to, unsigned &out) {
  out = 0;
  to += ',';
  for (size_t end; (end = to.find(',')) != to.npos; to.erase(0, end + 1)) {
    std::string word = to.substr(0, end);
    unsigned kind = word == "map"       ? Map
                    : word == "jitdump" ? Dump
                    : word == "gdb"     ? Gdb
                                        : Nowhere;
    if (!kind)
      return Failure{Code::BadUsage,
                     "kiln_publish_symbols, KILN_SYMBOLS",
                     "there is no such place for names of kernels",
                     "map, jitdump, gdb, or several with commas between them",
                     word,
                     "use those words"};
    out |= kind;
  }
  return {};
}

/// Appends one line per kernel to the perf map: perf/Documentation/jit-interface.txt.
Status Publisher::writeMap(const NamedCode &code, std::span<const KernelSymbol> symbols) {
  std::string lines;
  for (const KernelSymbol &symbol : symbols) {
    char place[48];
    std::snprintf(place, sizeof place, "%llx %llx ",
                  static_cast<unsigned long long>(
                      reinterpret_cast<uintptr_t>(code.image().data()) + symbol.offset),
                  static_cast<unsigned long long>(symbol.size));
    lines += place + symbol.name + "\n";
  }
  ProfileFile file; // other JITs of the process append to the file, too
  KILN_TRY(file.open("/tmp/perf-" + std::to_string(getpid()) + ".map", O_APPEND));
  return file.write(lines);
}

Status Publisher::publishTo(unsigned wanted, const NamedCode &code) {
  std::vector<KernelSymbol> symbols = code.symbols();
  if (wanted & Gdb)
    addToGdb(code.image(), symbols);
  if (wanted & Dump)
    KILN_TRY(dump->add(code.image(), symbols));
  return wanted & Map ? writeMap(code, symbols) : Status();
}

Status Publisher::openDump() {
  Status opened = dump.emplace().open();
  if (!opened.ok())
    dump.reset();
  return opened;
}

/// Opens the files. A forked child opens its own and keeps its copy of gdb's list.
Status Publisher::begin(unsigned wanted) {
  if (process != getpid()) {
    unsigned files = kinds & (Map | Dump);
    process = getpid();
    dump.reset();
    if (files & Dump)
      KILN_TRY(openDump());
    for (const NamedCode *code : all)
      if (files)
        KILN_TRY(publishTo(files, *code));
  }
  return (wanted & Dump) && !dump ? openDump() : Status();
}

Status Publisher::addKinds(const std::string &to) {
  unsigned wanted = 0;
  KILN_TRY(kindsOf(to, wanted));
  KILN_TRY(begin(wanted));
  wanted &= ~kinds;
  kinds |= wanted;
  for (const NamedCode *code : all)
    KILN_TRY(publishTo(wanted, *code));
  return {};
}

Status Publisher::publish(const std::string &to) {
  std::lock_guard<std::mutex> lock(mutex);
  return addKinds(to);
}

Status Publisher::add(const NamedCode &code) {
  std::lock_guard<std::mutex> lock(mutex);
  const char *to = wasEnvironmentRead ? nullptr : secure_getenv("KILN_SYMBOLS");
  wasEnvironmentRead = true;
  Status begun = to && *to ? addKinds(to) : Status();
  if (begun.ok() && kinds)
    begun = begin(kinds);
  all.push_back(&code);
  KILN_TRY(std::move(begun));
  return kinds ? publishTo(kinds, code) : Status();
}

void Publisher::remove(const NamedCode &code) {
  std::lock_guard<std::mutex> lock(mutex);
  std::erase(all, &code);
  if (kinds & Gdb)
    removeFromGdb(code.image());
}

void NamedCode::add(const CodeImage &image, std::vector<const Plan *> plans,
                    size_t targetIndex) {
  code = &image;
  programs = std::move(plans);
  target = targetIndex;
  Status added = Publisher::get().add(*this);
  if (added.ok())
    return;
  if (isLogged())
    writeLog("kiln.symbols.failed", added, "");
  else
    std::fprintf(stderr, "warning: %s\n", added.message());
}

NamedCode::~NamedCode() {
  if (code)
    Publisher::get().remove(*this);
}

Status kiln::rt::publishSymbols(const std::string &to) {
  return Publisher::get().publish(to);
}
