//===- FrameTable.h - Unwind tables for tests -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_RUNTIME_FRAMETABLE_H
#define KILN_TEST_RUNTIME_FRAMETABLE_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kiln::test {

/// Returns the unwind table of an image whose functions (offset, size) have only their
/// return address on the stack, in LLVM's format.
inline std::string frameTable(const std::vector<std::pair<size_t, size_t>> &functions) {
  auto word = [](size_t value) {
    std::string bytes;
    for (int i = 0; i < 4; ++i)
      bytes += static_cast<char>(value >> (8 * i));
    return bytes;
  };
  std::string table = word(20) + word(0);
  table += std::string("\x01zR\0\x01\x78\x10\x01\x1b\x0c\x07\x08\x90\x01\0\0", 16);
  for (auto [offset, size] : functions)
    table += word(20) + word(table.size() + 4) + word(offset) + word(size) +
             std::string(8, '\0');
  return table;
}

} // namespace kiln::test

#endif // KILN_TEST_RUNTIME_FRAMETABLE_H
