//===- AmxTiles.cpp - Integer matmul on AMX tiles -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AmxTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

static constexpr int64_t kRowBytes = 64, kTallest = 16, kShort = 8, kTileBytes = 1024;

namespace {
/// Tile registers of a matmul. There are two sets for 16 rows, used alternately, so that
/// one matmul begins while the other's accumulators are stored.
struct Registers {
  int64_t sums, lhs, rhs;
};
} // namespace

static constexpr Registers kTall[] = {{0, 1, 2}, {3, 4, 5}}, kShortOnes = {6, 7, 2};

bool AmxTiles::takes(int64_t rows, int64_t columns, int64_t block) {
  int64_t own = block % kRowBytes == 0 ? kRowBytes : block % 32 == 0 ? 32 : 0;
  if (own == 0 || columns != kColumns || (rows != kTallest && rows != kShort) ||
      (steps != 0 && steps != own))
    return false;
  steps = own;
  return true;
}

Value AmxTiles::number(int64_t value, unsigned bits) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(b.getIntegerType(bits), value));
}

void AmxTiles::call(StringRef name, ValueRange operands) {
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr(("llvm.x86." + name).str()), operands);
}

/// Allocates a buffer of one tile once, at the function's entry, because an alloca in a
/// loop would grow the stack with every iteration.
Value AmxTiles::stackTile(Value &buffer) {
  if (buffer)
    return buffer;
  auto function = b.getInsertionBlock()->getParentOp();
  if (!isa<LLVM::LLVMFuncOp>(function))
    function = function->getParentOfType<LLVM::LLVMFuncOp>();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&cast<LLVM::LLVMFuncOp>(function).getBody().front());
  buffer = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                  b.getI8Type(), number(kTileBytes, 64), kRowBytes);
  return buffer;
}

Rows AmxTiles::multiply(const LoweredStaged &lhs, int64_t rows, int64_t block,
                        ReadWords read) {
  isOdd = !isOdd;
  const Registers &own = rows == kTallest ? kTall[isOdd] : kShortOnes;
  auto tile = [&](int64_t index) { return number(index, 8); };
  Value rowBytes = program.toI64(lhs.strides[0]), line = number(kRowBytes, 64);
  call("tilezero", tile(own.sums));
  for (int64_t step = 0; step < block; step += steps) {
    Value codes = program.gep(lhs.pointer, lhs.element, program.index(step));
    call("tileloadd64", {tile(own.lhs), codes, rowBytes});
    Words words = read(step / 4, steps / 4);
    call("tileloadd64", {tile(own.rhs), words.pointer, words.stride});
    call("tdpbsud", {tile(own.sums), tile(own.lhs), tile(own.rhs)});
  }
  Value buffer = stackTile(integers[isOdd]);
  call("tilestored64", {tile(own.sums), buffer, line});
  auto type = VectorType::get(kColumns, b.getI32Type());
  Rows result;
  for (int64_t row = 0; row < rows; ++row) {
    Value from = program.gep(buffer, b.getI8Type(), program.index(row * kRowBytes));
    result.push_back(LLVM::LoadOp::create(b, type, from, kRowBytes));
  }
  return result;
}

/// Palette 1 layout: bytes per row from byte 16 on, 16 bits each, and rows from byte 48
/// on.
void AmxTiles::configure(LLVM::LLVMFuncOp function) {
  if (steps == 0)
    return;
  SmallVector<int8_t> bytes(kRowBytes, 0);
  bytes[0] = 1;
  auto shape = [&](int64_t index, int64_t rows, int64_t rowBytes) {
    bytes[16 + 2 * index] = int8_t(rowBytes);
    bytes[48 + index] = int8_t(rows);
  };
  auto shapes = [&](const Registers &own, int64_t rows) {
    shape(own.sums, rows, kRowBytes);
    shape(own.lhs, rows, steps);
    shape(own.rhs, steps / 4, kRowBytes);
  };
  for (const Registers &own : kTall)
    shapes(own, kTallest);
  shapes(kShortOnes, kShort);
  OpBuilder::InsertionGuard guard(b);
  Block &entry = function.getBody().front();
  b.setInsertionPointToStart(&entry);
  Value config = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()),
                                        b.getI8Type(), number(kRowBytes, 64), kRowBytes);
  auto type = VectorType::get(kRowBytes, b.getI8Type());
  Value values =
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  LLVM::StoreOp::create(b, values, config, kRowBytes);
  call("ldtilecfg", config);
  b.setInsertionPoint(entry.getTerminator());
  call("tilerelease", {});
}
