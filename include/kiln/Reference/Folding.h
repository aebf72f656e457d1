//===- Folding.h - Constant folding -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_FOLDING_H
#define KILN_REFERENCE_FOLDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace kiln::reference {

/// Returns the value of a graph op whose operands are all graph.constant and whose only
/// result is static and at most 1 KiB, rounded once to its type. Nullopt for other ops,
/// if it would take more than a few milliseconds, or if the op has no valid value (a
/// slice out of bounds is left to run time).
std::optional<mlir::DenseElementsAttr> foldOp(mlir::Operation *op);

} // namespace kiln::reference

#endif // KILN_REFERENCE_FOLDING_H
