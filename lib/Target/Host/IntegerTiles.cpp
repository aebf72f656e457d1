//===- IntegerTiles.cpp - Integer matmul on AMX tiles ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

static constexpr int64_t kTallest = TileRegisters::kRows, kShort = 8;

namespace {
/// Tile registers of a matmul. There are two sets for 16 rows, used alternately, so that
/// one matmul begins while the other's accumulators are stored.
struct Registers {
  int64_t sums, lhs, rhs;
};
} // namespace

static constexpr Registers kTall[] = {{0, 1, 2}, {3, 4, 5}}, kShortOnes = {6, 7, 2};

bool IntegerTiles::takes(int64_t rows, int64_t columns, int64_t block) {
  int64_t own = block % kRowBytes == 0 ? kRowBytes : block % 32 == 0 ? 32 : 0;
  if (own == 0 || columns != kColumns || (rows != kTallest && rows != kShort) ||
      (steps != 0 && steps != own))
    return false;
  steps = own;
  return true;
}

Rows IntegerTiles::multiply(const LoweredStaged &lhs, int64_t rows, int64_t block,
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

void IntegerTiles::configure(LLVM::LLVMFuncOp function) {
  SmallVector<Shape> shapes(kAmxTiles);
  auto shape = [&](const Registers &own, int64_t rows) {
    shapes[own.sums] = {rows, kRowBytes};
    shapes[own.lhs] = {rows, steps};
    shapes[own.rhs] = {steps / 4, kRowBytes};
  };
  for (const Registers &own : kTall)
    shape(own, kTallest);
  shape(kShortOnes, kShort);
  TileRegisters::configure(function, shapes);
}
