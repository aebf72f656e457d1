//===- GemmTensors.h - GEMM operands as TMA tensors -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMTENSORS_H
#define KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMTENSORS_H

#include "Program.h"
#include "lib/Codegen/TensorOperand.h"

namespace kiln::codegen {

/// Describes the left or right operand; nullopt if TMA cannot copy it.
std::optional<TensorOperand> tensorOperand(const GemmProgram &program, bool isLeft);

/// Describes a result that is stored `columns` at a time; nullopt if TMA cannot store it
/// tile by tile.
std::optional<TensorOperand> tensorResult(const GemmProgram &program,
                                          const Output &output, int64_t columns);

/// Returns true if both operands are TMA tensors of one 16-bit float type and accumulate
/// in f32, which warpgroups require.
bool hasTensorOperands(const GemmProgram &program);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMTENSORS_H
