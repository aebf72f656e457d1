//===- TileRegisters.cpp - AMX tile registers -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileRegisters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

Value TileRegisters::number(int64_t value, unsigned bits) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(b.getIntegerType(bits), value));
}

void TileRegisters::call(StringRef name, ValueRange operands) {
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr(("llvm.x86." + name).str()), operands);
}

/// Allocates the buffer at the function's entry, because an alloca in a loop would grow
/// the stack with every iteration.
Value TileRegisters::stackTile(Value &buffer) {
  if (buffer)
    return buffer;
  auto function = b.getInsertionBlock()->getParentOp();
  if (!isa<LLVM::LLVMFuncOp>(function))
    function = function->getParentOfType<LLVM::LLVMFuncOp>();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&cast<LLVM::LLVMFuncOp>(function).getBody().front());
  buffer =
      LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), b.getI8Type(),
                             number(kRows * kRowBytes, 64), kRowBytes);
  return buffer;
}

/// Palette 1 layout: bytes per row from byte 16 on, 16 bits each, and rows from byte 48
/// on.
void TileRegisters::configure(LLVM::LLVMFuncOp function, ArrayRef<Shape> shapes) {
  SmallVector<int8_t> bytes(kRowBytes, 0);
  bytes[0] = 1;
  for (auto [i, shape] : llvm::enumerate(shapes)) {
    bytes[16 + 2 * i] = int8_t(shape.rowBytes);
    bytes[48 + i] = int8_t(shape.rows);
  }
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
