//===- Phases.h - The compiler as a table of phases -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one ordered list that drives `kiln compile --compile-to=PHASE`, the
// pipelines of kiln-opt (--kiln-<phase>-pipeline), dumps and timings. Each
// phase reads the module that the one before it leaves.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_PHASES_H
#define KILN_PIPELINE_PHASES_H

#include "kiln/Transforms/Graph/PhaseOptions.h"
#include "llvm/ADT/ArrayRef.h"

#include <memory>

namespace mlir {
class OpPassManager;
}

namespace kiln {

class Compiler;
namespace codegen {
class KernelAnalyses;
}

/// A phase of the compiler: work of `kiln compile` alone, passes, and work again.
struct Phase {
  llvm::StringLiteral name;
  /// Invariant of the module after the phase; the phase's last pass checks it.
  llvm::StringLiteral contract;
  /// Adds the passes; null: the phase has none, and leaves no module.
  void (*build)(mlir::OpPassManager &pm, const PhaseOptions &options,
                const std::shared_ptr<codegen::KernelAnalyses> &analyses) = nullptr;
  /// Work of `kiln compile` in front of the passes and behind them; null: none.
  llvm::Error (Compiler::*before)() = nullptr;
  llvm::Error (Compiler::*after)() = nullptr;
  /// Whether `--verify=each` evaluates the module around each pass.
  bool isEvaluated = false;

  /// Adds the passes of a phase that has some, and in front of them kiln-begin-phase,
  /// which checks the module and records the phase. `analyses`: of kernels, kept from one
  /// phase to the next; null: the phase has its own.
  void addTo(mlir::OpPassManager &pm, const PhaseOptions &options,
             std::shared_ptr<codegen::KernelAnalyses> analyses = nullptr) const;
};

/// In order: import, graph, kernels, code, plan, which leave a module; image, package.
llvm::ArrayRef<Phase> getPhases();

/// Registers --kiln-<name>-pipeline for every phase with passes. Its options are
/// PhaseOptions.
void registerPhasePipelines();

} // namespace kiln

#endif // KILN_PIPELINE_PHASES_H
