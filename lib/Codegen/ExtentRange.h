//===- ExtentRange.h - Ranges of extents ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computed from the ranges of the module's symbols. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_EXTENTRANGE_H
#define KILN_LIB_CODEGEN_EXTENTRANGE_H

#include "dialects/Graph/Graph.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace kiln::codegen {

struct ExtentRange {
  int64_t min, max; ///< saturated to INT64_MAX

  /// Returns true if `extent <= bound` holds for some positive values in the range but
  /// not for all.
  bool spans(int64_t bound) const { return min >= 1 && min <= bound && bound < max; }
};

/// Returns the range of an extent that is a sum of products of symbols with positive
/// factors; nullopt for any other extent. Without a module, only the extent 0 has a
/// range.
std::optional<ExtentRange> rangeOf(const graph::SymbolicExpr &extent,
                                   mlir::ModuleOp module);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_EXTENTRANGE_H
