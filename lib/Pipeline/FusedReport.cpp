//===- FusedReport.cpp - Fused and unfused subgraphs ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedReport.h"
#include "dialects/Graph/Graph.h"
#include "kiln/Support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

#include <mutex>

using namespace kiln;
using namespace mlir;

namespace {
/// Thread-safe, as passes may run on several functions at the same time.
class UnfusedRecorder : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit UnfusedRecorder(CompileReport &report) : report(report) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string name = remark.getRemarkName().str(), why;
    for (const auto &argument : remark.getArgs())
      why += argument.val;
    bool isMissed = remark.getRemarkType() == llvm::remarks::Type::Missed;
    mlir::emitRemark(remark.getLocation())
        << (isMissed ? "no " : "") << name << ": " << why;
    if (!isMissed)
      return;
    std::lock_guard lock(mutex);
    report.unfused.push_back({name, describe(remark.getLocation()), why});
  }

private:
  CompileReport &report;
  std::mutex mutex;
};
} // namespace

void kiln::recordUnfused(MLIRContext &context, CompileReport &report) {
  remark::RemarkCategories categories;
  categories.passed = categories.missed = "kiln-raise-(attention|gelu|layer-norm|rope)";
  LogicalResult enabled = remark::enableOptimizationRemarks(
      context, std::make_unique<UnfusedRecorder>(report),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
  (void)enabled; // fails only if remarks are enabled already
}

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
