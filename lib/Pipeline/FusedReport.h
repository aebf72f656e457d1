//===- FusedReport.h - Fused and unfused subgraphs --------------*- C++ -*-===//
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

namespace kiln {

/// Counts the attentions, norms and activations of @main.
void countFused(mlir::ModuleOp module, CompileReport &report);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_FUSEDREPORT_H
