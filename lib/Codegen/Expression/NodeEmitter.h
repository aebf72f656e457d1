//===- NodeEmitter.h - Tile IR for body nodes -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the tile IR that computes nodes for `lanes` neighbouring positions of
// the vector loop at once. Values are remembered per scope, so that what does
// not change in a loop is emitted in front of it. Internal to
// lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_NODEEMITTER_H
#define KILN_CODEGEN_EXPRESSION_NODEEMITTER_H

#include "Program.h"
#include "dialects/Tile/Tile.h"

namespace kiln::codegen {

/// An index from the end where it is negative, as an index; it may be out of range.
mlir::Value wrapIndex(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                      mlir::Value extent, mlir::Value zero);

class NodeEmitter {
public:
  NodeEmitter(mlir::OpBuilder &builder, mlir::Location loc, const Body &body)
      : b(builder), loc(loc), body(body) {
    scopes.emplace_back();
  }

  /// Memory: block arguments of the graph.kernel first, in order.
  struct Memory {
    mlir::Value buffer;
    SymbolicExpr elements;
    /// Elements that lie apart cost no more than neighbours do, and there is one for
    /// every lane.
    bool isScratch = false;
  };
  std::vector<Memory> memories;

  /// Lanes that read elements a few apart are one access, as on a host.
  bool hasStrides = false;

  /// The fragment at hand: its first position and how many of its lanes are
  /// positions of the loop (null: all).
  struct Lanes {
    mlir::StringAttr var;
    mlir::Value first;
    int64_t count = 1;
    mlir::Value valid;
    /// Fragments are of rank 2, of so many rows that differ in bound nodes alone; 0: of
    /// rank 1. (Nodes that hasUniformRows() is true of.)
    int64_t rows = 0;
  };
  void setLanes(Lanes newLanes) { lanes = std::move(newLanes); }
  const Lanes &getLanes() const { return lanes; }
  /// A variable that counts the lanes of a fragment from 0.
  mlir::StringAttr laneVar;

  /// Values made inside a scope are forgotten at its end.
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

  /// Gives a symbol or loop variable its value, in this scope.
  void bind(mlir::StringAttr name, mlir::Value value);
  /// Gives a node its value, in this scope: a scalar or a fragment.
  void bind(Node *node, mlir::Value value) {
    scopes.back().values[resolve(node)] = value;
  }
  /// From here on, `node` is read from another node.
  void redirect(Node *node, Node *by) { redirections[node] = by; }
  void clearRedirections() { redirections.clear(); }

  /// The value of an index that does not differ between lanes.
  mlir::Value index(const SymbolicExpr &expr);
  mlir::Value constantIndex(int64_t value);

  /// The nodes as fragments of `lanes.count` elements of their compute types.
  llvm::SmallVector<mlir::Value> fragments(llvm::ArrayRef<Node *> nodes);
  mlir::Value fragment(Node *node) { return fragments(node).front(); }
  /// A node that does not differ between lanes, as a scalar.
  mlir::Value scalar(Node *node);
  /// Emits what the nodes need and what is known here already: loads that the
  /// loops to come do not change, and the fixed parts of addresses.
  void hoist(llvm::ArrayRef<Node *> nodes);

  /// Writes a fragment to `address` of a memory, which is linear in the lane.
  void store(mlir::Value fragment, const Memory &memory, const SymbolicExpr &address);
  /// The fragment in another element type, rounded if that is narrower.
  mlir::Value convert(mlir::Value fragment, mlir::Type element);
  /// Every lane past the valid ones replaced by `neutral`.
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
  /// Differs between lanes.
  bool varies(const SymbolicExpr &expr);
  bool varies(Node *node);
  /// All that the expression needs is known here.
  bool isKnown(const SymbolicExpr &expr);
  bool isKnown(Node *node);

  /// Anything but Compute and Constant: a scalar or a fragment.
  mlir::Value leaf(Node *node);
  mlir::Value load(Node *node);
  mlir::Value loadScalar(Node *node);
  /// Lanes read elements that lie `step` apart, as `name` counts them.
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

  /// An index with one value per lane.
  mlir::Value laneIndex(const SymbolicExpr &expr);
  bool guardsAreLines();
  std::pair<mlir::Value, mlir::Value> guardedLanes();
  /// An index with one value per lane where all guards hold, outside of any memory
  /// elsewhere.
  mlir::Value guardedIndex(const SymbolicExpr &expr);
  /// The clamped value of a data variable: a scalar or a fragment of index.
  mlir::Value dataValue(mlir::StringAttr name);
  mlir::Value sum(const SymbolicExpr &expr,
                  llvm::function_ref<mlir::Value(mlir::StringAttr)> of);
  mlir::Value atom(const SymbolicExpr::Atom &atom,
                   llvm::function_ref<mlir::Value(mlir::StringAttr)> of);

  /// `lanes.count` elements of `memory` from an element on, `step` apart.
  mlir::Value viewLanes(const Memory &memory, mlir::Value offset,
                        mlir::OpFoldResult step);
  /// Whether accesses to a memory mask the lanes past the valid ones; scratch has room
  /// for them.
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
  /// Lanes that read: those where an index is in [low, high). A null bound is none.
  struct Guard {
    SymbolicExpr index;
    mlir::Value low, high;
  };
  /// Indices of other lanes may point anywhere: with guards, every access is checked.
  std::vector<Guard> guards;
  llvm::SmallVector<ScopeData> scopes;
  llvm::DenseMap<Node *, Node *> redirections;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_NODEEMITTER_H
