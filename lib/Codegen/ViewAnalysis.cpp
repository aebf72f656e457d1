//===- ViewAnalysis.cpp - Addresses of operands behind view ops -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ViewAnalysis.h"
#include "dialects/Graph/Indexing.h"

using namespace kiln::codegen;
using namespace kiln::graph;
using namespace mlir;

Node *kiln::codegen::pullOperand(Body &body, Value value, ArrayRef<SymbolicExpr> indices,
                                 StringRef role) {
  Node *node = body.pull(value, indices);
  if (!node || node->kind == Node::Kind::Load)
    return node;
  body.why = ("the " + role + " operand is computed in the kernel").str();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Forwarding to results
//===----------------------------------------------------------------------===//

namespace {
/// Follows one element from a value to a result through the kernel's body.
class Forward {
public:
  Forward(Body &body, Value from, ArrayRef<SymbolicExpr> indices, std::string &why)
      : body(body), from(from), indices(indices), why(why) {}
  std::optional<Indices> at(Value value);

private:
  std::optional<Indices> fail(Operation *op) {
    if (why.empty())
      why = ("'" + op->getName().getStringRef() +
             "' after the contraction does not keep each of its elements")
                .str();
    return std::nullopt;
  }

  Body &body;
  Value from;
  ArrayRef<SymbolicExpr> indices;
  std::string &why;
};
} // namespace

static bool dependsOn(Value value, Value source) {
  if (value == source)
    return true;
  Operation *op = value.getDefiningOp();
  return op && llvm::any_of(op->getOperands(),
                            [&](Value operand) { return dependsOn(operand, source); });
}

std::optional<Indices> Forward::at(Value value) {
  if (value == from)
    return Indices(indices);
  Operation *op = value.getDefiningOp();
  if (op)
    for (OpOperand &operand : op->getOpOperands())
      if (dependsOn(operand.get(), from)) {
        std::optional<Indices> index = at(operand.get());
        if (index && !(index = movedTo(operand, *index, body.vars)))
          return fail(op);
        return index;
      }
  if (why.empty())
    why = "a result of the kernel does not depend on the contraction";
  return std::nullopt;
}

std::optional<Indices> kiln::codegen::forwardIndices(Body &body, Value from,
                                                     ArrayRef<SymbolicExpr> indices, Value to,
                                                     std::string &why) {
  return Forward(body, from, indices, why).at(to);
}
