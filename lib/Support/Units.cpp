//===- Units.cpp - Values with units --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/Units.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <iterator>

using namespace llvm;

static std::string printWithUnit(const char *pattern, double value, const char *unit) {
  std::string text;
  raw_string_ostream(text) << format(pattern, value) << ' ' << unit;
  return text;
}

/// Returns a format with three significant digits.
static const char *patternFor(double value) {
  return value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f";
}

std::string kiln::formatBytes(uint64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024)
    return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes);
  unsigned unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  return printWithUnit(patternFor(value), value, units[unit]);
}

std::string kiln::formatSeconds(double seconds) {
  if (seconds >= 1)
    return printWithUnit("%.2f", seconds, "s");
  if (seconds >= 1e-3)
    return printWithUnit(patternFor(seconds * 1e3), seconds * 1e3, "ms");
  return printWithUnit(patternFor(seconds * 1e6), seconds * 1e6, "us");
}

std::string kiln::formatCount(double count) {
  static const char *const units[] = {"", "K", "M", "G", "T", "P"};
  unsigned unit = 0;
  for (; count >= 1000 && unit + 1 < std::size(units); ++unit)
    count /= 1000;
  return unit ? printWithUnit(patternFor(count), count, units[unit])
              : std::to_string(static_cast<int64_t>(count));
}
