//===- TestVerifyEach.cpp - A pipeline with every pass verified -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "kiln/Reference/VerifyEach.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace {
struct VerifyEach : public PassWrapper<VerifyEach, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyEach)

  VerifyEach() = default;
  VerifyEach(const VerifyEach &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "kiln-test-verify-each"; }
  StringRef getDescription() const final {
    return "Run a pipeline, evaluating @main before and after each pass";
  }

  Option<std::string> pipeline{*this, "pipeline", llvm::cl::desc("builtin.module(...)")};
  Option<std::string> folder{*this, "folder", llvm::cl::desc("Where the weights' files lie")};

  void runOnOperation() override {
    FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, llvm::errs());
    if (failed(parsed))
      return signalPassFailure();
    PassManager pm(&getContext());
    static_cast<OpPassManager &>(pm) = std::move(*parsed);
    kiln::reference::VerifyEachOptions options;
    options.modelFolder = folder;
    if (failed(kiln::reference::runVerified(pm, getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace

void kiln::test::registerVerifyEach() { PassRegistration<VerifyEach>(); }
