//===- Access.cpp - Views, loads, stores ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/ErrorCodes/Graph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

static LogicalResult evaluate(State &state, tile::ScratchOp op) {
  int64_t offset = state.index(op.getOffset());
  int64_t size = tile::elementBytes(op.getType().getElementType());
  if (offset < 0 || offset % size)
    return state.fail(op, ErrorCode::TileOutOfBounds,
                      "scratch at byte " + std::to_string(offset) +
                          " is not aligned to its element");
  state.bind(op.getResult(), BufferRef{state.scratch, offset, /*writable=*/true});
  return success();
}

static LogicalResult evaluate(State &state, tile::WorkspaceOp op) {
  state.bind(op.getResult(), BufferRef{state.workspace, 0, /*writable=*/true});
  return success();
}

static LogicalResult evaluate(State &state, tile::TicketOp op) {
  int64_t number = state.index(op.getNumber());
  int64_t count = op.getActual() ? state.index(op.getActual()) : op.getCount();
  if (number < 0 || number >= int64_t(state.tickets.size()))
    return state.fail(op, ErrorCode::TileOutOfBounds,
                      "ticket " + std::to_string(number) + " of " +
                          std::to_string(state.tickets.size()));
  int64_t taken = ++state.tickets[number];
  if (taken == count)
    state.tickets[number] = 0;
  state.bind(op.getResult(), Scalar::ofInt(taken == count));
  return success();
}

/// Returns the entries of a type, with the operands in place of `?`.
static SmallVector<int64_t, 4> mixed(ArrayRef<int64_t> entries,
                                     ArrayRef<int64_t> operands) {
  SmallVector<int64_t, 4> result;
  for (int64_t entry : entries) {
    result.push_back(ShapedType::isDynamic(entry) ? operands.front() : entry);
    if (ShapedType::isDynamic(entry))
      operands = operands.drop_front();
  }
  return result;
}

static LogicalResult evaluate(State &state, tile::ViewOp op) {
  tile::ViewType type = op.getType();
  View result{std::get<BufferRef>(state.get(op.getBuffer())), type.getElementType(),
              state.index(op.getOffset()),
              mixed(type.getShape(), state.indices(op.getSizes())),
              mixed(type.getStrides(), state.indices(op.getStrides()))};
  for (int64_t size : result.sizes)
    if (size < 0)
      return state.fail(op, ErrorCode::TileOutOfBounds,
                        "a view has the extent " + std::to_string(size));
  state.bind(op.getResult(), std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// load, store
//===----------------------------------------------------------------------===//

namespace {
/// Elements of a view that a fragment covers.
struct Window {
  const View &view;
  FragmentShape shape;
  SmallVector<int64_t> start;
  ArrayRef<int64_t> masked;
  bool before = false; ///< negative indices of the last dim are masked, too

  /// Returns the index in the view of element (row, column).
  SmallVector<int64_t> at(int64_t row, int64_t column) const {
    SmallVector<int64_t> index = start;
    if (shape.rank >= 1)
      index.back() += column;
    if (shape.rank == 2)
      index[index.size() - 2] += row;
    return index;
  }

  /// Returns true if the element is masked: outside of the view in a masked dim.
  bool isDropped(ArrayRef<int64_t> index) const {
    if (before && index.back() < 0)
      return true;
    return llvm::any_of(masked, [&](int64_t dim) {
      size_t viewDim = index.size() - shape.rank + dim;
      return index[viewDim] >= view.sizes[viewDim];
    });
  }
};
} // namespace

static LogicalResult evaluate(State &state, tile::LoadOp op) {
  Window window{state.view(op.getView()), FragmentShape(op.getType()),
                state.indices(op.getIndices()), op.getMasked(), op.getBefore()};
  Fragment result(window.shape.rows, window.shape.columns);
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t column = 0; column < result.columns; ++column) {
      SmallVector<int64_t> at = window.at(row, column);
      Scalar &element = result.at(row, column);
      if (window.isDropped(at))
        element = state.scalar(op.getPad());
      else if (failed(state.check(op, readElement(window.view, at, state.task, element))))
        return failure();
    }
  if (auto frag = dyn_cast<tile::FragType>(op.getType()))
    decodeBytes(op.getView().getType().getElementType(), frag.getElementType(), result);
  if (window.shape.rank == 0)
    state.bind(op.getResult(), result.elements[0]);
  else
    state.bind(op.getResult(), std::move(result));
  return success();
}

static LogicalResult evaluate(State &state, tile::StoreOp op) {
  Window window{state.view(op.getView()), FragmentShape(op.getValue().getType()),
                state.indices(op.getIndices()), op.getMasked()};
  for (int64_t row = 0; row < window.shape.rows; ++row)
    for (int64_t column = 0; column < window.shape.columns; ++column) {
      SmallVector<int64_t> at = window.at(row, column);
      if (window.isDropped(at))
        continue;
      Scalar element = window.shape.rank == 0
                           ? state.scalar(op.getValue())
                           : state.fragment(op.getValue()).at(row, column);
      if (failed(state.check(op, writeElement(window.view, at, state.task, element))))
        return failure();
    }
  return success();
}

//===----------------------------------------------------------------------===//
// gather, scatter, stage
//===----------------------------------------------------------------------===//

static LogicalResult evaluate(State &state, tile::GatherOp op) {
  const View &from = state.view(op.getView());
  const Fragment &where = state.fragment(op.getWhere());
  SmallVector<int64_t> at = state.indices(op.getIndices());
  at.push_back(0);
  Fragment result(where.rows, where.columns);
  for (auto [element, position] : llvm::zip(result.elements, where.elements)) {
    at.back() = position.i;
    bool outside = position.i < 0 || position.i >= from.sizes.back();
    if (op.getPad() && outside)
      element = state.scalar(op.getPad());
    else if (failed(state.check(op, readElement(from, at, state.task, element))))
      return failure();
  }
  state.bind(op.getResult(), std::move(result));
  return success();
}

static LogicalResult evaluate(State &state, tile::ScatterOp op) {
  const View &to = state.view(op.getView());
  SmallVector<int64_t> at = state.indices(op.getIndices());
  at.push_back(0);
  llvm::DenseSet<int64_t> places;
  for (auto [element, position] : llvm::zip(state.fragment(op.getValue()).elements,
                                            state.fragment(op.getWhere()).elements)) {
    at.back() = position.i;
    bool outside = position.i < 0 || position.i >= to.sizes.back();
    if (op.getMasked() && outside)
      continue;
    if (!places.insert(position.i).second)
      return state.fail(op, ErrorCode::TileUndefined,
                        "two elements go to place " + std::to_string(position.i));
    if (failed(state.check(op, writeElement(to, at, state.task, element))))
      return failure();
  }
  return success();
}

LogicalResult interpreter::readTile(State &state, Operation *op, const View &from,
                                    ArrayRef<int64_t> start, ArrayRef<int64_t> masked,
                                    Fragment &result) {
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t column = 0; column < result.columns; ++column) {
      SmallVector<int64_t> at(start);
      at.back() += column;
      at[at.size() - 2] += row;
      bool outside = llvm::any_of(masked, [&](int64_t dim) {
        size_t position = at.size() - 2 + dim;
        return at[position] >= from.sizes[position];
      });
      if (outside) // the fragment is initialized with zeros
        continue;
      if (failed(
              state.check(op, readElement(from, at, state.task, result.at(row, column)))))
        return failure();
    }
  return success();
}

void interpreter::decodeBytes(Type stored, Type element, Fragment &tile) {
  if (stored != element)
    for (Scalar &number : tile.elements)
      number.f = decode(uint16_t(number.i & 0xff), *floatFormatOf(element));
}

static LogicalResult evaluate(State &state, tile::StageOp op) {
  SmallVector<int64_t, 4> extents =
      mixed(op.getType().getShape(), state.indices(op.getSizes()));
  if (extents[0] < 0 || extents[1] < 0)
    return state.fail(op, ErrorCode::TileOutOfBounds,
                      "a staged tile has a negative extent");
  Fragment result(extents[0], extents[1]);
  if (failed(readTile(state, op, state.view(op.getView()), state.indices(op.getIndices()),
                      op.getMasked(), result)))
    return failure();
  decodeBytes(op.getView().getType().getElementType(), op.getType().getElementType(),
              result);
  state.bind(op.getResult(), std::move(result));
  return success();
}

Evaluated interpreter::evaluateAccess(State &state, Operation *op) {
  return llvm::TypeSwitch<Operation *, Evaluated>(op)
      .Case<tile::ScratchOp, tile::WorkspaceOp, tile::TicketOp, tile::ViewOp,
            tile::LoadOp, tile::StoreOp, tile::GatherOp, tile::ScatterOp, tile::StageOp>(
          [&](auto concrete) { return evaluate(state, concrete); })
      .Default([](Operation *) { return std::nullopt; });
}
