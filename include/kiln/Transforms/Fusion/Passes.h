//===- Passes.h - Fusion passes ---------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_FUSION_PASSES_H
#define KILN_TRANSFORMS_FUSION_PASSES_H

#include "dialects/Graph/Graph.h"
#include "mlir/Pass/Pass.h"

#include <functional>
#include <memory>
#include <string>

namespace kiln {

/// Says whether code can be generated for a kernel; `why` gets the reason if
/// not. The pipeline passes code generation's answer, so that fusion does not
/// depend on it; without one every kernel is accepted.
using CanEmit = std::function<bool(graph::KernelOp kernel, std::string *why)>;

#define GEN_PASS_DECL
#include "kiln/Transforms/Fusion/Passes.h.inc"

std::unique_ptr<mlir::Pass> createFuseKernelsPass(CanEmit canEmit);

#define GEN_PASS_REGISTRATION
#include "kiln/Transforms/Fusion/Passes.h.inc"

} // namespace kiln

#endif // KILN_TRANSFORMS_FUSION_PASSES_H
