//===- Body.h - A kernel's body as a graph of elements ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Represents one element of a kernel's result as an expression of elements of its
// operands. pull() goes from the result to the block arguments and composes views,
// broadcasts and gathers into index expressions. Body knows nothing of loops, vectors or
// tile IR, so that both the check whether a kernel can be emitted and the analysis of its
// iteration space use it. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_BODY_H
#define KILN_CODEGEN_EXPRESSION_BODY_H

#include "IndexMath.h"
#include "dialects/Graph/Indexing.h"
#include "mlir/IR/Builders.h"

#include <functional>
#include <map>
#include <memory>

namespace kiln::codegen {

/// Emits a Compute node's scalar code, given the elements of its operands.
using ScalarBody =
    std::function<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// One element. Floats narrower than f32 are computed in f32, and converted by loads,
/// stores and Round nodes.
struct Node {
  enum class Kind {
    Load,     ///< element `index` of block argument `argument`
    Constant, ///< `constant`
    Index,    ///< start + step * index, in `type`
    Compute,  ///< `body` applied to the operands
    Round,    ///< the operand, rounded to `storage`
    Choose,   ///< select: operand k where bounds[k] <= index < bounds[k + 1]
    Bound,    ///< value that the emitter binds: an accumulator, a statistic, a row op's
              ///< result
  };
  Kind kind = Kind::Constant;
  mlir::Type type;                        ///< type that it is computed in
  mlir::Type storage;                     ///< Load, Round: type in memory
  llvm::SmallVector<Node *> operands;     ///< Compute, Round, Choose
  unsigned argument = 0;                  ///< Load
  SymbolicExpr index;                     ///< Load, Index, Choose
  llvm::SmallVector<SymbolicExpr> bounds; ///< Choose: ascending, the first is 0
  mlir::TypedAttr constant;               ///< Constant
  double start = 0.0, step = 1.0;         ///< Index
  bool isUnsigned = false;                ///< Index: the graph's type is unsigned
  ScalarBody body;                        ///< Compute
  int cost = 0;                           ///< Compute: rough instructions per element
  bool isProduct = false;                 ///< Compute: an unrounded multiplication of two
                                          ///< floats, which may fuse with an addition
};

/// Returns the type that an element is computed in.
mlir::Type computeType(mlir::Type graphType);
/// Returns the signless type of an element in memory.
mlir::Type storageType(mlir::Type graphType);

/// The nodes of one kernel. Nodes are immutable once the program is built, so that copies
/// of a Body refer to the same nodes and only add variables and nodes of their own.
class Body {
public:
  explicit Body(mlir::Block &block) : vars(block.getParentOp()->getContext()) {}

  /// Returns the element of `value` at `indices`; null, with `why` set, if an op on the
  /// way has no scalar form.
  Node *pull(mlir::Value value, llvm::ArrayRef<SymbolicExpr> indices);

  /// Makes pull() return `node` for `value` at exactly `indices` from now on.
  void define(mlir::Value value, llvm::ArrayRef<SymbolicExpr> indices, Node *node);

  Node *compute(mlir::Type type, llvm::ArrayRef<Node *> operands, ScalarBody body,
                int cost);
  Node *constant(mlir::TypedAttr value);
  Node *indexValue(mlir::Type type, SymbolicExpr index);
  Node *bound(mlir::Type type);
  /// Returns element `index` of memory `number`; memories are block arguments, then
  /// scratch.
  Node *load(mlir::Type storage, unsigned number, SymbolicExpr index);

  /// Returns the variable for a node's value, used as an index into a dim of `extent`.
  mlir::StringAttr dataVariable(Node *index, const SymbolicExpr &extent);
  /// Returns the node of a data variable. The variable is the node's value, counted from
  /// the end if negative, clamped to [0, extent).
  Node *dataNode(mlir::StringAttr variable) const { return data.lookup(variable); }

  /// Visits every node that `roots` need once, operands first, including the nodes of
  /// data variables.
  void walk(llvm::ArrayRef<Node *> roots, llvm::function_ref<void(Node *)> visit) const;
  /// Replaces a variable in every index. Only while the program is being built.
  void substitute(mlir::StringAttr name, const SymbolicExpr &by);
  /// Copies all nodes that `roots` need, with indices and bounds mapped by `change`. Data
  /// variables refer to the copies afterwards.
  llvm::DenseMap<Node *, Node *>
  copyNodes(llvm::ArrayRef<Node *> roots,
            llvm::function_ref<SymbolicExpr(const SymbolicExpr &)> change);

  IndexVars vars;
  std::string why;

private:
  using Key = std::pair<void *, std::string>;

  void replaceInNodes(mlir::StringAttr name, const SymbolicExpr &by);

  Node *make(Node node);
  /// Returns a Choose node: operand k where bounds[k] <= index < bounds[k + 1]. Null if
  /// an operand is null.
  Node *choose(SymbolicExpr index, llvm::ArrayRef<SymbolicExpr> bounds,
               llvm::ArrayRef<Node *> operands);
  /// Returns the node that `pullAt` returns for `index - first`, which is in [0, extent)
  /// where the node is selected; that range simplifies the floordivs of reshapes.
  Node *pullInside(const SymbolicExpr &index, const SymbolicExpr &first,
                   const SymbolicExpr &extent,
                   llvm::function_ref<Node *(SymbolicExpr)> pullAt);
  Node *fail(const llvm::Twine &reason);
  /// Returns the op's index maps at these indices.
  llvm::SmallVector<graph::OperandRead, 2> readsOf(graph::IndexingOpInterface op,
                                                   llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullOp(mlir::Operation *op, mlir::Value value,
               llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullLoad(mlir::BlockArgument argument, llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullElementwise(mlir::Operation *op, llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullByte(mlir::Attribute value, mlir::Type graphType);
  Node *pullCast(graph::CastOp op, llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullSplat(mlir::Attribute value, mlir::Type graphType);
  Node *pullDims(graph::DimsOp op, llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullIota(graph::IotaOp op, llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullConcat(graph::ConcatOp op, llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullRope(graph::RopeOp op, llvm::ArrayRef<SymbolicExpr> indices);
  Node *chooseRotated(graph::RopeOp op, llvm::ArrayRef<SymbolicExpr> indices);
  /// Returns the only element of `reads`; if these are an input pair, a cosine and a
  /// sine, returns the rotated element.
  Node *pullRotated(graph::RopeOp op, llvm::SmallVector<graph::OperandRead, 4> reads);
  Node *pullGather(graph::GatherOp op, llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullPack(graph::PackOp op, llvm::ArrayRef<SymbolicExpr> indices);

  std::vector<std::shared_ptr<Node>> nodes;
  std::map<Key, Node *> memo;
  llvm::DenseMap<mlir::StringAttr, Node *> data;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_BODY_H
