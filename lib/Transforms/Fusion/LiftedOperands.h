//===- LiftedOperands.h - What kernels differ by becomes operands *- C++ -*-===//
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

/// Kernels of the programs in groups of equal texts, in the order of their first ones.
llvm::SmallVector<llvm::SmallVector<graph::KernelOp>>
kernelsByText(mlir::ModuleOp module,
              llvm::function_ref<std::string(graph::KernelOp)> text);

/// Values of a body, by their numbers in it, that are one operand.
using ValueNumbers = llvm::SmallVector<size_t>;

/// Returns the values that differ between kernels; those that are equal to each other in
/// every kernel are one operand. `values` has those of each kernel's body, in one order.
llvm::SmallVector<ValueNumbers>
differingValues(llvm::ArrayRef<llvm::SmallVector<mlir::Attribute>> values);

/// Gives the kernel a constant as its last operand; returns the constant, which is in
/// front of the kernel. The kernel's last argument is what the body reads.
graph::ConstantOp addConstantOperand(graph::KernelOp kernel, mlir::Location loc,
                                     mlir::ElementsAttr value);

/// Whether code can be generated for the kernel behind `lift`, which returns the
/// constants that it adds. The kernel itself does not change.
bool canEmitLifted(
    graph::KernelOp kernel, const CanEmit &canEmit,
    llvm::function_ref<llvm::SmallVector<graph::ConstantOp>(graph::KernelOp)> lift);

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_FUSION_LIFTEDOPERANDS_H
