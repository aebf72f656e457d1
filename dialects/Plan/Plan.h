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
/// Whether a program runs it, unlike arenas and buffers.
inline bool isStep(mlir::Operation *op) {
  return mlir::isa<LaunchOp, CopyOp, CollectiveOp>(op);
}
/// Whether the ranks of a stage give what they have to those of other stages.
inline bool isHandover(CollectiveOp op) {
  return op.getKind() == CollectiveKind::broadcast ||
         op.getKind() == CollectiveKind::permute;
}
/// The stage of a pipeline that a step or a buffer is of; nullopt: all ranks have it.
std::optional<int64_t> stageOf(mlir::Operation *op);
/// Returns the mesh axis that the attribute `ranks`, [size, stride], of a buffer or a
/// collective names; without it that of all `all` ranks of a stage.
graph::MeshAxis axisOf(std::optional<llvm::ArrayRef<int64_t>> ranks, int64_t all);
} // namespace kiln::plan

#endif // KILN_DIALECTS_PLAN_PLAN_H
