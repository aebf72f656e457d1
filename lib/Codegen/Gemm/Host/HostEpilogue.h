//===- HostEpilogue.h - Epilogues of register tiles -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_HOST_HOSTEPILOGUE_H
#define KILN_LIB_CODEGEN_GEMM_HOST_HOSTEPILOGUE_H

#include "HostTile.h"

namespace kiln::codegen {

class HostEpilogue : public GemmBuilder {
public:
  explicit HostEpilogue(const GemmBuilder &gemm) : GemmBuilder(gemm) {}
  virtual ~HostEpilogue() = default;

  virtual SymbolicExpr scratchBytes() const { return 0; }
  /// Opens the memory for the accumulators of panel `place` of `group`, if the epilogue
  /// uses any.
  virtual void openPanel(HostPanel &, int64_t, int64_t) {}
  /// Zeroes the accumulators in memory before several passes over K add to them.
  virtual void clear(llvm::ArrayRef<HostPanel>, Value) {}
  /// Returns the initial accumulators of a register tile of `height` rows.
  virtual Value begin(const HostPanel &panel, RowRange rows, const RowBlock &block,
                      int64_t height, KSteps steps);
  /// Processes the final accumulators of a register tile.
  virtual void take(const HostPanel &panel, RowRange rows, const RowBlock &block,
                    Value accumulators) = 0;
  /// Finishes a group of panels after its last block of rows.
  virtual void finish(llvm::ArrayRef<HostPanel>, RowRange) {}
};

/// Computes the fused ops on the register tile, row by row. All panels must be full.
class RegisterEpilogue : public HostEpilogue {
public:
  using HostEpilogue::HostEpilogue;
  void take(const HostPanel &panel, RowRange rows, const RowBlock &block,
            Value accumulators) override;
};

/// Stores accumulators to row panels in scratch, rows x width each, over which a loop
/// computes the fused ops. Used if these are long, panels are partial, or K takes several
/// passes. Costs one store and one load in L1 per element, and avoids a copy of the fused
/// ops per block height.
class RowPanelEpilogue : public HostEpilogue {
public:
  RowPanelEpilogue(const GemmBuilder &gemm, tile::GemmConfigAttr config);
  /// Returns true if the config or the shape requires row panels.
  static bool isNeeded(const GemmProgram &program, tile::GemmConfigAttr config);

  SymbolicExpr scratchBytes() const override;
  void openPanel(HostPanel &panel, int64_t place, int64_t group) override;
  void clear(llvm::ArrayRef<HostPanel> panels, Value rows) override;
  Value begin(const HostPanel &panel, RowRange rows, const RowBlock &block,
              int64_t height, KSteps steps) override;
  void take(const HostPanel &panel, RowRange rows, const RowBlock &block,
            Value accumulators) override;
  void finish(llvm::ArrayRef<HostPanel> panels, RowRange rows) override;

private:
  void emitRows(const HostPanel &panel, RowRange rows, Value valid);
  int64_t panelBytes() const;

  int64_t allRows; ///< rows of all panels of a group together
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_HOSTEPILOGUE_H
