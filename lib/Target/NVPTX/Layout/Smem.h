//===- Smem.h - Shared memory that ops need ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory that each op of a kernel needs, and the offset that kiln-allocate-shared
// assigned to it. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_SMEM_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_SMEM_H

#include "StagedLayout.h"
#include "dialects/Tile/Tile.h"
#include "dialects/Tile/TileHints.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>

namespace kiln::nvptx {

/// A buffer of tiles that copies fill. Each stage has `lines` contiguous lines of
/// `length` elements, either `pitch` elements apart or, for tensor cores, swizzled in
/// 16-byte chunks.
struct SharedTile {
  mlir::Value base; ///< of stage 0; null before it is lowered
  bool isColumnMajor = false;
  int64_t lines = 0, length = 0, pitch = 0, stageElements = 0;
  std::optional<StagedLayout> chunks;
};
/// Returns the tile without its base. The extents are powers of two.
SharedTile planTile(tile::MemType type);
/// Returns true for a tile that is not copied: one in scratch, or an operand of
/// tile.scaled_mma only.
bool isReadInPlace(tile::StageOp op);
/// Returns a pipeline's stages: how many tiles of each operand are in shared memory.
int64_t stageCount(tile::PipelineOp op);

/// Returns the bytes from stage to stage of a swizzled multistage buffer.
int64_t stageStride(tile::MemType type);

/// Returns true if all elements are the same scalar, so that no exchange between threads
/// is needed. The number of registers does not show this: each thread may hold one
/// element, a different one.
bool isUniform(mlir::Value fragment);
/// Returns true for a reduction of rank 1 that combines partial results of several warps.
bool crossesWarps(tile::ReduceOp op, const GpuInfo &gpu);
/// Returns true if the op synchronizes the thread group: a barrier, or an op that
/// contains one.
bool isMeeting(mlir::Operation *op, const GpuInfo &gpu);

struct SharedNeed {
  int64_t bytes, alignment;
  bool isExchange = false; ///< written and read within the op
};
/// Returns the shared memory that an op needs; nullopt: none. Scratch is counted at the
/// kernel.
std::optional<SharedNeed> sharedNeedOf(mlir::Operation *op, tile::KernelOp kernel,
                                       const GpuInfo &gpu);

/// First and last op (in preorder) between which an op's memory is in use: from where it
/// is filled to where it was last read; entire loops if it was filled before them.
struct LiveRange {
  int64_t first, last;
  bool overlaps(const LiveRange &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// Liveness of the shared memory of a kernel's ops.
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

/// Returns true if every op that needs shared memory has an aligned offset, ends within
/// the size that the kernel states and the target has, and overlaps nothing that is in
/// use at the same time. Else reports KILN-E0403.
bool verifyShared(tile::KernelOp kernel, const GpuInfo &gpu);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_SMEM_H
