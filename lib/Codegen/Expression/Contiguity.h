//===- Contiguity.h - The loops that operands are contiguous along -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors want loads of contiguous elements. A load whose elements are strided along
// one loop is often contiguous along another one. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_CONTIGUITY_H
#define KILN_CODEGEN_EXPRESSION_CONTIGUITY_H

#include "Program.h"

namespace kiln::codegen {

/// The loads of every element. Operands of a select are read for some elements only,
/// and indices of gathers say nothing about contiguity.
llvm::SmallVector<Node *> unconditionalLoads(llvm::ArrayRef<Node *> roots);
/// The index depends on elements of a tensor.
bool followsData(const Program &program, const Node *load);

/// The largest power of two known to divide an index, whatever its variables and
/// symbols are; at most 1 << 30.
int64_t divisorOf(const SymbolicExpr &expr);

/// Returns the one of `loops` that a load which is strided along `vector` is contiguous
/// along. Null for any other load.
const Loop *contiguousLoop(const Program &program, llvm::ArrayRef<Loop> loops,
                           const Loop &vector, const Node *load);

/// Where all operands of a reduction are strided along the reduced dim and contiguous
/// along one that stays, makes vectors run along the latter.
void vectorizeContiguousLoop(Program &program);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_CONTIGUITY_H
