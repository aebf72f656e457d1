//===- HeadTensor.h - Queries, keys, values as TMA tensors ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_HEADTENSOR_H
#define KILN_LIB_CODEGEN_ATTENTION_HEADTENSOR_H

#include "../TensorOperand.h"
#include "Program.h"

namespace kiln::codegen {

/// Describes the elements at `address` as a TMA tensor with dims for batch, heads and the
/// two loops of a tile, `first` and `second`; nullopt if TMA cannot copy it.
std::optional<TensorOperand> headTensor(const AttentionProgram &program,
                                        const SymbolicExpr &address, const Loop &first,
                                        const Loop &second);

/// Describes the result if TMA can store its tiles from registers: a single 16-bit
/// result, no row of which is recomputed, with an epilogue that does not depend on the
/// row.
std::optional<TensorOperand> storedHeads(const AttentionProgram &program);

/// Returns true if warpgroups can compute the attention: queries, keys and values are TMA
/// tensors of one 16-bit float type, and accumulate in f32.
bool hasHeadTensors(const AttentionProgram &program);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_HEADTENSOR_H
