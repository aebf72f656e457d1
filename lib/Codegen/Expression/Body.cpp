//===- Body.cpp - A kernel's body as a graph of elements ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Body.h"
#include "Scalar.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln::codegen;
using namespace kiln::graph;
using namespace mlir;

Type kiln::codegen::storageType(Type graphType) {
  if (isNarrow(graphType))
    return IntegerType::get(graphType.getContext(), 8);
  if (auto integer = dyn_cast<IntegerType>(graphType))
    return IntegerType::get(graphType.getContext(), integer.getWidth());
  return graphType;
}

Type kiln::codegen::computeType(Type graphType) {
  if (isNarrow(graphType))
    return storageType(graphType);
  if (isa<FloatType>(graphType) && graphType.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(graphType.getContext());
  return storageType(graphType);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

Node *Body::make(Node node) {
  nodes.push_back(std::make_shared<Node>(std::move(node)));
  return nodes.back().get();
}

Node *Body::fail(const Twine &reason) {
  if (why.empty())
    why = reason.str();
  return nullptr;
}

Node *Body::compute(Type type, ArrayRef<Node *> operands, ScalarBody body, int cost) {
  Node node;
  node.kind = Node::Kind::Compute;
  node.type = type;
  node.operands.assign(operands.begin(), operands.end());
  node.body = std::move(body);
  node.cost = cost;
  return make(std::move(node));
}

Node *Body::constant(TypedAttr value) {
  Node node;
  node.kind = Node::Kind::Constant;
  node.type = value.getType();
  node.constant = value;
  return make(std::move(node));
}

Node *Body::indexValue(Type type, SymbolicExpr index) {
  Node node;
  node.kind = Node::Kind::Index;
  node.type = computeType(type);
  node.isUnsigned = type.isUnsignedInteger();
  node.index = std::move(index);
  return make(std::move(node));
}

Node *Body::bound(Type type) {
  Node node;
  node.kind = Node::Kind::Bound;
  node.type = type;
  return make(std::move(node));
}

Node *Body::load(Type storage, unsigned number, SymbolicExpr index) {
  Node node;
  node.kind = Node::Kind::Load;
  node.storage = storage;
  node.type = computeType(storage);
  node.argument = number;
  node.index = std::move(index);
  return make(std::move(node));
}

Node *Body::choose(SymbolicExpr index, ArrayRef<SymbolicExpr> bounds,
                   ArrayRef<Node *> operands) {
  if (llvm::is_contained(operands, nullptr))
    return nullptr;
  Node node;
  node.kind = Node::Kind::Choose;
  node.type = operands.front()->type;
  node.index = std::move(index);
  node.bounds.assign(bounds.begin(), bounds.end());
  node.operands.assign(operands.begin(), operands.end());
  return make(std::move(node));
}

//===----------------------------------------------------------------------===//
// Traversal
//===----------------------------------------------------------------------===//

void Body::walk(ArrayRef<Node *> roots, function_ref<void(Node *)> visit) const {
  DenseSet<Node *> seen;
  auto recurse = [&](auto &self, Node *node) -> void {
    if (!seen.insert(node).second)
      return;
    for (Node *operand : node->operands)
      self(self, operand);
    for (StringAttr name : node->index.getSymbols())
      if (Node *source = dataNode(name))
        self(self, source);
    visit(node);
  };
  for (Node *root : roots)
    recurse(recurse, root);
}

void Body::substitute(StringAttr name, const SymbolicExpr &by) {
  memo.clear(); // keys are strings of the old indices
  replaceInNodes(name, by);
}

void Body::replaceInNodes(StringAttr name, const SymbolicExpr &by) {
  for (auto &node : nodes)
    node->index = replace(node->index, name, by);
}

DenseMap<Node *, Node *>
Body::copyNodes(ArrayRef<Node *> roots,
                function_ref<SymbolicExpr(const SymbolicExpr &)> change) {
  DenseMap<Node *, Node *> copies;
  walk(roots, [&](Node *node) {
    Node copy = *node;
    for (Node *&operand : copy.operands)
      operand = copies.lookup(operand);
    copy.index = change(copy.index);
    for (SymbolicExpr &bound : copy.bounds)
      bound = change(bound);
    copies[node] = make(std::move(copy));
  });
  for (auto &[name, node] : data)
    if (Node *copy = copies.lookup(node))
      node = copy;
  memo.clear(); // refers to the original nodes
  return copies;
}

//===----------------------------------------------------------------------===//
// Pulling elements through ops
//===----------------------------------------------------------------------===//

static std::string spell(ArrayRef<SymbolicExpr> indices) {
  std::string text;
  for (const SymbolicExpr &index : indices)
    text += index.str() + ", ";
  return text;
}

void Body::define(Value value, ArrayRef<SymbolicExpr> indices, Node *node) {
  memo[{value.getAsOpaquePointer(), spell(indices)}] = node;
}

Node *Body::pull(Value value, ArrayRef<SymbolicExpr> indices) {
  Key key{value.getAsOpaquePointer(), spell(indices)};
  if (auto it = memo.find(key); it != memo.end())
    return it->second;
  Node *node = nullptr;
  if (auto argument = dyn_cast<BlockArgument>(value))
    node = pullLoad(argument, indices);
  else
    node = pullOp(value.getDefiningOp(), value, indices);
  if (node)
    memo[key] = node;
  return node;
}

SmallVector<OperandRead, 2> Body::readsOf(IndexingOpInterface op,
                                          ArrayRef<SymbolicExpr> indices) {
  IndexingMaps maps(vars, indices);
  op.getIndexingMaps(maps);
  return llvm::to_vector<2>(maps.reads());
}

Node *Body::pullInside(const SymbolicExpr &index, const SymbolicExpr &first,
                       const SymbolicExpr &extent,
                       function_ref<Node *(SymbolicExpr)> pullAt) {
  StringAttr own = vars.addLoop(extent);
  Node *node = pullAt(SymbolicExpr::symbol(own));
  replaceInNodes(own, index - first);
  return node;
}

Node *Body::pullOp(Operation *op, Value value, ArrayRef<SymbolicExpr> indices) {
  return llvm::TypeSwitch<Operation *, Node *>(op)
      .Case([&](CastOp cast) { return pullCast(cast, indices); })
      .Case([&](ConstantOp op) {
        if (!op.getValue().isSplat())
          return fail("a constant in the kernel has elements that differ");
        return pullSplat(op.getValue().getSplatValue<Attribute>(), elementTypeOf(value));
      })
      .Case([&](FillOp op) { return pullSplat(op.getValue(), elementTypeOf(value)); })
      .Case([&](DimsOp op) { return pullDims(op, indices); })
      .Case([&](IotaOp op) { return pullIota(op, indices); })
      .Case<ReshapeOp, TransposeOp, BroadcastOp, SliceOp, UnpackOp>([&](auto view) {
        return pull(view.getInput(), readsOf(view, indices).front().at);
      })
      .Case([&](ConcatOp op) { return pullConcat(op, indices); })
      .Case([&](RopeOp op) { return pullRope(op, indices); })
      .Case([&](GatherOp op) { return pullGather(op, indices); })
      .Case([&](PackOp op) { return pullPack(op, indices); })
      .Default([&](Operation *op) {
        if (op->hasTrait<graph::Elementwise>())
          return pullElementwise(op, indices);
        return fail("'" + op->getName().getStringRef() +
                    "' cannot be computed element by element for another op, only as the "
                    "kernel's hero");
      });
}

Node *Body::pullLoad(BlockArgument argument, ArrayRef<SymbolicExpr> indices) {
  return load(storageType(elementTypeOf(argument)), argument.getArgNumber(),
              IndexVars::linearize(indices, getDims(argument)));
}

Node *Body::pullElementwise(Operation *op, ArrayRef<SymbolicExpr> indices) {
  SmallVector<Node *> operands;
  for (const OperandRead &read : readsOf(cast<IndexingOpInterface>(op), indices)) {
    Node *node = pull(op->getOperand(read.operand), read.at);
    if (!node)
      return nullptr;
    operands.push_back(node);
  }
  Type type = computeType(elementTypeOf(op->getResult(0)));
  Node *node = compute(
      type, operands,
      [op](OpBuilder &builder, Location loc, ValueRange values) {
        return scalarOp(builder, loc, op, values);
      },
      scalarCost(op));
  auto binary = dyn_cast<BinaryOp>(op);
  node->isProduct = binary && binary.getKind() == BinaryKind::mul && isa<FloatType>(type);
  return node;
}

/// Pulls a cast. Only a cast to f16 or bf16 rounds to that type; values stay in f32
/// otherwise.
Node *Body::pullCast(CastOp op, ArrayRef<SymbolicExpr> indices) {
  Node *input = pull(op.getInput(), indices);
  if (!input)
    return nullptr;
  Type from = elementTypeOf(op.getInput()), to = elementTypeOf(op.getResult());
  bool isCoded = isNarrow(from) || isNarrow(to);
  if (computeType(from) != computeType(to) || !isa<FloatType>(to) || isCoded)
    input = compute(
        computeType(to), input,
        [from, to, rules = castRulesOf(op)](OpBuilder &builder, Location loc,
                                            ValueRange values) {
          return scalarCast(builder, loc, values[0], from, to, rules);
        },
        /*cost=*/isCoded ? 8 : 2);
  if (computeType(to) == to || from == to || !isa<FloatType>(to) || isNarrow(to))
    return input;
  Node round;
  round.kind = Node::Kind::Round;
  round.type = computeType(to);
  round.storage = to;
  round.operands = {input};
  return make(std::move(round));
}
