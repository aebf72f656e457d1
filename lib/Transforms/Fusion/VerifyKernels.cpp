//===- VerifyKernels.cpp - Checks that programs consist of kernels --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/VerifyPrograms.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Support/Error.h"
#include "kiln/Transforms/Fusion/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_VERIFYKERNELSPASS
#include "kiln/Transforms/Fusion/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
class VerifyKernelsPass : public kiln::impl::VerifyKernelsPassBase<VerifyKernelsPass> {
public:
  void runOnOperation() override {
    ok = true;
    for (func::FuncOp program : programsOf(getOperation()))
      for (Operation &op : program.front())
        if (!isAllowed(op))
          report(op);
    // Ops of other levels have types of their own.
    if (!ok || failed(verifyPrograms(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static bool isAllowed(Operation &op) {
    return isa<KernelOp, GetWeightOp, ReshapeOp>(op) || collectiveRanks(&op) ||
           op.hasTrait<OpTrait::IsTerminator>();
  }

  void report(Operation &op) {
    ok = false;
    Diagnosis diagnosis;
    diagnosis.code = ErrorCode::LevelViolation;
    diagnosis.what =
        "'" + op.getName().getStringRef().str() + "' stands outside of a kernel";
    diagnosis.expected =
        "kernels, weights, collectives and reshapes after kiln-fuse-kernels";
    emitError(op.getLoc(), diagnosis);
  }

  bool ok = true;
};
} // namespace
