//===- HostEpilogue.h - From register tiles to results ----------*- C++ -*-===//
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
  /// Makes room for the accumulators of panel `place` among `group`.
  virtual void openPanel(HostPanel &, int64_t, int64_t) {}
  /// Before the first of several passes over K, which add to accumulators in memory.
  virtual void clear(llvm::ArrayRef<HostPanel>, Value) {}
  /// Returns the accumulators that a register tile of `height` rows begins with.
  virtual Value begin(const HostPanel &panel, RowRange rows, const RowBlock &block,
                      int64_t height, KSteps steps);
  /// Takes the accumulators of a register tile.
  virtual void take(const HostPanel &panel, RowRange rows, const RowBlock &block,
                    Value accumulators) = 0;
  /// After all blocks of a group of panels.
  virtual void finish(llvm::ArrayRef<HostPanel>, RowRange) {}
};

/// The fused ops run row by row on the register tile; all panels are whole.
class RegisterEpilogue : public HostEpilogue {
public:
  using HostEpilogue::HostEpilogue;
  void take(const HostPanel &panel, RowRange rows, const RowBlock &block,
            Value accumulators) override;
};

/// Accumulators go to row panels in scratch, rows x width each, over which a loop runs
/// the fused ops: where their code is long, where panels are partial, or where K is
/// passed over several times. It costs a store and a load of L1 per element and spares a
/// copy of the fused ops per height.
class RowPanelEpilogue : public HostEpilogue {
public:
  RowPanelEpilogue(const GemmBuilder &gemm, tile::GemmConfigAttr config);
  /// True if a config or the shape asks for it.
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

  int64_t allRows; ///< of all panels side by side
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_HOSTEPILOGUE_H
