//===- status.cpp - Errors inside the runtime -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/status.h"
#include <cstdio>

using namespace kiln::rt;

struct kiln_status {
  Failure failure;
  std::string text;
};

namespace {
// Constructed when the library is loaded, so that it is available when memory has run
// out.
struct OutOfMemoryStatus {
  kiln_status status{
      {Code::OutOfMemory, "runtime", "the heap is exhausted", "", "",
       "free memory or raise the address space limit (ulimit -v)"},
      "KILN-E0700: runtime: the heap is exhausted; fix: free memory or raise "
      "the address space limit (ulimit -v)"};
};
OutOfMemoryStatus outOfMemoryStatus;
} // namespace

Failure::~Failure() = default;

static std::string render(const Failure &f) {
  char code[16];
  std::snprintf(code, sizeof code, "KILN-E%04u", static_cast<unsigned>(f.code));
  std::string text = code;
  if (!f.where.empty())
    text += ": " + f.where;
  text += ": " + f.what;
  if (!f.expected.empty())
    text += "; expected " + f.expected;
  if (!f.found.empty())
    text += (f.expected.empty() ? "; found " : ", found ") + f.found;
  if (!f.fix.empty())
    text += "; fix: " + f.fix;
  return text;
}

/// Escapes control characters: a message is one line, whatever the quoted names and paths
/// contain.
static void escapeControls(std::string &text) {
  std::string escaped;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    char code[8];
    if (c == '\n') {
      escaped += "\\n";
    } else if (c == '\t') {
      escaped += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      std::snprintf(code, sizeof code, "\\x%02x", byte);
      escaped += code;
    } else {
      escaped += c;
    }
  }
  text = std::move(escaped);
}

Status::Status(Failure failure) {
  for (std::string *part :
       {&failure.where, &failure.what, &failure.expected, &failure.found, &failure.fix})
    escapeControls(*part);
  std::string text = render(failure);
  status.reset(new kiln_status{std::move(failure), std::move(text)});
}

/// Exit status of a tool that stops with this error code; 0: there is no such code.
static int exitOf(uint32_t number) {
  switch (number) {
#define KILN_ERROR(number, name, exit, summary)                                          \
  case 1##number - 10000:                                                                \
    return exit;
#include "kiln/errors.def"
  }
  return 0;
}

bool kiln::rt::isCode(uint32_t number) { return exitOf(number) != 0; }

Code::ID Status::code() const { return status->failure.code; }
const Failure &Status::failure() const { return status->failure; }
kiln_status *Status::outOfMemory() { return &outOfMemoryStatus.status; }

extern "C" {

unsigned kiln_status_code(const kiln_status *status) {
  return status ? static_cast<unsigned>(status->failure.code) : 0;
}

int kiln_status_exit_code(const kiln_status *status) {
  return exitOf(kiln_status_code(status));
}

const char *kiln_status_message(const kiln_status *status) {
  return status ? status->text.c_str() : "";
}

const char *kiln_status_get(const kiln_status *status, kiln_status_part part) {
  if (!status)
    return "";
  const Failure &f = status->failure;
  switch (part) {
  case KILN_STATUS_WHERE:
    return f.where.c_str();
  case KILN_STATUS_WHAT:
    return f.what.c_str();
  case KILN_STATUS_EXPECTED:
    return f.expected.c_str();
  case KILN_STATUS_FOUND:
    return f.found.c_str();
  case KILN_STATUS_FIX:
    return f.fix.c_str();
  }
  return "";
}

void kiln_status_free(kiln_status *status) {
  if (status != &outOfMemoryStatus.status)
    delete status;
}

} // extern "C"
