//===- Passes.h - Fusion passes ---------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_FUSION_PASSES_H
#define KILN_TRANSFORMS_FUSION_PASSES_H

#include "dialects/Graph/Graph.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Codegen/KernelFamily.h"
#include "mlir/Pass/Pass.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace kiln {

/// Returns whether code can be generated for a kernel; if not, sets `why` to the reason.
/// The pipeline passes code generation's function, so that fusion does not depend on it;
/// if null, every kernel is accepted.
using CanEmit = std::function<bool(graph::KernelOp kernel, std::string *why)>;

#define GEN_PASS_DECL
#include "kiln/Transforms/Fusion/Passes.h.inc"

/// Returns the index of a kernel's operand that is better copied to the order of the
/// kernel's loops than read through the views in its body, on one of the named targets.
/// Implemented by code generation; if null, no operand is copied.
using OperandToCopy = std::function<std::optional<unsigned>(
    graph::KernelOp kernel, llvm::ArrayRef<std::string> targets)>;

/// Functions of code generation that fusion calls. Each may be null: then every kernel
/// can be emitted, no operand is copied, and every kernel is elementwise.
struct KernelCodegen {
  CanEmit canEmit;
  OperandToCopy operandToCopy;
  /// Returns the hero that an op would be in a kernel; if null, every kernel is
  /// elementwise.
  std::function<const codegen::Hero &(mlir::Operation *op)> heroOf;
  /// Registers the dialects of attributes that these functions create.
  std::function<void(mlir::DialectRegistry &registry)> dialects;
};

std::unique_ptr<mlir::Pass>
createFuseKernelsPass(KernelCodegen codegen, llvm::ArrayRef<std::string> targets = {});

/// codegen: decides whether a check can be one kernel.
std::unique_ptr<mlir::Pass> createCheckIndicesPass(KernelCodegen codegen, bool inputs);

/// codegen: decides whether code can be generated for kernels that read lifted scalars.
std::unique_ptr<mlir::Pass> createLiftScalarsPass(KernelCodegen codegen);
std::unique_ptr<mlir::Pass> createLiftStartsPass(KernelCodegen codegen);

#define GEN_PASS_REGISTRATION
#include "kiln/Transforms/Fusion/Passes.h.inc"

} // namespace kiln

#endif // KILN_TRANSFORMS_FUSION_PASSES_H
