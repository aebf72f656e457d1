//===- Program.cpp - What a scatter kernel computes -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "../Pointwise/ScalarBuilder.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// The scalar code that combines an element with an update; NaN of either is kept.
static Value combine(OpBuilder &b, Location loc, graph::ReduceKind kind, bool isUnsigned,
                     Value old, Value update) {
  ScalarBuilder s(b, loc, old.getType(), isUnsigned);
  switch (kind) {
  case graph::ReduceKind::sum:
    return s.add(old, update);
  case graph::ReduceKind::prod:
    return s.mul(old, update);
  case graph::ReduceKind::max:
    if (s.isFloat)
      return s.make<arith::MaximumFOp>(old, update);
    return s.select(s.less(old, update), update, old);
  default:
    if (s.isFloat)
      return s.make<arith::MinimumFOp>(old, update);
    return s.select(s.less(update, old), update, old);
  }
}

/// A dim of one element has index 0 wherever views meet it.
static SymbolicExpr indexOf(const Loop &loop) {
  return loop.extent.isConstant(1) ? SymbolicExpr(0) : SymbolicExpr::symbol(loop.var);
}

bool ScatterProgram::analyze(graph::ScatterOp op) {
  graph::Dims dims = graph::getDims(op.getData()),
              updates = graph::getDims(op.getUpdates());
  graph::Dims indices = graph::getDims(op.getIndices());
  auto loop = [&](const SymbolicExpr &extent) {
    return Loop{body.vars.addLoop(extent), extent};
  };
  batch = loop(dims[0]);
  row = loop(dims[1]);
  column = loop(dims[2]);
  update = loop(updates[1]);
  perColumn = !indices[2].isConstant(1);
  combines = op.getCombine().has_value();
  Indices place{indexOf(batch), SymbolicExpr::symbol(row.var), indexOf(column)};
  Indices from{indexOf(batch), SymbolicExpr::symbol(update.var), indexOf(column)};
  address = IndexVars::linearize(place, dims);
  data = body.pull(op.getData(), place);
  value = data ? body.pull(op.getUpdates(), from) : nullptr;
  if (!perColumn)
    from.back() = 0;
  index = value ? body.pull(op.getIndices(), from) : nullptr;
  if (!index)
    return false;
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  current = body.load(storageType(element), op->getBlock()->getNumArguments(), address);
  old = body.bound(data->type);
  combined = value;
  if (combines)
    combined = body.compute(
        data->type, {old, value},
        [kind = *op.getCombine(), isUnsigned = element.isUnsignedInteger()](
            OpBuilder &b, Location loc, ValueRange values) {
          return combine(b, loc, kind, isUnsigned, values[0], values[1]);
        },
        /*cost=*/1);
  return true;
}

std::unique_ptr<ScatterProgram> ScatterProgram::build(graph::KernelOp kernel,
                                                      std::string &why) {
  auto scatters = kernel.getBlock().getOps<graph::ScatterOp>();
  if (!llvm::hasSingleElement(scatters)) {
    why = "the kernel has not exactly one scatter";
    return nullptr;
  }
  graph::ScatterOp op = *scatters.begin();
  auto yielded = kernel.getYielded();
  if (yielded.size() != 1 || yielded.front() != op.getResult()) {
    why = "the kernel yields something else than what its scatter gives";
    return nullptr;
  }
  std::unique_ptr<ScatterProgram> program(new ScatterProgram(kernel.getBlock()));
  if (program->analyze(op))
    return program;
  why = program->body.why;
  return nullptr;
}
