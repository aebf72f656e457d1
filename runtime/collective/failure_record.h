//===- failure_record.h - A failure that others read ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_FAILURE_RECORD_H
#define KILN_COLLECTIVE_FAILURE_RECORD_H

#include "runtime/base/status.h"
#include <algorithm>
#include <cstring>

namespace kiln::rt {

/// A string in a fixed-size buffer; longer text is cut.
template <size_t size> struct FixedText {
  char text[size];

  void operator=(const std::string &from) {
    size_t count = std::min(from.size(), size - 1);
    std::memcpy(text, from.data(), count);
    std::memset(text + count, 0, size - count);
  }
  /// Returns the text. Safe for memory that another process wrote: the text need not be
  /// null-terminated.
  std::string str() const { return {text, strnlen(text, size)}; }
};

/// A failure in memory that processes share, or in a message between them.
struct FailureRecord {
  uint32_t rank; ///< the failed rank
  uint32_t code;
  FixedText<256> where, what, expected, fix;
  FixedText<512> found; ///< may quote another failure

  void store(uint32_t of, const Failure &failure) {
    rank = of;
    code = static_cast<uint32_t>(failure.code);
    where = failure.where;
    what = failure.what;
    expected = failure.expected;
    found = failure.found;
    fix = failure.fix;
  }
  Failure load() const {
    return {isCode(code) ? static_cast<Code::ID>(code) : Code::RankFailed,
            where.str(),
            what.str(),
            expected.str(),
            found.str(),
            fix.str()};
  }
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_FAILURE_RECORD_H
