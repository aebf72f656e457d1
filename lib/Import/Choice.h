//===- Choice.h - One of two values, by a condition that is data -*- C++ -*-===//
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

/// The operand's value; makes the op if only its content was known, or two values of
/// which it is one. Reports two that are not of one type.
mlir::Value makeValue(GraphBuilder &n, Operand &operand);

/// Slices of an operand; of one of two values, those of both are read.
mlir::Value gatherFrom(GraphBuilder &n, Operand &data, mlir::Value indices, int64_t axis);

/// Reports an If whose branches give two shapes while its condition is not known before
/// the model runs. Returns `failure()`.
mlir::LogicalResult failChoice(GraphBuilder &n, const Choice &choice);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_CHOICE_H
