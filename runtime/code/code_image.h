//===- code_image.h - Generated code in memory ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_CODE_IMAGE_H
#define KILN_CODE_CODE_IMAGE_H

#include "runtime/base/file.h"
#include "runtime/code/unwind_table.h"

namespace kiln::rt {

/// The host code of a package, mapped executable, followed by the unwind table of its
/// functions.
class CodeImage {
public:
  CodeImage() = default;
  CodeImage(const CodeImage &) = delete;
  CodeImage &operator=(const CodeImage &) = delete;
  ~CodeImage();

  /// Copies code and unwind table; does nothing without code. A damaged table is dropped;
  /// older packages have none. what: for error messages. Errors: KILN-E0700, E0703.
  Status map(std::span<const uint8_t> code, std::span<const uint8_t> table,
             const std::string &what);

  const uint8_t *data() const { return memory.data(); }
  /// Bytes of code.
  uint64_t size() const { return codeSize; }
  /// The unwind table, which follows the code and ends with four zero bytes; empty if
  /// there is none.
  std::span<const uint8_t> table() const {
    return functions.empty() ? std::span<const uint8_t>()
                             : std::span<const uint8_t>(data() + tableOffset, tableSize);
  }
  /// Functions sorted by offset; empty without an unwind table.
  std::vector<CodeFunction> functions;

private:
  Mapping memory;
  uint64_t codeSize = 0, tableOffset = 0, tableSize = 0;
  UnwindRegistration registration;
};

} // namespace kiln::rt

#endif // KILN_CODE_CODE_IMAGE_H
