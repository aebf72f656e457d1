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

/// The host image of a package, mapped executable, and behind it the table by which the
/// stack of its functions is unwound.
class CodeImage {
public:
  CodeImage() = default;
  CodeImage(const CodeImage &) = delete;
  CodeImage &operator=(const CodeImage &) = delete;
  ~CodeImage();

  /// Copies both; nothing without code. A table that is damaged, or that an older package
  /// does not have, is left out. what: for messages. Errors: KILN-E0700, E0703.
  Status map(std::span<const uint8_t> code, std::span<const uint8_t> table,
             const std::string &what);

  const uint8_t *data() const { return memory.data(); }
  /// Bytes of code.
  uint64_t size() const { return codeSize; }
  /// Behind the code, ended by four zero bytes; empty if there is none.
  std::span<const uint8_t> table() const {
    return functions.empty() ? std::span<const uint8_t>()
                             : std::span<const uint8_t>(data() + tableOffset, tableSize);
  }
  /// By their offsets; empty without a table.
  std::vector<CodeFunction> functions;

private:
  Mapping memory;
  uint64_t codeSize = 0, tableOffset = 0, tableSize = 0;
  UnwindRegistration registration;
};

} // namespace kiln::rt

#endif // KILN_CODE_CODE_IMAGE_H
