//===- VerifyEach.h - Verification around every pass ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--verify=each` evaluates @main on small generated inputs before and after each pass. A
// pass that changes an output is reported by name as KILN-E0257.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_VERIFYEACH_H
#define KILN_REFERENCE_VERIFYEACH_H

#include "kiln/Reference/ResultChange.h"
#include "kiln/Reference/Synthesis.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace kiln::reference {

struct VerifyEachOptions {
  /// Folder of the weight files; empty: every weight is generated.
  std::string modelFolder;
  /// Relative to the largest element of an output; a pass that implements ChangesResults
  /// may set another tolerance.
  double tolerance = 1e-9;
  /// ResultChange::movesNonFinite and assumesMasks of the current pass.
  bool ignoreNonFinite = false, ignoreAdversarial = false;
  uint64_t seed = 0;
};

/// A few inputs of a module's first program, and the outputs for them.
class Snapshot {
public:
  /// Makes inputs for the program and evaluates it.
  static llvm::Expected<Snapshot> take(mlir::ModuleOp module, const VerifyEachOptions &options);
  /// Evaluates the module on the same inputs.
  llvm::Expected<Snapshot> repeat(mlir::ModuleOp module, const VerifyEachOptions &options) const;
  /// Whether the program still has the same input types.
  bool fits(mlir::func::FuncOp main) const;
  /// Fails with KILN-E0257 if `later` has other outputs. `where` names the pass.
  llvm::Error check(const Snapshot &later, mlir::func::FuncOp main, llvm::StringRef where,
                    const VerifyEachOptions &options) const;

private:
  struct Case {
    Flavour flavour;
    Symbols symbols;
    llvm::SmallVector<Tensor> inputs;
    Results outputs;
  };
  std::string program;
  llvm::SmallVector<mlir::Type> argumentTypes;
  llvm::SmallVector<Case> cases;
};

/// Fails if the first programs of both modules do not compute the same.
llvm::Error compareModules(mlir::ModuleOp before, mlir::ModuleOp after, llvm::StringRef where,
                           const VerifyEachOptions &options = {});

/// Compares results around each pass that changed the module. An instrumentation cannot
/// fail a pass manager's run, so the caller must check `failed` afterwards, as
/// runVerified does. Needs a context without threads.
class VerifyEachInstrumentation final : public mlir::PassInstrumentation {
public:
  VerifyEachInstrumentation(VerifyEachOptions options, bool &failed)
      : options(std::move(options)), failed(failed) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;

private:
  void refresh(mlir::ModuleOp module, llvm::StringRef where);

  VerifyEachOptions options;
  bool &failed;
  /// Outputs of the module with this fingerprint; nullopt if it has no program or cannot
  /// be evaluated.
  std::optional<Snapshot> snapshot;
  std::optional<mlir::OperationFingerPrint> fingerprint;
  /// Bounds of the passes that have begun, for the module that each started with.
  llvm::DenseMap<mlir::Pass *, ResultChange> changes;
  bool warned = false;
};

/// Runs the passes and verifies every one.
mlir::LogicalResult runVerified(mlir::PassManager &pm, mlir::ModuleOp module,
                                const VerifyEachOptions &options = {});

} // namespace kiln::reference

#endif // KILN_REFERENCE_VERIFYEACH_H
