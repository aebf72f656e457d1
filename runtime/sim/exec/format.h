//===- format.h - printf on the device ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_FORMAT_H
#define KILN_SIM_EXEC_FORMAT_H

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace kiln::sim::exec {

struct FormatReader {
  /// Reads the next argument, of 4 or 8 bytes. False after a fault.
  std::function<bool(unsigned bytes, uint64_t &value)> value;
  /// Reads the string at an address, for %s.
  std::function<bool(uint64_t address, std::string &out)> text;
};

inline constexpr int FormatFault = -2;

/// Appends the formatted text; returns how many arguments were printed, or FormatFault.
/// An unknown conversion is printed unchanged.
int formatText(std::string_view format, const FormatReader &reader, std::string &out);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_FORMAT_H
