//===- LowerTileMemory.cpp - Views, loads, stores -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contiguous elements of a thread are one vector access if it is known to be aligned;
// adjacent threads hold adjacent elements, so that a warp's access is coalesced. Elements
// of a masked access are vectorized if they are all inside or all outside; elements known
// to be inside or outside need no mask.
//===----------------------------------------------------------------------===//

#include "Float8.h"
#include "MemoryLowering.h"
#include "dialects/Types/FloatFormat.h"
#include "lib/Target/NVPTX/Layout/AccessAlignment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

int64_t MemoryLowering::runWidth(Operation *op, const LoweredView &view,
                                 const Layout &layout) {
  Access access = *accessOf(op);
  if (!access.hasNeighbours())
    return 1;
  int64_t bytes = tile::elementBytes(view.element);
  if (view.buffer.alignment < bytes) {
    program.fail(op, "scratch at an offset that is no multiple of its element's size");
    return 1;
  }
  int64_t width =
      std::min({layout.runLength(), program.target.gpu->accessBytes / bytes,
                view.buffer.alignment / bytes,
                accessDivisor(access.view, access.indices, access.type.getRank())});
  if (!llvm::is_contained(access.masked, access.type.getRank() - 1))
    return width;
  auto source = access.view.getDefiningOp<tile::ViewOp>();
  return std::min({width, knownDivisor(source.getMixedSizes().back()),
                   knownDivisor(Value(access.indices.back()))});
}

void MemoryLowering::lowerView(tile::ViewOp op) {
  LoweredView view;
  view.element = op.getType().getElementType();
  view.buffer = program.buffers.lookup(op.getBuffer());
  view.buffer.pointer =
      program.gep(view.buffer.pointer, view.element, program.scalar(op.getOffset()));
  auto materialize = [&](OpFoldResult value) {
    if (auto attr = dyn_cast<Attribute>(value))
      return program.index(cast<IntegerAttr>(attr).getInt());
    return program.scalar(cast<Value>(value));
  };
  for (OpFoldResult size : op.getMixedSizes())
    view.sizes.push_back(materialize(size));
  for (OpFoldResult stride : op.getMixedStrides())
    view.strides.push_back(materialize(stride));
  program.views[op] = view;
}

Value MemoryLowering::linearize(const LoweredView &view, ValueRange indices) {
  Value offset = program.index(0);
  for (auto [position, stride] : llvm::zip(indices, view.strides))
    offset = program.add(offset, program.mul(program.scalar(position), stride));
  return offset;
}

Place MemoryLowering::place(const LoweredView &view, const Layout &layout, unsigned rank,
                            ValueRange indices, ArrayRef<int64_t> masked) {
  Place result;
  std::tie(result.row, result.column) = program.threadOrigin(layout);
  result.columnStride = view.strides.back();
  Value offset = program.add(linearize(view, indices),
                             program.mul(result.column, result.columnStride));
  auto remaining = [&](int64_t dim) -> Value {
    if (!llvm::is_contained(masked, dim))
      return {};
    size_t position = indices.size() - rank + dim;
    return b.createOrFold<arith::SubIOp>(view.sizes[position],
                                         program.scalar(indices[position]));
  };
  for (uint32_t base : layout.threads()) {
    result.lastRow += layout.row(base);
    result.lastColumn += layout.column(base);
  }
  result.columnCount = remaining(rank - 1);
  result.rowStride = program.index(0);
  if (rank == 2) {
    result.rowCount = remaining(0);
    result.rowStride = view.strides[view.strides.size() - 2];
    offset = program.add(offset, program.mul(result.row, result.rowStride));
  }
  result.pointer = program.gep(view.buffer.pointer, view.element, offset);
  return result;
}

/// Returns own + more < count, where own <= `last`. Null if it is known to be true.
Value MemoryLowering::isBelow(Value own, int64_t more, int64_t last, Value count) {
  if (std::optional<int64_t> fixed = getConstantIntValue(count)) {
    if (more + last < *fixed)
      return {};
    if (more >= *fixed)
      return arith::ConstantOp::create(b, b.getBoolAttr(false));
  }
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                               program.add(own, program.index(more)), count);
}

/// Returns own + more >= first, where own <= `last`. Null if it is known to be true.
Value MemoryLowering::isFrom(Value own, int64_t more, int64_t last, Value first) {
  if (std::optional<int64_t> fixed = getConstantIntValue(first)) {
    if (more >= *fixed)
      return {};
    if (more + last < *fixed)
      return arith::ConstantOp::create(b, b.getBoolAttr(false));
  }
  return arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                               program.add(own, program.index(more)), first);
}

/// Returns the mask of an element; null if it cannot be outside.
Value MemoryLowering::inside(const Place &place, int64_t row, int64_t column) {
  Value result;
  auto require = [&](Value condition) {
    if (result && condition)
      result = b.createOrFold<arith::AndIOp>(result, condition);
    else if (condition)
      result = condition;
  };
  if (place.columnCount)
    require(isBelow(place.column, column, place.lastColumn, place.columnCount));
  if (place.firstColumn)
    require(isFrom(place.column, column, place.lastColumn, place.firstColumn));
  if (place.rowCount)
    require(isBelow(place.row, row, place.lastRow, place.rowCount));
  return result;
}

Value MemoryLowering::address(const LoweredView &view, const Place &place, int64_t row,
                              int64_t column) {
  Value offset = program.add(program.mul(program.index(row), place.rowStride),
                             program.mul(program.index(column), place.columnStride));
  return program.gep(place.pointer, view.element, offset);
}

//===----------------------------------------------------------------------===//
// Single accesses
//===----------------------------------------------------------------------===//

/// Loads a value. Booleans and f8E4M3FN are bytes in memory, bf16 is i16.
Value MemoryLowering::loadValue(Type element, Value pointer) {
  Value value =
      LLVM::LoadOp::create(b, memoryType(element), pointer, tile::elementBytes(element));
  return fromMemory(value, element);
}

Value MemoryLowering::fromMemory(Value value, Type element) {
  if (isFloat8(element))
    return widenE4m3(b, *program.target.gpu, value).front();
  if (element.isBF16())
    return arith::BitcastOp::create(b, element, value);
  if (!element.isInteger(1))
    return value;
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero);
}

Value MemoryLowering::toMemory(Value value, Type element) {
  if (element.isBF16())
    return arith::BitcastOp::create(b, memoryType(element), value);
  return element.isInteger(1)
             ? arith::ExtUIOp::create(b, b.getI8Type(), value).getResult()
             : value;
}

Values MemoryLowering::loadRun(const LoweredView &view, Value pointer, int64_t count) {
  if (count == 1)
    return {loadValue(view.element, pointer)};
  auto type = VectorType::get(count, memoryType(view.element));
  Value vector =
      LLVM::LoadOp::create(b, type, pointer, count * tile::elementBytes(view.element));
  Values values;
  for (int64_t i = 0; i < count; ++i) {
    Value element = LLVM::ExtractElementOp::create(
        b, vector, arith::ConstantIntOp::create(b, i, 32).getResult());
    values.push_back(fromMemory(element, view.element));
  }
  return values;
}

void MemoryLowering::storeRun(const LoweredView &view, Value pointer, ValueRange values) {
  int64_t bytes = tile::elementBytes(view.element), count = values.size();
  if (count == 1) {
    LLVM::StoreOp::create(b, toMemory(values[0], view.element), pointer, bytes);
    return;
  }
  auto type = VectorType::get(count, memoryType(view.element));
  Value vector = LLVM::UndefOp::create(b, type);
  for (auto [i, value] : llvm::enumerate(values))
    vector = LLVM::InsertElementOp::create(
        b, vector, toMemory(value, view.element),
        arith::ConstantIntOp::create(b, int64_t(i), 32).getResult());
  LLVM::StoreOp::create(b, vector, pointer, count * bytes);
}

//===----------------------------------------------------------------------===//
// Load and store
//===----------------------------------------------------------------------===//

void MemoryLowering::lowerLoad(tile::LoadOp op) {
  const LoweredView view = program.views.find(op.getView())->second;
  auto frag = dyn_cast<tile::FragType>(op.getType());
  if (!frag) {
    Value pointer =
        program.gep(view.buffer.pointer, view.element, linearize(view, op.getIndices()));
    program.scalars.map(op.getResult(), loadValue(view.element, pointer));
    return;
  }
  Layout layout = program.layoutOf(frag);
  Place at = place(view, layout, frag.getRank(), op.getIndices(), op.getMasked());
  if (op.getBefore())
    at.firstColumn = b.createOrFold<arith::SubIOp>(
        program.index(0), program.scalar(op.getIndices().back()));
  int64_t width = runWidth(op, view, layout);
  Value pad = op.getPad() ? program.scalar(op.getPad()) : Value();
  Fragment result{layout, {}};
  for (int64_t reg = 0; reg < layout.numRegisters(); reg += width) {
    int64_t element = layout.element(reg, 0);
    int64_t row = layout.row(element), column = layout.column(element);
    auto load = [&] { return loadRun(view, address(view, at, row, column), width); };
    llvm::append_range(result.registers, program.guarded(inside(at, row, column), load,
                                                         Values(width, pad)));
  }
  program.define(op.getResult(), result);
}

void MemoryLowering::lowerStore(tile::StoreOp op) {
  const LoweredView view = program.views.find(op.getView())->second;
  auto frag = dyn_cast<tile::FragType>(op.getValue().getType());
  if (!frag) {
    Value isOwner = program.owner(Layout::row(1, program.team.threads, 1));
    Value pointer =
        program.gep(view.buffer.pointer, view.element, linearize(view, op.getIndices()));
    program.guarded(isOwner,
                    [&] { storeRun(view, pointer, program.scalar(op.getValue())); });
    return;
  }
  Fragment value = program.fragment(op.getValue());
  const Layout &layout = value.layout;
  Value isOwner = program.owner(layout);
  Place at = place(view, layout, frag.getRank(), op.getIndices(), op.getMasked());
  int64_t width = runWidth(op, view, layout);
  program.guarded(isOwner, [&] {
    for (int64_t reg = 0; reg < layout.numRegisters(); reg += width) {
      int64_t element = layout.element(reg, 0);
      int64_t row = layout.row(element), column = layout.column(element);
      program.guarded(inside(at, row, column), [&] {
        storeRun(view, address(view, at, row, column),
                 ArrayRef<Value>(value.registers).slice(reg, width));
      });
    }
  });
}

/// Prefetches into L2: L1 is too small for data that is not read at once.
void MemoryLowering::lowerPrefetch(tile::PrefetchOp op) {
  const LoweredView view = program.views.find(op.getView())->second;
  if (view.buffer.space == Space::Shared)
    return;
  Value pointer =
      program.gep(view.buffer.pointer, view.element, linearize(view, op.getIndices()));
  program.assembly({}, {pointer}, "prefetch.global.L2 [$0];", "l,~{memory}");
}

Value MemoryLowering::widePosition(Value position) {
  if (position.getType().isInteger(64))
    return position;
  if (position.getType().isIndex())
    return program.toI64(position);
  return arith::ExtSIOp::create(b, b.getI64Type(), position);
}

Value MemoryLowering::elementAt(const LoweredView &view, Value base, Value position) {
  Value offset = arith::MulIOp::create(b, position, program.toI64(view.strides.back()));
  return LLVM::GEPOp::create(b, base.getType(), memoryType(view.element), base,
                             LLVM::GEPArg(offset));
}

Value MemoryLowering::isInLastDim(const LoweredView &view, Value position) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, position,
                               program.toI64(view.sizes.back()));
}

void MemoryLowering::lowerGather(tile::GatherOp op) {
  const LoweredView view = program.views.find(op.getView())->second;
  Value base =
      program.gep(view.buffer.pointer, view.element, linearize(view, op.getIndices()));
  Fragment where = program.fragment(op.getWhere()), result{where.layout, {}};
  for (Value index : where.registers) {
    Value position = widePosition(index);
    auto load = [&]() -> Values {
      return {loadValue(view.element, elementAt(view, base, position))};
    };
    Value condition, pad;
    if (op.getPad()) {
      condition = isInLastDim(view, position);
      pad = program.scalar(op.getPad());
    }
    result.registers.push_back(program.guarded(condition, load, Values{pad}).front());
  }
  program.define(op.getResult(), result);
}

void MemoryLowering::lowerScatter(tile::ScatterOp op) {
  const LoweredView view = program.views.find(op.getView())->second;
  Fragment value = program.fragment(op.getValue()),
           where = program.fragment(op.getWhere());
  Value isOwner = program.owner(value.layout);
  Value base =
      program.gep(view.buffer.pointer, view.element, linearize(view, op.getIndices()));
  program.guarded(isOwner, [&] {
    for (auto [element, index] : llvm::zip(value.registers, where.registers)) {
      Value position = widePosition(index);
      program.guarded(op.getMasked() ? isInLastDim(view, position) : Value(),
                      [&] { storeRun(view, elementAt(view, base, position), element); });
    }
  });
}
