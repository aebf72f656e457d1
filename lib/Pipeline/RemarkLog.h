//===- RemarkLog.h - Collects the remarks of a compile ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_REMARKLOG_H
#define KILN_LIB_PIPELINE_REMARKLOG_H

#include "kiln/Pipeline/Compile.h"
#include "mlir/IR/MLIRContext.h"

namespace kiln {

/// Puts remarks of passes of `context` into `report`, from this call on: all of them if
/// `options` keeps or shows remarks, else those of passes that raise, which the summary
/// of a compile names. Those that `options` shows are also sent to the diagnostic
/// handlers. `report` must outlive the context. Errors: KILN-E0001 if the expression is
/// none.
llvm::Error logRemarks(mlir::MLIRContext &context, const CompileOptions &options,
                       CompileReport &report);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_REMARKLOG_H
