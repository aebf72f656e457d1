//===- Float8.h - Bytes of f8E4M3FN as f32 ------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the instruction of sm_89 and later, two at a time, or by moving bits. Private to
// lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LOWERING_FLOAT8_H
#define KILN_LIB_TARGET_NVPTX_LOWERING_FLOAT8_H

#include "ThreadProgram.h"

namespace kiln::nvptx {

/// Bytes that a thread holds as the numbers they stand for. Successive bytes of one load
/// are taken from its words.
Values widenE4m3(mlir::ImplicitLocOpBuilder &b, const GpuInfo &gpu,
                 llvm::ArrayRef<mlir::Value> bytes);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LOWERING_FLOAT8_H
