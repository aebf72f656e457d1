//===- EmitAccess.cpp - Loads, stores and selects of body nodes -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Value NodeEmitter::leaf(Node *node) {
  Value value;
  switch (node->kind) {
  case Node::Kind::Load:
    value = load(node);
    break;
  case Node::Kind::Round:
    value = round(node);
    break;
  case Node::Kind::Choose:
    value = choose(node);
    break;
  default:
    llvm_unreachable("a bound node without a value, or no leaf");
  }
  bind(node, value);
  return value;
}

Value NodeEmitter::round(Node *node) {
  return convert(convert(fragment(node->operands[0]), node->storage), node->type);
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Value NodeEmitter::viewLanes(const Memory &memory, Value offset, OpFoldResult step) {
  OpFoldResult size = b.getIndexAttr(lanes.count);
  if (hasMask(memory))
    size = lanes.valid;
  if (lanes.rows > 0) // a row stride of 0 repeats one row of memory
    return tile::ViewOp::create(b, loc, memory.buffer, offset,
                                ArrayRef<OpFoldResult>{b.getIndexAttr(lanes.rows), size},
                                ArrayRef<OpFoldResult>{b.getIndexAttr(0), step});
  return tile::ViewOp::create(b, loc, memory.buffer, offset, ArrayRef<OpFoldResult>{size},
                              ArrayRef<OpFoldResult>{step});
}

/// Maximum stride of a strided vector load; beyond it, most of the bytes read are unused.
static constexpr int64_t kMostStride = 8;

Value NodeEmitter::load(Node *node) {
  if (!varies(node->index))
    return loadScalar(node);
  // Lanes read equally spaced elements if the index is linear in one of the lane
  // variables.
  bool isScratch = memories[node->argument].isScratch;
  for (StringAttr name : {lanes.var, laneVar}) {
    if (!name || !mentions(node->index, name))
      continue;
    auto step = coefficientOf(node->index, name);
    auto apart = step ? step->getConstant() : std::nullopt;
    bool isNear = hasStrides && apart && *apart > 0 && *apart <= kMostStride;
    bool isLine = apart && (*apart == 1 || isScratch || isNear) &&
                  !varies(replace(node->index, name, SymbolicExpr(0)));
    if (isLine && guardsAreLines())
      return loadLine(node, name, *step);
  }
  return loadGather(node);
}

Value NodeEmitter::loadScalar(Node *node) {
  const Memory &memory = memories[node->argument];
  Value offset = index(node->index);
  auto read = [&]() -> Value {
    Value view = tile::ViewOp::create(b, loc, memory.buffer, offset,
                                      ArrayRef<OpFoldResult>{b.getIndexAttr(1)},
                                      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
    if (node->storage == node->type)
      return tile::LoadOp::create(b, loc, node->type, view, ValueRange{constantIndex(0)});
    auto single = tile::FragType::get(b.getContext(), {1}, node->storage);
    Value narrow =
        tile::LoadOp::create(b, loc, single, view, ValueRange{constantIndex(0)});
    return tile::ExtractOp::create(b, loc, node->type, convert(narrow, node->type),
                                   b.getDenseI64ArrayAttr({0}));
  };
  if (guards.empty())
    return read();
  Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, offset,
                                       index(memory.elements));
  return branch(inside, read, [&] { return zero(node->type); });
}

Value NodeEmitter::loadLine(Node *node, StringAttr name, const SymbolicExpr &step) {
  Value offset = index(replace(node->index, name, SymbolicExpr(0)));
  if (name == lanes.var) {
    Value first = lanes.first;
    if (!step.isConstant(1))
      first = b.createOrFold<arith::MulIOp>(loc, first, index(step));
    offset = b.createOrFold<arith::AddIOp>(loc, offset, first);
  }
  OpFoldResult apart = b.getIndexAttr(*step.getConstant());
  if (!guards.empty())
    return loadSelected(node, offset, *step.getConstant());
  Value view = viewLanes(memories[node->argument], offset, apart);
  Type type = fragType(node->storage);
  int64_t rank = lanes.rows > 0 ? 2 : 1;
  SmallVector<Value> first(rank, constantIndex(0));
  Value loaded;
  if (hasMask(memories[node->argument]))
    loaded = tile::LoadOp::create(b, loc, type, view, first, zero(node->storage),
                                  ArrayRef<int64_t>{rank - 1});
  else
    loaded = tile::LoadOp::create(b, loc, type, view, first);
  return convert(loaded, node->type);
}

/// Returns the lanes [low, high) that pass all guards; null: unbounded. All guards must
/// grow by one per lane.
std::pair<Value, Value> NodeEmitter::guardedLanes() {
  Value low, high = lanes.valid;
  for (const Guard &guard : guards) {
    Value first = index(replace(guard.index, lanes.var, SymbolicExpr(0)));
    first = b.createOrFold<arith::AddIOp>(loc, first, lanes.first);
    auto laneOf = [&](Value position) {
      return b.createOrFold<arith::SubIOp>(loc, position, first);
    };
    if (guard.low) {
      Value from = laneOf(guard.low);
      low = low ? b.createOrFold<arith::MaxSIOp>(loc, low, from) : from;
    }
    if (guard.high) {
      Value to = laneOf(guard.high);
      high = high ? b.createOrFold<arith::MinSIOp>(loc, high, to) : to;
    }
  }
  return {low, high};
}

/// Loads the lanes [low, high) that pass the guards. The view begins at lane `low` and
/// has only these lanes, so that its alignment is known.
Value NodeEmitter::loadSelected(Node *node, Value offset, int64_t step) {
  auto [low, high] = guardedLanes();
  Value zero = constantIndex(0), position = zero;
  if (!high)
    high = constantIndex(lanes.count);
  if (low) {
    Value before = b.createOrFold<arith::MulIOp>(loc, low, constantIndex(step));
    offset = b.createOrFold<arith::AddIOp>(loc, offset, before);
    high = b.createOrFold<arith::SubIOp>(loc, high, low);
    position = b.createOrFold<arith::SubIOp>(loc, zero, low);
  }
  OpFoldResult size = getAsOpFoldResult(b.createOrFold<arith::MaxSIOp>(loc, high, zero));
  OpFoldResult apart = b.getIndexAttr(step);
  Value view = tile::ViewOp::create(b, loc, memories[node->argument].buffer, offset,
                                    ArrayRef(size), ArrayRef(apart));
  Value loaded = tile::LoadOp::create(b, loc, fragType(node->storage), view,
                                      ValueRange{position}, this->zero(node->storage),
                                      ArrayRef<int64_t>{0}, low != nullptr);
  return convert(loaded, node->type);
}

bool NodeEmitter::guardsAreLines() {
  return llvm::all_of(guards, [&](const Guard &guard) {
    auto step = lanes.var ? coefficientOf(guard.index, lanes.var) : std::nullopt;
    return step && step->isConstant(1) &&
           !varies(replace(guard.index, lanes.var, SymbolicExpr(0)));
  });
}

Value NodeEmitter::guardedIndex(const SymbolicExpr &expr) {
  Value where = laneIndex(expr);
  if (guards.empty())
    return where;
  Value nowhere = constantIndex(-1);
  std::vector<Guard> all = guards;
  if (lanes.valid)
    all.push_back({SymbolicExpr::symbol(lanes.var),
                   {},
                   b.createOrFold<arith::AddIOp>(loc, lanes.first, lanes.valid)});
  for (const Guard &guard : all) {
    auto select = [&](OpBuilder &b, Location loc, ValueRange inputs) {
      Value index = inputs[0];
      auto keep = [&](arith::CmpIPredicate predicate, Value bound) {
        if (!bound)
          return;
        Value inside = arith::CmpIOp::create(b, loc, predicate, inputs[1], bound);
        index = arith::SelectOp::create(b, loc, inside, index, nowhere);
      };
      keep(arith::CmpIPredicate::sge, guard.low);
      keep(arith::CmpIPredicate::slt, guard.high);
      return SmallVector<Value>{index};
    };
    Value inputs[] = {where, laneIndex(guard.index)};
    where = tile::MapOp::create(b, loc, TypeRange{where.getType()}, inputs, select)
                .getResult(0);
  }
  return where;
}

/// Lanes that are invalid or fail a guard have arbitrary indices; a pad value makes the
/// gather skip those out of range.
Value NodeEmitter::loadGather(Node *node) {
  const Memory &memory = memories[node->argument];
  Value where = guardedIndex(node->index);
  OpFoldResult size = b.getIndexAttr(memory.elements.getConstant().value_or(0));
  if (!memory.elements.isConstant())
    size = index(memory.elements);
  Value view = tile::ViewOp::create(b, loc, memory.buffer, constantIndex(0),
                                    ArrayRef<OpFoldResult>{size},
                                    ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  Value pad = !guards.empty() || lanes.valid ? zero(node->storage) : Value();
  Value loaded = tile::GatherOp::create(b, loc, fragType(node->storage), view,
                                        ValueRange{}, where, pad);
  return convert(loaded, node->type);
}

void NodeEmitter::store(Value fragment, const Memory &memory,
                        const SymbolicExpr &address) {
  bool alongLoop = lanes.var && mentions(address, lanes.var);
  StringAttr lane = alongLoop ? lanes.var : laneVar;
  Value offset = index(lane ? replace(address, lane, SymbolicExpr(0)) : address);
  OpFoldResult step = b.getIndexAttr(1);
  if (alongLoop) {
    // A stride other than 1 stores a transposed result.
    SymbolicExpr apart = *coefficientOf(address, lane);
    Value begin = lanes.first;
    if (!apart.isConstant(1)) {
      Value value = index(apart);
      step = getAsOpFoldResult(value);
      begin = b.createOrFold<arith::MulIOp>(loc, begin, value);
    }
    offset = b.createOrFold<arith::AddIOp>(loc, offset, begin);
  }
  fragment =
      convert(fragment, cast<tile::BufferType>(memory.buffer.getType()).getElementType());
  SmallVector<int64_t> masked;
  if (lanes.valid)
    masked.push_back(0);
  tile::StoreOp::create(b, loc, fragment, viewLanes(memory, offset, step),
                        ValueRange{constantIndex(0)}, masked);
}

//===----------------------------------------------------------------------===//
// Selects
//===----------------------------------------------------------------------===//

Value NodeEmitter::branch(Value condition, function_ref<Value()> onTrue,
                          function_ref<Value()> onFalse) {
  auto build = [&](function_ref<Value()> side) {
    return [this, side](OpBuilder &inner, Location loc) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(inner.getInsertionBlock());
      Scope scope(*this);
      Value value = side();
      scf::YieldOp::create(b, loc, value);
    };
  };
  return scf::IfOp::create(b, loc, condition, build(onTrue), build(onFalse)).getResult(0);
}

Value NodeEmitter::chooseUniform(Node *node, Value position, size_t first) {
  Node *operand = node->operands[first];
  if (first + 1 == node->operands.size())
    return fragment(operand);
  Value before = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, position,
                                       index(node->bounds[first + 1]));
  return branch(
      before, [&] { return fragment(operand); },
      [&] { return chooseUniform(node, position, first + 1); });
}

/// Selects for lanes [from, to): tests whether a single operand covers all lanes,
/// otherwise selects lane by lane.
Value NodeEmitter::chooseWhole(Node *node, Value from, Value to, size_t first) {
  if (first == node->operands.size())
    return chooseMixed(node);
  using Predicate = arith::CmpIPredicate;
  Value inside;
  if (first > 0)
    inside =
        arith::CmpIOp::create(b, loc, Predicate::sge, from, index(node->bounds[first]));
  if (first + 1 < node->operands.size()) {
    Value ends =
        arith::CmpIOp::create(b, loc, Predicate::sle, to, index(node->bounds[first + 1]));
    inside = inside ? arith::AndIOp::create(b, loc, inside, ends).getResult() : ends;
  }
  return branch(
      inside, [&] { return fragment(node->operands[first]); },
      [&] { return chooseWhole(node, from, to, first + 1); });
}

/// Selects lane by lane; guards let each lane read only the operand that it selects.
Value NodeEmitter::chooseMixed(Node *node) {
  SmallVector<Value> bounds;
  for (const SymbolicExpr &bound : node->bounds)
    bounds.push_back(index(bound));
  bounds.push_back({});
  SmallVector<Value> inputs{laneIndex(node->index)};
  for (auto [k, operand] : llvm::enumerate(node->operands)) {
    guards.push_back({node->index, k ? bounds[k] : Value(), bounds[k + 1]});
    Scope scope(*this);
    inputs.push_back(fragment(operand));
    guards.pop_back();
  }
  auto map = tile::MapOp::create(
      b, loc, TypeRange{fragType(node->type)}, inputs,
      [&](OpBuilder &b, Location loc, ValueRange arguments) -> SmallVector<Value> {
        Value result = arguments.back();
        for (size_t k = node->operands.size() - 1; k-- > 0;) {
          Value before = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                               arguments[0], bounds[k + 1]);
          result = arith::SelectOp::create(b, loc, before, arguments[k + 1], result);
        }
        return {result};
      });
  return map.getResult(0);
}

Value NodeEmitter::choose(Node *node) {
  if (!varies(node->index))
    return chooseUniform(node, index(node->index), 0);
  auto step = lanes.var ? coefficientOf(node->index, lanes.var) : std::nullopt;
  SymbolicExpr fixed = lanes.var ? replace(node->index, lanes.var, SymbolicExpr(0)) : 0;
  bool reads = llvm::any_of(node->operands, [](Node *operand) {
    return operand->kind != Node::Kind::Constant && operand->kind != Node::Kind::Index;
  });
  if (!reads || !guards.empty() || !step || !step->isConstant(1) || varies(fixed))
    return chooseMixed(node);
  Value from = b.createOrFold<arith::AddIOp>(loc, index(fixed), lanes.first);
  Value count = lanes.valid ? lanes.valid : constantIndex(lanes.count);
  return chooseWhole(node, from, b.createOrFold<arith::AddIOp>(loc, from, count), 0);
}
