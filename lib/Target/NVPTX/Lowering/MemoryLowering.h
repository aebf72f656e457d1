//===- MemoryLowering.h - Views, loads, stores --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_MEMORYLOWERING_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_MEMORYLOWERING_H

#include "ThreadProgram.h"

namespace kiln::nvptx {

/// Position of this thread's part of a fragment in a view.
struct Place {
  mlir::Value pointer;     ///< at register 0
  mlir::Value row, column; ///< of register 0 in the fragment
  mlir::Value rowStride, columnStride;
  mlir::Value rowCount, columnCount;   ///< that exist; null: all
  mlir::Value firstColumn;             ///< that exists; null: 0
  int64_t lastRow = 0, lastColumn = 0; ///< maximum of row and column over threads
};

class MemoryLowering {
public:
  using Value = mlir::Value;
  explicit MemoryLowering(ThreadProgram &program) : program(program), b(program.b) {}

  void lowerView(tile::ViewOp op);
  void lowerLoad(tile::LoadOp op);
  void lowerStore(tile::StoreOp op);
  void lowerGather(tile::GatherOp op);
  void lowerScatter(tile::ScatterOp op);
  void lowerPrefetch(tile::PrefetchOp op);

  // Memory accesses for other families of ops.
  Value widePosition(Value position);
  /// Returns the address of element `position` of the last dim, from `base` on.
  Value elementAt(const LoweredView &view, Value base, Value position);
  Value isInLastDim(const LoweredView &view, Value position);
  Place place(const LoweredView &view, const Layout &layout, unsigned rank,
              mlir::ValueRange indices, llvm::ArrayRef<int64_t> masked);
  Value isFrom(Value own, int64_t more, int64_t last, Value first);
  Value inside(const Place &place, int64_t row, int64_t column);
  Value isBelow(Value own, int64_t more, int64_t last, Value count);
  Value address(const LoweredView &view, const Place &place, int64_t row, int64_t column);
  Value loadValue(mlir::Type element, Value pointer);
  Value fromMemory(Value value, mlir::Type element);
  Value toMemory(Value value, mlir::Type element);
  Values loadRun(const LoweredView &view, Value pointer, int64_t count);
  void storeRun(const LoweredView &view, Value pointer, mlir::ValueRange values);
  /// Returns the elements per access: contiguous in registers and memory, and aligned.
  int64_t runWidth(mlir::Operation *op, const LoweredView &view, const Layout &layout);
  Value linearize(const LoweredView &view, mlir::ValueRange indices);

private:
  ThreadProgram &program;
  mlir::ImplicitLocOpBuilder &b;
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_MEMORYLOWERING_H
