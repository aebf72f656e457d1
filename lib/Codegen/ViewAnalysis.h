//===- ViewAnalysis.h - Where an operand's elements lie ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions read their operands through any reshape, transpose, slice,
// broadcast and unpack, as long as what comes out is a strided view of one
// block argument. Likewise their results are stored through the views that
// follow them. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_VIEWANALYSIS_H
#define KILN_LIB_CODEGEN_VIEWANALYSIS_H

#include "Expression/Program.h"

namespace kiln::codegen {

/// Pulls `value` as one element of a block argument; null, with body.why set,
/// where it is computed or chosen.
Node *pullOperand(Body &body, mlir::Value value, llvm::ArrayRef<SymbolicExpr> indices,
                  llvm::StringRef role);

/// The index into `to`, an op result reached from `from` by elementwise ops and
/// views, of the element that is `indices` of `from`; nullopt, with `why` set,
/// if the elements are repeated or dropped on the way.
std::optional<Indices> forwardIndices(Body &body, mlir::Value from,
                                      llvm::ArrayRef<SymbolicExpr> indices, mlir::Value to,
                                      std::string &why);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_VIEWANALYSIS_H
