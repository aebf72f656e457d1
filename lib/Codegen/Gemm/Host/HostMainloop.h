//===- HostMainloop.h - Main loop of a host's GEMM --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies a block of rows by a group of panels, with all accumulators in registers.
// Operands that cannot be read directly are copied to scratch: panels of a strided right
// operand, and rows of a 16-bit left operand that no dot product multiplies.
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_HOST_HOSTMAINLOOP_H
#define KILN_LIB_CODEGEN_GEMM_HOST_HOSTMAINLOOP_H

#include "HostTile.h"

namespace kiln::codegen {

class HostMainloop : public GemmBuilder {
public:
  explicit HostMainloop(const GemmBuilder &gemm) : GemmBuilder(gemm) {}
  virtual ~HostMainloop() = default;

  virtual SymbolicExpr scratchEnd() const = 0;
  /// Opens the left operand for the rows of a task, whose batch is bound.
  virtual void openTask(RowRange rows) = 0;
  /// Opens a panel, number `place` of its group.
  virtual HostPanel openPanel(Value number, int64_t place) = 0;
  /// Prefetches the panel that a task reads first, unless other prefetches cover it.
  virtual void prefetchPanel(Value) {}
  /// Returns the accumulators of a block of `height` rows, which start at `inits`.
  virtual Values multiply(llvm::ArrayRef<HostPanel> panels, const RowBlock &block,
                          int64_t height, KSteps steps, mlir::ValueRange inits) = 0;

protected:
  Value stage(Value view, mlir::ValueRange indices, int64_t rows, int64_t columns,
              Value steps = {}, mlir::Type bytes = {});
};

/// Main loop of floats and unquantized integers.
class FloatMainloop : public HostMainloop {
public:
  /// `begin` is the byte offset of its scratch.
  FloatMainloop(const GemmBuilder &gemm, tile::GemmConfigAttr config,
                const TargetInfo &target, const SymbolicExpr &begin);

  SymbolicExpr scratchEnd() const override { return end; }
  void openTask(RowRange rows) override;
  HostPanel openPanel(Value number, int64_t place) override;
  Values multiply(llvm::ArrayRef<HostPanel> panels, const RowBlock &block, int64_t height,
                  KSteps steps, mlir::ValueRange inits) override;

private:
  bool usesTiles() const { return dot == tile::DotProduct::tdpbf16ps; }
  Value tilesAhead(llvm::ArrayRef<HostPanel> panels, const RowBlock &block, KSteps steps);
  Values multiplyTiles(llvm::ArrayRef<HostPanel> panels, const RowBlock &block,
                       int64_t height, KSteps steps, mlir::ValueRange inits);
  Values multiplyBlocks(llvm::ArrayRef<HostPanel> panels, const RowBlock &block,
                        int64_t height, KSteps steps, mlir::ValueRange inits);
  Value blockScales(const HostPanel &panel, Value step);
  bool convertsLhs() const;
  SymbolicExpr convertedStride() const;
  void convertLhs(RowRange rows);
  Value packPanel(int64_t place);
  /// Returns the steps between prefetches such that all blocks together prefetch each
  /// line once.
  Value prefetchStride(Value blocks);
  Value nextRead(llvm::ArrayRef<HostPanel> panels, KSteps steps);
  Value distance(Value number, size_t count);
  /// Returns the elements between steps of K in the packed operand.
  int64_t packWidth() const;
  /// Returns the block's first row within the opened left operand.
  Value lhsRow(const RowBlock &block);
  void prefetch(llvm::ArrayRef<HostPanel> panels, const RowBlock &block, KSteps steps,
                Value at);
  struct StreamPrefetch {
    int64_t streams, bytesAhead, locality;
  };
  std::optional<StreamPrefetch> streamPrefetch(llvm::ArrayRef<HostPanel> panels) const;
  void prefetchStreams(llvm::ArrayRef<HostPanel> panels, StreamPrefetch prefetch,
                       Value at);

  tile::GemmConfigAttr config;
  int64_t streamBytes; ///< the target's prefetch distance
  /// The CPU's dot product; nullopt: FMAs. See tile.mma.
  std::optional<tile::DotProduct> dot;
  mlir::Type operand;  ///< elements of operands that are copied to scratch
  SymbolicExpr packOffset, lhsOffset, end;
  Value lhs;           ///< view of rows x K
  Value lhsBegin = {}; ///< its first row; null: row 0
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_HOSTMAINLOOP_H
