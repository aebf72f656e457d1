//===- LowerTile.h - Tile programs to vectors -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a tile.kernel builds the host function before it; each family of ops has
// a class. Private to lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_LOWERTILE_H
#define KILN_LIB_TARGET_HOST_LOWERTILE_H

#include "Bf16Tiles.h"
#include "HostProgram.h"
#include "IntegerTiles.h"

namespace kiln::host {

/// Views, loads, stores (LowerTileMemory.cpp).
class MemoryLowering {
public:
  explicit MemoryLowering(HostProgram &program) : program(program), b(program.b) {}

  /// Returns false if the op is not a memory op.
  bool lower(mlir::Operation *op);
  /// Loads one row of a view; lanes before `first` and from `count` on are masked.
  /// `first`, `count` and `pad` may be null: not masked.
  mlir::Value loadRow(const LoweredView &view, mlir::Value offset, int64_t columns,
                      mlir::Value first, mlir::Value count, mlir::Value pad);

private:
  void lowerScratch(tile::ScratchOp op);
  void lowerView(tile::ViewOp op);
  void lowerLoad(tile::LoadOp op);
  void lowerStore(tile::StoreOp op);
  void lowerGather(tile::GatherOp op);
  void lowerScatter(tile::ScatterOp op);
  void lowerStage(tile::StageOp op);
  void lowerPrefetch(tile::PrefetchOp op);
  mlir::Value loadStrided(const LoweredView &view, mlir::Value offset, int64_t columns,
                          mlir::Value count, mlir::Value pad);
  void storeRow(mlir::Value row, const LoweredView &view, mlir::Value offset,
                mlir::Value count);
  /// Returns the element offset of the indices.
  mlir::Value linearize(const LoweredView &view, mlir::ValueRange indices);
  mlir::Value elementPointers(const LoweredView &view, mlir::Value offset,
                              mlir::Value lanes);

  HostProgram &program;
  mlir::ImplicitLocOpBuilder &b;
};

/// Instruction sets of the target for dot products.
struct DotProducts {
  int64_t vectorBytes = 32; ///< of a register: 64 needs AVX-512 BW
  bool hasVnni = false;     ///< AVX-VNNI, or AVX-512 VNNI and VL
  bool hasTiles = false;    ///< AMX-INT8, with AVX-512
  bool hasPairs = false;    ///< AVX-512 BF16 and VL
  bool hasBf16Tiles = false; ///< AMX-BF16, with AVX-512
};

/// Joins the rows of fragments to one list of values, and divides a list like `like`.
llvm::SmallVector<mlir::Value> concatRows(llvm::ArrayRef<Rows> rows);
llvm::SmallVector<Rows> splitRows(mlir::ValueRange values, llvm::ArrayRef<Rows> like);

/// tile.mma (LowerTileMma.cpp, LowerTilePairs.cpp, Bf16Tiles.cpp).
class MmaLowering {
public:
  MmaLowering(HostProgram &program, MemoryLowering &memory, const DotProducts &isa)
      : program(program), b(program.b), memory(memory), dots(isa),
        tiles(program, memory) {}

  bool lower(mlir::Operation *op);
  bool usesTiles() const { return tiles.isUsed(); }
  /// Called after all ops of the function are lowered.
  void finish(mlir::LLVM::LLVMFuncOp function) {
    if (tiles.isUsed())
      tiles.configure(function);
  }

private:
  void lowerMma(tile::MmaOp op);
  bool isSupported(tile::MmaOp op);
  llvm::SmallVector<tile::MmaOp> mmaGroup(tile::MmaOp first);
  llvm::SmallVector<Rows> mmaStep(llvm::ArrayRef<tile::MmaOp> group, mlir::Value k,
                                  llvm::ArrayRef<Rows> accumulators);
  /// Loads a row in its type in memory, or in the program.
  mlir::Value loadStoredRow(const LoweredStaged &staged, mlir::Value k, int64_t columns);
  mlir::Value loadStagedRow(const LoweredStaged &staged, mlir::Value k, int64_t columns);
  mlir::Value widen(mlir::Value value, mlir::Type element, bool isUnsigned);
  /// Returns the accumulators after steps k and k + 1 of K, or only k.
  llvm::SmallVector<Rows> pairStep(llvm::ArrayRef<tile::MmaOp> group, mlir::Value k,
                                   bool isOne, llvm::ArrayRef<Rows> accumulators);
  /// Returns two contiguous elements of a row of A in every lane of a register.
  mlir::Value loadPairs(const LoweredStaged &lhs, int64_t row, mlir::Value k, bool isOne,
                        int64_t lanes);
  /// Loads two rows of B, interleaved, as registers.
  llvm::SmallVector<mlir::Value> loadPairRows(const LoweredStaged &rhs, mlir::Value k,
                                              bool isOne, int64_t columns);
  mlir::Value addPairs(mlir::Value sums, mlir::Value lhs,
                       llvm::ArrayRef<mlir::Value> rhs);
  llvm::SmallVector<Rows> lowerPairs(llvm::ArrayRef<tile::MmaOp> group,
                                     mlir::Value extent, llvm::ArrayRef<Rows> initial);

  HostProgram &program;
  mlir::ImplicitLocOpBuilder &b;
  MemoryLowering &memory;
  DotProducts dots;
  Bf16Tiles tiles;
  llvm::DenseSet<mlir::Operation *> done; ///< lowered with an earlier one
};

/// tile.scaled_mma (LowerTileScaledMma.cpp).
class ScaledMmaLowering {
public:
  ScaledMmaLowering(HostProgram &program, const DotProducts &isa)
      : program(program), isa(isa), tiles(program) {}

  bool lower(mlir::Operation *op);
  bool usesTiles() const { return tiles.isUsed(); }
  /// Called after all ops of the function are lowered.
  void finish(mlir::LLVM::LLVMFuncOp function) {
    if (tiles.isUsed())
      tiles.configure(function);
  }

private:
  llvm::SmallVector<tile::ScaledMmaOp> groupOf(tile::ScaledMmaOp first);

  HostProgram &program;
  DotProducts isa;
  IntegerTiles tiles;
  llvm::DenseSet<mlir::Operation *> done; ///< lowered with an earlier one
};

/// Ops on fragments (LowerTileFrag.cpp).
class FragmentLowering {
public:
  explicit FragmentLowering(HostProgram &program) : program(program), b(program.b) {}

  bool lower(mlir::Operation *op);

private:
  void lowerFill(tile::FillOp op);
  void lowerMap(tile::MapOp op);
  void lowerReduce(tile::ReduceOp op);
  void lowerBroadcast(tile::BroadcastOp op);
  void lowerConvert(tile::ConvertOp op);
  void lowerIota(tile::IotaOp op);
  void lowerSelectRange(tile::SelectRangeOp op);
  void lowerTranspose(tile::TransposeOp op);
  Rows interleaveRows(Rows rows);
  void lowerExtract(tile::ExtractOp op);
  void lowerStack(tile::StackOp op);
  mlir::Value combine(tile::ReduceKind kind, mlir::Value lhs, mlir::Value rhs);
  mlir::Value reduceRow(tile::ReduceKind kind, mlir::Value row);

  HostProgram &program;
  mlir::ImplicitLocOpBuilder &b;
};

/// The function, its loop over tasks, control flow (LowerTile.cpp).
class TileLowering {
public:
  TileLowering(tile::KernelOp kernel, const DotProducts &isa)
      : program(kernel), b(program.b), memory(program), mma(program, memory, isa),
        scaled(program, isa), fragments(program) {}

  /// Builds the function before the kernel; returns null after reporting an op that
  /// cannot be lowered.
  mlir::LLVM::LLVMFuncOp run();

private:
  void bindArguments(mlir::Block &entry);
  void lowerBlock(mlir::Block &block);
  void lower(mlir::Operation *op);
  void lowerFor(mlir::scf::ForOp op);
  void lowerIf(mlir::scf::IfOp op);
  void lowerSwitch(mlir::scf::IndexSwitchOp op);
  void lowerApply(mlir::Operation *op);
  void lowerPipeline(tile::PipelineOp op);
  bool lowerControl(mlir::Operation *op);

  HostProgram program;
  mlir::ImplicitLocOpBuilder &b;
  MemoryLowering memory;
  MmaLowering mma;
  ScaledMmaLowering scaled;
  FragmentLowering fragments;
};

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_LOWERTILE_H
