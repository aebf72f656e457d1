//===- Contiguity.h - Loops along which operands are contiguous -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector loads want contiguous elements. A load that is strided along one loop is often
// contiguous along another. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_CONTIGUITY_H
#define KILN_CODEGEN_EXPRESSION_CONTIGUITY_H

#include "Program.h"

namespace kiln::codegen {

/// Returns the loads that every element executes. Excludes operands of a select, which
/// only some elements read, and indices of gathers, whose contiguity does not matter.
llvm::SmallVector<Node *> unconditionalLoads(llvm::ArrayRef<Node *> roots);
/// Returns true if the load's index depends on elements of a tensor.
bool followsData(const Program &program, const Node *load);

/// Returns the largest power of two, at most 1 << 30, that divides an index for all
/// values of its variables and symbols.
int64_t divisorOf(const SymbolicExpr &expr);

/// Returns the loop along which a load that is strided along `vector` is contiguous; null
/// if there is none, or the load is not strided.
const Loop *contiguousLoop(const Program &program, llvm::ArrayRef<Loop> loops,
                           const Loop &vector, const Node *load);

/// Makes vectors run along a parallel loop where all operands of a reduction are strided
/// along the reduced dim and contiguous along that loop.
void vectorizeContiguousLoop(Program &program);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_CONTIGUITY_H
