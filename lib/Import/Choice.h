//===- Choice.h - Selects whose condition is data ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_CHOICE_H
#define KILN_LIB_IMPORT_CHOICE_H

#include "lib/Import/GraphBuilder.h"
#include "lib/Import/Operand.h"

namespace kiln::import {

/// Returns the operand's value. Builds an op if only its content is known, or a select if
/// it is one of two values; reports values of different types.
mlir::Value makeValue(GraphBuilder &n, Operand &operand);

/// Gathers slices of an operand. If it is one of two values, gathers from both and
/// selects.
mlir::Value gatherFrom(GraphBuilder &n, Operand &data, mlir::Value indices, int64_t axis);

/// Reports an If whose branches return different shapes and whose condition is not known
/// at compile time. Returns `failure()`.
mlir::LogicalResult failChoice(GraphBuilder &n, const Choice &choice);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_CHOICE_H
