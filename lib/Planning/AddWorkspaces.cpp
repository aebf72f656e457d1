//===- AddWorkspaces.cpp - Workspaces of steps ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A workspace is an activation that is live during one step only, so it may reuse the
// memory of earlier and later buffers. Arrival counters (tickets) keep their values from
// run to run: they are state, at an offset that does not depend on dims.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;
using plan::ArenaKind;

static constexpr int64_t kTicketBytes = 4;

/// Returns an upper bound of all expressions: the one that dominates, else the sum of the
/// maxima.
static SymbolicExpr bound(ArrayRef<SymbolicExpr> exprs) {
  SmallVector<SymbolicExpr> maxima;
  for (const SymbolicExpr &expr : exprs)
    addMaximum(maxima, expr);
  SymbolicExpr sum;
  for (const SymbolicExpr &expr : maxima)
    sum += expr;
  return sum;
}

static unsigned addBuffer(Program &program, ArenaKind arena, SymbolicExpr size,
                          int64_t first, int64_t last, StringRef source) {
  Buffer buffer;
  buffer.arena = arena;
  buffer.size = std::move(size);
  buffer.first = first;
  buffer.last = last;
  buffer.source = source.str();
  program.buffers.push_back(std::move(buffer));
  return program.buffers.size() - 1;
}

LogicalResult kiln::addWorkspaces(Program &program, const FindCode &findCode,
                                  const SymbolRanges &ranges) {
  int64_t end = std::max<int64_t>(program.steps.size(), 1) - 1;
  for (auto [i, step] : llvm::enumerate(program.steps)) {
    auto kernel = dyn_cast_or_null<KernelOp>(step.op);
    if (!kernel || !findCode)
      continue;
    FailureOr<KernelCode> code = findCode(kernel);
    if (failed(code))
      return failure();
    step.code = std::move(*code);
    if (step.code.workspaces.empty())
      continue;
    // Without a maximum, checkEnvelope rejects the size.
    SymbolicExpr tickets = bound(step.code.tickets);
    std::optional<int64_t> maximum = ranges.maxOf(tickets);
    std::string name = describe(kernel.getLoc());
    step.workspace = addBuffer(program, ArenaKind::activations,
                               bound(step.code.workspaces), i, i, "workspace of " + name);
    SymbolicExpr count = maximum ? SymbolicExpr(*maximum) : tickets;
    step.tickets = addBuffer(program, ArenaKind::state, count * kTicketBytes, 0, end,
                             "tickets of " + name);
  }
  return success();
}
