//===- TestPlantBug.cpp - A rewrite that is wrong -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes ops in wrong ways that --verify=each must detect, and in one way that it must
// accept.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "dialects/Graph/Graph.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

using namespace kiln::graph;
using namespace mlir;

namespace {
struct PlantBug : public PassWrapper<PlantBug, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlantBug)

  PlantBug() = default;
  PlantBug(const PlantBug &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "kiln-test-plant-bug"; }
  StringRef getDescription() const final { return "Rewrite an op of @main wrongly"; }

  Option<std::string> bug{*this, "bug", llvm::cl::init("add-to-sub"),
                          llvm::cl::desc("add-to-sub, swap-operands, epsilon, or harmless")};

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (main)
      main.walk([&](Operation *op) {
        return plant(op) ? WalkResult::interrupt() : WalkResult::advance();
      });
  }

private:
  /// Changes an op; returns true if it did.
  bool plant(Operation *op) {
    if (auto binary = dyn_cast<BinaryOp>(op))
      return plantInBinary(binary);
    auto norm = dyn_cast<LayerNormOp>(op);
    if (!norm || bug != "epsilon")
      return false;
    norm.setEpsilon(APFloat(norm.getEpsilon().convertToDouble() * 2));
    return true;
  }

  bool plantInBinary(BinaryOp op) {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    if (bug == "add-to-sub" && op.getKind() == BinaryKind::add) {
      op.setKind(BinaryKind::sub);
      return true;
    }
    bool commutes = op.getKind() == BinaryKind::add || op.getKind() == BinaryKind::mul;
    if (bug != (commutes ? "harmless" : "swap-operands"))
      return false;
    op.getLhsMutable().assign(rhs);
    op.getRhsMutable().assign(lhs);
    return true;
  }
};
} // namespace

void kiln::test::registerPlantBug() { PassRegistration<PlantBug>(); }
