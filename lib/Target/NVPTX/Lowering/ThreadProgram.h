//===- ThreadProgram.h - The program of one thread ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lowering a tile.kernel builds: a task is a block; its threads work as one group,
// or, inside a loop marked tile.team, as several smaller groups between which iterations
// are divided. Scalars are computed by every thread of a group alike; a fragment is spread
// over the group's registers as its type says. The classes that lower a family of ops work on it.
// docs/rationale/gpu.md has the whole mapping. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_THREADPROGRAM_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_THREADPROGRAM_H

#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"
#include "lib/Target/NVPTX/Layout/AccessAlignment.h"
#include "lib/Target/NVPTX/Layout/LayoutTypes.h"
#include "lib/Target/NVPTX/Layout/Smem.h"
#include "lib/Target/NVPTX/Layout/StagedLayout.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kiln::nvptx {

using Values = llvm::SmallVector<mlir::Value>;

/// Elements of a fragment that a thread has: one value per register of the layout.
struct Fragment {
  Layout layout;
  llvm::SmallVector<mlir::Value> registers;
};

/// A thread group: threads that compute the same scalars.
struct Team {
  int64_t threads;
  mlir::Value rank;   ///< of this thread in the group, index
  mlir::Value number; ///< of the group in the block, index
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

struct ThreadProgram {
  using Value = mlir::Value;

  ThreadProgram(tile::KernelOp kernel, const TargetInfo &target);

  /// Reports the first op that cannot be lowered.
  void fail(mlir::Operation *op, llvm::StringRef what);
  /// The number of the function's argument behind buffers and symbols.
  unsigned workspaceArgument();
  /// A kernel that may be launched before earlier ones end waits until they have.
  void waitForEarlierKernels();

  // Thread groups (Teams.cpp).
  Team wholeBlock();
  Team splitBlock(int64_t threads);
  /// Waits until all threads of the group are here and see each other's writes.
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

  // Conditions; null: always.
  Values guarded(Value condition, llvm::function_ref<Values()> values,
                 const Values &otherwise);
  void guarded(Value condition, llvm::function_ref<void()> body);

  // Chunks of shared memory.
  /// The thread's part of an offset that is the sum of one per bit of its rank,
  /// as if no chunk traded places.
  ChunkOrigin chunkOrigin(const nvptx::StagedLayout &chunks,
                          llvm::ArrayRef<uint32_t> ofBits);
  Value chunkPointer(Value slot, const nvptx::StagedLayout &chunks,
                     const ChunkOrigin &origin, int64_t plain);

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
  Team team;
  Value thread;               ///< number in the block, i32
  bool isSpecialized = false; ///< the producer does not take part in barriers
  unsigned mapCount = 0;      ///< tensor maps, the function's last parameters
  bool diverged = false;      ///< lanes of a warp may be at different places
  bool failed = false;
};

/// The type of an element in memory: i1 takes a byte, and bf16 is its bits, as
/// everywhere below the tile dialect.
mlir::Type memoryType(mlir::Type element);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_THREADPROGRAM_H
