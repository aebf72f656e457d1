//===- Program.h - Loop program of a kernel ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes a kernel as an iteration space, passes over it (none for a pointwise kernel)
// and outputs, all in terms of body nodes. build() does not change the IR; Emit*.cpp
// emits the tile program. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_PROGRAM_H
#define KILN_CODEGEN_EXPRESSION_PROGRAM_H

#include "Body.h"
#include "dialects/Tile/Tile.h"

namespace kiln::codegen {

/// One dim of the iteration space.
struct Loop {
  mlir::StringAttr var;
  SymbolicExpr extent;
};

/// Returns the index into a loop's dim: 0 if it has one element, as views and elementwise
/// ops expect, otherwise the loop variable.
SymbolicExpr indexOf(const Loop &loop);

/// A part of the last dim: `length` positions start + i * step.
struct LastDimPart {
  SymbolicExpr length;
  int64_t start, step;

  SymbolicExpr at(const SymbolicExpr &i) const {
    return i * SymbolicExpr(step) + SymbolicExpr(start);
  }
};

/// Combines `term` over the reduced loops into `result`.
struct Reduction {
  tile::ReduceKind kind;
  Node *term;
  Node *result; ///< bound node
  /// True if a sum adds the square of the term.
  bool squares = false;
  /// True if a maximum may ignore NaNs, because later passes of the kernel yield NaN
  /// anyway.
  bool ignoresNan = false;
  bool isUnsigned = false;
};

/// Emits scalar code that combines the accumulator `values[0]` with `values[1]`.
mlir::Value combine(mlir::OpBuilder &b, mlir::Location loc, const Reduction &reduction,
                    mlir::ValueRange values);
/// Returns the accumulator combined with the term. `fuses`: multiply and add round once
/// (FMA).
Node *accumulate(Body &body, const Reduction &reduction, Node *accumulator, bool fuses);
/// Returns the neutral element of a reduction.
mlir::TypedAttr neutralOf(const Reduction &reduction);
/// Returns the kind of reduction that combines partial results.
tile::ReduceKind kindOfParts(const Reduction &reduction);

/// One pass over the reduced loops. Passes run in order, and a pass may read the results
/// of earlier ones.
struct Pass {
  Reduction reduction;
  /// Node that this pass stores to scratch, from which later passes read it.
  Node *stage = nullptr;
  /// Bound nodes, and the nodes that compute them from the finished reduction.
  llvm::SmallVector<std::pair<Node *, Node *>> finals;
};

/// Stores `value` to element `address` of result `result` where `condition`, which is the
/// same for all lanes, holds; null: everywhere.
struct Output {
  Node *value;
  unsigned result;
  SymbolicExpr address;
  Node *condition = nullptr;
  /// True if it has one element per row while other outputs have one per element of the
  /// row.
  bool isOfRow = false;
};

class Program {
public:
  /// Builds a kernel's program; null, with `why` set, if it has no element-by-element
  /// form. With `splits`, the last dim of a pointwise kernel becomes several loops, such
  /// that operands are read contiguously: it is split into the dims that a reshape had
  /// joined.
  static std::unique_ptr<Program> build(graph::KernelOp kernel, std::string &why,
                                        bool splits = false);
  /// Builds the program of one result of a kernel without row ops, as if it were the only
  /// result; null, with `why` set, on failure.
  static std::unique_ptr<Program> buildResult(graph::KernelOp kernel, unsigned result,
                                              std::string &why, bool splits);

  Body body;
  std::vector<Loop> parallel; ///< outermost first
  std::vector<Loop> reduced;  ///< outermost first
  llvm::SmallVector<Pass> passes;
  std::vector<Output> outputs;
  /// Operand of the row op. Each pass recomputes it unless it is staged; null for a
  /// pointwise kernel.
  Node *source = nullptr;
  /// True if building with `splits` makes the last dim several loops.
  bool dividesLastDim = false;
  /// True if outputs have an element per position of the reduced loops too.
  bool outputsWholeRows = false;
  /// True if the innermost dim of the data is reduced, so that vectors run along it.
  bool vectorIsReduced = false;
  /// The vector loop's extent, or its maximum by the ranges of the module's symbols;
  /// nullopt if unknown.
  std::optional<int64_t> mostInner;
  /// Number of positions of all reduced loops together, or its maximum by the ranges of
  /// the module's symbols; nullopt if unknown.
  std::optional<int64_t> mostDepth;

  /// Returns the nodes that passes and outputs compute.
  llvm::SmallVector<Node *> roots() const;
  /// Returns the loop that vectors run along; null if there is only one element.
  const Loop *vectorLoop() const;
  /// Returns the nodes that vary along the vector loop.
  llvm::DenseSet<Node *> perElement() const;
  /// Merges adjacent loops where all accesses are linear in the merged loop.
  void simplify();

private:
  /// Returns the maximum nesting of selects.
  int choiceDepth() const;
  explicit Program(mlir::Block &block) : body(block) {}
  /// Adds a loop over a dim, unless the dim has one element. Returns the index into the
  /// dim.
  SymbolicExpr addLoop(std::vector<Loop> &loops, const SymbolicExpr &extent);
  /// Completes a program that was built; null if it cannot be emitted.
  static std::unique_ptr<Program> finish(std::unique_ptr<Program> program,
                                         mlir::ModuleOp module, std::string &why);
  bool buildPointwise(llvm::SmallVector<mlir::Value> values, bool splits);
  /// Adds one output per value and part of the last dim.
  bool buildRotated(mlir::ValueRange values, const Dims &dims,
                    llvm::ArrayRef<LastDimPart> parts);
  /// Splits one factor of the last dim if an operand's index has a floordiv within it.
  /// The last loops are those of the factors.
  bool refine(llvm::SmallVectorImpl<SymbolicExpr> &factors) const;
  /// Builds the program of row ops that reduce the same dims, each possibly of earlier
  /// ones' results.
  bool buildRows(mlir::ValueRange values, llvm::ArrayRef<mlir::Operation *> heroes);
  bool buildKvWrite(graph::KvWriteOp op);
  bool addOutputs(mlir::ValueRange values, llvm::ArrayRef<SymbolicExpr> indices,
                  llvm::ArrayRef<SymbolicExpr> dims);
  void simplify(std::vector<Loop> &loops);
  void substitute(mlir::StringAttr name, const SymbolicExpr &by);
  bool canMerge(const Loop &outer, const Loop &inner) const;
};

/// Makes vectors run along the last dim of the result if the innermost reduced dim is
/// short, as that of a window is: lanes then make strided reads, which a host can do. No
/// change otherwise.
void vectorizeWindows(Program &program);
/// Returns the loop just outside the vector loop whose positions may be reduced together;
/// null if there is none.
const Loop *positionLoop(const Program &program);
/// Returns the loads along the vectors that are the same for all positions of that loop,
/// for example those of weights.
llvm::SmallVector<Node *> commonLoads(const Program &program, const Loop &positions);

/// Returns the number of positions of nested loops.
SymbolicExpr extentOf(llvm::ArrayRef<Loop> loops);

/// Shape of the operand that a row op reduces.
struct RowShape {
  Indices indices;                 ///< of the input, one variable per dim
  llvm::SmallVector<bool> reduced; ///< per dim of the input
  SymbolicExpr count;              ///< number of elements of the reduced dims
};
/// Builds the nodes that compute a row op at its own index, and adds its passes. Null,
/// with `body.why` set, on failure.
Node *buildRowOp(mlir::Operation *op, const RowShape &shape, Body &body,
                 llvm::SmallVectorImpl<Pass> &passes);
/// Returns a flag per dim of a row op, true for reduced dims; empty for any other op.
llvm::SmallVector<bool> reducedDims(mlir::Operation *op);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_PROGRAM_H
