//===- KernelShell.h - What every emitter begins with -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An empty tile.kernel with the arguments a graph.kernel asks for. Internal to
// lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_KERNELSHELL_H
#define KILN_LIB_CODEGEN_KERNELSHELL_H

#include "NodeEmitter.h"

namespace kiln::codegen {

/// A tile.kernel with no body yet, named after the hero.
tile::KernelOp createShell(mlir::OpBuilder &builder, graph::KernelOp kernel,
                           const SymbolicExpr &tasks, const SymbolicExpr &scratchBytes,
                           mlir::Attribute config);

/// States that tasks share a workspace of so many bytes and so many tickets.
void setWorkspace(tile::KernelOp shell, graph::KernelOp kernel, const SymbolicExpr &bytes,
                  const SymbolicExpr &tickets);

/// Tells the emitter the symbols' values and adds the operands' memories.
void bindShell(NodeEmitter &emitter, graph::KernelOp kernel, tile::KernelOp shell);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_KERNELSHELL_H
