//===- KernelText.h - The computation of a kernel as text -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_KERNELTEXT_H
#define KILN_DIALECTS_GRAPH_KERNELTEXT_H

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kiln::graph {

/// The hero, types and ops of a kernel, without the names of values and nodes: kernels
/// with equal texts compute the same. If `attributes` returns a text for an op, the text
/// is printed in place of its attributes.
std::string kernelText(KernelOp kernel,
                       llvm::function_ref<std::optional<std::string>(mlir::Operation &)>
                           attributes = nullptr);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_KERNELTEXT_H
