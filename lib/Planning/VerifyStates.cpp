//===- VerifyStates.cpp - Verification of the order of states -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyStates.h"
#include "StepBuffers.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace mlir;

namespace {
class StateOrder {
public:
  explicit StateOrder(plan::ProgramOp program) : program(program), symbols(program) {}

  LogicalResult run() {
    for (Operation &op : program.getBody().front())
      if (plan::isStep(&op) && failed(check(&op)))
        return failure();
    return success();
  }

private:
  LogicalResult check(Operation *step);
  LogicalResult checkWrite(Operation *step, plan::BufferOp buffer);
  bool isState(plan::BufferOp buffer) {
    return symbols.lookup<plan::ArenaOp>(buffer.getArena()).getKind() ==
           plan::ArenaKind::state;
  }
  static LogicalResult refuse(Operation *step, const Twine &what);

  plan::ProgramOp program;
  SymbolTable symbols;
  llvm::DenseMap<Operation *, plan::BufferOp> newest; // storage -> buffer of the current
                                                      // value
};
} // namespace

LogicalResult StateOrder::refuse(Operation *step, const Twine &what) {
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::PlanRefused;
  diagnosis.where = "states of the plan";
  diagnosis.what = what.str();
  diagnosis.fix = "report this: the planner is wrong";
  return kiln::emitError(step->getLoc(), diagnosis);
}

/// Checks that a state is written in place of its current value, or to the same buffer
/// again.
LogicalResult StateOrder::checkWrite(Operation *step, plan::BufferOp buffer) {
  auto [last, isFirst] =
      newest.try_emplace(storageOf(symbols, buffer.getSymName()), buffer);
  bool follows =
      isFirst || last->second == buffer || buffer.getAlias() == last->second.getSymName();
  last->second = buffer;
  return follows
             ? success()
             : refuse(step, "buffer @" + buffer.getSymName() +
                                " is written to a state that another step writes, too");
}

LogicalResult StateOrder::check(Operation *step) {
  StepBuffers buffers(step);
  for (StringRef name : buffers.reads) {
    auto buffer = symbols.lookup<plan::BufferOp>(name);
    auto last = newest.find(storageOf(symbols, name));
    if (isState(buffer) && last != newest.end() && last->second != buffer)
      return refuse(step, "buffer @" + name +
                              " is read after another step has overwritten the state");
  }
  for (StringRef name : buffers.writes) {
    auto buffer = symbols.lookup<plan::BufferOp>(name);
    if (isState(buffer) && failed(checkWrite(step, buffer)))
      return failure();
  }
  return success();
}

LogicalResult kiln::verifyStates(plan::ProgramOp program) {
  return StateOrder(program).run();
}
