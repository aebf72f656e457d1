//===- VerifyEach.h - What every pass must not change -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--verify=each`: evaluates @main on small made-up inputs before and after each
// pass. A pass that changes an output is reported by name as KILN-E0257.
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
  /// Where the files of weights lie; empty: every weight is made up.
  std::string modelFolder;
  /// Relative to the largest element of an output; passes that are a ChangesResults may
  /// have another one.
  double tolerance = 1e-9;
  /// ResultChange::movesNonFinite and assumesMasks of the pass at hand.
  bool ignoreNonFinite = false, ignoreAdversarial = false;
  uint64_t seed = 0;
};

/// Outputs of a module's first program for a few inputs, and these inputs.
class Snapshot {
public:
  /// Makes inputs for the program and evaluates it.
  static llvm::Expected<Snapshot> take(mlir::ModuleOp module, const VerifyEachOptions &options);
  /// Evaluates the module on the same inputs.
  llvm::Expected<Snapshot> repeat(mlir::ModuleOp module, const VerifyEachOptions &options) const;
  /// Whether the program still takes the same.
  bool fits(mlir::func::FuncOp main) const;
  /// A KILN-E0257 if `later` has other outputs. `where` says who is to blame.
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

/// An error if the first programs of both modules do not compute the same.
llvm::Error compareModules(mlir::ModuleOp before, mlir::ModuleOp after, llvm::StringRef where,
                           const VerifyEachOptions &options = {});

/// Compares around each pass that changed the module. A pass manager does not let
/// an instrumentation fail a run, so whoever runs it asks `failed` afterwards;
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
  /// Outputs of the module with this fingerprint; none if it has no program or
  /// cannot be evaluated.
  std::optional<Snapshot> snapshot;
  std::optional<mlir::OperationFingerPrint> fingerprint;
  /// Changes by the passes that have begun, on the module that each found.
  llvm::DenseMap<mlir::Pass *, ResultChange> changes;
  bool warned = false;
};

/// Runs the passes with every one verified.
mlir::LogicalResult runVerified(mlir::PassManager &pm, mlir::ModuleOp module,
                                const VerifyEachOptions &options = {});

} // namespace kiln::reference

#endif // KILN_REFERENCE_VERIFYEACH_H
