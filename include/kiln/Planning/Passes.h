//===- Passes.h - Planning passes -------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PLANNING_PASSES_H
#define KILN_PLANNING_PASSES_H

#include "dialects/Graph/Graph.h"
#include "dialects/Plan/Plan.h"
#include "mlir/Pass/Pass.h"

#include <functional>
#include <string>
#include <vector>

namespace kiln {

/// Properties of a kernel's generated code that planning needs, one entry per target.
struct KernelCode {
  llvm::SmallVector<graph::SymbolicExpr> grids;   // tasks
  llvm::SmallVector<graph::SymbolicExpr> scratch; // bytes per worker
  /// Size in bytes of the workspaces in global memory through which thread blocks
  /// exchange results, and number of arrival counters, both for kernels and for their
  /// variants.
  llvm::SmallVector<graph::SymbolicExpr> workspaces, tickets;
  /// The condition `value` <= `max`.
  struct Bound {
    graph::SymbolicExpr value;
    int64_t max;
  };
  /// Variant of the kernel that runs on `target` if all bounds of `when` hold. Variants
  /// are sorted by target, then by the order in which they are tried.
  struct Variant {
    std::string kernel;
    int64_t target;
    std::vector<Bound> when;
    graph::SymbolicExpr grid;
  };
  std::vector<Variant> variants;
};
/// Returns the code that a graph.kernel refers to, so that planning does not depend on
/// the tile dialect. Without this callback, a kernel has one task and no scratch.
using FindCode = std::function<mlir::FailureOr<KernelCode>(graph::KernelOp)>;

#define GEN_PASS_DECL
#include "kiln/Planning/Passes.h.inc"

/// Returns the bytes of weights that a rank of each stage reads, for a module with plans.
std::vector<int64_t> weightsOfStages(mlir::ModuleOp module);
/// Returns the bytes of weights that the rank with the most weights does not read: parts
/// of other ranks, and weights of other pipeline stages.
int64_t weightsOfOthers(mlir::ModuleOp module);

std::unique_ptr<mlir::Pass> createBuildPlanPass(BuildPlanPassOptions options, FindCode findCode);

#define GEN_PASS_REGISTRATION
#include "kiln/Planning/Passes.h.inc"

} // namespace kiln

#endif // KILN_PLANNING_PASSES_H
