//===- NodeEmitter.h - Tile IR for body nodes -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits tile IR that computes nodes for `lanes` consecutive positions of the vector loop
// at once. Values are cached per scope, so that a loop-invariant value is emitted before
// the loop. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_NODEEMITTER_H
#define KILN_CODEGEN_EXPRESSION_NODEEMITTER_H

#include "Program.h"
#include "dialects/Tile/Tile.h"

namespace kiln::codegen {

/// Converts a value to index and adds `extent` if it is negative. The result may be out
/// of range.
mlir::Value wrapIndex(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                      mlir::Value extent, mlir::Value zero);

class NodeEmitter {
public:
  NodeEmitter(mlir::OpBuilder &builder, mlir::Location loc, const Body &body)
      : b(builder), loc(loc), body(body) {
    scopes.emplace_back();
  }

  /// Memories: block arguments of the graph.kernel in order, then scratch.
  struct Memory {
    mlir::Value buffer;
    SymbolicExpr elements;
    /// True for scratch: a strided access costs no more than a contiguous one, and there
    /// is room for every lane.
    bool isScratch = false;
  };
  std::vector<Memory> memories;

  /// True if the target loads elements a small stride apart in one access, as hosts do.
  bool hasStrides = false;

  /// The current fragment: its first position, and the number of its lanes that are
  /// positions of the loop (null: all).
  struct Lanes {
    mlir::StringAttr var;
    mlir::Value first;
    int64_t count = 1;
    mlir::Value valid;
    /// Number of rows if fragments have rank 2, else 0. Rows may differ in bound nodes
    /// only (see hasUniformRows()).
    int64_t rows = 0;
  };
  void setLanes(Lanes newLanes) { lanes = std::move(newLanes); }
  const Lanes &getLanes() const { return lanes; }
  /// Variable that counts the lanes of a fragment from 0.
  mlir::StringAttr laneVar;

  /// RAII scope: values cached inside it are dropped at its end.
  class Scope {
  public:
    explicit Scope(NodeEmitter &emitter) : emitter(emitter) {
      emitter.scopes.emplace_back();
    }
    ~Scope() { emitter.scopes.pop_back(); }
    Scope(const Scope &) = delete;

  private:
    NodeEmitter &emitter;
  };

  /// Binds a symbol or loop variable to a value in this scope.
  void bind(mlir::StringAttr name, mlir::Value value);
  /// Binds a node to a value, scalar or fragment, in this scope.
  void bind(Node *node, mlir::Value value) {
    scopes.back().values[resolve(node)] = value;
  }
  /// Makes uses of `node` read `by` instead.
  void redirect(Node *node, Node *by) { redirections[node] = by; }
  void clearRedirections() { redirections.clear(); }

  /// Returns the value of an index that is the same for all lanes.
  mlir::Value index(const SymbolicExpr &expr);
  mlir::Value constantIndex(int64_t value);

  /// Returns the nodes as fragments of `lanes.count` elements of their compute types.
  llvm::SmallVector<mlir::Value> fragments(llvm::ArrayRef<Node *> nodes);
  mlir::Value fragment(Node *node) { return fragments(node).front(); }
  /// Returns a node that is the same for all lanes as a scalar.
  mlir::Value scalar(Node *node);
  /// Emits what the nodes need and does not depend on loops still to be opened: invariant
  /// loads, and the invariant parts of addresses.
  void hoist(llvm::ArrayRef<Node *> nodes);

  /// Stores a fragment to `address` of a memory, which must be linear in the lane.
  void store(mlir::Value fragment, const Memory &memory, const SymbolicExpr &address);
  /// Converts a fragment to another element type, rounding if that is narrower.
  mlir::Value convert(mlir::Value fragment, mlir::Type element);
  /// Replaces every lane past the valid ones by `neutral`.
  mlir::Value maskWith(mlir::Value fragment, mlir::TypedAttr neutral);

private:
  struct ScopeData {
    llvm::DenseMap<Node *, mlir::Value> values;
    llvm::StringMap<mlir::Value> indices;
    llvm::DenseMap<mlir::StringAttr, mlir::Value> bindings;
  };
  friend class MapBuilder;

  Node *resolve(Node *node) const;
  mlir::Value lookup(Node *node) const;
  mlir::Value lookup(mlir::StringAttr name) const;
  bool isLane(mlir::StringAttr name) const {
    return name == lanes.var || name == laneVar;
  }
  /// Returns true if the value differs between lanes.
  bool varies(const SymbolicExpr &expr);
  bool varies(Node *node);
  /// Returns true if all values that the expression needs are bound.
  bool isKnown(const SymbolicExpr &expr);
  bool isKnown(Node *node);

  /// Emits a node other than Compute and Constant as a scalar or a fragment.
  mlir::Value leaf(Node *node);
  mlir::Value load(Node *node);
  mlir::Value loadScalar(Node *node);
  /// Loads elements `step` apart, where `name` is the variable that counts the lanes.
  mlir::Value loadLine(Node *node, mlir::StringAttr name, const SymbolicExpr &step);
  mlir::Value loadSelected(Node *node, mlir::Value offset, int64_t step);
  mlir::Value loadGather(Node *node);
  mlir::Value round(Node *node);
  mlir::Value choose(Node *node);
  mlir::Value chooseUniform(Node *node, mlir::Value position, size_t first);
  mlir::Value chooseWhole(Node *node, mlir::Value from, mlir::Value to, size_t first);
  mlir::Value chooseMixed(Node *node);
  mlir::Value branch(mlir::Value condition, llvm::function_ref<mlir::Value()> onTrue,
                     llvm::function_ref<mlir::Value()> onFalse);

  /// Returns an index with one value per lane.
  mlir::Value laneIndex(const SymbolicExpr &expr);
  bool guardsAreLines();
  std::pair<mlir::Value, mlir::Value> guardedLanes();
  /// Returns an index with one value per lane, which is -1 (outside of any memory) where
  /// a guard fails.
  mlir::Value guardedIndex(const SymbolicExpr &expr);
  /// Returns the clamped value of a data variable, a scalar or a fragment of index.
  mlir::Value dataValue(mlir::StringAttr name);
  mlir::Value sum(const SymbolicExpr &expr,
                  llvm::function_ref<mlir::Value(mlir::StringAttr)> of);
  mlir::Value atom(const SymbolicExpr::Atom &atom,
                   llvm::function_ref<mlir::Value(mlir::StringAttr)> of);

  /// Returns a view of `lanes.count` elements of `memory` from `offset` on, `step` apart.
  mlir::Value viewLanes(const Memory &memory, mlir::Value offset,
                        mlir::OpFoldResult step);
  /// Returns true if accesses to a memory mask the lanes past the valid ones. Scratch has
  /// room for these.
  bool hasMask(const Memory &memory) const { return lanes.valid && !memory.isScratch; }
  mlir::Value fill(mlir::Value scalar);
  mlir::Value zero(mlir::Type type);
  tile::FragType fragType(mlir::Type element) const {
    llvm::SmallVector<int64_t> shape{lanes.count};
    if (lanes.rows > 0)
      shape.insert(shape.begin(), lanes.rows);
    return tile::FragType::get(element.getContext(), shape, element);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  const Body &body;
  Lanes lanes;
  /// Restricts reads to lanes where `index` is in [low, high). Null: unbounded.
  struct Guard {
    SymbolicExpr index;
    mlir::Value low, high;
  };
  /// Active guards. Lanes that fail a guard may have an arbitrary index, so every access
  /// is checked.
  std::vector<Guard> guards;
  llvm::SmallVector<ScopeData> scopes;
  llvm::DenseMap<Node *, Node *> redirections;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_NODEEMITTER_H
