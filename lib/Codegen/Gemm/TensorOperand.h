//===- TensorOperand.h - Operands that tensor copies can bring --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor copy reads boxes of a tensor of at most five dims that is known before
// the kernel starts: its origin, extents and strides are the same for all tasks,
// and a task chooses coordinates. This says whether an operand of a product is
// such a tensor, by the expressions of its address alone. Internal to
// lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_TENSOROPERAND_H
#define KILN_LIB_CODEGEN_GEMM_TENSOROPERAND_H

#include "Program.h"

namespace kiln::codegen {

struct TensorOperand {
  struct Dim {
    SymbolicExpr extent;
    SymbolicExpr stride;     ///< elements
    SymbolicExpr coordinate; ///< over the loop variables; where a task's tile begins
  };
  SymbolicExpr offset;      ///< elements, of coordinate 0
  std::vector<Dim> leading; ///< outermost first
  Dim first, second;        ///< of the tile: rows x depth, or depth x columns
  bool isContiguousAlongFirst = false;
};

/// The left or the right operand; nullopt if tensor copies cannot bring it. They
/// want one contiguous dim, all else at multiples of 16 bytes, and no index that
/// comes from data.
std::optional<TensorOperand> tensorOperand(const GemmProgram &program, bool isLeft);

/// True if the product can be multiplied by warpgroups at all: both operands are
/// such tensors of one 16-bit float type, and sums are f32.
bool hasTensorOperands(const GemmProgram &program);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_TENSOROPERAND_H
