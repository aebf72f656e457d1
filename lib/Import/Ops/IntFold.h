//===- IntFold.h - Shape arithmetic during import ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_INTFOLD_H
#define KILN_LIB_IMPORT_OPS_INTFOLD_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// Fold elementwise ops on inputs with known content (foldBinary: any number of inputs);
/// nullopt if one is unknown or the result is no expression.
std::optional<IntTensor> foldBinary(Node &n, graph::BinaryKind kind);
std::optional<IntTensor> foldClip(Node &n);
std::optional<IntTensor> foldCompare(Node &n, graph::CompareKind kind);
std::optional<IntTensor> foldUnary(Node &n, graph::UnaryKind kind);
std::optional<IntTensor> foldWhere(Node &n);
std::optional<IntTensor> foldCast(Node &n, mlir::Type type);
/// Returns the product of all elements.
std::optional<SymbolicExpr> product(llvm::ArrayRef<SymbolicExpr> elements);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_INTFOLD_H
