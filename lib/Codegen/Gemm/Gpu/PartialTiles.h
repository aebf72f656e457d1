//===- PartialTiles.h - Accumulators in the workspace -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks that split K of a tile store their accumulators in the workspace, and the last
// one to arrive adds them. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_GPU_PARTIALTILES_H
#define KILN_LIB_CODEGEN_GEMM_GPU_PARTIALTILES_H

#include "TileScheduler.h"

namespace kiln::codegen {

class PartialTiles : public GemmBuilder {
public:
  /// Partial tiles of at most `splits` tasks per tile.
  PartialTiles(const GemmBuilder &gemm, TileShape shape, int64_t splits)
      : GemmBuilder(gemm), shape(shape), splits(splits) {}

  int64_t bytesPerTile() const;
  /// Opens the view of one tile's partial accumulators: split x row x column.
  void open(Value tile);
  void store(Value split, mlir::ValueRange accumulators);
  /// Loads `count` panels of one split.
  Values load(Value split, int64_t first, int64_t count);
  Values add(mlir::ValueRange lhs, mlir::ValueRange rhs);

private:
  int64_t accumulatorsPerSplit() const;

  TileShape shape;
  int64_t splits;
  Value partials = {};
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_GPU_PARTIALTILES_H
