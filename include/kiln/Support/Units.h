//===- Units.h - Numbers with units as text ---------------------*- C++ -*-===//
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

/// Returns text such as "1.5 MiB" or "17 B".
std::string formatBytes(uint64_t bytes);
/// Returns text such as "12.3 ms" or "840 us".
std::string formatSeconds(double seconds);
/// Returns a count as text: "1.23 G".
std::string formatCount(double count);

} // namespace kiln

#endif // KILN_SUPPORT_UNITS_H
