//===- Units.h - Numbers with units, for people -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_UNITS_H
#define KILN_SUPPORT_UNITS_H

#include <cstdint>
#include <string>

namespace kiln {

/// "1.5 MiB", "17 B".
std::string formatBytes(uint64_t bytes);
/// "12.3 ms", "840 us".
std::string formatSeconds(double seconds);
/// "1.23 G" of a count.
std::string formatCount(double count);

} // namespace kiln

#endif // KILN_SUPPORT_UNITS_H
