//===- format.cpp - printf on the device -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/format.h"

#include <cstdio>
#include <cstring>

namespace kiln::sim::exec {

namespace {
struct Conversion {
  std::string flags; ///< including width and precision: "%-08.3"
  bool isLong = false;
  char letter = 0;
};

/// Field widths and precisions are bounded, as they come from the kernel.
constexpr int MaxField = 4096;

bool readStar(const FormatReader &reader, std::string &flags) {
  uint64_t value = 0;
  if (!reader.value(4, value))
    return false;
  int field = int32_t(uint32_t(value));
  field = field > MaxField ? MaxField : field < -MaxField ? -MaxField : field;
  flags += std::to_string(field);
  return true;
}

/// Parses one conversion; false after a fault. `letter` stays 0 if the text is none.
bool parse(std::string_view format, size_t &at, const FormatReader &reader,
           Conversion &c) {
  c.flags = "%";
  for (; at < format.size(); ++at) {
    char ch = format[at];
    if (ch == '*') {
      if (!readStar(reader, c.flags))
        return false;
    } else if (strchr("-+ #0123456789.", ch)) {
      if (c.flags.size() < 24)
        c.flags += ch;
    } else if (strchr("hlLzjtq", ch)) {
      c.isLong |= strchr("lLzjtq", ch) != nullptr;
    } else {
      c.letter = ch;
      ++at;
      return true;
    }
  }
  return true;
}

template <class T> void print(const std::string &format, T value, std::string &out) {
  char small[512];
  int length = snprintf(small, sizeof small, format.c_str(), value);
  if (length < 0)
    return;
  if (size_t(length) < sizeof small) {
    out.append(small, size_t(length));
    return;
  }
  std::string big(size_t(length) + 1, 0);
  snprintf(big.data(), big.size(), format.c_str(), value);
  out.append(big.data(), size_t(length));
}

bool printOne(const Conversion &c, const FormatReader &reader, std::string &out) {
  uint64_t value = 0;
  switch (c.letter) {
  case 'd':
  case 'i':
    if (!reader.value(c.isLong ? 8 : 4, value))
      return false;
    print(c.flags + "lld", (long long)(c.isLong ? int64_t(value) : int32_t(value)), out);
    return true;
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    if (!reader.value(c.isLong ? 8 : 4, value))
      return false;
    print(c.flags + "ll" + c.letter, (unsigned long long)(value), out);
    return true;
  case 'c':
    if (!reader.value(4, value))
      return false;
    print(c.flags + "c", int(value), out);
    return true;
  case 'p':
    if (!reader.value(8, value))
      return false;
    print(c.flags + "p", reinterpret_cast<void *>(value), out);
    return true;
  case 's': {
    std::string text;
    if (!reader.value(8, value) || !reader.text(value, text))
      return false;
    print(c.flags + "s", text.c_str(), out);
    return true;
  }
  default: {
    if (!reader.value(8, value))
      return false;
    double number;
    memcpy(&number, &value, 8);
    print(c.flags + c.letter, number, out);
    return true;
  }
  }
}
} // namespace

int formatText(std::string_view format, const FormatReader &reader, std::string &out) {
  int count = 0;
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      out += format[at++];
      continue;
    }
    size_t start = at++;
    Conversion c;
    if (!parse(format, at, reader, c))
      return FormatFault;
    if (c.letter == '%') {
      out += '%';
    } else if (c.letter && strchr("diuoxXcpsfFeEgGaA", c.letter)) {
      if (!printOne(c, reader, out))
        return FormatFault;
      ++count;
    } else {
      out += format.substr(start, at - start);
    }
  }
  return count;
}

} // namespace kiln::sim::exec
