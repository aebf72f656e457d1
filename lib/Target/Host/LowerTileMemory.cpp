//===- LowerTileMemory.cpp - Views, loads, stores -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of contiguous elements is one vector access, masked if needed. Other strides are
// accessed element by element (masked ones through LLVM's gather and scatter), which is
// faster than hardware gathers on the measured CPUs.
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

static bool isConstant(Value value, int64_t expected) {
  return getConstantIntValue(value) == expected;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

void MemoryLowering::lowerScratch(tile::ScratchOp op) {
  program.buffers[op] =
      program.gep(program.scratch, b.getI8Type(), program.scalar(op.getOffset()));
}

void MemoryLowering::lowerView(tile::ViewOp op) {
  LoweredView view;
  view.element = op.getType().getElementType();
  view.pointer = program.gep(program.buffers.lookup(op.getBuffer()), view.element,
                             program.scalar(op.getOffset()));
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

Value MemoryLowering::elementPointers(const LoweredView &view, Value offset,
                                      Value lanes) {
  auto type = cast<VectorType>(lanes.getType());
  Value base = program.gep(view.pointer, view.element, offset);
  Value stride = program.splat(program.toI64(view.strides.back()), type.getNumElements());
  Value offsets = arith::MulIOp::create(b, lanes, stride);
  auto pointers = VectorType::get(type.getShape(), base.getType());
  return LLVM::GEPOp::create(b, pointers, memoryType(view.element), base,
                             LLVM::GEPArg(offsets));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Loads a few vectors of contiguous elements and keeps every `stride`-th element. The
/// last vector ends with the last element kept, so nothing after it is read. Null if the
/// stride or the columns make this unprofitable.
Value MemoryLowering::loadStrided(const LoweredView &view, Value offset, int64_t columns,
                                  Value count, Value pad) {
  constexpr int64_t kMostStride = 8, kLeastColumns = 4;
  auto stride = getConstantIntValue(view.strides.back());
  if (!stride || *stride < 2 || *stride > kMostStride || columns < kLeastColumns)
    return {};
  auto type = VectorType::get(columns, memoryType(view.element));
  unsigned alignment = tile::elementBytes(view.element);
  Value padding =
            count ? program.splat(toMemory(b, pad, view.element), columns) : Value(),
        result;
  for (int64_t part = 0; part < *stride; ++part) {
    // A masked vector may begin where there are no elements.
    int64_t begin = part * columns - (part + 1 == *stride && !count ? *stride - 1 : 0);
    Value pointer = program.gep(view.pointer, view.element,
                                program.add(offset, program.index(begin)));
    Value read;
    if (count) {
      Value end = program.add(program.mul(count, program.index(*stride)),
                              program.index(1 - *stride - begin));
      read = LLVM::MaskedLoadOp::create(
          b, type, pointer, program.lanesBelow(end, columns), padding, alignment);
    } else {
      read = LLVM::LoadOp::create(b, type, pointer, alignment);
    }
    SmallVector<int64_t> lanes;
    for (int64_t i = 0; i < columns; ++i) {
      int64_t place = i * *stride - begin;
      bool isHere = place >= 0 && place < columns && i * *stride >= part * columns;
      lanes.push_back(isHere ? columns + place : i * *stride < part * columns ? i : -1);
    }
    if (!result) // first vector: its lanes are the first operand's
      for (int64_t &lane : lanes)
        lane = lane < 0 ? lane : lane - columns;
    result = vector::ShuffleOp::create(b, result ? result : read, read, lanes);
  }
  return result;
}

/// Loads a row; also masks lanes before `first`, if that is given.
Value MemoryLowering::loadRow(const LoweredView &view, Value offset, int64_t columns,
                              Value first, Value count, Value pad) {
  Type memory = memoryType(view.element);
  auto type = VectorType::get(columns, memory);
  unsigned alignment = tile::elementBytes(view.element);
  Value stride = view.strides.back();
  if (!first)
    if (Value row = loadStrided(view, offset, columns, count, pad))
      return row;
  if (count) {
    Value mask = program.lanesBelow(count, columns);
    if (first) {
      Value none = arith::ConstantOp::create(b, b.getZeroAttr(mask.getType()));
      mask = arith::SelectOp::create(b, program.lanesBelow(first, columns), none, mask);
    }
    Value padding = program.splat(toMemory(b, pad, view.element), columns);
    if (isConstant(stride, 1))
      return LLVM::MaskedLoadOp::create(b, type,
                                        program.gep(view.pointer, view.element, offset),
                                        mask, padding, alignment);
    Value pointers =
        elementPointers(view, offset, program.iotaVector(columns, b.getI64Type()));
    return LLVM::masked_gather::create(b, type, pointers, mask, padding, alignment);
  }
  Value pointer = program.gep(view.pointer, view.element, offset);
  if (isConstant(stride, 1))
    return LLVM::LoadOp::create(b, type, pointer, alignment);
  if (isConstant(stride, 0))
    return program.splat(LLVM::LoadOp::create(b, memory, pointer, alignment), columns);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < columns; ++i) {
    Value place =
        program.gep(pointer, view.element, program.mul(program.index(i), stride));
    elements.push_back(LLVM::LoadOp::create(b, memory, place, alignment));
  }
  return program.packLanes(elements);
}

void MemoryLowering::storeRow(Value row, const LoweredView &view, Value offset,
                              Value count) {
  int64_t columns = cast<VectorType>(row.getType()).getNumElements();
  unsigned alignment = tile::elementBytes(view.element);
  Value stride = view.strides.back(),
        pointer = program.gep(view.pointer, view.element, offset);
  if (count && isConstant(stride, 1)) {
    LLVM::MaskedStoreOp::create(b, row, pointer, program.lanesBelow(count, columns),
                                alignment);
    return;
  }
  if (count) {
    Value pointers =
        elementPointers(view, offset, program.iotaVector(columns, b.getI64Type()));
    LLVM::masked_scatter::create(b, row, pointers, program.lanesBelow(count, columns),
                                 alignment);
    return;
  }
  if (isConstant(stride, 1)) {
    LLVM::StoreOp::create(b, row, pointer, alignment);
    return;
  }
  for (int64_t i = 0; i < columns; ++i)
    LLVM::StoreOp::create(
        b, program.extractLane(row, i),
        program.gep(pointer, view.element, program.mul(program.index(i), stride)),
        alignment);
}

//===----------------------------------------------------------------------===//
// Load and store
//===----------------------------------------------------------------------===//

namespace {
/// Position of a fragment in a view: masks of its rows and columns.
struct Placement {
  Value rowCount, columnCount; // null: not masked
  Value rowStride;             // null: rank 1
};
} // namespace

static Placement place(const LoweredView &view, tile::FragType frag, ValueRange indices,
                       ArrayRef<int64_t> masked, ImplicitLocOpBuilder &b) {
  Placement result;
  auto remaining = [&](int64_t dim) -> Value {
    if (!llvm::is_contained(masked, dim))
      return {};
    size_t position = indices.size() - frag.getRank() + dim;
    return arith::SubIOp::create(b, view.sizes[position], indices[position]);
  };
  result.columnCount = remaining(frag.getRank() - 1);
  if (frag.getRank() == 2) {
    result.rowCount = remaining(0);
    result.rowStride = view.strides[view.strides.size() - 2];
  }
  return result;
}

void MemoryLowering::lowerLoad(tile::LoadOp op) {
  const LoweredView &view = program.views.find(op.getView())->second;
  Value offset = linearize(view, op.getIndices());
  auto frag = dyn_cast<tile::FragType>(op.getType());
  unsigned alignment = tile::elementBytes(view.element);
  if (!frag) {
    Value value =
        LLVM::LoadOp::create(b, memoryType(view.element),
                             program.gep(view.pointer, view.element, offset), alignment);
    program.scalars.map(op.getResult(), fromMemory(b, value, view.element));
    return;
  }
  Placement at = place(view, frag, program.scalarsOf(op.getIndices()), op.getMasked(), b);
  Value pad = op.getPad() ? program.scalar(op.getPad()) : Value(), first;
  if (op.getBefore())
    first = arith::SubIOp::create(b, program.index(0),
                                  program.scalar(op.getIndices().back()));
  Rows rows;
  for (int64_t r = 0; r < frag.getRows(); ++r) {
    Value place = r == 0
                      ? offset
                      : program.add(offset, program.mul(program.index(r), at.rowStride));
    Value count = at.columnCount;
    if (at.rowCount) { // a row past the end is masked entirely
      Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, program.index(r),
                                           at.rowCount);
      count = arith::SelectOp::create(
          b, inside, count ? count : program.index(frag.getColumns()), program.index(0));
      // A masked load from a page that nothing has touched takes 14 to 256 ns
      // (docs/rationale/state.md), so such a row is read at the view's first element.
      place = arith::SelectOp::create(b, inside, place, program.index(0));
    }
    Value row = loadRow(view, place, frag.getColumns(), first, count, pad);
    rows.push_back(fromMemory(b, row, view.element));
  }
  program.frags[op.getResult()] = rows;
}

void MemoryLowering::lowerStore(tile::StoreOp op) {
  const LoweredView &view = program.views.find(op.getView())->second;
  Value offset = linearize(view, op.getIndices());
  auto frag = dyn_cast<tile::FragType>(op.getValue().getType());
  if (!frag) {
    LLVM::StoreOp::create(b, toMemory(b, program.scalar(op.getValue()), view.element),
                          program.gep(view.pointer, view.element, offset),
                          tile::elementBytes(view.element));
    return;
  }
  Placement at = place(view, frag, program.scalarsOf(op.getIndices()), op.getMasked(), b);
  Rows rows = program.frags.find(op.getValue())->second;
  for (int64_t r = 0; r < frag.getRows(); ++r) {
    Value place = r == 0
                      ? offset
                      : program.add(offset, program.mul(program.index(r), at.rowStride));
    Value count = at.columnCount;
    if (at.rowCount) {
      Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, program.index(r),
                                           at.rowCount);
      count = arith::SelectOp::create(
          b, inside, count ? count : program.index(frag.getColumns()), program.index(0));
    }
    storeRow(toMemory(b, rows[r], view.element), view, place, count);
  }
}

//===----------------------------------------------------------------------===//
// Gather, scatter
//===----------------------------------------------------------------------===//

/// Converts indices to a vector of i64.
static Value wideLanes(ImplicitLocOpBuilder &b, Value lanes) {
  auto type = cast<VectorType>(lanes.getType());
  auto wide = type.clone(b.getI64Type());
  if (type == wide)
    return lanes;
  if (type.getElementType().isIndex())
    return arith::IndexCastOp::create(b, wide, lanes);
  return arith::ExtSIOp::create(b, wide, lanes);
}

/// Returns 0 <= lane < extent as one unsigned comparison.
static Value inside(ImplicitLocOpBuilder &b, Value lanes, Value extent) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, lanes, extent);
}

void MemoryLowering::lowerGather(tile::GatherOp op) {
  const LoweredView &view = program.views.find(op.getView())->second;
  Value offset = linearize(view, op.getIndices());
  int64_t columns = op.getType().getColumns();
  Type memory = memoryType(view.element);
  unsigned alignment = tile::elementBytes(view.element);
  Rows rows, where = program.frags.find(op.getWhere())->second;
  for (Value row : where) {
    Value lanes = wideLanes(b, row), value;
    if (op.getPad()) {
      Value mask =
          inside(b, lanes, program.splat(program.toI64(view.sizes.back()), columns));
      Value pad =
          program.splat(toMemory(b, program.scalar(op.getPad()), view.element), columns);
      value = LLVM::masked_gather::create(b, VectorType::get(columns, memory),
                                          elementPointers(view, offset, lanes), mask, pad,
                                          alignment);
    } else {
      SmallVector<Value> elements;
      Value base = program.gep(view.pointer, view.element, offset);
      for (int64_t i = 0; i < columns; ++i) {
        Value lane = arith::IndexCastOp::create(b, b.getIndexType(),
                                                program.extractLane(lanes, i));
        Value place =
            program.gep(base, view.element, program.mul(lane, view.strides.back()));
        elements.push_back(LLVM::LoadOp::create(b, memory, place, alignment));
      }
      value = program.packLanes(elements);
    }
    rows.push_back(fromMemory(b, value, view.element));
  }
  program.frags[op.getResult()] = rows;
}

void MemoryLowering::lowerScatter(tile::ScatterOp op) {
  const LoweredView &view = program.views.find(op.getView())->second;
  Value offset = linearize(view, op.getIndices());
  Rows values = program.frags.find(op.getValue())->second,
       where = program.frags.find(op.getWhere())->second;
  Value extent = program.toI64(view.sizes.back()),
        base = program.gep(view.pointer, view.element, offset);
  for (auto [row, lanes] : llvm::zip(values, where)) {
    Value wide = wideLanes(b, lanes), memory = toMemory(b, row, view.element);
    int64_t columns = cast<VectorType>(row.getType()).getNumElements();
    for (int64_t i = 0; i < columns; ++i) {
      OpBuilder::InsertionGuard guard(b);
      Value lane = program.extractLane(wide, i), element = program.extractLane(memory, i);
      if (op.getMasked()) {
        auto branch = scf::IfOp::create(b, inside(b, lane, extent), /*withElse=*/false);
        b.setInsertionPointToStart(branch.thenBlock());
      }
      Value position = arith::IndexCastOp::create(b, b.getIndexType(), lane);
      Value place =
          program.gep(base, view.element, program.mul(position, view.strides.back()));
      LLVM::StoreOp::create(b, element, place, tile::elementBytes(view.element));
    }
  }
}

//===----------------------------------------------------------------------===//
// Stage, prefetch
//===----------------------------------------------------------------------===//

void MemoryLowering::lowerStage(tile::StageOp op) {
  if (!op.getMasked().empty()) // lowered to the memory itself
    return program.fail(op, "a staged tile that may reach outside of its view");
  const LoweredView &view = program.views.find(op.getView())->second;
  LoweredStaged result;
  result.element = op.getType().getElementType();
  result.pointer =
      program.gep(view.pointer, view.element, linearize(view, op.getIndices()));
  ValueRange dynamic = op.getSizes();
  for (auto [i, extent] : llvm::enumerate(op.getType().getShape())) {
    bool isDynamic = ShapedType::isDynamic(extent);
    result.sizes[i] = isDynamic ? program.scalar(dynamic.front()) : program.index(extent);
    dynamic = dynamic.drop_front(isDynamic);
    result.strides[i] = view.strides[view.strides.size() - 2 + i];
  }
  program.staged[op] = result;
}

void MemoryLowering::lowerPrefetch(tile::PrefetchOp op) {
  const LoweredView &view = program.views.find(op.getView())->second;
  Value pointer =
      program.gep(view.pointer, view.element, linearize(view, op.getIndices()));
  LLVM::Prefetch::create(b, pointer, /*rw=*/0, /*hint=*/op.getLocality(), /*cache=*/1);
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool MemoryLowering::lower(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tile::ScratchOp op) { return lowerScratch(op), true; })
      .Case([&](tile::ViewOp op) { return lowerView(op), true; })
      .Case([&](tile::LoadOp op) { return lowerLoad(op), true; })
      .Case([&](tile::StoreOp op) { return lowerStore(op), true; })
      .Case([&](tile::GatherOp op) { return lowerGather(op), true; })
      .Case([&](tile::ScatterOp op) { return lowerScatter(op), true; })
      .Case([&](tile::StageOp op) { return lowerStage(op), true; })
      .Case([&](tile::PrefetchOp op) { return lowerPrefetch(op), true; })
      .Default([](Operation *) { return false; });
}
