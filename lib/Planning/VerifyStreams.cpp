//===- VerifyStreams.cpp - Verification of overlapping collectives --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyStreams.h"
#include "StepBuffers.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace mlir;

namespace {
class StreamCheck {
public:
  explicit StreamCheck(plan::ProgramOp program) : symbols(program) {
    for (Operation &op : program.getBody().front())
      if (plan::isStep(&op))
        steps.push_back(&op);
  }
  LogicalResult run();

private:
  /// Checks a collective at step `step` for which step `join` waits.
  LogicalResult check(plan::CollectiveOp op, uint64_t step, uint64_t join);
  LogicalResult checkBeside(plan::CollectiveOp op, Operation *other);
  LogicalResult checkLifetime(plan::CollectiveOp op, StringRef buffer, uint64_t join);
  plan::BufferOp storageOf(StringRef name) { return kiln::storageOf(symbols, name); }
  static LogicalResult refuse(Operation *at, const Twine &what, const Twine &found);

  SymbolTable symbols;
  SmallVector<Operation *> steps;
};
} // namespace

LogicalResult StreamCheck::refuse(Operation *at, const Twine &what, const Twine &found) {
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::PlanRefused;
  diagnosis.where = "streams of the plan";
  diagnosis.what = what.str();
  diagnosis.found = found.str();
  diagnosis.fix = "report this: the planner is wrong";
  return kiln::emitError(at->getLoc(), diagnosis);
}

LogicalResult StreamCheck::checkBeside(plan::CollectiveOp op, Operation *other) {
  StepBuffers buffers(other);
  plan::BufferOp from = storageOf(op.getFrom()), to = storageOf(op.getTo());
  for (StringRef name : buffers.reads)
    if (storageOf(name) == to)
      return refuse(other,
                    "buffer @" + name + " is read while a collective may still write it",
                    "no wait in front of the step");
  for (StringRef name : buffers.writes) {
    plan::BufferOp storage = storageOf(name);
    if (storage == to || storage == from)
      return refuse(other,
                    "buffer @" + name + " is written while a collective may still " +
                        (storage == to ? "write it" : "read it"),
                    "no wait in front of the step");
  }
  return success();
}

/// Checks that the buffer is live until the collective's join. The overlap checks of
/// kiln-verify-plan then cover the collective as well.
LogicalResult StreamCheck::checkLifetime(plan::CollectiveOp op, StringRef name,
                                         uint64_t join) {
  plan::BufferOp buffer = storageOf(name);
  if (buffer.getLast() + 1 >= join)
    return success();
  return refuse(op,
                "the memory of buffer @" + name +
                    " is free while a collective may still use it",
                "its last step is " + Twine(buffer.getLast()) + ", and step " +
                    Twine(join) + " waits for the collective");
}

LogicalResult StreamCheck::check(plan::CollectiveOp op, uint64_t step, uint64_t join) {
  if (join <= step || join > steps.size())
    return refuse(op, "a collective is waited for where it has not begun",
                  "step " + Twine(step) + ", join " + Twine(join));
  for (uint64_t i = step + 1; i < join; ++i)
    if (failed(checkBeside(op, steps[i])))
      return failure();
  return failure(failed(checkLifetime(op, op.getFrom(), join)) ||
                 failed(checkLifetime(op, op.getTo(), join)));
}

LogicalResult StreamCheck::run() {
  for (auto [i, op] : llvm::enumerate(steps))
    if (auto collective = dyn_cast<plan::CollectiveOp>(op))
      if (collective.getJoin() && failed(check(collective, i, *collective.getJoin())))
        return failure();
  return success();
}

LogicalResult kiln::verifyStreams(plan::ProgramOp program) {
  return StreamCheck(program).run();
}
