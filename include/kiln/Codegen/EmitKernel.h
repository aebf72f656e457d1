//===- EmitKernel.h - From a fused kernel to a tile program -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry point of code generation. It delegates to the kernel's analysis.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EMITKERNEL_H
#define KILN_CODEGEN_EMITKERNEL_H

#include "kiln/Codegen/KernelAnalysis.h"

#include <optional>

namespace kiln::codegen {

/// Registers the dialects of the configs that analyses consider.
void registerConfigDialects(mlir::DialectRegistry &registry);

/// Emits the tile program of a kernel at the builder's insertion point, named after the
/// hero; reports a coded error at the kernel if there is none. `analysis` is of the
/// kernel or of one with the same fingerprint. A null `config` means the analysis's
/// choice; any other config must pass checkConfig. With a variant, the program has its
/// launch condition; the caller sets the program that it takes precedence over.
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
