//===- Passes.h - Code generation passes ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_PASSES_H
#define KILN_CODEGEN_PASSES_H

#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Codegen/KernelAnalyses.h"
#include "mlir/Pass/Pass.h"

namespace kiln {

#define GEN_PASS_DECL
#include "kiln/Codegen/Passes.h.inc"

/// analyses: cache that passes have in common; without it, each pass has its own.
std::unique_ptr<mlir::Pass> createChooseConfigsPass(ChooseConfigsPassOptions options,
                                                    codegen::SharedAnalyses analyses);
std::unique_ptr<mlir::Pass> createEmitKernelsPass(EmitKernelsPassOptions options,
                                                  codegen::SharedAnalyses analyses);

#define GEN_PASS_REGISTRATION
#include "kiln/Codegen/Passes.h.inc"

} // namespace kiln

#endif // KILN_CODEGEN_PASSES_H
