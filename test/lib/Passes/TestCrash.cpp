//===- TestCrash.cpp - A pass that ends the process -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/ErrorHandling.h"

#include <csignal>

using namespace mlir;

namespace {
struct Crash : public PassWrapper<Crash, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Crash)

  Crash() = default;
  Crash(const Crash &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "kiln-test-crash"; }
  StringRef getDescription() const final { return "End the process as a defect does"; }

  Option<std::string> how{*this, "how", llvm::cl::init("signal"),
                          llvm::cl::desc("signal or fatal-error")};

  void runOnOperation() override {
    if (how == "fatal-error")
      llvm::report_fatal_error("a fatal error of LLVM");
    raise(SIGSEGV);
  }
};
} // namespace

void kiln::test::registerCrash() { PassRegistration<Crash>(); }
