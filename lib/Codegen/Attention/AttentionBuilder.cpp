//===- AttentionBuilder.cpp - Base class of attention's parts -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"

#include <limits>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Value AttentionBuilder::number(double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(program.accumulator, value));
}

Value AttentionBuilder::lowest() {
  return number(-std::numeric_limits<double>::infinity());
}

Value AttentionBuilder::scratch(const SymbolicExpr &offset, Type element) {
  Type type =
      tile::BufferType::get(b.getContext(), element ? element : program.accumulator);
  return tile::ScratchOp::create(b, loc, type, emitter.index(offset));
}

Value AttentionBuilder::view(Value buffer, Value offset, ArrayRef<OpFoldResult> sizes,
                             ArrayRef<OpFoldResult> strides) {
  return tile::ViewOp::create(b, loc, buffer, offset, sizes, strides);
}

Value AttentionBuilder::map(ArrayRef<Value> inputs, ScalarBody body) {
  auto map = tile::MapOp::create(
      b, loc, TypeRange{inputs.front().getType()}, inputs,
      [&](OpBuilder &inner, Location, ValueRange arguments) -> SmallVector<Value> {
        return {body(inner, arguments)};
      });
  return map.getResult(0);
}

void AttentionBuilder::openLanes(const Loop &loop, int64_t lanes, int64_t rows) {
  int64_t extent = *loop.extent.getConstant();
  emitter.bind(loop.var, index(0));
  emitter.setLanes(
      {loop.var, index(0), lanes, extent == lanes ? Value() : index(extent), rows});
}

void AttentionBuilder::forRows(Value count, int64_t lanes, function_ref<void(Value)> body,
                               bool apart) {
  auto permuted = [&](Value i) -> Value { // swaps bits 0 and 1: 0, 2, 1, 3, 4, 6, ...
    Value low = remainder(i, index(2));
    Value high = remainder(divide(i, index(2)), index(2));
    return add(sub(i, high), low);
  };
  forTeams(count, std::clamp<int64_t>(lanes / 4, 1, 32),
           [&](Value i) { body(apart && lanes == 16 ? permuted(i) : i); });
}
