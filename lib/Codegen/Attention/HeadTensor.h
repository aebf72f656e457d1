//===- HeadTensor.h - Queries, keys and values as TMA sees them -*- C++ -*-===//
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

/// Describes the elements at `address` as a tensor of batch, heads and the two dims of a
/// tile, which are the loops `first` and `second`; nullopt if TMA cannot copy it.
std::optional<TensorOperand> headTensor(const AttentionProgram &program,
                                        const SymbolicExpr &address, const Loop &first,
                                        const Loop &second);

/// The result where TMA can store it tile by tile, from registers: one result of 16 bits,
/// no row of which is computed again, with an epilogue that is the same for all rows.
std::optional<TensorOperand> storedHeads(const AttentionProgram &program);

/// True if warpgroups can compute the attention: queries, keys and values are such
/// tensors of one 16-bit float type, with sums in f32.
bool hasHeadTensors(const AttentionProgram &program);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_HEADTENSOR_H
