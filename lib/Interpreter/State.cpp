//===- State.cpp - State of a running tile program ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "kiln/ErrorCodes/Graph.h"

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

const interpreter::Value &State::get(mlir::Value name) const {
  auto it = values.find(name);
  assert(it != values.end() && "value used before it is defined");
  return it->second;
}

SmallVector<int64_t> State::indices(ValueRange names) const {
  SmallVector<int64_t> result;
  for (mlir::Value name : names)
    result.push_back(index(name));
  return result;
}

Values State::getAll(ValueRange names) const {
  Values result;
  for (mlir::Value name : names)
    result.push_back(get(name));
  return result;
}

LogicalResult State::fail(Operation *op, ErrorCode::ID code, std::string what) {
  if (!error.what.empty())
    return failure();
  error.code = code;
  error.where = describe(op->getLoc()) + ", '" + op->getName().getStringRef().str() +
                "' of task " + std::to_string(task);
  error.what = std::move(what);
  return failure();
}

LogicalResult State::check(Operation *op, AccessError what) {
  if (!what)
    return success();
  return fail(op, what.race ? ErrorCode::TileRace : ErrorCode::TileOutOfBounds,
              std::move(what.what));
}

FragmentShape::FragmentShape(Type type) : elementType(type) {
  auto fragment = dyn_cast<tile::FragType>(type);
  if (!fragment)
    return;
  rank = fragment.getRank();
  rows = fragment.getRows();
  columns = fragment.getColumns();
  elementType = fragment.getElementType();
}
