//===- EmitKernel.h - From a fused kernel to a tile program -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one entry to code generation. Which emitter works follows from what the
// body holds, not from the kernel's `hero`, which is for people.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EMITKERNEL_H
#define KILN_CODEGEN_EMITKERNEL_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
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
/// chooseConfig says, otherwise one that checkConfig admits.
mlir::FailureOr<tile::KernelOp> emitKernel(graph::KernelOp kernel,
                                           const TargetInfo &target,
                                           mlir::OpBuilder &builder,
                                           mlir::Attribute config = {},
                                           std::optional<int64_t> mostRows = {});

/// Numbers of rows, ascending, up to which launches of a kernel have code of their own
/// beside the one for any number: what emitKernel makes with `mostRows`. Empty on hosts
/// and for all but products.
llvm::SmallVector<int64_t> rowVariants(graph::KernelOp kernel,
                                           const TargetInfo &target);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EMITKERNEL_H
