//===- LowerTile.h - Tile programs to threads -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a tile.kernel that builds the program of one thread. A task is a
// block; its threads work as one team, or, inside a loop marked tile.team, as
// several smaller teams that share the iterations. Scalars are computed by
// every thread of a team alike; a fragment is spread over the team's registers
// as its Layout says. docs/rationale/gpu.md has the whole mapping. Private to
// lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERTILE_H
#define KILN_LIB_TARGET_NVPTX_LOWERTILE_H

#include "AccessAlignment.h"
#include "LayoutTypes.h"
#include "SharedMemory.h"
#include "StagedLayout.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kiln::nvptx {

/// What a thread holds of a fragment: one value per register of the layout.
struct Fragment {
  Layout layout;
  llvm::SmallVector<mlir::Value> registers;
};

/// Threads that compute the same scalars.
struct Team {
  int64_t threads;
  mlir::Value rank;   ///< of this thread in the team, index
  mlir::Value number; ///< of the team in the block, index
};

enum class Space { Global, Shared };

struct LoweredBuffer {
  mlir::Value pointer;
  Space space;
  int64_t alignment; ///< bytes
};

struct LoweredView {
  LoweredBuffer buffer; // the pointer at element 0
  mlir::Type element;
  llvm::SmallVector<mlir::Value> sizes, strides; // index; constants where static
};

/// An operand of tile.mma in shared memory.
struct LoweredStaged {
  mlir::Value pointer;
  mlir::Type element;
  std::array<mlir::Value, 2> strides; // index
  int64_t alignment = 1;              // bytes, of every line
  int64_t originDivisor = 1;          // of where a thread's columns begin
  bool isColumnMajor = false;
  /// Where its elements lie if tensor cores read it; strides mean nothing then.
  std::optional<StagedLayout> chunks;
};

/// A thread's first byte in a slot, and the bits in which threads differ: bytes
/// of its registers are added where these bits do not have them, else combined.
struct ChunkOrigin {
  mlir::Value offset; // index
  int64_t varying;
};

/// What a warp reads of an operand: matrices of 8 lines by 16 bytes, by ldmatrix,
/// several per instruction; or word by word.
struct MatrixOperand {
  mlir::Value pointer;
  mlir::Type element;
  StagedLayout chunks;
  ChunkOrigin origin;
  bool linesAreSteps; // of K; matrices are transposed on the way
  /// How far (own axis, K) each next matrix of an instruction is: by bits of its number.
  llvm::SmallVector<std::pair<int64_t, int64_t>> steps;
  bool isByWords() const { return linesAreSteps && element.isF32(); }
  int64_t matrices() const { return int64_t(1) << steps.size(); }
  int64_t bytesOf(int64_t own, int64_t k) const;
};

class AsyncLowering;

class TileLowering {
public:
  TileLowering(tile::KernelOp kernel, const TargetInfo &target);
  ~TileLowering();

  /// Builds the function before the kernel; null if an op cannot be lowered,
  /// which has been reported.
  mlir::LLVM::LLVMFuncOp run();

private:
  friend class AsyncLowering;
  using Value = mlir::Value;
  using Values = llvm::SmallVector<Value>;

  // Structure (LowerTile.cpp).
  mlir::LLVM::LLVMFuncOp createFunction();
  void checkLimits();
  std::optional<int64_t> residentBlocks(int64_t threads);
  void bindArguments(mlir::Block &entry);
  void lowerBlock(mlir::Block &block);
  void lower(mlir::Operation *op);
  void lowerFor(mlir::scf::ForOp op);
  void lowerIf(mlir::scf::IfOp op);
  void lowerSwitch(mlir::scf::IndexSwitchOp op);
  void lowerApply(mlir::Operation *op);
  void lowerScratch(tile::ScratchOp op);
  unsigned workspaceArgument();
  void lowerWorkspace(tile::WorkspaceOp op);
  void lowerTicket(tile::TicketOp op);
  void lowerTask();
  void waitForEarlierKernels();
  void fail(mlir::Operation *op, llvm::StringRef what);

  // Teams (Teams.cpp).
  Team wholeBlock();
  Team splitBlock(int64_t threads);
  /// Waits until all threads of the team are here and see each other's writes.
  void barrier();
  /// Called before what a warp does as one: its lanes meet.
  void converge();
  Value warpMask();
  /// The value that the thread with another rank (xor) in the warp holds.
  Value shuffleXor(Value value, int64_t distance);
  Value shuffleFrom(Value value, int64_t rank);
  Value shuffle(Value value, mlir::NVVM::ShflKind kind, Value operand);
  /// True in one of the threads that hold the same elements; null: always.
  Value owner(const Layout &layout);
  mlir::LLVM::GlobalOp sharedArray();
  /// Where kiln-allocate-shared put what an op needs of shared memory.
  Value sharedFor(mlir::Operation *op);

  // Layouts (Teams.cpp).
  Layout layoutOf(mlir::Type type);
  llvm::SmallVector<mlir::Type> loweredTypes(mlir::TypeRange types);
  Fragment fragment(Value value);
  void define(Value value, Fragment fragment);
  Fragment splat(tile::FragType type, Value scalar);
  /// Row and column of register 0 of this thread; the registers' own.
  std::pair<Value, Value> threadOrigin(const Layout &layout);
  Value fromRank(llvm::ArrayRef<uint32_t> bases, unsigned low, unsigned high);

  // Memory (LowerTileMemory.cpp).
  /// Where this thread's part of a fragment is in a view.
  struct Place {
    Value pointer;     ///< at register 0
    Value row, column; ///< of register 0 in the fragment
    Value rowStride, columnStride;
    Value rowCount, columnCount;         ///< rows and columns that exist; null: all
    Value firstColumn;                   ///< that exists; null: none is in front of it
    int64_t lastRow = 0, lastColumn = 0; ///< of register 0 in any thread
  };
  void lowerView(tile::ViewOp op);
  void lowerLoad(tile::LoadOp op);
  void lowerStore(tile::StoreOp op);
  void lowerGather(tile::GatherOp op);
  void lowerScatter(tile::ScatterOp op);
  Value widePosition(Value position);
  /// Element `position` of the last dim, from `base` on.
  Value elementAt(const LoweredView &view, Value base, Value position);
  Value isInLastDim(const LoweredView &view, Value position);
  void lowerPrefetch(tile::PrefetchOp op);
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
  Values guarded(Value condition, llvm::function_ref<Values()> values,
                 const Values &otherwise);
  void guarded(Value condition, llvm::function_ref<void()> body);
  /// Elements of one access: neighbours in registers, aligned in memory.
  int64_t runWidth(mlir::Operation *op, const LoweredView &view, const Layout &layout);
  Value linearize(const LoweredView &view, mlir::ValueRange indices);

  // Fragments (LowerTileFrag.cpp).
  void lowerMap(tile::MapOp op);
  void lowerReduce(tile::ReduceOp op);
  void lowerConvert(tile::ConvertOp op);
  void lowerConvertLayout(tile::ConvertLayoutOp op);
  /// The elements of a fragment in the registers of another layout, by way of shared
  /// memory.
  Values exchangeTo(tile::ConvertLayoutOp op, const Fragment &from, const Layout &to);
  void lowerIota(tile::IotaOp op);
  void lowerSelectRange(tile::SelectRangeOp op);
  void lowerExtract(tile::ExtractOp op);
  Value combine(tile::ReduceKind kind, Value lhs, Value rhs);
  Values reduceWarps(tile::ReduceOp op, llvm::ArrayRef<Value> values, uint32_t repeated);

  void lowerReduceAxis(tile::ReduceOp op);
  void lowerBroadcast(tile::BroadcastOp op);

  // Products (LowerTileMma.cpp).
  void lowerMma(tile::MmaOp op);
  llvm::SmallVector<Values> multiplySteps(llvm::ArrayRef<tile::MmaOp> group, Value k,
                                          int64_t steps,
                                          llvm::ArrayRef<Values> accumulators);
  llvm::SmallVector<Values> loadOperand(const LoweredStaged &operand, unsigned depthDim,
                                        Value origin, llvm::ArrayRef<int64_t> positions,
                                        Value k, int64_t steps);
  Value widen(Value value, mlir::Type element, bool isUnsigned);

  // Products on tensor cores (LowerTileMmaSync.cpp).
  void lowerMmaSync(llvm::ArrayRef<tile::MmaOp> group,
                    llvm::SmallVectorImpl<Values> &sums);
  MatrixOperand openMatrices(const LoweredStaged &operand, bool isLeft,
                             const Layout &layout,
                             llvm::ArrayRef<std::pair<int64_t, int64_t>> steps);
  MatrixOperand openRight(const LoweredStaged &operand, const Layout &layout,
                          llvm::ArrayRef<int64_t> tiles, int64_t depth);
  Values loadMatrices(const MatrixOperand &operand, int64_t own, int64_t k);
  Values loadWords(const MatrixOperand &operand, int64_t own, int64_t k);
  Value roundToTF32(Value value);
  /// Registers of the left operand for each tile of rows, for steps from k on.
  llvm::SmallVector<Values> loadLeft(const MatrixOperand &operand,
                                     llvm::ArrayRef<int64_t> rows, int64_t k);
  llvm::SmallVector<Values> packLeft(const Fragment &operand, size_t rowTiles, int64_t k);
  Value packPair(Value low, Value high);
  void multiplyTiles(mlir::Type element, llvm::ArrayRef<Value> left,
                     llvm::ArrayRef<Value> right, llvm::MutableArrayRef<Value> sums);

  // Operands into shared memory (LowerTilePipeline.cpp).
  /// The thread's part of an offset that is the sum of one per bit of its rank,
  /// as if no chunk traded places.
  ChunkOrigin chunkOrigin(const StagedLayout &chunks, llvm::ArrayRef<uint32_t> ofBits);
  Value chunkPointer(Value slot, const StagedLayout &chunks, const ChunkOrigin &origin,
                     int64_t plain);
  void lowerPipeline(tile::PipelineOp op);
  void lowerStage(tile::StageOp op);
  void stageScratch(tile::StageOp op);
  /// The tile of a stage, at its place.
  SharedTile openTile(tile::StageOp op);
  LoweredStaged slotOf(const SharedTile &tile, mlir::Type element, Value slot);
  int64_t copyWidth(tile::StageOp op, const SharedTile &tile);
  Layout copyLayout(const SharedTile &tile, int64_t width, int64_t bytes);
  void copyTile(tile::StageOp op, const SharedTile &tile, Value slot);
  void copyRun(const LoweredView &view, Value source, Value target, int64_t bytes,
               Value condition);
  void issueCopies(tile::PipelineOp op, Value position, Value slot);
  void bindTiles(tile::PipelineOp op, Value position, Value slot);

  // Assembly.
  Value assembly(mlir::Type result, mlir::ValueRange operands, llvm::StringRef text,
                 llvm::StringRef constraints);
  Value word(int64_t value);
  /// A tensor map among the function's parameters.
  Value mapArgument(unsigned number);
  /// The accumulators of wgmma, of all warps of the consumers along the rows.
  Layout wgmmaLayout(int64_t rows, int64_t columns);

  // Helpers.
  Value index(int64_t value);
  Value add(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value toI64(Value value);
  Value gep(Value pointer, mlir::Type element, Value offset);
  Value scalar(Value value) { return scalars.lookup(value); }
  Values scalarsOf(mlir::ValueRange values);
  /// Values of any kind as the values they lower to, and back. A product in flight is the
  /// registers of its accumulators.
  Values flatten(mlir::ValueRange values);
  void bind(mlir::ValueRange values, mlir::ValueRange lowered);

  tile::KernelOp kernel;
  const TargetInfo &target;
  mlir::ImplicitLocOpBuilder b;
  mlir::LLVM::LLVMFuncOp function;
  mlir::IRMapping scalars;
  llvm::DenseMap<Value, Fragment> fragments;
  llvm::DenseMap<Value, LoweredBuffer> buffers;
  llvm::DenseMap<Value, LoweredView> views;
  llvm::DenseMap<Value, LoweredStaged> staged;
  llvm::DenseMap<mlir::Operation *, SharedTile> tiles; ///< of a pipeline's stages
  Value copySlot;                                      ///< that stages copy to
  llvm::DenseSet<mlir::Operation *> done; ///< ops lowered with an earlier one
  Team team;
  Value thread;           ///< number in the block, i32
  bool diverged = false;    ///< lanes of a warp may be at different places
  bool failed = false;
  /// Of a warp-specialized kernel; null: it is none.
  std::unique_ptr<AsyncLowering> async;
};

/// The type of an element in memory: i1 takes a byte, and bf16 is its bits, as
/// everywhere below the tile dialect.
mlir::Type memoryType(mlir::Type element);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERTILE_H
