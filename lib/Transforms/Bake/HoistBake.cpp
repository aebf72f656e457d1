//===- HoistBake.cpp - Move what depends on weights alone to @bake ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/BlockScaledWeight.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Bake/Bake.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace kiln {
#define GEN_PASS_DEF_HOISTBAKEPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kHoistBakePass = "kiln-hoist-bake";
/// A value may grow this much over all it is made of: what is computed of a weight of half
/// precision is worth its bytes, a dequantised or broadcast one is not.
static constexpr int64_t kMaxGrowth = 2;

//===----------------------------------------------------------------------===//
// What moves
//===----------------------------------------------------------------------===//

/// Ops that kernels read through, so that baking would only copy, or widen what is stored.
static bool staysInPlace(Operation *op) {
  // The rows of a table whose panels a product reads.
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transpose.getInput().getDefiningOp<UnpackOp>() != nullptr;
  return isa<GetWeightOp, ConstantOp, UnpackOp, ReshapeOp, BroadcastOp>(op) ||
         asWidenedWeight(op->getResult(0)) || BlockScaledWeight::of(op->getResult(0));
}

/// Kernels read codes, their scales and zero points as they lie in panels.
static bool isScaledWeight(Operation *op) {
  return !isa<GetWeightOp>(op) && llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto product = dyn_cast<ScaledMatmulOp>(use.getOwner());
    return product && (use.get() == product.getWeight() ||
                       use.get() == product.getWeightScales() ||
                       use.get() == product.getWeightZeros());
  });
}

static int64_t bytesOf(Value value) { return byteSize(value.getType()).getConstant().value(); }

/// Whether baking pays: a weight is part of it, and it does not grow too much.
static bool isWorthBaking(Operation *op, ArrayRef<Operation *> tree) {
  int64_t sources = 0;
  bool weight = false;
  for (Operation *part : tree)
    if (isa<GetWeightOp, ConstantOp>(part)) {
      weight |= isa<GetWeightOp>(part);
      bool splat = splatOf(part->getResult(0)).has_value();
      sources += splat ? 0 : bytesOf(part->getResult(0));
    }
  // Packed constants are weights, too: a pack at run time serves nobody.
  if (isa<PackOp>(op))
    return true;
  int64_t bytes = bytesOf(op->getResult(0));
  constexpr int64_t kSmall = 1024;
  if (!weight && bytes <= kSmall)
    return false;
  if (bytes <= kMaxGrowth * sources)
    return true;
  remarkMissed(op, kHoistBakePass, "bake",
               "the value has " + std::to_string(bytes) + " bytes, what it is made of " +
                   std::to_string(sources));
  return false;
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

namespace {
class Baker {
public:
  explicit Baker(ModuleOp module) : symbols(module) {}
  unsigned run(func::FuncOp main);

private:
  /// The ops whose values @main needs but could have from @bake.
  SmallVector<Operation *> findFrontier(Block &block);
  void bake(Operation *op, ArrayRef<Operation *> tree);

  SymbolTable symbols;
  IRMapping copied; // from @main to @bake, over all bakes
};
} // namespace

void Baker::bake(Operation *op, ArrayRef<Operation *> tree) {
  OpBuilder builder(getOrCreateBake(symbols).front().getTerminator());
  for (Operation *part : tree)
    if (!copied.contains(part->getResult(0)))
      builder.clone(*part, copied);
  // Named after the first weight inside and the op: @encoder.q_pack.
  WeightOp weight = createWeight(symbols, op->getLoc(),
                                 weightNameOf(tree) + "_" + op->getName().stripDialect(),
                                 op->getResult(0).getType());
  auto name = FlatSymbolRefAttr::get(weight.getSymNameAttr());
  SetWeightOp::create(builder, op->getLoc(), name, copied.lookup(op->getResult(0)));
  builder.setInsertionPoint(op);
  auto get = GetWeightOp::create(builder, op->getLoc(), op->getResult(0).getType(), name);
  // Later trees that contain this value read it, not what it was made of.
  copied.map(get.getResult(), copied.lookup(op->getResult(0)));
  op->getResult(0).replaceAllUsesWith(get.getResult());
}

SmallVector<Operation *> Baker::findFrontier(Block &block) {
  llvm::DenseSet<Operation *> compileTime;
  llvm::SetVector<Operation *> frontier;
  SmallVector<Value> needed; // by ops that stay
  for (Operation &op : block) {
    bool known = keepsCompileTime(&op) && llvm::all_of(op.getOperands(), [&](Value operand) {
      return compileTime.contains(operand.getDefiningOp());
    });
    if (known)
      compileTime.insert(&op);
    else
      llvm::append_range(needed, op.getOperands());
  }
  llvm::DenseSet<Operation *> visited;
  while (!needed.empty()) {
    Value value = needed.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!compileTime.contains(op) || !visited.insert(op).second)
      continue;
    if (isScaledWeight(op) ||
        (!staysInPlace(op) && isWorthBaking(op, collectTree(value))))
      frontier.insert(op);
    else
      llvm::append_range(needed, op->getOperands());
  }
  // In the order of the block: names and @bake do not depend on who reads what.
  SmallVector<Operation *> ordered = frontier.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

unsigned Baker::run(func::FuncOp main) {
  Block &block = main.front();
  SmallVector<Operation *> frontier = findFrontier(block);
  for (Operation *op : frontier)
    bake(op, collectTree(op->getResult(0)));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return frontier.size();
}

unsigned kiln::hoistBake(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main && main.getBody().hasOneBlock() ? Baker(module).run(main) : 0;
}

namespace {
class HoistBakePass : public kiln::impl::HoistBakePassBase<HoistBakePass> {
public:
  void runOnOperation() override { numBaked += hoistBake(getOperation()); }
};
} // namespace
