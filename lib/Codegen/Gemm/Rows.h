//===- Rows.h - How many rows a product has ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_ROWS_H
#define KILN_LIB_CODEGEN_GEMM_ROWS_H

#include "Program.h"

namespace kiln::codegen {

/// The rows of a product: a constant, or the most that the ranges of the module's
/// symbols allow, where that is less than what an unknown number counts as and
/// there is at least one. nullopt: not known.
std::optional<int64_t> knownRows(const GemmProgram &program);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_ROWS_H
