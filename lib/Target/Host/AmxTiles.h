//===- AmxTiles.h - Products of bytes on tile registers ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMX (Intel 64 and IA-32 Architectures SDM, vol. 1, ch. 18): TDPBSUD multiplies 16 or 8
// rows of up to 64 signed bytes by as many steps of 16 columns of unsigned bytes, four
// steps of a column side by side, and adds to i32. Both operands are read where they lie.
// Private to lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_AMXTILES_H
#define KILN_LIB_TARGET_HOST_AMXTILES_H

#include "HostProgram.h"

namespace kiln::host {

class AmxTiles {
public:
  using Value = mlir::Value;

  explicit AmxTiles(HostProgram &program) : program(program), b(program.b) {}

  /// Columns of a product, in i32.
  static constexpr int64_t kColumns = 16;
  /// True for a product of these rows, with K in blocks of `block` steps. All products of
  /// a kernel have tiles of the same steps.
  bool takes(int64_t rows, int64_t columns, int64_t block);

  /// Four steps of K of all columns, from `word` on: a pointer to `words` of them that
  /// lie `stride` bytes from each other.
  struct Words {
    Value pointer, stride;
  };
  using ReadWords = llvm::function_ref<Words(int64_t word, int64_t words)>;
  /// Integers of every row: lhs, rows x block of i8, times what `read` gives.
  Rows multiply(const LoweredStaged &lhs, int64_t rows, int64_t block, ReadWords read);

  /// Bytes on the stack for a tile of words that have to be unpacked.
  Value wordBuffer() { return stackTile(words); }

  /// At the begin and the end of a function that has any product: gives the registers
  /// their shapes, and back.
  void configure(mlir::LLVM::LLVMFuncOp function);

private:
  Value number(int64_t value, unsigned bits);
  Value stackTile(Value &buffer);
  void call(llvm::StringRef name, mlir::ValueRange operands);

  HostProgram &program;
  mlir::ImplicitLocOpBuilder &b;
  int64_t steps = 0; ///< of K in a tile; 0: there is no product yet
  bool isOdd = false;
  Value words, integers[2];
};

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_AMXTILES_H
