//===- ThreadProgram.h - The program of one thread ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of lowering a tile.kernel: a task is a block; its threads work as one group or,
// inside a loop marked tile.team, as several smaller groups that distribute the
// iterations. Every thread of a group computes scalars redundantly; a fragment is
// distributed over the group's registers as its type's layout says. The classes that
// lower a family of ops work on this state. docs/rationale/gpu.md describes the entire
// mapping. Private to lib/Target/NVPTX.
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

/// Elements of a fragment in one thread: one value per register of the layout.
struct Fragment {
  Layout layout;
  llvm::SmallVector<mlir::Value> registers;
};

/// A thread group: its threads compute the same scalars.
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
  LoweredBuffer buffer; // its pointer is that of element 0
  mlir::Type element;
  llvm::SmallVector<mlir::Value> sizes, strides; // index; constants where static
};

/// An operand of tile.mma in shared memory.
struct LoweredStaged {
  mlir::Value pointer;
  mlir::Type element;
  std::array<mlir::Value, 2> strides; // index
  int64_t alignment = 1;              // bytes, of every line
  int64_t originDivisor = 1;          // divides a thread's first column
  bool isColumnMajor = false;
  /// Swizzled layout if tensor cores read the tile; `strides` are then unused.
  std::optional<StagedLayout> chunks;
};

/// Byte offset of a thread in a stage, and the bits that differ between threads. A
/// register's offset is combined by xor in these bits and added in the others.
struct ChunkOrigin {
  mlir::Value offset; // index
  int64_t varying;
};

struct ThreadProgram {
  using Value = mlir::Value;

  ThreadProgram(tile::KernelOp kernel, const TargetInfo &target);

  /// Reports the first op that cannot be lowered.
  void fail(mlir::Operation *op, llvm::StringRef what);
  /// Returns the index of the function's first argument after buffers and symbols.
  unsigned workspaceArgument();
  /// Waits for earlier kernels if this one may be launched before they end (PDL).
  void waitForEarlierKernels();

  // Thread groups (Teams.cpp).
  Team wholeBlock();
  Team splitBlock(int64_t threads);
  /// Synchronizes the threads of the group and orders their memory accesses.
  void barrier();
  /// Reconverges the warp's lanes before a warp-level instruction.
  void converge();
  Value warpMask();
  /// Returns the value of the thread with rank xor `distance` in the warp.
  Value shuffleXor(Value value, int64_t distance);
  Value shuffleFrom(Value value, int64_t rank);
  Value shuffle(Value value, mlir::NVVM::ShflKind kind, Value operand);
  /// Returns true in one of the threads that hold copies of the same elements; null: in
  /// all.
  Value owner(const Layout &layout);
  mlir::LLVM::GlobalOp sharedArray();
  /// Returns the shared memory that kiln-allocate-shared assigned to an op.
  Value sharedFor(mlir::Operation *op);

  // Layouts (Teams.cpp).
  Layout layoutOf(mlir::Type type);
  llvm::SmallVector<mlir::Type> loweredTypes(mlir::TypeRange types);
  Fragment fragment(Value value);
  void define(Value value, Fragment fragment);
  Fragment splat(tile::FragType type, Value scalar);
  /// Returns row and column of register 0 of this thread; registers add their own
  /// offsets.
  std::pair<Value, Value> threadOrigin(const Layout &layout);
  Value fromRank(llvm::ArrayRef<uint32_t> bases, unsigned low, unsigned high);

  // Conditions; a null condition is always true.
  Values guarded(Value condition, llvm::function_ref<Values()> values,
                 const Values &otherwise);
  void guarded(Value condition, llvm::function_ref<void()> body);

  // Swizzled chunks of shared memory.
  /// Returns the thread's part of an offset that is a sum over the bits of its rank
  /// (`ofBits`), swizzled.
  ChunkOrigin chunkOrigin(const nvptx::StagedLayout &chunks,
                          llvm::ArrayRef<uint32_t> ofBits);
  Value chunkPointer(Value slot, const nvptx::StagedLayout &chunks,
                     const ChunkOrigin &origin, int64_t plain);

  // Assembly.
  Value assembly(mlir::Type result, mlir::ValueRange operands, llvm::StringRef text,
                 llvm::StringRef constraints);
  Value word(int64_t value);
  /// Returns a tensor map among the function's parameters.
  Value mapArgument(unsigned number);
  /// Returns the accumulator layout of wgmma; consumer warps are stacked along the rows.
  Layout wgmmaLayout(int64_t rows, int64_t columns);

  // Helpers.
  Value index(int64_t value);
  Value add(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value toI64(Value value);
  Value gep(Value pointer, mlir::Type element, Value offset);
  Value scalar(Value value) { return scalars.lookup(value); }
  Values scalarsOf(mlir::ValueRange values);
  /// Converts values of any kind to the values they are lowered to, and back. An MMA in
  /// flight is its accumulator registers.
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
  Value thread;               ///< index in the block, i32
  bool isSpecialized = false; ///< the producer takes no part in barriers
  unsigned mapCount = 0;      ///< tensor maps, the function's last parameters
  bool diverged = false;      ///< lanes of a warp may have diverged
  bool failed = false;
};

/// Returns the type of an element in memory: i1 is a byte and bf16 is i16, as everywhere
/// below the tile dialect.
mlir::Type memoryType(mlir::Type element);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_THREADPROGRAM_H
