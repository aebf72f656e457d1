//===- TileRegisters.h - AMX tile registers ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMX (Intel 64 and IA-32 Architectures SDM, vol. 1, ch. 18) has eight registers of up to
// 16 rows of 64 bytes, whose shapes a function configures once. Private to
// lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_TILEREGISTERS_H
#define KILN_LIB_TARGET_HOST_TILEREGISTERS_H

#include "HostProgram.h"
#include "kiln/Target/MachineModel.h"

namespace kiln::host {

class TileRegisters {
public:
  using Value = mlir::Value;

  explicit TileRegisters(HostProgram &program) : program(program), b(program.b) {}

  static constexpr int64_t kRows = kTileRegisterRows, kRowBytes = kTileRegisterRowBytes;

protected:
  struct Shape {
    int64_t rows = 0, rowBytes = 0;
  };

  Value number(int64_t value, unsigned bits);
  /// Returns the number of a register.
  Value tile(int64_t index) { return number(index, 8); }
  /// Calls an LLVM intrinsic of x86.
  void call(llvm::StringRef name, mlir::ValueRange operands);
  /// Returns a buffer of one tile, which the first call allocates on the stack.
  Value stackTile(Value &buffer);
  /// Emits the configuration of the registers at a function's entry, and their release at
  /// its exit.
  void configure(mlir::LLVM::LLVMFuncOp function, llvm::ArrayRef<Shape> shapes);

  HostProgram &program;
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_TILEREGISTERS_H
