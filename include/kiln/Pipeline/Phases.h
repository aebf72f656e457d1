//===- Phases.h - The compiler as a table of phases -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ordered list behind `kiln compile --compile-to=PHASE`, the pipelines of kiln-opt
// (--kiln-<phase>-pipeline), dumps and timings. Each phase starts with the module of the
// previous phase.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_PHASES_H
#define KILN_PIPELINE_PHASES_H

#include "kiln/Transforms/Graph/PhaseOptions.h"
#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <string>

namespace mlir {
class OpPassManager;
}

namespace kiln {

class Compiler;
namespace codegen {
class KernelAnalyses;
}

/// A phase of the compiler: a step before the passes that only `kiln compile` runs, the
/// passes, and such a step after them.
struct Phase {
  llvm::StringLiteral name;
  /// Postcondition of the phase; its last pass checks it.
  llvm::StringLiteral contract;
  /// Adds the passes; null: the phase has no passes and yields no module.
  void (*build)(mlir::OpPassManager &pm, const PhaseOptions &options,
                const std::shared_ptr<codegen::KernelAnalyses> &analyses) = nullptr;
  /// Steps of `kiln compile` before and after the passes; null: none.
  llvm::Error (Compiler::*before)() = nullptr;
  llvm::Error (Compiler::*after)() = nullptr;
  /// Adds the passes that check the contract of a module from a file; null: the next
  /// phase checks it first.
  void (*verify)(mlir::OpPassManager &pm) = nullptr;
  /// Whether `--verify=each` evaluates the module around each pass.
  bool isEvaluated = false;

  /// Adds the phase's passes, if any, after kiln-begin-phase, which checks the module and
  /// records the phase. `analyses`: kernel analyses that phases have in common; null: the
  /// phase makes its own.
  void addTo(mlir::OpPassManager &pm, const PhaseOptions &options,
             std::shared_ptr<codegen::KernelAnalyses> analyses = nullptr) const;
};

/// Returns the phases in order: import, graph, kernels, code, plan, which yield a module;
/// image, package.
llvm::ArrayRef<Phase> getPhases();
/// Returns the phase of this name that leaves a module; null if there is none.
const Phase *findModulePhase(llvm::StringRef name);
/// "import, graph, ...", for messages.
std::string modulePhaseNames();
/// Returns a line per phase that leaves a module, for --help: its name between `before`
/// and `after`, and its contract.
std::string describeModulePhases(llvm::StringRef before = "", llvm::StringRef after = "");

/// Registers --kiln-<name>-pipeline for every phase with passes. Its options are
/// PhaseOptions.
void registerPhasePipelines();

} // namespace kiln

#endif // KILN_PIPELINE_PHASES_H
