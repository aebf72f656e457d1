//===- KernelTimes.h - Times to compile kernels -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_KERNELTIMES_H
#define KILN_LIB_PIPELINE_KERNELTIMES_H

#include "Images.h"
#include "kiln/Pipeline/Compile.h"
#include "mlir/IR/BuiltinOps.h"

namespace kiln {

/// Adds the times to the report in descending order, with the nodes that the kernels
/// compute.
void addKernelTimes(mlir::ModuleOp module, const Images &images, CompileReport &report);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_KERNELTIMES_H
