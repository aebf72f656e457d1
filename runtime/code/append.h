//===- append.h - Structs as bytes of a file --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_APPEND_H
#define KILN_CODE_APPEND_H

#include <string>
#include <type_traits>

namespace kiln::rt {

/// Appends the bytes of a value as they are in memory.
template <typename T> void appendBytes(std::string &to, const T &value) {
  static_assert(std::is_trivially_copyable_v<T>);
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

} // namespace kiln::rt

#endif // KILN_CODE_APPEND_H
