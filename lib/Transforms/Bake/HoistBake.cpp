//===- HoistBake.cpp - Moves computations on weights to @bake -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/BlockScaledWeight.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/PassRemark.h"
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
/// Maximum ratio of a value's size to the weights it is computed from: a result computed
/// from a 16-bit weight is worth storing in f32, a dequantized or broadcast weight is
/// not.
static constexpr int64_t kMaxGrowth = 2;

//===----------------------------------------------------------------------===//
// Ops to move
//===----------------------------------------------------------------------===//

/// Ops that kernels fuse into their reads, so that baking would only copy or widen
/// weights.
static bool staysInPlace(Operation *op) {
  // Rows of a table whose panels a matmul reads.
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transpose.getInput().getDefiningOp<UnpackOp>() != nullptr;
  return isa<GetWeightOp, ConstantOp, UnpackOp, ReshapeOp, BroadcastOp>(op) ||
         asWidenedWeight(op->getResult(0)) || BlockScaledWeight::of(op->getResult(0));
}

/// Whether kernels read the op's result, quantized elements, scales or zero points, in
/// packed panels.
static bool isScaledWeight(Operation *op) {
  return !isa<GetWeightOp>(op) && llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto product = dyn_cast<ScaledMatmulOp>(use.getOwner());
    return product && (use.get() == product.getWeight() ||
                       use.get() == product.getWeightScales() ||
                       use.get() == product.getWeightZeros());
  });
}

static int64_t bytesOf(Value value) { return byteSize(value.getType()).getConstant().value(); }

/// Whether baking pays: the value depends on a weight and does not grow too much.
static bool isWorthBaking(Operation *op, ArrayRef<Operation *> tree) {
  int64_t sources = 0;
  bool weight = false;
  for (Operation *part : tree)
    if (isa<GetWeightOp, ConstantOp>(part)) {
      weight |= isa<GetWeightOp>(part);
      bool splat = splatOf(part->getResult(0)).has_value();
      sources += splat ? 0 : bytesOf(part->getResult(0));
    }
  // Packing of constants is baked, too: it should never happen at run time.
  if (isa<PackOp>(op))
    return true;
  int64_t bytes = bytesOf(op->getResult(0));
  constexpr int64_t kSmall = 1024;
  if (!weight && bytes <= kSmall)
    return false;
  if (bytes <= kMaxGrowth * sources)
    return true;
  remarkMissed(
      op->getLoc(), kHoistBakePass, "bake",
      "computing the value when the package is written would make it larger: the "
      "value has " +
          Twine(bytes) + " bytes, the weights that it is made of " + Twine(sources));
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
  /// Returns the ops whose values @main needs and @bake can compute.
  SmallVector<Operation *> findFrontier(Block &block);
  void bake(Operation *op, ArrayRef<Operation *> tree);

  SymbolTable symbols;
  IRMapping copied; // from @main to @bake, accumulated over all bakes
};
} // namespace

void Baker::bake(Operation *op, ArrayRef<Operation *> tree) {
  OpBuilder builder(getOrCreateBake(symbols).front().getTerminator());
  for (Operation *part : tree)
    if (!copied.contains(part->getResult(0)))
      builder.clone(*part, copied);
  // The name consists of the first weight and the op: @encoder.q_pack.
  WeightOp weight = createWeight(symbols, op->getLoc(),
                                 weightNameOf(tree) + "_" + op->getName().stripDialect(),
                                 op->getResult(0).getType());
  auto name = FlatSymbolRefAttr::get(weight.getSymNameAttr());
  SetWeightOp::create(builder, op->getLoc(), name, copied.lookup(op->getResult(0)));
  builder.setInsertionPoint(op);
  auto get = GetWeightOp::create(builder, op->getLoc(), op->getResult(0).getType(), name);
  // Later trees that contain this value read the weight instead of recomputing it.
  copied.map(get.getResult(), copied.lookup(op->getResult(0)));
  op->getResult(0).replaceAllUsesWith(get.getResult());
}

SmallVector<Operation *> Baker::findFrontier(Block &block) {
  llvm::DenseSet<Operation *> compileTime;
  llvm::SetVector<Operation *> frontier;
  SmallVector<Value> needed; // by ops that are not moved
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
  // Sorted by position in the block, so that names and @bake do not depend on the order
  // of uses.
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
  auto main = mainOf(module);
  return main ? Baker(module).run(main) : 0;
}

namespace {
class HoistBakePass : public kiln::impl::HoistBakePassBase<HoistBakePass> {
public:
  void runOnGraph() override { numBaked += hoistBake(getOperation()); }
};
} // namespace
