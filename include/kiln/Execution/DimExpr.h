//===- DimExpr.h - Evaluation of printed dims -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_DIMEXPR_H
#define KILN_EXECUTION_DIMEXPR_H

#include "kiln/Pipeline/Oracle.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace kiln::execution {

/// Returns the value of a dim that kiln_dim_info prints ("384", "seq", "2*batch", "max(a,
/// b)"); nullopt if a symbol has no value or the text was truncated.
std::optional<int64_t> evaluateDim(llvm::StringRef expr, const SymbolValues &symbols);

} // namespace kiln::execution

#endif // KILN_EXECUTION_DIMEXPR_H
