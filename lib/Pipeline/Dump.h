//===- Dump.h - Modules that a compile wrote --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_DUMP_H
#define KILN_LIB_PIPELINE_DUMP_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kiln {

/// Reads a module with a program. Errors: KILN-E0002, and KILN-E0305 for what is none.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> readDump(const std::string &path,
                                                           mlir::MLIRContext &context);

/// Checks that the bytes which a dump names are those of the model: `imported` is the
/// model as it is now. Errors: KILN-E0306.
llvm::Error checkWeights(mlir::ModuleOp dump, mlir::ModuleOp imported);

/// Checks that the module has plans whose launches have code in the modules of targets.
/// Errors: KILN-E0301.
llvm::Error checkLaunches(mlir::ModuleOp module);

/// Removes the records of passes and what later phases add to a module of kernels: plans,
/// configs and code.
void removeLaterPhases(mlir::ModuleOp module);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_DUMP_H
