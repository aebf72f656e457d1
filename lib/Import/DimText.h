//===- DimText.h - Names and formulas of dims -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_DIMTEXT_H
#define KILN_LIB_IMPORT_DIMTEXT_H

#include "dialects/Graph/SymbolicExpr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kiln::import {

/// Returns a valid MLIR identifier: letters, digits and underscores, not starting with a
/// digit.
std::string sanitizeName(llvm::StringRef name);

/// Returns true if a dim_param is a formula with operators: "past + seq", "2*s0".
bool isFormula(llvm::StringRef text);

/// Parses sums, differences and products of names and integers; nullopt for any other
/// text or if `valueOf` does not know a name.
std::optional<graph::SymbolicExpr> parseFormula(
    llvm::StringRef text,
    llvm::function_ref<std::optional<graph::SymbolicExpr>(llvm::StringRef)> valueOf);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_DIMTEXT_H
