//===- Plan.h - The plan dialect --------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_PLAN_PLAN_H
#define KILN_DIALECTS_PLAN_PLAN_H

#include "dialects/Graph/Ranks.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "dialects/Plan/PlanDialect.h.inc"
#include "dialects/Plan/PlanEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/PlanAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/Plan/PlanOps.h.inc"

namespace kiln::plan {
/// Whether the op is executed when a program runs, unlike arenas and buffers.
inline bool isStep(mlir::Operation *op) {
  return mlir::isa<LaunchOp, CopyOp, CollectiveOp>(op);
}
/// Whether the collective sends the results of a pipeline stage's ranks to those of
/// another stage.
inline bool isHandover(CollectiveOp op) {
  return op.getKind() == CollectiveKind::broadcast ||
         op.getKind() == CollectiveKind::permute;
}
/// Returns the pipeline stage of a step or a buffer; nullopt if it exists on all ranks.
std::optional<int64_t> stageOf(mlir::Operation *op);
/// Returns the mesh axis in the attribute `ranks`, [size, stride], of a buffer or a
/// collective; without the attribute, the axis of all `all` ranks of a stage.
graph::MeshAxis axisOf(std::optional<llvm::ArrayRef<int64_t>> ranks, int64_t all);
} // namespace kiln::plan

#endif // KILN_DIALECTS_PLAN_PLAN_H
