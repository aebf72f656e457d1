//===- ViewAnalysis.h - Addresses of operands behind view ops ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions read their operands through any reshape, transpose, slice, broadcast and
// unpack that leaves a strided view of one block argument, and store their results
// through the view ops that follow them. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_VIEWANALYSIS_H
#define KILN_LIB_CODEGEN_VIEWANALYSIS_H

#include "Expression/Program.h"

namespace kiln::codegen {

/// Returns the element of a block argument that `value` at `indices` is; null, with
/// body.why set, if the element is computed or selected.
Node *pullOperand(Body &body, mlir::Value value, llvm::ArrayRef<SymbolicExpr> indices,
                  llvm::StringRef role);

/// Returns the index into `to` of the element `indices` of `from`, where `to` is an op
/// result reached from `from` by elementwise and view ops. Returns nullopt, with `why`
/// set, if elements are repeated or dropped on the way.
std::optional<Indices> forwardIndices(Body &body, mlir::Value from,
                                      llvm::ArrayRef<SymbolicExpr> indices, mlir::Value to,
                                      std::string &why);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_VIEWANALYSIS_H
