//===- HostProgram.h - State of lowering a tile.kernel ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fragment is lowered to one vector per row, a view to a pointer with extents and
// strides, a staged tile to a pointer with strides. The classes that lower a family of
// ops work on this state. Private to lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_HOSTPROGRAM_H
#define KILN_LIB_TARGET_HOST_HOSTPROGRAM_H

#include "dialects/Tile/Tile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kiln::host {

/// One vector per row of a fragment.
using Rows = llvm::SmallVector<mlir::Value>;

struct LoweredView {
  mlir::Value pointer; // at element 0
  mlir::Type element;
  llvm::SmallVector<mlir::Value> sizes, strides; // index; constants where static
};

struct LoweredStaged {
  mlir::Value pointer;
  mlir::Type element;
  std::array<mlir::Value, 2> sizes, strides;
};

/// Returns a view of one row of a staged tile, which begins at an offset from its first
/// element.
inline LoweredView rowsOf(const LoweredStaged &staged) {
  return {staged.pointer, staged.element, {}, {staged.strides[1]}};
}

struct HostProgram {
  explicit HostProgram(tile::KernelOp kernel)
      : kernel(kernel), b(kernel.getLoc(), kernel.getContext()) {}

  /// Reports the first op that cannot be lowered.
  void fail(mlir::Operation *op, llvm::StringRef what);

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value toI64(mlir::Value value);
  mlir::Value gep(mlir::Value pointer, mlir::Type element, mlir::Value offset);

  // Vectors.
  mlir::Value splat(mlir::Value scalar, int64_t columns);
  mlir::Value iotaVector(int64_t columns, mlir::Type element);
  mlir::Value extractLane(mlir::Value row, int64_t lane);
  mlir::Value packLanes(mlir::ValueRange scalars);
  /// Returns the mask lane < count.
  mlir::Value lanesBelow(mlir::Value count, int64_t columns);

  mlir::Value scalar(mlir::Value value) { return scalars.lookup(value); }
  llvm::SmallVector<mlir::Value> scalarsOf(mlir::ValueRange values);
  /// Converts values of any kind to the values they are lowered to, and back.
  llvm::SmallVector<mlir::Value> flatten(mlir::ValueRange values);
  void bind(mlir::ValueRange values, mlir::ValueRange lowered);

  tile::KernelOp kernel;
  mlir::ImplicitLocOpBuilder b;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Rows> frags;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<mlir::Value, LoweredView> views;
  llvm::DenseMap<mlir::Value, LoweredStaged> staged;
  mlir::Value scratch;
  bool failed = false;
};

/// Returns the type of an element in memory: i1 is a byte, bf16 is i16, so that LLVM does
/// not narrow arithmetic to bf16.
mlir::Type memoryType(mlir::Type element);
/// Converts a scalar or vector between its types in memory and in the program.
mlir::Value fromMemory(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                       mlir::Type element);
mlir::Value toMemory(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                     mlir::Type element);

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_HOSTPROGRAM_H
