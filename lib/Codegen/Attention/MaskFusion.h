//===- MaskFusion.h - Fusion of a mask's producers --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Attention.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_ATTENTION_MASKFUSION_H
#define KILN_LIB_CODEGEN_ATTENTION_MASKFUSION_H

#include "mlir/IR/Operation.h"

namespace kiln::codegen {

/// Returns true if an attention kernel should compute the mask, this operand, per score
/// with these elementwise ops instead of reading it from another kernel's result. Emits a
/// remark with the reason if not.
bool computesMask(mlir::OpOperand &operand, llvm::ArrayRef<mlir::Operation *> producers);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_MASKFUSION_H
