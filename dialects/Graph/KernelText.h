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
/// with equal texts compute the same. A constant that `hides` accepts is written as its
/// type alone.
std::string kernelText(KernelOp kernel,
                       llvm::function_ref<bool(ConstantOp)> hides = nullptr);

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_KERNELTEXT_H
