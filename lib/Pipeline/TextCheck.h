//===- TextCheck.h - Texts that crash MLIR's parser -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_TEXTCHECK_H
#define KILN_LIB_PIPELINE_TEXTCHECK_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace kiln {

/// A place in a text of MLIR at which MLIR's parser would crash.
struct TextProblem {
  size_t offset;
  /// Names what was expected there, and what was found.
  std::string message;
};

/// Returns the first place at which MLIR 22.1's parser would crash: a dense array of
/// `index`, whose elements have no width (`array<index>`), or nesting that needs more
/// stack than a thread has. Looks at tokens only, so comments and strings may have both.
std::optional<TextProblem> findTextProblem(llvm::StringRef text);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_TEXTCHECK_H
