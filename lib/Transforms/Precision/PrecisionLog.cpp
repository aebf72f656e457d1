//===- PrecisionLog.cpp - Reports of precision passes ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrecisionLog.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassRemark.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static PrecisionEntry entryOf(Operation *op, StringRef why) {
  std::string type;
  llvm::raw_string_ostream(type) << elementTypeOf(op->getOperand(0));
  PrecisionEntry entry{op->getName().stripDialect().str(), describe(op->getLoc()), type,
                       type, why.str()};
  if (auto product = dyn_cast<MatmulOp>(op); product && isCompileTime(product.getRhs()) &&
                                             !isCompileTime(product.getLhs()) &&
                                             rankOf(product.getRhs()) == 2) {
    entry.k = getDims(product.getLhs()).back().getConstant().value_or(0);
    entry.columns = getDims(product).back().getConstant().value_or(0);
  }
  return entry;
}

void PrecisionLog::lowered(Operation *op, StringRef became, StringRef why,
                           const std::string &remark) {
  report.push_back(entryOf(op, why));
  report.back().became = became.str();
  remarkPassed(op->getLoc(), pass, verb, remark);
}

void PrecisionLog::kept(Operation *op, StringRef why) {
  report.push_back(entryOf(op, why));
  remarkMissed(op->getLoc(), pass, verb, why);
}

void PrecisionLog::keepReduction(Operation *op) {
  if (isa<LayerNormOp, RmsNormOp, SoftmaxOp, ReduceOp>(op))
    kept(op, "norms, softmax and reductions are computed in f32");
}

unsigned kiln::countLowered(const PrecisionReport &report) {
  return llvm::count_if(
      report, [](const PrecisionEntry &entry) { return entry.was != entry.became; });
}

bool kiln::reportedInvalid(Location loc, const PrecisionPolicy &policy) {
  llvm::Error error = policy.check();
  if (!error)
    return false;
  mlir::emitError(loc, llvm::toString(std::move(error)));
  return true;
}
