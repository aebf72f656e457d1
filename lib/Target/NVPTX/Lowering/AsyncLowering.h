//===- AsyncLowering.h - Buffers, barriers, TMA and wgmma -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the ops of TileAsyncOps.td, which make up a warp-specialized kernel, to PTX.
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_ASYNCLOWERING_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_ASYNCLOWERING_H

#include "ThreadProgram.h"
#include "lib/Target/NVPTX/Layout/Wgmma.h"

#include <functional>

namespace kiln::nvptx {

/// Threads of a warpgroup.
constexpr int64_t kGroupThreads = 128;
/// First of the consumer warpgroups' named barriers. Barrier 0 is the block's and 1 that
/// of all consumers; then follow one per consumer warpgroup and one per warpgroup for its
/// turn (tile.wait_order).
constexpr int64_t kFirstGroupBarrier = 2;

/// Returns the box of one TMA store, in elements per dim of the view.
llvm::SmallVector<int64_t> storeBox(tile::AsyncStoreOp op);

class AsyncLowering {
public:
  /// Takes `lowerBlock`, which lowers the ops of a region.
  AsyncLowering(ThreadProgram &program, std::function<void(mlir::Block &)> lowerBlock)
      : program(program), b(program.b), lowerBlock(std::move(lowerBlock)) {}

  /// Creates the tensor maps that the kernel needs; false if a copy has none.
  bool findMaps();
  llvm::ArrayRef<tile::TensorMapAttr> maps() const { return tensorMaps; }
  /// Marks the function's last parameters as tensor maps and sets the kernel's number of
  /// threads.
  void describe(mlir::LLVM::LLVMFuncOp function);
  /// Returns false if the op is not one of TileAsyncOps.td.
  bool lower(mlir::Operation *op);

private:
  using Value = mlir::Value;

  // Buffers, barriers, copies (LowerTileAsync.cpp).
  void lower(tile::AllocOp op);
  void lower(tile::CreateBarriersOp op);
  void lower(tile::WaitBarrierOp op);
  void lower(tile::ArriveBarrierOp op);
  void lower(tile::ExpectBytesOp op);
  void lower(tile::AsyncCopyOp op);
  void lower(tile::PrefetchBoxOp op);
  void lower(tile::WarpSpecializeOp op);
  void initializeBarriers();
  void changeRegisters(int64_t count, bool more);
  unsigned mapFor(tile::ViewOp view, llvm::ArrayRef<int64_t> box, int64_t swizzle);
  std::string coordinates(mlir::Value view, mlir::ValueRange indices, Values &operands);
  void lower(tile::SyncClusterOp op);
  void arriveInCluster(tile::ArriveBarrierOp op);
  Value rankInCluster();
  int64_t clusterBlocks() { return program.kernel.getCluster().value_or(1); }
  Value barrierAt(Value barrier, Value index);
  Value stageAt(Value buffer, Value stage);
  Value addressOf(Value pointer);
  Value sum(Value word, int64_t more);

  // Epilogue (LowerTileStores.cpp).
  void lower(tile::WriteBufferOp op);
  void lower(tile::AsyncStoreOp op);
  void lower(tile::WaitStoresOp op);
  Value storesForGroup();
  void meetInGroup();

  // Order of warpgroups (LowerTileOrder.cpp).
  void lower(tile::WaitOrderOp op);
  void lower(tile::ArriveOrderOp op);
  int64_t consumerGroups();
  void meetInOrder(llvm::StringRef instruction, Value group);
  void beginOrder();
  void endOrder();

  // wgmma (LowerTileWgmma.cpp).
  void lower(tile::IssueMmaOp op);
  void lower(tile::PackOperandOp op);
  void lower(tile::WaitMmaOp op);
  Value descriptor(const WgmmaOperand &operand, Value address);

  ThreadProgram &program;
  mlir::ImplicitLocOpBuilder &b;
  std::function<void(mlir::Block &)> lowerBlock;
  llvm::SmallVector<tile::TensorMapAttr> tensorMaps;
  llvm::DenseMap<mlir::Operation *, unsigned> mapOf;
  llvm::DenseMap<Value, Value>
      addresses; ///< of buffers and barriers in shared memory, i32
  llvm::SmallVector<tile::CreateBarriersOp> barriers;
  bool areBarriersReady = false;
  Value warpgroup; ///< of this thread, i32, uniform in a warp
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_ASYNCLOWERING_H
