//===- TensorOperand.cpp - Operands that TMA can copy ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorOperand.h"
#include "Expression/NodeEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Maximum rank of a tensor map.
static constexpr size_t kMostDims = 5;
/// Alignment of origins and strides, 16 bytes, in elements of two bytes.
static constexpr int64_t kMapUnit = 8;

static bool isMultiple(const SymbolicExpr &expr, int64_t of) {
  return llvm::all_of(expr.getTerms(), [&](const SymbolicExpr::Term &term) {
    return term.coefficient % of == 0;
  });
}

/// Returns true if the expression is positive whenever all its symbols are.
static bool isPositive(const SymbolicExpr &expr) {
  return !expr.getTerms().empty() &&
         llvm::all_of(expr.getTerms(), [](const SymbolicExpr::Term &term) {
           return term.coefficient > 0;
         });
}

bool TensorOperand::isDescribable() const {
  const Dim &along = isContiguousAlongFirst ? first : second;
  const Dim &across = isContiguousAlongFirst ? second : first;
  auto isStride = [](const Dim &dim) {
    return isPositive(dim.stride) && isMultiple(dim.stride, kMapUnit) &&
           llvm::none_of(dim.stride.getSymbols(), isVariable);
  };
  return along.stride.isConstant(1) && isStride(across) &&
         llvm::all_of(leading, isStride) && isMultiple(offset, kMapUnit) &&
         leading.size() + 2 <= kMostDims;
}

Value TensorOperand::open(OpBuilder &b, Location loc, NodeEmitter &emitter,
                          Value buffer) const {
  SmallVector<OpFoldResult> sizes, strides;
  auto add = [&](const Dim &dim) {
    for (auto [expr, into] : {std::pair(&dim.extent, &sizes), {&dim.stride, &strides}}) {
      if (std::optional<int64_t> constant = expr->getConstant())
        into->push_back(b.getIndexAttr(*constant));
      else
        into->push_back(emitter.index(*expr));
    }
  };
  llvm::for_each(leading, add);
  add(first);
  add(second);
  return tile::ViewOp::create(b, loc, buffer, emitter.index(offset), sizes, strides);
}

SmallVector<Value> TensorOperand::indices(OpBuilder &b, Location loc,
                                          NodeEmitter &emitter, Value firstAt,
                                          Value secondAt) const {
  SmallVector<Value> indices;
  for (const Dim &dim : leading)
    indices.push_back(emitter.index(dim.coordinate));
  for (auto [dim, at] : {std::pair(&first, firstAt), {&second, secondAt}})
    indices.push_back(
        b.createOrFold<arith::AddIOp>(loc, emitter.index(dim->coordinate), at));
  return indices;
}

bool kiln::codegen::hasUniformRows(const Body &body, Node *node, StringAttr row,
                                   StringAttr lane) {
  bool isUniform = true;
  body.walk(node, [&](Node *n) {
    auto isData = [&](StringAttr name) { return body.dataNode(name) != nullptr; };
    switch (n->kind) {
    case Node::Kind::Load: {
      auto step = coefficientOf(n->index, lane);
      isUniform &= !mentions(n->index, row) && step &&
                   (step->isConstant(0) || step->isConstant(1)) &&
                   llvm::none_of(n->index.getSymbols(), isData);
      break;
    }
    case Node::Kind::Choose:
    case Node::Kind::Index:
      isUniform = false;
      break;
    default:
      break;
    }
  });
  return isUniform;
}
