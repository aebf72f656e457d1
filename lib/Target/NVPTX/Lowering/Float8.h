//===- Float8.h - f8E4M3FN to f32 -------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts two values at a time by an instruction (sm_89 and later), else by bit
// operations. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_FLOAT8_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_FLOAT8_H

#include "ThreadProgram.h"

namespace kiln::nvptx {

/// Converts the f8E4M3FN bytes that a thread holds to f32. Contiguous bytes of one load
/// are converted from its words.
Values widenE4m3(mlir::ImplicitLocOpBuilder &b, const GpuInfo &gpu,
                 llvm::ArrayRef<mlir::Value> bytes);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_FLOAT8_H
