//===- HostConfig.h - Registers of a host's GEMM ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_CONFIG_HOSTCONFIG_H
#define KILN_LIB_CODEGEN_GEMM_CONFIG_HOSTCONFIG_H

#include "kiln/Codegen/Gemm.h"

namespace kiln::codegen {

/// Returns the vector registers of the innermost loop: accumulators of `rows` rows of
/// `group` panels, one row of the right operand, and one broadcast element of the left
/// operand. Accumulators of quantized operands are integers there. Those of f32 are not
/// counted: they are used once per block of K, and wait on the stack.
int64_t hostTileRegisters(const GemmProblem &problem, const TargetInfo &target,
                          int64_t rows, int64_t group);

/// Returns true if AMX tile registers multiply operands of bf16.
bool usesBf16Tiles(const GemmProblem &problem);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_CONFIG_HOSTCONFIG_H
