//===- FusedReport.cpp - Fused and unfused subgraphs ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedReport.h"
#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace kiln;
using namespace mlir;

static StringRef kindOf(Operation *op) {
  if (isa<graph::AttentionOp>(op))
    return "attention";
  if (isa<graph::LayerNormOp>(op))
    return "layer_norm";
  if (isa<graph::RmsNormOp>(op))
    return "rms_norm";
  if (isa<graph::RopeOp>(op))
    return "rope";
  auto unary = dyn_cast<graph::UnaryOp>(op);
  if (!unary)
    return {};
  switch (unary.getKind()) {
  case graph::UnaryKind::gelu:
  case graph::UnaryKind::gelu_tanh:
    return "gelu";
  case graph::UnaryKind::silu:
    return "silu";
  default:
    return {};
  }
}

void kiln::countFused(ModuleOp module, CompileReport &report) {
  // Counted in one program: all programs of a model with state contain the same ops.
  graph::programsOf(module).front().walk([&](Operation *op) {
    if (StringRef kind = kindOf(op); !kind.empty())
      ++report.fused[kind.str()];
  });
}
