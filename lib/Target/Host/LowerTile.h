//===- LowerTile.h - Tile programs to vectors -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a tile.kernel that builds the host function beside it: a
// fragment becomes one vector per row, a view a pointer with extents and
// strides, a staged tile a pointer with strides. Private to lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_LOWERTILE_H
#define KILN_LIB_TARGET_HOST_LOWERTILE_H

#include "dialects/Tile/Tile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kiln::host {

/// One vector per row.
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

class TileLowering {
public:
  explicit TileLowering(tile::KernelOp kernel)
      : kernel(kernel), b(kernel.getLoc(), kernel.getContext()) {}

  /// Builds the function before the kernel; null if an op cannot be lowered,
  /// which has been reported.
  mlir::LLVM::LLVMFuncOp run();

private:
  // Structure (LowerTile.cpp).
  void bindArguments(mlir::Block &entry);
  void lowerBlock(mlir::Block &block);
  void lower(mlir::Operation *op);
  void lowerFor(mlir::scf::ForOp op);
  void lowerIf(mlir::scf::IfOp op);
  void lowerSwitch(mlir::scf::IndexSwitchOp op);
  void lowerApply(mlir::Operation *op);
  void lowerPipeline(tile::PipelineOp op);
  void fail(mlir::Operation *op, llvm::StringRef what);

  // Memory (LowerTileMemory.cpp).
  void lowerView(tile::ViewOp op);
  void lowerLoad(tile::LoadOp op);
  void lowerStore(tile::StoreOp op);
  void lowerGather(tile::GatherOp op);
  void lowerScatter(tile::ScatterOp op);
  void lowerStage(tile::StageOp op);
  void lowerPrefetch(tile::PrefetchOp op);
  mlir::Value loadRow(const LoweredView &view, mlir::Value offset, int64_t columns,
                      mlir::Value first, mlir::Value count, mlir::Value pad);
  mlir::Value loadStrided(const LoweredView &view, mlir::Value offset, int64_t columns,
                          mlir::Value count, mlir::Value pad);
  void storeRow(mlir::Value row, const LoweredView &view, mlir::Value offset,
                mlir::Value count);
  /// Linear element offset of the indices.
  mlir::Value linearize(const LoweredView &view, mlir::ValueRange indices);
  mlir::Value elementPointers(const LoweredView &view, mlir::Value offset,
                              mlir::Value lanes);
  /// lane < count for every lane.
  mlir::Value lanesBelow(mlir::Value count, int64_t columns);

  // Products (LowerTileMma.cpp).
  void lowerMma(tile::MmaOp op);
  llvm::SmallVector<tile::MmaOp> mmaGroup(tile::MmaOp first);
  llvm::SmallVector<Rows> mmaStep(llvm::ArrayRef<tile::MmaOp> group, mlir::Value k,
                                  llvm::ArrayRef<Rows> accumulators);
  mlir::Value loadStagedRow(const LoweredStaged &staged, mlir::Value k, int64_t columns);
  mlir::Value widen(mlir::Value value, mlir::Type element, bool isUnsigned);

  // Fragments (LowerTileFrag.cpp).
  void lowerMap(tile::MapOp op);
  void lowerReduce(tile::ReduceOp op);
  void lowerBroadcast(tile::BroadcastOp op);
  void lowerConvert(tile::ConvertOp op);
  void lowerIota(tile::IotaOp op);
  void lowerSelectRange(tile::SelectRangeOp op);
  void lowerTranspose(tile::TransposeOp op);
  void lowerExtract(tile::ExtractOp op);
  mlir::Value combine(tile::ReduceKind kind, mlir::Value lhs, mlir::Value rhs);
  mlir::Value reduceRow(tile::ReduceKind kind, mlir::Value row);
  mlir::Value extractLane(mlir::Value row, int64_t lane);
  mlir::Value packLanes(mlir::ValueRange scalars);

  // Helpers.
  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value toI64(mlir::Value value);
  mlir::Value gep(mlir::Value pointer, mlir::Type element, mlir::Value offset);
  mlir::Value splat(mlir::Value scalar, int64_t columns);
  mlir::Value iotaVector(int64_t columns, mlir::Type element);
  mlir::Value scalar(mlir::Value value) { return scalars.lookup(value); }
  llvm::SmallVector<mlir::Value> scalarsOf(mlir::ValueRange values);
  /// Values of any kind as the values they lower to, and back.
  llvm::SmallVector<mlir::Value> flatten(mlir::ValueRange values);
  void bind(mlir::ValueRange values, mlir::ValueRange lowered);

  tile::KernelOp kernel;
  mlir::ImplicitLocOpBuilder b;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Rows> frags;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<mlir::Value, LoweredView> views;
  llvm::DenseMap<mlir::Value, LoweredStaged> staged;
  llvm::DenseMap<mlir::Operation *, bool> done; // ops lowered with an earlier one
  mlir::Value scratch;
  bool failed = false;
};

/// The type of an element in memory: i1 takes a byte, bf16 is the i16 of its
/// bits, so that LLVM sees no arithmetic to narrow to it.
mlir::Type memoryType(mlir::Type element);
/// Between a value in memory and in the program, scalar or vector.
mlir::Value fromMemory(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                       mlir::Type element);
mlir::Value toMemory(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                     mlir::Type element);

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_LOWERTILE_H
