//===- Smem.h - What needs shared memory ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a block's shared memory an op of a kernel needs, and where
// kiln-allocate-shared put it. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_SMEM_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_SMEM_H

#include "StagedLayout.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::nvptx {

/// On an op: bytes from the begin of shared memory, I64.
inline constexpr llvm::StringLiteral kSharedOffsetAttr = "tile.shared_offset";

/// A buffer of tiles that copies fill, per stage: `lines` contiguous pieces of `length`
/// elements, either `pitch` apart or, for tensor cores, in chunks.
struct SharedTile {
  mlir::Value base; ///< of stage 0; null before it is lowered
  bool isColumnMajor = false;
  int64_t lines = 0, length = 0, pitch = 0, stageElements = 0;
  std::optional<StagedLayout> chunks;
};
/// Without its base. The extents are powers of two.
SharedTile planTile(tile::MemType type);
/// Tiles that no copy is made of: those of scratch, and operands of products of codes.
bool isReadInPlace(tile::StageOp op);
/// Stages of a pipeline: how many tiles of each operand are in shared memory.
int64_t stageCount(tile::PipelineOp op);

/// Bytes from stage to stage of a multistage buffer in swizzled lines.
int64_t stageStride(tile::MemType type);

/// All elements are one scalar, which needs no exchange between threads. Registers
/// alone do not tell: a thread may hold one element, and others others.
bool isUniform(mlir::Value fragment);
/// A reduction of rank 1 whose warps hand their parts to each other.
bool crossesWarps(tile::ReduceOp op, const GpuInfo &gpu);
/// The thread group meets in this op: a barrier, or an op that waits by itself.
bool isMeeting(mlir::Operation *op, const GpuInfo &gpu);

struct SharedNeed {
  int64_t bytes, alignment;
  bool isExchange = false; ///< written and read within the op
};
/// Shared memory that an op needs; nullopt: none. A kernel's scratch is counted by the
/// kernel.
std::optional<SharedNeed> sharedNeedOf(mlir::Operation *op, tile::KernelOp kernel,
                                       const GpuInfo &gpu);

/// First and last op, by number, between which memory of an op is in use: from where it
/// is filled to where it was last read, whole loops where it was filled before them.
struct LiveRange {
  int64_t first, last;
  bool overlaps(const LiveRange &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// Ops of a kernel in the order of a walk, and what of them is in use when.
class Liveness {
public:
  explicit Liveness(tile::KernelOp kernel);
  LiveRange of(mlir::Operation *op, const SharedNeed &need) const;
  LiveRange ofScratch() const;
  LiveRange whole() const { return {0, count}; }

private:
  LiveRange span(mlir::Operation *op) const;

  tile::KernelOp kernel;
  llvm::DenseMap<mlir::Operation *, LiveRange> spans;
  int64_t count = 0;
  bool isSpecialized;
};

/// True if every op that needs shared memory has a place that is aligned, ends within
/// what the kernel says it takes and no more than the target has, and is shared with
/// nothing that is in use at the same time. Else reports KILN-E0403.
bool verifyShared(tile::KernelOp kernel, const GpuInfo &gpu);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_SMEM_H
