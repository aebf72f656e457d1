//===- HostScheduler.h - Tasks of a host's GEMM -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_HOST_HOSTSCHEDULER_H
#define KILN_LIB_CODEGEN_GEMM_HOST_HOSTSCHEDULER_H

#include "HostTile.h"

namespace kiln::codegen {

/// Divides rows and panels into tasks of even size. Tasks are numbered along the panels
/// first, so that contiguous ranges of tasks are column ranges of a GEMM with few rows
/// and row ranges of one with many.
class HostScheduler : public GemmBuilder {
public:
  struct Task {
    RowRange rows;
    Value panelBegin, panelEnd;
    /// Possible numbers of panels per task; empty if they depend on symbols.
    llvm::SmallVector<int64_t> panelCounts;
  };
  HostScheduler(const GemmBuilder &gemm, tile::GemmConfigAttr config);

  SymbolicExpr taskCount() const;
  /// Returns the rows and panels of a task, and binds its batch.
  Task open(Value task);

private:
  /// Splits `whole` evenly into `parts`; returns begin and length of part `number`.
  std::pair<Value, Value> cut(const SymbolicExpr &whole, Value number,
                              const SymbolicExpr &parts);

  llvm::SmallVector<int64_t> panelCounts() const;

  SymbolicExpr rowTasks, panelTasks;
  SymbolicExpr packs; ///< packed panels, which tasks do not split
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_HOSTSCHEDULER_H
