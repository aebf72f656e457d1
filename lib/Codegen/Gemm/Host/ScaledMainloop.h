//===- ScaledMainloop.h - Main loop of quantized GEMMs ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_HOST_SCALEDMAINLOOP_H
#define KILN_LIB_CODEGEN_GEMM_HOST_SCALEDMAINLOOP_H

#include "HostMainloop.h"
#include "lib/Codegen/Gemm/Program/ScaledViews.h"

namespace kiln::codegen {

/// Multiplies quantized operands one block of K at a time; tile.scaled_mma reads both
/// operands in place.
class ScaledMainloop : public HostMainloop {
public:
  /// Uses no scratch; `end` is the size that others use. `streamBytes` is the target's
  /// prefetch distance.
  ScaledMainloop(const GemmBuilder &gemm, int64_t streamBytes, const SymbolicExpr &end)
      : HostMainloop(gemm), scaled(*program.scaled), views(gemm),
        streamBytes(streamBytes), end(end) {}

  SymbolicExpr scratchEnd() const override { return end; }
  void openTask(RowRange rows) override;
  HostPanel openPanel(Value number, int64_t place) override;
  void prefetchPanel(mlir::Value number) override;
  Values multiply(llvm::ArrayRef<HostPanel> panels, const RowBlock &block, int64_t height,
                  KSteps steps, mlir::ValueRange inits) override;

private:
  /// A prefetch during the work on a block: for each current panel p, block `block` of
  /// panel p + `panels`.
  struct Ahead {
    mlir::Value panels, block;
    int64_t locality;
  };
  int64_t blocksAhead(size_t panels) const;
  int64_t streamLocality() const;
  Ahead ahead(size_t panels, mlir::Value block, mlir::Value blocks);
  void prefetch(llvm::ArrayRef<HostPanel> panels, const Ahead &ahead);
  void prefetchAt(mlir::Value buffer, mlir::Value element, int64_t locality);

  const GemmProgram::ScaledOperands &scaled;
  ScaledViews views;
  int64_t streamBytes;
  SymbolicExpr end;
  ScaledViews::Rows rows;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_SCALEDMAINLOOP_H
