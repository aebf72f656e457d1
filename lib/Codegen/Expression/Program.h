//===- Program.h - What one kernel computes, before loops -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as an iteration space, passes over it (none for a pointwise kernel)
// and outputs, all in terms of body nodes. Made from a graph.kernel without
// touching IR; Emit*.cpp turns it into a tile program. Internal to
// lib/Codegen.
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

/// A dim of one element has index 0 wherever views and elementwise ops meet it.
SymbolicExpr indexOf(const Loop &loop);

/// So many positions of the last dim: start + i * step.
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
  Node *result; ///< Bound
  /// Whether a sum adds the square of the term.
  bool squares = false;
  /// The kernel does not care what a maximum with a NaN is: its later passes
  /// give NaN anyway.
  bool ignoresNan = false;
  bool isUnsigned = false;
};

/// The scalar code that adds `values[1]` to the accumulator `values[0]`.
mlir::Value combine(mlir::OpBuilder &b, mlir::Location loc, const Reduction &reduction,
                    mlir::ValueRange values);
/// The accumulator with the term added; `fuses`: products are added with one rounding.
Node *accumulate(Body &body, const Reduction &reduction, Node *accumulator, bool fuses);
/// The neutral element of a reduction, which changes nothing when it is combined.
mlir::TypedAttr neutralOf(const Reduction &reduction);
/// How parts of a reduction are combined.
tile::ReduceKind kindOfParts(const Reduction &reduction);

/// One pass over the reduced loops. Passes run in order; what one defines, the
/// next may read.
struct Pass {
  Reduction reduction;
  /// Written to scratch during the walk and read from there ever after.
  Node *stage = nullptr;
  /// Bound nodes and what they are once the reduction is known.
  llvm::SmallVector<std::pair<Node *, Node *>> finals;
};

/// `value` is written to element `address` of result `result`, where `condition`, the
/// same for all lanes, holds; null: everywhere.
struct Output {
  Node *value;
  unsigned result;
  SymbolicExpr address;
  Node *condition = nullptr;
  /// One per row, beside others that are one per element of it.
  bool isOfRow = false;
};

class Program {
public:
  /// Null, with `why` set, if there is no element-by-element form. With `splits`, the
  /// last dim of a pointwise kernel is as many loops as it takes for operands to be read
  /// in lines: what a reshape has joined of several dims becomes these again.
  static std::unique_ptr<Program> build(graph::KernelOp kernel, std::string &why,
                                        bool splits = false);
  /// Builds the program of one result of a kernel without row ops, as if it had no
  /// others; null, with `why` set, as build().
  static std::unique_ptr<Program> buildResult(graph::KernelOp kernel, unsigned result,
                                              std::string &why, bool splits);

  Body body;
  std::vector<Loop> parallel; ///< outermost first
  std::vector<Loop> reduced;  ///< outermost first
  llvm::SmallVector<Pass> passes;
  std::vector<Output> outputs;
  /// Operand of the row op, recomputed by each pass unless it is staged; null for a
  /// pointwise kernel.
  Node *source = nullptr;
  /// True if the last dim is several loops where the program is built with `splits`.
  bool dividesLastDim = false;
  /// True if outputs are one per position of the reduced loops too.
  bool outputsWholeRows = false;
  /// The innermost dim of the data is a reduced one: vectors run along it.
  bool vectorIsReduced = false;
  /// The vector loop's extent, or the most that the ranges of the module's symbols
  /// allow; nullopt if these say nothing.
  std::optional<int64_t> mostInner;
  /// Number of positions of all reduced loops together, or the maximum that the ranges of
  /// the module's symbols allow; nullopt if these say nothing.
  std::optional<int64_t> mostDepth;

  /// Every node that any pass or output starts from.
  llvm::SmallVector<Node *> roots() const;
  /// The loop that vectors run along; null if everything is one element.
  const Loop *vectorLoop() const;
  /// The nodes that differ from element to element along the vector loop.
  llvm::DenseSet<Node *> perElement() const;
  /// Makes neighbouring loops one where no access can tell.
  void simplify();

private:
  /// How many choices stand inside of each other, at most.
  int choiceDepth() const;
  explicit Program(mlir::Block &block) : body(block) {}
  /// A loop over a dim, unless that has one element; the index into the dim.
  SymbolicExpr addLoop(std::vector<Loop> &loops, const SymbolicExpr &extent);
  /// Brings what was built into its final form; null if it cannot be emitted.
  static std::unique_ptr<Program> finish(std::unique_ptr<Program> program,
                                         mlir::ModuleOp module, std::string &why);
  bool buildPointwise(llvm::SmallVector<mlir::Value> values, bool splits);
  /// One output per value and part of the last dim.
  bool buildRotated(mlir::ValueRange values, const Dims &dims,
                    llvm::ArrayRef<LastDimPart> parts);
  /// Splits one of the factors of the last dim, whose loops are the last ones, if an
  /// operand's index is divided within it.
  bool refine(llvm::SmallVectorImpl<SymbolicExpr> &factors) const;
  /// By row ops that reduce the same dims of one space, each perhaps of what those before
  /// it give.
  bool buildRows(mlir::ValueRange values, llvm::ArrayRef<mlir::Operation *> heroes);
  bool buildKvWrite(graph::KvWriteOp op);
  bool addOutputs(mlir::ValueRange values, llvm::ArrayRef<SymbolicExpr> indices,
                  llvm::ArrayRef<SymbolicExpr> dims);
  void simplify(std::vector<Loop> &loops);
  void substitute(mlir::StringAttr name, const SymbolicExpr &by);
  bool canMerge(const Loop &outer, const Loop &inner) const;
};

/// Makes vectors run along the last dim of the result where the innermost reduced dim is
/// short, as that of a window is: lanes then read elements a stride apart, which a host
/// can. Changes nothing in any other program.
void vectorizeWindows(Program &program);
/// The loop around the vector loop whose positions may be reduced side by side; null if
/// there is none.
const Loop *positionLoop(const Program &program);
/// Returns the loads along the vectors that are the same for all positions of that loop,
/// such as those of weights.
llvm::SmallVector<Node *> commonLoads(const Program &program, const Loop &positions);

/// The number of positions of loops.
SymbolicExpr extentOf(llvm::ArrayRef<Loop> loops);

/// Shape of what a row op reduces.
struct RowShape {
  Indices indices;                 ///< of the input, one variable per dim
  llvm::SmallVector<bool> reduced; ///< per dim of the input
  SymbolicExpr count;              ///< product of the reduced dims
};
/// Builds the nodes of what a row op computes at its own index and adds its passes. Null,
/// with `body.why` set, if it cannot be.
Node *buildRowOp(mlir::Operation *op, const RowShape &shape, Body &body,
                 llvm::SmallVectorImpl<Pass> &passes);
/// The dims a row op reduces over, one flag per dim; empty for any other op.
llvm::SmallVector<bool> reducedDims(mlir::Operation *op);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_PROGRAM_H
