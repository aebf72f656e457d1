//===- Rows.h - How many rows a product has ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_PROGRAM_ROWS_H
#define KILN_LIB_CODEGEN_GEMM_PROGRAM_ROWS_H

#include "Program.h"

namespace kiln::codegen {

/// The rows of a product: the most of the launches that the code is for, a constant, or
/// the most that the ranges of the module's symbols allow, where that is less than what
/// an unknown number counts as and there is at least one. nullopt: not known.
std::optional<int64_t> knownRows(const GemmProgram &program);

/// Bounds on rows, ascending, up to which a product may have code of its own: those
/// that the ranges of the symbols neither exclude nor keep always. Empty where the
/// number is a constant or may be 0.
llvm::SmallVector<int64_t> rowBounds(const GemmProgram &program);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_ROWS_H
