//===- HostScheduler.h - Rows and panels of a host's tasks ------*- C++ -*-===//
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

/// Cuts rows and panels into tasks of even size. Tasks are numbered panels first, so that
/// contiguous halves of a few rows are halves of the columns, and of many rows halves of
/// the rows.
class HostScheduler : public GemmBuilder {
public:
  struct Task {
    RowRange rows;
    Value panelBegin, panelEnd;
    /// Numbers of panels that tasks have; empty if they depend on symbols.
    llvm::SmallVector<int64_t> panelCounts;
  };
  HostScheduler(const GemmBuilder &gemm, tile::GemmConfigAttr config);

  SymbolicExpr taskCount() const;
  /// Finds what a task computes, and binds its batch.
  Task open(Value task);

private:
  /// Begin and length of part `number` of `whole` in as many parts.
  std::pair<Value, Value> cut(const SymbolicExpr &whole, Value number,
                              const SymbolicExpr &parts);

  llvm::SmallVector<int64_t> panelCounts() const;

  SymbolicExpr rowTasks, panelTasks;
  SymbolicExpr packs; ///< packed panels, which a task has in whole
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_HOST_HOSTSCHEDULER_H
