//===- Body.h - A kernel's body as a graph of elements ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One element of a kernel's result, as an expression of elements of its
// operands: pulled from the result towards the block arguments, with views,
// broadcasts and gathers turned into index expressions on the way. It knows
// nothing of loops, vectors or tile IR, so both "can it be emitted" and the
// analysis of the iteration space work on it. Internal to lib/Codegen.
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

/// Scalar code of a Compute node, from the elements of its operands.
using ScalarBody =
    std::function<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// One element. Floats narrower than f32 are computed in f32 and converted
/// where they are loaded, stored, or rounded.
struct Node {
  enum class Kind {
    Load,     ///< element `index` of block argument `argument`
    Constant, ///< `constant`
    Index,    ///< start + step * index, in `type`
    Compute,  ///< `body` of the operands
    Round,    ///< the operand, rounded to `storage`
    Choose,   ///< operand k where bounds[k] <= index < bounds[k + 1]
    Bound, ///< a value the emitter binds: an accumulator, a statistic, a row op's result
  };
  Kind kind = Kind::Constant;
  mlir::Type type;                        ///< as computed
  mlir::Type storage;                     ///< Load, Round: in memory
  llvm::SmallVector<Node *> operands;     ///< Compute, Round, Choose
  unsigned argument = 0;                  ///< Load
  SymbolicExpr index;                     ///< Load, Index, Choose
  llvm::SmallVector<SymbolicExpr> bounds; ///< Choose: ascending, the first is 0
  mlir::TypedAttr constant;               ///< Constant
  double start = 0.0, step = 1.0;         ///< Index
  bool isUnsigned = false;                ///< Index: the graph's type is unsigned
  ScalarBody body;                        ///< Compute
  int cost = 0;                           ///< Compute: rough instructions per element
  bool isProduct = false;                 ///< Compute: of two floats, not rounded
};

/// The type an element is computed in.
mlir::Type computeType(mlir::Type graphType);
/// The signless type an element has in memory.
mlir::Type storageType(mlir::Type graphType);

/// The nodes of one kernel. Nobody changes a node once its program is built, so copies
/// have the nodes of the original in common, and variables and further nodes of their
/// own.
class Body {
public:
  explicit Body(mlir::Block &block) : vars(block.getParentOp()->getContext()) {}

  /// The element of `value` at `indices`; null, with `why` set, if an op stands
  /// in the way that has no scalar form.
  Node *pull(mlir::Value value, llvm::ArrayRef<SymbolicExpr> indices);

  /// From here on, `value` at exactly `indices` is `node`.
  void define(mlir::Value value, llvm::ArrayRef<SymbolicExpr> indices, Node *node);

  Node *compute(mlir::Type type, llvm::ArrayRef<Node *> operands, ScalarBody body,
                int cost);
  Node *constant(mlir::TypedAttr value);
  Node *indexValue(mlir::Type type, SymbolicExpr index);
  Node *bound(mlir::Type type);
  /// Element `index` of memory `number`: block arguments first, then scratch.
  Node *load(mlir::Type storage, unsigned number, SymbolicExpr index);

  /// The variable whose value is the node's; extent: of the dim that it is an index into.
  mlir::StringAttr dataVariable(Node *index, const SymbolicExpr &extent);
  /// The node and the dim behind a data variable: its value is the node's,
  /// counted from the end if negative, clamped to [0, extent).
  Node *dataNode(mlir::StringAttr variable) const { return data.lookup(variable); }

  /// Calls `visit` once for every node that `roots` need, operands first, the
  /// nodes behind data variables included.
  void walk(llvm::ArrayRef<Node *> roots, llvm::function_ref<void(Node *)> visit) const;
  /// Replaces a variable in every index, while the program is being built.
  void substitute(mlir::StringAttr name, const SymbolicExpr &by);
  /// Makes a node of its own of each that `roots` need, with indices and bounds that
  /// `change` gives. Data variables stand for the new ones from here on.
  llvm::DenseMap<Node *, Node *>
  copyNodes(llvm::ArrayRef<Node *> roots,
            llvm::function_ref<SymbolicExpr(const SymbolicExpr &)> change);

  IndexVars vars;
  std::string why;

private:
  using Key = std::pair<void *, std::string>;

  void replaceInNodes(mlir::StringAttr name, const SymbolicExpr &by);

  Node *make(Node node);
  /// Operand k where bounds[k] <= index < bounds[k + 1]; null if one of them is.
  Node *choose(SymbolicExpr index, llvm::ArrayRef<SymbolicExpr> bounds,
               llvm::ArrayRef<Node *> operands);
  /// Node that `pullAt` returns for the place `index - first`, which is in [0, extent)
  /// where the node is chosen: quotients below a reshape are simpler by that.
  Node *pullInside(const SymbolicExpr &index, const SymbolicExpr &first,
                   const SymbolicExpr &extent,
                   llvm::function_ref<Node *(SymbolicExpr)> pullAt);
  Node *fail(const llvm::Twine &reason);
  /// The op's index maps at these indices.
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
  /// Element that `reads` reads, rotated if these are of a pair, a cosine and a sine.
  Node *pullRotated(graph::RopeOp op, llvm::SmallVector<graph::OperandRead, 4> reads);
  Node *pullGather(graph::GatherOp op, llvm::ArrayRef<SymbolicExpr> indices);
  Node *pullPack(graph::PackOp op, llvm::ArrayRef<SymbolicExpr> indices);

  std::vector<std::shared_ptr<Node>> nodes;
  std::map<Key, Node *> memo;
  llvm::DenseMap<mlir::StringAttr, Node *> data;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_BODY_H
