//===- Bf16Tiles.cpp - Matmul of bf16 on AMX tiles ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All registers have 16 rows. Fewer rows of A, and the last steps of a K that is no
// multiple of 32, are copied to the stack; rows that do not exist are multiplied, too,
// and their results not read. Another configuration for them would cost some 200 cycles.
//
//===----------------------------------------------------------------------===//

#include "Bf16Tiles.h"
#include "LowerTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

/// First registers of the accumulators, of A and of B.
static constexpr int64_t kAccumulatorRegisters = 0, kLhsRegisters = 4, kRhsRegisters = 6;

/// Returns row `row` of a tile in memory.
Value Bf16Tiles::tileRow(Value buffer, int64_t row) {
  return program.gep(buffer, b.getI8Type(), program.index(row * kRowBytes));
}

static bool isZero(Value row) {
  if (auto broadcast = row.getDefiningOp<vector::BroadcastOp>())
    row = broadcast.getSource();
  return matchPattern(row, m_PosZeroFloat());
}

/// Columns of a tile register in their order there, which vpunpcklwd and vpunpckhwd make:
/// they interleave words within 128 bits, and take a third of the time of vpermt2w. The
/// order is its own inverse.
static constexpr int64_t kColumnOrder[] = {0, 1, 2, 3, 8,  9,  10, 11,
                                           4, 5, 6, 7, 12, 13, 14, 15};

/// Converts a row of 16 accumulators between the order of their columns and that of a
/// register.
static Value reorder(OpBuilder &b, Location loc, Value row) {
  return vector::ShuffleOp::create(b, loc, row, row, kColumnOrder);
}

/// Returns the columns [first, first + 16) of a row in the order of a register.
static Value columnsOf(OpBuilder &b, Location loc, Value row, int64_t first) {
  auto type = cast<VectorType>(row.getType());
  if (type.getNumElements() != Bf16Tiles::kColumns) {
    auto part = VectorType::get(Bf16Tiles::kColumns, type.getElementType());
    row = LLVM::vector_extract::create(b, loc, part, row, first);
  }
  return reorder(b, loc, row);
}

/// Returns the rows of A that tile `tileRow` of a part has, at most 16.
static int64_t rowsOfTile(int64_t height, int64_t firstRow, int64_t tileRow) {
  return std::min(height - firstRow - tileRow * TileRegisters::kRows,
                  TileRegisters::kRows);
}

void Bf16Tiles::begin(const Part &part, ArrayRef<Rows> initial) {
  for (auto [c, columns] : llvm::enumerate(part.columns))
    for (int64_t r = 0; r < part.rowTiles; ++r) {
      int64_t index = c * part.rowTiles + r;
      ArrayRef<Value> rows = ArrayRef(initial[columns.mma])
                                 .slice(part.firstRow + r * kRows,
                                        rowsOfTile(part.height, part.firstRow, r));
      if (llvm::all_of(rows, isZero)) {
        call("tilezero", tile(kAccumulatorRegisters + index));
        continue;
      }
      Value buffer = stackTile(accumulators[index]);
      for (auto [i, row] : llvm::enumerate(rows))
        LLVM::StoreOp::create(b, columnsOf(b, b.getLoc(), row, columns.first),
                              tileRow(buffer, i), kRowBytes);
      call("tileloadd64",
           {tile(kAccumulatorRegisters + index), buffer, number(kRowBytes, 64)});
    }
}

/// Loads 32 steps of K of up to 16 rows of A; of them, `left` exist, or all.
void Bf16Tiles::loadLhs(const Part &part, int64_t tileRow, Value k, Value left) {
  const LoweredStaged &lhs = *part.lhs;
  int64_t firstRow = part.firstRow + tileRow * kRows,
          rows = rowsOfTile(part.height, part.firstRow, tileRow);
  Value own = tile(kLhsRegisters + tileRow % 2);
  Value first = program.add(program.mul(program.index(firstRow), lhs.strides[0]),
                            program.mul(k, lhs.strides[1]));
  if (rows == kRows && !left && isConstantIntValue(lhs.strides[1], 1)) {
    Value rowBytes = program.mul(lhs.strides[0], program.index(2));
    call("tileloadd64",
         {own, program.gep(lhs.pointer, lhs.element, first), program.toI64(rowBytes)});
    return;
  }
  Value buffer = stackTile(lhsTiles[tileRow % 2]);
  LoweredView view = rowsOf(lhs);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(lhs.element));
  for (int64_t row = 0; row < rows; ++row) {
    Value at = program.add(first, program.mul(program.index(row), lhs.strides[0]));
    LLVM::StoreOp::create(b, memory.loadRow(view, at, kSteps, {}, left, zero),
                          this->tileRow(buffer, row), kRowBytes);
  }
  call("tileloadd64", {own, buffer, number(kRowBytes, 64)});
}

/// Returns step k + step of K; zeros if only `left` steps from k on exist.
Value Bf16Tiles::loadRhsRow(const Columns &columns, Value k, int64_t step, Value left) {
  const LoweredStaged &rhs = *columns.rhs;
  LoweredView view = rowsOf(rhs);
  Value at = program.add(program.mul(program.add(k, program.index(step)), rhs.strides[0]),
                         program.mul(program.index(columns.first), rhs.strides[1]));
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(rhs.element)), count;
  if (std::optional<int64_t> steps = left ? getConstantIntValue(left) : std::nullopt) {
    if (step >= *steps)
      return program.splat(toMemory(b, zero, rhs.element), kColumns);
  } else if (left) {
    Value isInside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, program.index(step), left);
    count =
        arith::SelectOp::create(b, isInside, program.index(kColumns), program.index(0));
  }
  return memory.loadRow(view, at, kColumns, {}, count, zero);
}

/// Interleaves steps k + 2 * pair and the one after it of 16 columns, as a row of a tile.
/// The columns are in the order of kColumnOrder.
void Bf16Tiles::interleaveRhs(const Columns &columns, Value buffer, Value k, int64_t pair,
                              Value left) {
  constexpr int64_t kHalf = kColumns / 2;
  Value even = loadRhsRow(columns, k, 2 * pair, left),
        odd = loadRhsRow(columns, k, 2 * pair + 1, left);
  for (int64_t half : {0, 1}) {
    SmallVector<int64_t> order;
    for (int64_t column : ArrayRef(kColumnOrder).slice(half * kHalf, kHalf))
      order.append({column, kColumns + column});
    Value place = program.gep(buffer, b.getI8Type(),
                              program.index(pair * kRowBytes + half * kRowBytes / 2));
    LLVM::StoreOp::create(b, vector::ShuffleOp::create(b, even, odd, order), place,
                          kRowBytes / 2);
  }
}

/// Prefetches rows of a block of K at the part's distance.
void Bf16Tiles::prefetchRhs(const Part &part, Value k) {
  const LoweredStaged &rhs = *part.columns.front().rhs;
  for (int64_t step = 0; step < kSteps; step += tile::MmaOp::kPrefetchRows) {
    Value row = program.mul(program.add(k, program.index(step)), rhs.strides[0]);
    LLVM::Prefetch::create(
        b, program.gep(rhs.pointer, rhs.element, program.add(row, part.ahead)),
        /*rw=*/0, /*hint=*/2, /*cache=*/1);
  }
}

/// Adds 32 steps of K, or `left` of them, to all accumulators of a part. A part with more
/// than two tiles of rows has one of columns, so that two registers suffice for A. All of
/// B is interleaved first: what is stored reaches the cache, from where registers are
/// loaded, only when all instructions before it are finished. Panels are read together,
/// row by row, since a row of a pack is contiguous.
void Bf16Tiles::step(const Part &part, Value k, Value left) {
  for (int64_t pair = 0; pair < kRows; ++pair)
    for (auto [c, columns] : llvm::enumerate(part.columns))
      interleaveRhs(columns, stackTile(rhsTiles[c]), k, pair, left);
  if (part.ahead)
    prefetchRhs(part, k);
  for (size_t c = 0; c < part.columns.size(); ++c) {
    call("tileloadd64",
         {tile(kRhsRegisters + c % 2), rhsTiles[c], number(kRowBytes, 64)});
    for (int64_t r = 0; r < part.rowTiles; ++r) {
      if (c == 0)
        loadLhs(part, r, k, left);
      call("tdpbf16ps", {tile(kAccumulatorRegisters + c * part.rowTiles + r),
                         tile(kLhsRegisters + r % 2), tile(kRhsRegisters + c % 2)});
    }
  }
}

void Bf16Tiles::multiplyPart(const Part &part, Value extent) {
  std::optional<int64_t> fixed = getConstantIntValue(extent);
  Value steps = program.index(kSteps), whole, left;
  if (fixed) {
    whole = program.index(*fixed / kSteps * kSteps);
    left = program.index(*fixed % kSteps);
  } else {
    left = arith::RemUIOp::create(b, extent, steps);
    whole = arith::SubIOp::create(b, extent, left);
  }
  OpBuilder::InsertionGuard guard(b);
  if (!fixed || *fixed >= kSteps) {
    auto loop = scf::ForOp::create(b, program.index(0), whole, steps);
    b.setInsertionPointToStart(loop.getBody());
    step(part, loop.getInductionVar(), {});
    b.setInsertionPointAfter(loop);
  }
  if (fixed) {
    if (*fixed % kSteps)
      step(part, whole, left);
    return;
  }
  Value isPartial =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, left, program.index(0));
  auto branch = scf::IfOp::create(b, isPartial);
  b.setInsertionPointToStart(branch.thenBlock());
  step(part, whole, left);
}

void Bf16Tiles::end(const Part &part, MutableArrayRef<Rows> results) {
  auto type = VectorType::get(kColumns, b.getF32Type());
  for (auto [c, columns] : llvm::enumerate(part.columns))
    for (int64_t r = 0; r < part.rowTiles; ++r) {
      int64_t index = c * part.rowTiles + r;
      Value buffer = stackTile(accumulators[index]);
      call("tilestored64",
           {tile(kAccumulatorRegisters + index), buffer, number(kRowBytes, 64)});
      for (int64_t i = 0; i < rowsOfTile(part.height, part.firstRow, r); ++i) {
        Value &row = results[columns.mma][part.firstRow + r * kRows + i];
        Value own = LLVM::LoadOp::create(b, type, tileRow(buffer, i), kRowBytes);
        own = reorder(b, b.getLoc(), own);
        row = own.getType() == row.getType()
                  ? own
                  : LLVM::vector_insert::create(b, row, own, columns.first).getResult();
      }
    }
}

SmallVector<Rows> Bf16Tiles::multiply(ArrayRef<tile::MmaOp> group, Value extent,
                                      ArrayRef<Rows> initial) {
  isNeeded = true;
  SmallVector<Columns> columns;
  for (size_t i = 0; i < group.size(); ++i) {
    tile::MmaOp mma = group[i];
    for (int64_t first = 0; first < mma.getType().getColumns(); first += kColumns)
      columns.push_back({&program.staged.find(mma.getRhs())->second, i, first});
  }
  tile::MmaOp any = group.front();
  Value ahead = any.getAhead() ? program.scalar(any.getAhead()) : Value();
  int64_t height = any.getType().getRows(), tiles = llvm::divideCeil(height, kRows),
          rowTiles = std::min<int64_t>(tiles, columns.size() == 1 ? kAccumulators : 2);
  SmallVector<Rows> results(initial);
  for (int64_t row = 0; row < tiles; row += rowTiles) {
    int64_t own = std::min(rowTiles, tiles - row);
    for (ArrayRef<Columns> rest = columns; !rest.empty();) {
      size_t side = std::min<size_t>(rest.size(), kAccumulators / own);
      Part part{&program.staged.find(any.getLhs())->second,
                rest.take_front(side),
                height,
                row * kRows,
                own,
                ahead};
      begin(part, initial);
      multiplyPart(part, extent);
      end(part, results);
      rest = rest.drop_front(side);
    }
  }
  return results;
}

void Bf16Tiles::configure(LLVM::LLVMFuncOp function) {
  SmallVector<Shape> shapes(kAmxTiles, {kRows, kRowBytes});
  TileRegisters::configure(function, shapes);
}
