//===- TensorOperand.h - Operands that TMA can copy -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A TMA copy reads boxes of a tensor of at most five dims that is known before the
// kernel starts: its origin, extents and strides are the same for all tasks, and a
// task chooses coordinates. Internal to lib/Codegen.
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
    SymbolicExpr coordinate; ///< over the loop variables; where a task's tile begins
  };
  SymbolicExpr offset;      ///< elements, of coordinate 0
  std::vector<Dim> leading; ///< outermost first
  Dim first, second;        ///< of the tile
  bool isContiguousAlongFirst = false;

  /// TMA wants one contiguous dim, all else at multiples of 16 bytes (of two-byte
  /// elements), and no index that comes from data.
  bool isDescribable() const;

  /// The view that all tasks share, at the builder's insertion point.
  mlir::Value open(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
                   mlir::Value buffer) const;
  /// Indices into the view of the task at hand, whose loop variables are bound; the
  /// tile's dims begin at `firstAt` and `secondAt`.
  llvm::SmallVector<mlir::Value> indices(mlir::OpBuilder &b, mlir::Location loc,
                                         NodeEmitter &emitter, mlir::Value firstAt,
                                         mlir::Value secondAt) const;
};

/// Returns whether no load of `node` depends on `row` and all are contiguous (or the
/// same) along `lane`: rows of a tile then differ in bound nodes only, and the tile can
/// be computed in the registers of its accumulators.
bool hasUniformRows(const Body &body, Node *node, mlir::StringAttr row,
                    mlir::StringAttr lane);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_TENSOROPERAND_H
