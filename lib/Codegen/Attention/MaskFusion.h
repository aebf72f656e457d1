//===- MaskFusion.h - Masks computed in the kernel --------------*- C++ -*-===//
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

/// Whether an attention's kernel should compute this operand, its mask, by these
/// elementwise ops for every score, rather than read the mask that a kernel of their own
/// has written. A remark says why not.
bool computesMask(mlir::OpOperand &operand, llvm::ArrayRef<mlir::Operation *> producers);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_ATTENTION_MASKFUSION_H
