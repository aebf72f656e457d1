//===- Declarations.h - Declared inputs and outputs -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_DECLARATIONS_H
#define KILN_LIB_IMPORT_DECLARATIONS_H

#include "lib/Import/Symbols.h"

namespace kiln::import {

/// Checks that a declared input is a tensor of a supported type with known rank and valid
/// dims; `where` names the input in errors.
llvm::Error checkDeclaration(const onnx::ValueInfoProto &input,
                             mlir::MLIRContext *context);

/// Returns the type of an input that was checked.
mlir::RankedTensorType declaredType(const onnx::ValueInfoProto &input,
                                    const Symbols &symbols, mlir::MLIRContext *context);

/// Compares an output with its declaration: another element type is an error,
/// other static dims are a warning, because exporters often leave stale ones.
mlir::LogicalResult checkDeclaredOutput(const onnx::ValueInfoProto &output,
                                        mlir::RankedTensorType type, mlir::Location loc);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_DECLARATIONS_H
