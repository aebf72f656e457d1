//===- FusedReport.h - Which ops were recognised, and which not -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_FUSEDREPORT_H
#define KILN_LIB_PIPELINE_FUSEDREPORT_H

#include "kiln/Pipeline/Compile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace kiln {

/// From now on the missed remarks of the raising passes go into the report, and all of
/// their remarks to the diagnostic handlers of the context.
void recordUnfused(mlir::MLIRContext &context, CompileReport &report);

/// Counts the attentions, norms and activations of @main.
void countFused(mlir::ModuleOp module, CompileReport &report);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_FUSEDREPORT_H
