//===- NodeEmitter.cpp - Tile IR for body nodes ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes, analysis of which nodes differ between lanes, and tile.map ops. Memory accesses
// are in EmitAccess.cpp, index arithmetic in EmitIndex.cpp.
//
//===----------------------------------------------------------------------===//

#include "NodeEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

Node *NodeEmitter::resolve(Node *node) const {
  auto it = redirections.find(node);
  return it == redirections.end() ? node : it->second;
}

Value NodeEmitter::lookup(Node *node) const {
  for (const ScopeData &scope : llvm::reverse(scopes))
    if (Value value = scope.values.lookup(node))
      return value;
  return {};
}

Value NodeEmitter::lookup(StringAttr name) const {
  for (const ScopeData &scope : llvm::reverse(scopes))
    if (Value value = scope.bindings.lookup(name))
      return value;
  return {};
}

void NodeEmitter::bind(StringAttr name, Value value) { scopes.back().bindings[name] = value; }

//===----------------------------------------------------------------------===//
// Lane-varying and bound nodes
//===----------------------------------------------------------------------===//

bool NodeEmitter::varies(const SymbolicExpr &expr) {
  return llvm::any_of(expr.getSymbols(), [&](StringAttr name) {
    Node *source = body.dataNode(name);
    return isLane(name) || (source && varies(source));
  });
}

/// Returns true if `stop` is true for `node` or any node that it is computed from.
static bool anyOf(Node *node, llvm::DenseSet<Node *> &seen,
                  llvm::function_ref<Node *(Node *)> resolve,
                  llvm::function_ref<bool(Node *)> stop) {
  node = resolve(node);
  if (!seen.insert(node).second)
    return false;
  return stop(node) || llvm::any_of(node->operands, [&](Node *operand) {
           return anyOf(operand, seen, resolve, stop);
         });
}

bool NodeEmitter::varies(Node *node) {
  llvm::DenseSet<Node *> seen;
  return anyOf(
      node, seen, [&](Node *n) { return resolve(n); },
      [&](Node *n) {
        Value value = lookup(n);
        return (value && isa<tile::FragType>(value.getType())) || varies(n->index);
      });
}

bool NodeEmitter::isKnown(const SymbolicExpr &expr) {
  return llvm::all_of(expr.getSymbols(), [&](StringAttr name) {
    Node *source = body.dataNode(name);
    return source ? isKnown(source) : static_cast<bool>(lookup(name));
  });
}

bool NodeEmitter::isKnown(Node *node) {
  llvm::DenseSet<Node *> seen;
  return !anyOf(
      node, seen, [&](Node *n) { return resolve(n); },
      [&](Node *n) {
        if (lookup(n))
          return false;
        return n->kind == Node::Kind::Bound || n->kind == Node::Kind::Choose ||
               !isKnown(n->index);
      });
}

void NodeEmitter::hoist(ArrayRef<Node *> nodes) {
  llvm::DenseSet<Node *> seen;
  auto visit = [&](auto &self, Node *node) -> void {
    node = resolve(node);
    if (!seen.insert(node).second || lookup(node))
      return;
    for (StringAttr name : node->index.getSymbols())
      if (Node *source = body.dataNode(name))
        self(self, source);
    // A select reads only one of its operands, so none of them is hoisted.
    if (node->kind == Node::Kind::Choose)
      return;
    for (Node *operand : node->operands)
      self(self, operand);
    if (node->kind != Node::Kind::Load)
      return;
    if (!varies(node)) {
      if (isKnown(node))
        leaf(node);
      return;
    }
    SymbolicExpr fixed = node->index;
    for (StringAttr name : {lanes.var, laneVar})
      if (name)
        fixed = replace(fixed, name, SymbolicExpr(0));
    if (!varies(fixed) && isKnown(fixed))
      index(fixed);
  };
  for (Node *node : nodes)
    visit(visit, node);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Returns start + step * index in the node's type. Exact if all three are integers.
static Value indexToNumber(OpBuilder &b, Location loc, const Node &node, Value index) {
  Type i64 = b.getI64Type(), type = node.type;
  Value value = arith::IndexCastOp::create(b, loc, i64, index);
  double start = node.start, step = node.step;
  bool integral = std::trunc(start) == start && std::trunc(step) == step;
  auto i64Constant = [&](double number) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(int64_t(number)));
  };
  if (integral) {
    if (step != 1.0)
      value = arith::MulIOp::create(b, loc, value, i64Constant(step));
    if (start != 0.0)
      value = arith::AddIOp::create(b, loc, value, i64Constant(start));
  }
  if (integral && type.isInteger())
    return type == i64 ? value : arith::TruncIOp::create(b, loc, type, value);
  if (integral)
    return arith::SIToFPOp::create(b, loc, type, value);
  Type f64 = b.getF64Type();
  auto f64Constant = [&](double number) {
    return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(number));
  };
  value = arith::SIToFPOp::create(b, loc, f64, value);
  value = arith::MulFOp::create(b, loc, value, f64Constant(step));
  value = arith::AddFOp::create(b, loc, value, f64Constant(start));
  if (type.isInteger())
    return arith::FPToSIOp::create(b, loc, type, value);
  return type == f64 ? value : arith::TruncFOp::create(b, loc, type, value);
}

namespace kiln::codegen {

/// Builds one tile.map for nodes and the nodes that they are computed from.
class MapBuilder {
public:
  MapBuilder(NodeEmitter &emitter, ArrayRef<Node *> roots) : emitter(emitter), roots(roots) {
    for (Node *root : roots)
      collect(root);
  }
  tile::MapOp build();

private:
  /// Finds or emits the inputs of the map.
  void collect(Node *node);
  void addInput(Node *node, Value value);
  Value emit(OpBuilder &b, Location loc, Node *node, ValueRange arguments);

  NodeEmitter &emitter;
  ArrayRef<Node *> roots;
  llvm::MapVector<Node *, Value> leaves;
  llvm::SetVector<Value> inputs;
  llvm::DenseSet<Node *> seen;
  llvm::DenseMap<Node *, Value> emitted;
};

} // namespace kiln::codegen

void MapBuilder::addInput(Node *node, Value value) {
  leaves[node] = value;
  if (isa<tile::FragType>(value.getType()))
    inputs.insert(value);
}

void MapBuilder::collect(Node *node) {
  node = emitter.resolve(node);
  if (!seen.insert(node).second)
    return;
  if (Value value = emitter.lookup(node))
    return addInput(node, value);
  switch (node->kind) {
  case Node::Kind::Constant:
    return;
  case Node::Kind::Compute:
    for (Node *operand : node->operands)
      collect(operand);
    return;
  case Node::Kind::Index:
    return addInput(node, emitter.varies(node->index) ? emitter.laneIndex(node->index)
                                                      : emitter.index(node->index));
  default:
    return addInput(node, emitter.leaf(node));
  }
}

Value MapBuilder::emit(OpBuilder &b, Location loc, Node *node, ValueRange arguments) {
  node = emitter.resolve(node);
  if (Value value = emitted.lookup(node))
    return value;
  Value result;
  auto it = leaves.find(node);
  if (it != leaves.end()) {
    auto position = llvm::find(inputs, it->second);
    result = position == inputs.end() ? it->second : arguments[position - inputs.begin()];
    // Converts an Index node, unless an earlier map did.
    if (node->kind == Node::Kind::Index && result.getType().isIndex())
      result = indexToNumber(b, loc, *node, result);
  } else if (node->kind == Node::Kind::Constant) {
    result = arith::ConstantOp::create(b, loc, node->constant);
  } else {
    SmallVector<Value> operands;
    for (Node *operand : node->operands)
      operands.push_back(emit(b, loc, operand, arguments));
    result = node->body(b, loc, operands);
  }
  return emitted[node] = result;
}

tile::MapOp MapBuilder::build() {
  SmallVector<Type> types;
  for (Node *root : roots)
    types.push_back(emitter.fragType(root->type));
  return tile::MapOp::create(emitter.b, emitter.loc, types, inputs.getArrayRef(),
                             [&](OpBuilder &b, Location loc, ValueRange arguments) {
                               return llvm::map_to_vector(roots, [&](Node *root) {
                                 return emit(b, loc, root, arguments);
                               });
                             });
}

SmallVector<Value> NodeEmitter::fragments(ArrayRef<Node *> nodes) {
  SmallVector<Node *> roots;
  for (Node *node : nodes) {
    node = resolve(node);
    bool mapped = node->kind == Node::Kind::Compute || node->kind == Node::Kind::Index;
    if (mapped && !lookup(node) && !llvm::is_contained(roots, node))
      roots.push_back(node);
  }
  if (!roots.empty()) {
    tile::MapOp map = MapBuilder(*this, roots).build();
    for (auto [root, result] : llvm::zip(roots, map.getResults()))
      bind(root, result);
  }
  return llvm::map_to_vector(nodes, [&](Node *node) -> Value {
    node = resolve(node);
    Value value = lookup(node);
    if (!value && node->kind == Node::Kind::Constant)
      value = arith::ConstantOp::create(b, loc, node->constant);
    else if (!value)
      value = leaf(node);
    return isa<tile::FragType>(value.getType()) ? value : fill(value);
  });
}

Value NodeEmitter::scalar(Node *node) {
  node = resolve(node);
  if (Value value = lookup(node))
    return value;
  if (node->kind == Node::Kind::Constant)
    return arith::ConstantOp::create(b, loc, node->constant);
  if (node->kind == Node::Kind::Load)
    return leaf(node);
  if (node->kind == Node::Kind::Index)
    return indexToNumber(b, loc, *node, index(node->index));
  // Scalar code is emitted as code for fragments of one element.
  Lanes saved = lanes;
  lanes = Lanes();
  Value single;
  {
    Scope scope(*this);
    single = fragment(node);
  }
  lanes = saved;
  return tile::ExtractOp::create(b, loc, node->type, single, b.getDenseI64ArrayAttr({0}));
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value NodeEmitter::fill(Value scalar) {
  return tile::FillOp::create(b, loc, fragType(scalar.getType()), scalar);
}

Value NodeEmitter::zero(Type type) {
  return arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(type)));
}

Value NodeEmitter::convert(Value fragment, Type element) {
  auto type = cast<tile::FragType>(fragment.getType());
  if (type.getElementType() == element)
    return fragment;
  return tile::ConvertOp::create(b, loc, type.cloneWith(element), fragment);
}

Value NodeEmitter::maskWith(Value fragment, TypedAttr neutral) {
  if (!lanes.valid)
    return fragment;
  Value otherwise = arith::ConstantOp::create(b, loc, neutral);
  return tile::SelectRangeOp::create(b, loc, fragment.getType(), fragment, constantIndex(0),
                                     lanes.valid, otherwise, b.getI64IntegerAttr(0));
}
