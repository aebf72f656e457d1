//===- Program.cpp - Program of a scatter kernel --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Returns the reduction that combines an update of this kind with an element.
static Reduction reductionOf(graph::ReduceKind kind, bool isUnsigned) {
  Reduction step{tile::ReduceKind::sum, nullptr, nullptr};
  step.isUnsigned = isUnsigned;
  if (kind == graph::ReduceKind::prod)
    step.kind = tile::ReduceKind::prod;
  else if (kind != graph::ReduceKind::sum)
    step.kind =
        kind == graph::ReduceKind::max ? tile::ReduceKind::max : tile::ReduceKind::min;
  return step;
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
        [step = reductionOf(*op.getCombine(), element.isUnsignedInteger())](
            OpBuilder &b, Location loc, ValueRange values) {
          return combine(b, loc, step, values);
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
