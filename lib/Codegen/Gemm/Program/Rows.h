//===- Rows.h - Number of rows of a GEMM ------------------------*- C++ -*-===//
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

/// Returns the maximum number of rows of a GEMM: that of the launches that the code is
/// for, a constant, or the maximum by the ranges of the module's symbols, if that is
/// below the default for unknown numbers and the minimum is at least 1. nullopt: unknown.
std::optional<int64_t> knownRows(const GemmProgram &program);

/// Returns the limits of the number of rows, ascending, up to which a GEMM may have a
/// variant: those that hold for some but not all values in the symbols' ranges. Empty if
/// the number is constant or may be 0.
llvm::SmallVector<int64_t> rowBounds(const GemmProgram &program);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_ROWS_H
