//===- IntegerTiles.h - Integer matmul on AMX tiles -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMX (Intel 64 and IA-32 Architectures SDM, vol. 1, ch. 18): TDPBSUD multiplies 16 or 8
// rows of up to 64 signed bytes by 16 columns of as many unsigned bytes, with four K
// indices of a column adjacent, and accumulates in i32. Both operands are loaded in
// place. Private to lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_INTEGERTILES_H
#define KILN_LIB_TARGET_HOST_INTEGERTILES_H

#include "TileRegisters.h"

namespace kiln::host {

class IntegerTiles : public TileRegisters {
public:
  using TileRegisters::TileRegisters;

  /// Columns of an accumulator tile, in i32.
  static constexpr int64_t kColumns = 16;
  /// Returns true if a matmul with these rows and columns, and K in blocks of `block`,
  /// can use AMX. All matmuls of a kernel have tiles of the same K.
  bool takes(int64_t rows, int64_t columns, int64_t block);

  /// Weight words (four K indices of all columns) from `word` on: a pointer to `words`
  /// rows of them, `stride` bytes apart.
  struct Words {
    Value pointer, stride;
  };
  using ReadWords = llvm::function_ref<Words(int64_t word, int64_t words)>;
  /// Returns the i32 accumulators of every row: lhs (rows x block of i8) times the words
  /// that `read` returns.
  Rows multiply(const LoweredStaged &lhs, int64_t rows, int64_t block, ReadWords read);

  /// Returns a stack buffer for a tile of words that must be unpacked.
  Value wordBuffer() { return stackTile(words); }

  bool isUsed() const { return steps != 0; }
  /// Configures the tile registers of a function that uses them.
  void configure(mlir::LLVM::LLVMFuncOp function);

private:
  int64_t steps = 0; ///< K of a tile; 0: no matmul yet
  bool isOdd = false;
  Value words, integers[2];
};

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_INTEGERTILES_H
