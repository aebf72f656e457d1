//===- GemmTensors.h - Operands of products as TMA sees them --*- C++ -*-===//
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

/// The left or the right operand; nullopt if TMA cannot copy it.
std::optional<TensorOperand> tensorOperand(const GemmProgram &program, bool isLeft);

/// A result; nullopt if TMA cannot store it as it is computed, tile by tile. `columns` is
/// how many follow each other in what is stored at a time.
std::optional<TensorOperand> tensorResult(const GemmProgram &program,
                                          const Output &output, int64_t columns);

/// True if the product can be multiplied by warpgroups at all: both operands are
/// such tensors of one 16-bit float type, and sums are f32.
bool hasTensorOperands(const GemmProgram &program);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_GEMMTENSORS_H
