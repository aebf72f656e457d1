//===- trace.cpp - Lines of KILN_SIM_TRACE ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/trace.h"
#include "runtime/sim/driver/runtime.h"
#include <cstdio>

using namespace kiln::sim;
using namespace kiln::sim::driver;

/// Opens the file at the first call; it is closed at exit.
static FILE *traceFile() {
  static FILE *file = [] {
    const std::string &name = runtime().environment.trace;
    if (name.empty() || name == "-")
      return name.empty() ? nullptr : stderr;
    FILE *opened = fopen(name.c_str(), "w");
    if (opened)
      setvbuf(opened, nullptr, _IOLBF, 0);
    else
      say("KILN_SIM_TRACE: %s cannot be written; calls are not traced", name.c_str());
    return opened;
  }();
  return file;
}

bool driver::tracing() { return traceFile() != nullptr; }

TraceLine::TraceLine(const char *symbol, const char *list) : line(symbol), names(list) {
  line += "(";
  if (!names.empty())
    names.remove_prefix(1);
}

TraceLine::~TraceLine() {
  line += "\n";
  fwrite(line.data(), 1, line.size(), traceFile());
}

std::string_view TraceLine::nextName() {
  size_t end = names.find_first_of(",)");
  std::string_view name = names.substr(0, end);
  names.remove_prefix(std::min(names.size(), end == names.npos ? end : end + 1));
  while (!names.empty() && names.front() == ' ')
    names.remove_prefix(1);
  return name;
}

void TraceLine::add(const std::string &value) {
  std::string_view name = nextName();
  if (any)
    line += ", ";
  else
    first = name;
  any = true;
  line += std::string(name) + "=" + value;
}

void TraceLine::addOutcome(const std::string &value) {
  line += ", *" + std::string(first) + "=" + value;
}

void TraceLine::result(CUresult code) {
  const char *name = resultName(code);
  line += ") = " + (name ? std::string(name) : std::to_string(int(code)));
}

std::string TraceLine::hex(unsigned long long value) {
  char text[24];
  snprintf(text, sizeof text, "0x%llx", value);
  return text;
}

std::string TraceLine::quoted(const char *text) {
  std::string out = "\"";
  constexpr size_t Longest = 64;
  for (size_t i = 0; text[i]; i++) {
    if (i == Longest)
      return out + "\"...";
    unsigned char c = text[i];
    out += c >= ' ' && c < 127 ? char(c) : '?';
  }
  return out + "\"";
}
