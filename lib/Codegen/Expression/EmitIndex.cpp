//===- EmitIndex.cpp - Index arithmetic of body nodes ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;
using AtomKind = SymbolicExpr::AtomKind;

Value NodeEmitter::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// Index expressions are non-negative by construction, so that unsigned division is
/// right.
Value NodeEmitter::atom(const SymbolicExpr::Atom &atom, function_ref<Value(StringAttr)> of) {
  if (atom.kind == AtomKind::Symbol)
    return of(atom.symbol);
  Value lhs = sum(*atom.lhs, of), rhs = sum(*atom.rhs, of);
  if (atom.kind == AtomKind::Max)
    return b.createOrFold<arith::MaxSIOp>(loc, lhs, rhs);
  // An empty dim is never indexed, but loop-invariant parts of indices are computed even
  // if the loop runs no iteration.
  if (auto constant = atom.rhs->getConstant(); constant.value_or(0) == 0)
    rhs = arith::MaxUIOp::create(b, loc, rhs, constantIndex(1));
  if (atom.kind == AtomKind::Mod)
    return b.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
  if (atom.kind == AtomKind::CeilDiv) {
    lhs = b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
    lhs = b.createOrFold<arith::SubIOp>(loc, lhs, constantIndex(1));
  }
  return b.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
}

Value NodeEmitter::sum(const SymbolicExpr &expr, function_ref<Value(StringAttr)> of) {
  Value total;
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    Value product;
    for (const SymbolicExpr::Atom &factor : term.factors) {
      Value value = atom(factor, of);
      product = product ? b.createOrFold<arith::MulIOp>(loc, product, value) : value;
    }
    if (!product)
      product = constantIndex(term.coefficient);
    else if (term.coefficient != 1)
      product = b.createOrFold<arith::MulIOp>(loc, product, constantIndex(term.coefficient));
    total = total ? b.createOrFold<arith::AddIOp>(loc, total, product) : product;
  }
  return total ? total : constantIndex(0);
}

Value NodeEmitter::index(const SymbolicExpr &expr) {
  if (auto constant = expr.getConstant())
    return constantIndex(*constant);
  std::string key = expr.str();
  for (const ScopeData &scope : llvm::reverse(scopes))
    if (Value value = scope.indices.lookup(key))
      return value;
  Value value = sum(expr, [&](StringAttr name) {
    return body.dataNode(name) ? dataValue(name) : lookup(name);
  });
  return scopes.back().indices[key] = value;
}

Value kiln::codegen::wrapIndex(OpBuilder &b, Location loc, Value value, Value extent,
                               Value zero) {
  if (!value.getType().isIndex())
    value = arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
  Value negative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, value, zero);
  Value wrapped = arith::AddIOp::create(b, loc, value, extent);
  return arith::SelectOp::create(b, loc, negative, wrapped, value);
}

/// Adds the extent to a negative index, and clamps the result to [0, extent).
static Value normalizeIndex(OpBuilder &b, Location loc, Value value, Value extent, Value zero,
                            Value last) {
  value = wrapIndex(b, loc, value, extent, zero);
  value = arith::MaxSIOp::create(b, loc, value, zero);
  return arith::MinSIOp::create(b, loc, value, last);
}

Value NodeEmitter::dataValue(StringAttr name) {
  std::string key = name.str();
  for (const ScopeData &scope : llvm::reverse(scopes))
    if (Value value = scope.indices.lookup(key))
      return value;
  Node *node = body.dataNode(name);
  Value extent = index(body.vars.extentOf(name)), zero = constantIndex(0);
  Value last = b.createOrFold<arith::SubIOp>(loc, extent, constantIndex(1));
  Value result;
  if (!varies(node)) {
    result = normalizeIndex(b, loc, scalar(node), extent, zero, last);
  } else {
    auto map = tile::MapOp::create(
        b, loc, TypeRange{fragType(b.getIndexType())}, ValueRange{fragment(node)},
        [&](OpBuilder &b, Location loc, ValueRange arguments) -> SmallVector<Value> {
          return {normalizeIndex(b, loc, arguments[0], extent, zero, last)};
        });
    result = map.getResult(0);
  }
  return scopes.back().indices[key] = result;
}

Value NodeEmitter::laneIndex(const SymbolicExpr &expr) {
  std::string key = "lanes of " + expr.str();
  for (const ScopeData &scope : llvm::reverse(scopes))
    if (Value value = scope.indices.lookup(key))
      return value;
  // Operands of the map must be emitted before it.
  SymbolicExpr fixed, varying;
  for (const SymbolicExpr::Term &term : expr.getTerms()) {
    SymbolicExpr single = SymbolicExpr::fromTerm(term);
    (varies(single) ? varying : fixed) += single;
  }
  Value base = index(fixed);
  llvm::SmallDenseMap<StringAttr, Value> known;
  SmallVector<Value> inputs;
  for (StringAttr name : varying.getSymbols()) {
    Value value;
    if (isLane(name))
      value = tile::IotaOp::create(b, loc, fragType(b.getIndexType()),
                                   name == laneVar ? constantIndex(0) : lanes.first,
                                   b.getI64IntegerAttr(0));
    else
      value = body.dataNode(name) ? dataValue(name) : lookup(name);
    known[name] = value;
    if (isa<tile::FragType>(value.getType()))
      inputs.push_back(value);
  }
  auto map = tile::MapOp::create(
      b, loc, TypeRange{fragType(b.getIndexType())}, inputs,
      [&](OpBuilder &, Location, ValueRange arguments) -> SmallVector<Value> {
        Value value = sum(varying, [&](StringAttr name) -> Value {
          auto position = llvm::find(inputs, known[name]);
          return position == inputs.end() ? known[name] : arguments[position - inputs.begin()];
        });
        return {b.createOrFold<arith::AddIOp>(loc, value, base)};
      });
  return scopes.back().indices[key] = map.getResult(0);
}
