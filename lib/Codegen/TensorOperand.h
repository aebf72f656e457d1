//===- TensorOperand.h - Operands that TMA can copy -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TMA copies boxes of a tensor of at most five dims that is described before the kernel
// starts: origin, extents and strides are the same for all tasks, and each task passes
// coordinates. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_TENSOROPERAND_H
#define KILN_LIB_CODEGEN_TENSOROPERAND_H

#include "ViewAnalysis.h"

namespace kiln::codegen {

class NodeEmitter;

struct TensorOperand {
  struct Dim {
    SymbolicExpr extent;
    SymbolicExpr stride;     ///< elements
    SymbolicExpr coordinate; ///< begin of the task's tile, over the loop variables
  };
  SymbolicExpr offset;      ///< elements; address of coordinate 0
  std::vector<Dim> leading; ///< outermost first
  Dim first, second;        ///< dims of the tile
  bool isContiguousAlongFirst = false;

  /// Returns true if TMA can copy the operand: one dim is contiguous, the other strides
  /// and the origin are multiples of 16 bytes (for two-byte elements), and no index
  /// depends on data.
  bool isDescribable() const;

  /// Creates the view, which is the same for all tasks, at the builder's insertion point.
  mlir::Value open(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
                   mlir::Value buffer) const;
  /// Returns the current task's indices into the view. Its loop variables must be bound;
  /// the tile begins at `firstAt` and `secondAt` of the last two dims.
  llvm::SmallVector<mlir::Value> indices(mlir::OpBuilder &b, mlir::Location loc,
                                         NodeEmitter &emitter, mlir::Value firstAt,
                                         mlir::Value secondAt) const;
};

/// Returns true if no load of `node` depends on `row` and each load is contiguous or
/// constant along `lane`. Rows of a tile then differ in bound nodes only, and the tile
/// can be computed in the accumulators' registers.
bool hasUniformRows(const Body &body, Node *node, mlir::StringAttr row,
                    mlir::StringAttr lane);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_TENSOROPERAND_H
