//===- EmitKernel.h - From a fused kernel to a tile program -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one entry to code generation, which asks the kernel's family, see KernelFamily.h.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EMITKERNEL_H
#define KILN_CODEGEN_EMITKERNEL_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Codegen/Variant.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>
#include <string>

namespace kiln::codegen {

/// True if emitKernel will succeed for every target; else `why` says what
/// stands in the way. Changes nothing.
bool canEmit(graph::KernelOp kernel, std::string *why = nullptr);

/// An operand, no small one, that the kernel should read from a copy in the order of
/// its loops, as a tile through scratch does not serve it: it lies across the result
/// along another dim than larger ones, or there is a GPU among these targets and no
/// tile, or none that it holds. nullopt: there is none.
std::optional<unsigned> operandToCopy(graph::KernelOp kernel,
                                      llvm::ArrayRef<std::string> targets);

/// Dialects of the configs that these answers consider.
void registerConfigDialects(mlir::DialectRegistry &registry);

/// The tile program of a kernel, at the builder's insertion point, named after
/// the hero; a coded error at the kernel if there is none. config: null for what
/// chooseConfig says, otherwise one that checkConfig admits. With a variant, the program
/// says for which launches it is; what it replaces the caller sets.
mlir::FailureOr<tile::KernelOp>
emitKernel(graph::KernelOp kernel, const TargetInfo &target, mlir::OpBuilder &builder,
           mlir::Attribute config = {}, const std::optional<Variant> &variant = {});

/// Launches, smaller bounds first, that have code of their own beside the one for all:
/// what emitKernel makes with a variant. Empty on hosts.
llvm::SmallVector<Variant> variantsOf(graph::KernelOp kernel, const TargetInfo &target);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EMITKERNEL_H
