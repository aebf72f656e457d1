//===- AsyncLowering.h - Buffers, barriers, TMA and wgmma -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of TileAsyncOps.td as PTX: what a warp-specialized kernel is made of. Private
// to lib/Target/NVPTX.
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
/// Named barriers: 0 is that of the block, 1 that of all consumers; each consumer
/// warpgroup has one of its own from here on, and behind those one for its turn.
constexpr int64_t kFirstGroupBarrier = 2;

/// Elements of one TMA copy of a store, per dim of its view.
llvm::SmallVector<int64_t> storeBox(tile::AsyncStoreOp op);

class AsyncLowering {
public:
  /// `lowerBlock` lowers the ops of a region.
  AsyncLowering(ThreadProgram &program, std::function<void(mlir::Block &)> lowerBlock)
      : program(program), b(program.b), lowerBlock(std::move(lowerBlock)) {}

  /// Finds the tensor maps that the kernel needs; false if a copy has none.
  bool findMaps();
  llvm::ArrayRef<tile::TensorMapAttr> maps() const { return tensorMaps; }
  /// Says of the function's last parameters that they are tensor maps, and how many
  /// threads the kernel has.
  void describe(mlir::LLVM::LLVMFuncOp function);
  /// False if the op is none of these.
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

  // Results (LowerTileStores.cpp).
  void lower(tile::WriteBufferOp op);
  void lower(tile::AsyncStoreOp op);
  void lower(tile::WaitStoresOp op);
  Value storesForGroup();
  void meetInGroup();

  // Whose turn it is (LowerTileOrder.cpp).
  void lower(tile::WaitOrderOp op);
  void lower(tile::ArriveOrderOp op);
  int64_t consumerGroups();
  void meetInOrder(llvm::StringRef instruction, Value group);
  void beginOrder();
  void endOrder();

  // Products (LowerTileWgmma.cpp).
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
  Value warpgroup; ///< of this thread, i32, the same in a warp
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_ASYNCLOWERING_H
