//===- LowerTileStores.cpp - Epilogue through shared memory and TMA -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warpgroup stores its 64 rows independently: stmatrix into swizzled lines, without
// bank conflicts; a fence between the generic and the async proxy; a barrier of its
// threads; and one thread that issues the TMA stores of all segments as one bulk group
// (PTX ISA, "cp.async.bulk").
//
//===----------------------------------------------------------------------===//

#include "AsyncLowering.h"
#include "ProductLowering.h"
#include "lib/Target/NVPTX/Layout/TensorMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

static constexpr int64_t kStoreGroupRows = 64;
/// Rows and columns that one stmatrix writes, and bytes of a row of an 8x8 matrix.
static constexpr int64_t kStoreTileRows = 16, kStoreTileColumns = 16, kChunkBytes = 16;
/// The swizzle is a function of address bits from this one up: 128-byte lines.
static constexpr int64_t kLineShift = 7;
SmallVector<int64_t> nvptx::storeBox(tile::AsyncStoreOp op) {
  tile::MemType type = op.getBuffer().getType();
  SmallVector<int64_t> box(op.getIndices().size(), 1);
  box[box.size() - 2] = std::min(type.getRows(), kStoreGroupRows);
  box.back() = type.getLayout().getSwizzle() / tile::elementBytes(type.getElementType());
  return box;
}

/// Returns 1 in the thread that issues its warpgroup's stores, else 0.
Value AsyncLowering::storesForGroup() {
  Value rank = arith::AndIOp::create(b, program.thread, program.word(kGroupThreads - 1));
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rank, program.word(0));
  return arith::ExtUIOp::create(b, b.getI32Type(), isFirst);
}

void AsyncLowering::meetInGroup() {
  Value number = arith::AddIOp::create(b, warpgroup, program.word(kFirstGroupBarrier));
  program.assembly({}, {number}, "bar.sync $0, " + std::to_string(kGroupThreads) + ";",
                   "r,~{memory}");
  program.diverged = false;
}

/// Lane l has the address of row l % 8 of matrix l / 8: matrix 1 is below matrix 0, and 2
/// and 3 are to the right of these.
void AsyncLowering::lower(tile::WriteBufferOp op) {
  tile::MemType type = op.getBuffer().getType();
  Fragment value = program.fragment(op.getValue());
  int64_t span = type.getLayout().getSwizzle(), pieceBytes = type.getRows() * span;
  int64_t mask = span / kChunkBytes - 1;
  program.converge();
  auto bits = [&](Value word, int64_t shift, int64_t mask) -> Value {
    Value down = arith::ShRUIOp::create(b, word, program.word(shift));
    return arith::AndIOp::create(b, down, program.word(mask));
  };
  auto times = [&](Value word, int64_t by) -> Value {
    return arith::MulIOp::create(b, word, program.word(by));
  };
  auto plus = [&](Value lhs, Value rhs) -> Value {
    return arith::AddIOp::create(b, lhs, rhs);
  };
  Value warp = bits(program.thread, 5, -1), inMatrix = bits(program.thread, 0, 7);
  Value lower = bits(program.thread, 3, 1), right = bits(program.thread, 4, 1);
  Value row = plus(plus(times(warp, kStoreTileRows), times(lower, 8)), inMatrix);
  Value line = times(plus(row, program.word(op.getPlace()[0])), span);
  Value base = plus(stageAt(op.getBuffer(), program.scalar(op.getStage())), line);
  Value swizzled =
      arith::XOrIOp::create(b, bits(line, kLineShift, mask), right); // of the first chunk
  swizzled = times(swizzled, kChunkBytes);
  for (int64_t column = 0; column < op.getValue().getType().getColumns();
       column += kStoreTileColumns) {
    int64_t byte =
        (op.getPlace()[1] + column) * tile::elementBytes(type.getElementType());
    Value inLine = arith::XOrIOp::create(b, swizzled, program.word(byte % span));
    Values operands{plus(base, sum(inLine, byte / span * pieceBytes))};
    for (Value word : packLeft(program, value, /*rowTiles=*/1, column).front())
      operands.push_back(
          word.getType().isInteger()
              ? word
              : LLVM::BitcastOp::create(b, b.getI32Type(), word).getResult());
    program.assembly({}, operands,
                     "stmatrix.sync.aligned.m8n8.x4.shared.b16 [$0], {$1, $2, $3, $4};",
                     "r,r,r,r,r,~{memory}");
  }
}

void AsyncLowering::lower(tile::AsyncStoreOp op) {
  tile::MemType type = op.getBuffer().getType();
  int64_t span = type.getLayout().getSwizzle();
  int64_t columns = span / tile::elementBytes(type.getElementType());
  program.assembly({}, {}, "fence.proxy.async.shared::cta;", "~{memory}");
  meetInGroup();
  Value stores = storesForGroup();
  Value row = arith::MulIOp::create(b, warpgroup, program.word(kStoreGroupRows));
  Value base =
      arith::AddIOp::create(b, stageAt(op.getBuffer(), program.scalar(op.getStage())),
                            arith::MulIOp::create(b, row, program.word(span)));
  size_t rank = op.getIndices().size();
  auto order = mapOrder(op.getView().getDefiningOp<tile::ViewOp>());
  for (int64_t column = 0; column < type.getColumns(); column += columns) {
    Values operands{stores, program.mapArgument(mapOf.lookup(op)),
                    sum(base, column / columns * type.getRows() * span)};
    std::string place, constraints = "r,l,r";
    for (unsigned dim : order) {
      Value at = arith::IndexCastOp::create(b, b.getI32Type(),
                                            program.scalar(op.getIndices()[dim]));
      if (dim == rank - 1)
        at = sum(at, column);
      else if (dim == rank - 2)
        at = arith::AddIOp::create(b, at, row);
      place += (place.empty() ? "$" : ", $") + std::to_string(operands.size());
      constraints += ",r";
      operands.push_back(at);
    }
    program.assembly({}, operands,
                     "{\n.reg .pred p;\nsetp.ne.b32 p, $0, 0;\n"
                     "@p cp.async.bulk.tensor." +
                         std::to_string(rank) +
                         "d.global.shared::cta.tile.bulk_group [$1, {" + place +
                         "}], [$2];\n}",
                     constraints + ",~{memory}");
  }
  program.assembly({}, {stores},
                   "{\n.reg .pred p;\nsetp.ne.b32 p, $0, 0;\n"
                   "@p cp.async.bulk.commit_group;\n}",
                   "r,~{memory}");
}

/// Waits for bulk groups, which belong to the thread that issued them.
void AsyncLowering::lower(tile::WaitStoresOp op) {
  program.assembly(
      {}, {storesForGroup()},
      "{\n.reg .pred p;\nsetp.ne.b32 p, $0, 0;\n@p cp.async.bulk.wait_group" +
          std::string(op.getWritten() ? " " : ".read ") +
          std::to_string(op.getInFlight()) + ";\n}",
      "r,~{memory}");
  meetInGroup();
}
