//===- LiftedOperands.h - Differences of kernels as operands ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_FUSION_LIFTEDOPERANDS_H
#define KILN_LIB_TRANSFORMS_FUSION_LIFTEDOPERANDS_H

#include "dialects/Graph/Graph.h"
#include "kiln/Transforms/Fusion/Passes.h"

namespace kiln {

/// Returns the programs' kernels grouped by equal text, in the order of each group's
/// first kernel.
llvm::SmallVector<llvm::SmallVector<graph::KernelOp>>
kernelsByText(mlir::ModuleOp module,
              llvm::function_ref<std::string(graph::KernelOp)> text);

/// Indices of values of a body that become one operand.
using ValueNumbers = llvm::SmallVector<size_t>;

/// Returns the values that differ between kernels; those that are equal to each other in
/// every kernel become one operand. `values` has the values of each kernel's body, in the
/// same order.
llvm::SmallVector<ValueNumbers>
differingValues(llvm::ArrayRef<llvm::SmallVector<mlir::Attribute>> values);

/// Adds a constant as the kernel's last operand; returns the constant, which is before
/// the kernel. The body reads the kernel's last argument.
graph::ConstantOp addConstantOperand(graph::KernelOp kernel, mlir::Location loc,
                                     mlir::ElementsAttr value);

/// Whether code can be generated for the kernel after `lift`, which returns the constants
/// that it adds. The kernel itself is not changed.
bool canEmitLifted(
    graph::KernelOp kernel, const CanEmit &canEmit,
    llvm::function_ref<llvm::SmallVector<graph::ConstantOp>(graph::KernelOp)> lift);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_FUSION_LIFTEDOPERANDS_H
