//===- EmitKernel.h - From a fused kernel to a tile program -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one entry to code generation, which asks the kernel's analysis.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EMITKERNEL_H
#define KILN_CODEGEN_EMITKERNEL_H

#include "kiln/Codegen/KernelAnalysis.h"

#include <optional>

namespace kiln::codegen {

/// Adds the dialects of the configs that analyses consider.
void registerConfigDialects(mlir::DialectRegistry &registry);

/// Writes the tile program of a kernel, at the builder's insertion point, named after the
/// hero; reports a coded error at the kernel if there is none. `analysis`: of the kernel,
/// or of one with its fingerprint. config: null for what the analysis chooses, otherwise
/// one that its checkConfig admits. With a variant, the program says for which launches
/// it is; what it replaces the caller sets.
mlir::FailureOr<tile::KernelOp> emitKernel(const KernelAnalysis &analysis,
                                           graph::KernelOp kernel,
                                           const CodeRequest &request,
                                           mlir::OpBuilder &builder,
                                           mlir::Attribute config = {});

/// Analyses a kernel and emits it.
mlir::FailureOr<tile::KernelOp>
emitKernel(graph::KernelOp kernel, const TargetInfo &target, mlir::OpBuilder &builder,
           mlir::Attribute config = {}, const std::optional<Variant> &variant = {});

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EMITKERNEL_H
