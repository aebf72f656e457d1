//===- CheckIndices.h - Inputs that hold indices ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather clamps its indices and a scatter drops updates out of range, so that no index
// reaches other memory. ONNX calls such indices an error. Which inputs hold indices, and
// into how many rows, is written beside the arguments of @main (graph.rows); the plan
// takes it from there, and the runtime compares the values before it runs anything.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_CHECKINDICES_H
#define KILN_PIPELINE_CHECKINDICES_H

#include "mlir/IR/BuiltinOps.h"

namespace kiln {

/// What became of the index operands of an imported module.
struct IndexReport {
  unsigned checked = 0;  ///< they come from inputs
  unsigned computed = 0; ///< the model computes them: clamped as ever
};

/// Annotates the arguments of @main.
IndexReport checkIndices(mlir::ModuleOp module);

} // namespace kiln

#endif // KILN_PIPELINE_CHECKINDICES_H
