//===- Shard.cpp - Tensor parallelism -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardPlan.h"
#include "ShardSeeds.h"
#include "ShardTables.h"
#include "dialects/Graph/Ranks.h"
#include "dialects/Graph/Reports.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Mesh.h"
#include "kiln/Support/PassOptions.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Bake/Bake.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace kiln {
#define GEN_PASS_DEF_SHARDPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kShardPass = "kiln-shard";

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

namespace {
/// Makes weights of which each rank has a part.
class WeightDivider {
public:
  WeightDivider(ModuleOp module, int64_t ranks) : baker(module), ranks(ranks) {}
  /// Returns this rank's part of a value known at compile time, at the builder's
  /// insertion point; a value that all ranks have in full is returned as it is.
  Value divide(OpBuilder &builder, const ShardedValue &one);
  /// Returns this rank's part of an input, which all ranks have in full.
  Value readInput(const ShardedValue &one);
  SymbolTable &getSymbols() { return baker.getSymbols(); }

private:
  WeightOp bake(const ShardedValue &one);
  Value repeat(OpBuilder &builder, Location loc, Value value, const Shard &shard);

  BakeCopier baker; ///< copies from @main
  int64_t ranks;
};
} // namespace

/// Repeats every part for each rank that has it.
Value WeightDivider::repeat(OpBuilder &builder, Location loc, Value value,
                            const Shard &shard) {
  int64_t times = ranks / shard.parts;
  if (times == 1 || shard.parts == 1)
    return value;
  Dims dims = getDims(value), result = dims, split;
  result[shard.axis] *= times;
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (int64_t(axis) == shard.axis)
      split.append({shard.parts, 1, shard.partLength()});
    else
      split.push_back(dim);
  Value parts = reshapeTo(builder, loc, value, split);
  split[shard.axis + 1] = times;
  Value repeated = BroadcastOp::create(
      builder, loc, makeTensorType(split, elementTypeOf(value)), parts);
  return reshapeTo(builder, loc, repeated, result);
}

/// Creates a weight with the shard's elements that ranks divide along its axis.
WeightOp WeightDivider::bake(const ShardedValue &one) {
  auto [value, shard] = one;
  Location loc = value.getLoc();
  Value made = baker.copy(value);
  OpBuilder builder = baker.builder();
  if (!isWholeAxis(value, shard)) {
    Dims dims = getDims(value), starts(dims.size(), 0);
    dims[shard.axis] = shard.length;
    starts[shard.axis] = shard.begin;
    made = SliceOp::create(
        builder, loc, makeTensorType(dims, elementTypeOf(value)), made,
        makeShape(builder.getContext(), starts),
        builder.getDenseI64ArrayAttr(SmallVector<int64_t>(dims.size(), 1)));
  }
  made = repeat(builder, loc, made, shard);
  return baker.set(made, weightNameOf(collectTree(value)) + "_whole");
}

Value WeightDivider::divide(OpBuilder &builder, const ShardedValue &one) {
  auto [value, shard] = one;
  RankedTensorType type = shardType(value, shard);
  if (auto constant = value.getDefiningOp<ConstantOp>())
    if (auto all = dyn_cast<DenseElementsAttr>(constant.getValue()); all && all.isSplat())
      return ConstantOp::create(builder, value.getLoc(), all.resizeSplat(type));
  if (isWhole(value, shard))
    return value;
  auto get = value.getDefiningOp<GetWeightOp>();
  WeightOp whole = get && isWholeAxis(value, shard) && shard.parts == ranks
                       ? baker.getSymbols().lookup<WeightOp>(get.getWeight())
                       : bake(one);
  if (shard.parts == 1)
    return GetWeightOp::create(builder, value.getLoc(), type,
                               FlatSymbolRefAttr::get(whole.getSymNameAttr()));
  return readPart(builder, value.getLoc(), baker.getSymbols(), whole, shard.axis,
                  *getDims(type)[shard.axis].getConstant());
}

/// The index of the part is a weight whose value differs between ranks.
Value WeightDivider::readInput(const ShardedValue &one) {
  auto [value, shard] = one;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointToStart(value.getParentBlock());
  Location loc = value.getLoc();
  Value numbers = IotaOp::create(
      builder, loc, RankedTensorType::get({shard.parts}, builder.getI64Type()),
      builder.getI64IntegerAttr(0), builder.getF64FloatAttr(0),
      builder.getF64FloatAttr(1));
  Value number = divide(builder, {numbers, *wholeAxis(numbers, 0, shard.parts)});
  Dims dims = getDims(value), split = dims;
  split[shard.axis] = shard.parts;
  split.insert(split.begin() + shard.axis + 1, shard.partLength());
  Value parts = reshapeTo(builder, loc, value, split);
  Value own = GatherOp::create(builder, loc, parts, number, shard.axis);
  return reshapeTo(builder, loc, own, getDims(shardType(value, shard)));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {
/// Inserts a rank's computation next to the model's, and then replaces the latter.
class Splitter {
public:
  Splitter(func::FuncOp main, const ShardPlan &plan, int64_t ranks)
      : main(main), plan(plan), ranks(ranks),
        weights(main->getParentOfType<ModuleOp>(), ranks) {}
  void run();

private:
  Value compute(const ShardedValue &one);
  Value clone(Operation *op, const Shard &shard, const IRMapping &operands);
  void addUp(MatmulOp row);
  void gather(MatmulOp head);
  void gatherRows(ConcatOp present, const ShardedValue &newRows);
  void lookUp();
  void replaceStates();
  void replaceWhole();

  func::FuncOp main;
  const ShardPlan &plan;
  int64_t ranks;
  WeightDivider weights;
  DenseMap<ShardedValue, Value> made;
};
} // namespace

Value Splitter::clone(Operation *op, const Shard &shard, const IRMapping &operands) {
  OpBuilder builder(op);
  IRMapping mapping = operands;
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(shardType(op->getResult(0), shard));
  if (auto slice = dyn_cast<SliceOp>(copy)) { // the operand's shard begins at the same
                                              // index
    Dims starts = getDims(slice.getStarts());
    starts[shard.axis] = 0;
    slice.setStartsAttr(makeShape(builder.getContext(), starts));
  }
  return copy->getResult(0);
}

Value Splitter::compute(const ShardedValue &one) {
  auto [value, shard] = one;
  Operation *op = value.getDefiningOp();
  if (!op) {
    if (!plan.leaves.contains(one))
      value.setType(shardType(value, shard)); // a state
    else if (!isWhole(value, shard))
      return weights.readInput(one);
    return value;
  }
  OpBuilder builder(op);
  if (plan.leaves.contains(one))
    return weights.divide(builder, one);
  ShardRule rule = shardRuleOf(op, shard);
  IRMapping operands;
  for (auto [operand, needed] : llvm::zip(op->getOperands(), rule.operands))
    if (needed)
      operands.map(operand, made.lookup({operand, *needed}));
  auto concat = dyn_cast<ConcatOp>(op);
  if (concat && int64_t(concat.getAxis()) == shard.axis) // the shard is within one of the
                                                         // inputs
    for (Value input : concat.getInputs())
      if (Value shardOfInput = operands.lookupOrNull(input))
        return shardOfInput;
  return clone(op, shard, operands);
}

/// Partial results of 16-bit matmuls are summed in f32 and rounded once.
void Splitter::addUp(MatmulOp row) {
  auto shards = rowShards(row, ranks);
  OpBuilder builder(row);
  IRMapping operands;
  operands.map(row.getLhs(), made.lookup({row.getLhs(), shards->first}));
  operands.map(row.getRhs(), made.lookup({row.getRhs(), shards->second}));
  auto product = cast<MatmulOp>(builder.clone(*row, operands));
  auto type = cast<RankedTensorType>(row.getType());
  if (type.getElementType().isF16() || type.getElementType().isBF16()) {
    product.setResultElement(builder.getF32Type());
    product.getResult().setType(type.clone(builder.getF32Type()));
  }
  Value sum = AllReduceOp::create(builder, row.getLoc(), ReduceKind::sum,
                                  product.getResult(), ranks);
  if (sum.getType() != type)
    sum = CastOp::create(builder, row.getLoc(), type, sum);
  row.getResult().replaceAllUsesWith(sum);
  remarkPassed(product.getLoc(), kShardPass, "shard",
               "split by rows of its weight among the ranks, whose results are added up");
}

void Splitter::gather(MatmulOp head) {
  OpBuilder builder(head);
  IRMapping operands;
  operands.map(head.getRhs(), made.lookup({head.getRhs(), *columnShard(head, ranks)}));
  auto product = cast<MatmulOp>(builder.clone(*head, operands));
  int64_t last = rankOf(head.getResult()) - 1;
  product.getResult().setType(
      shardType(head.getResult(), *wholeAxis(head.getResult(), last, ranks)));
  Value all = AllGatherOp::create(builder, head.getLoc(), product.getResult(),
                                  uint64_t(last), uint64_t(ranks));
  head.getResult().replaceAllUsesWith(all);
  remarkPassed(
      product.getLoc(), kShardPass, "shard",
      "split by columns of its weight among the ranks, whose results are gathered");
}

/// Gathers only the new rows, as every rank has the entire past. If several ranks have
/// the same heads, those of the first are kept.
void Splitter::gatherRows(ConcatOp present, const ShardedValue &newRows) {
  auto [value, shard] = newRows;
  OpBuilder builder(present);
  Location loc = present.getLoc();
  Value all = AllGatherOp::create(builder, loc, made.lookup(newRows),
                                  uint64_t(shard.axis), uint64_t(ranks));
  if (shard.parts < ranks) {
    Dims split = getDims(value);
    split[shard.axis] = shard.parts;
    split.insert(split.begin() + shard.axis + 1,
                 {ranks / shard.parts, shard.partLength()});
    Value parts = reshapeTo(builder, loc, all, split);
    split[shard.axis + 1] = 1;
    parts = SliceOp::create(
        builder, loc, makeTensorType(split, elementTypeOf(value)), parts,
        makeShape(builder.getContext(), Dims(split.size(), 0)),
        builder.getDenseI64ArrayAttr(SmallVector<int64_t>(split.size(), 1)));
    all = reshapeTo(builder, loc, parts, getDims(value));
  }
  present->replaceUsesOfWith(value, all);
  remarkPassed(present.getLoc(), kShardPass, "shard",
               "the new rows of an output are gathered from the ranks");
}

void Splitter::lookUp() {
  TableLookup lookup(weights.getSymbols(), ranks);
  for (GatherOp gather : plan.tables) {
    lookup.replace(gather, made.lookup(tableShards(gather, ranks).front()));
    remarkPassed(gather.getLoc(), kShardPass, "shard",
                 "its table is split by rows among the ranks");
  }
}

/// States of which ranks have shards occupy only the shards' memory.
void Splitter::replaceStates() {
  auto ret = cast<func::ReturnOp>(main.front().getTerminator());
  for (const ShardedValue &one : plan.shards)
    for (OpOperand &operand : ret->getOpOperands())
      if (operand.get() == one.first &&
          main.getResultAttr(operand.getOperandNumber(), kStateAttr))
        operand.set(made.lookup(one));
  main.setFunctionType(FunctionType::get(
      main.getContext(), main.front().getArgumentTypes(), ret.getOperandTypes()));
}

/// Replaces values that all ranks have in full in ops that are not divided, so that they
/// are computed once.
void Splitter::replaceWhole() {
  for (const ShardedValue &one : plan.shards) {
    Value value = one.first, shared = made.lookup(one);
    if (shared != value && isWhole(value, one.second))
      value.replaceAllUsesWith(shared);
  }
}

void Splitter::run() {
  // Operands precede their users, in the order of the model.
  SmallVector<ShardedValue> ordered(plan.shards.begin(), plan.shards.end());
  llvm::stable_sort(ordered, [](const ShardedValue &a, const ShardedValue &b) {
    Operation *first = a.first.getDefiningOp(), *second = b.first.getDefiningOp();
    return first && second ? first->isBeforeInBlock(second) : !first && second;
  });
  for (const ShardedValue &one : ordered)
    made[one] = compute(one);
  for (MatmulOp row : plan.rows)
    addUp(row);
  for (MatmulOp head : plan.heads)
    gather(head);
  for (const auto &[present, newRows] : plan.presents)
    gatherRows(present, newRows);
  lookUp();
  replaceStates();
  replaceWhole(); // last: plans refer to operands of the original ops
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(main.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Returns why no matmul is divided: the first reason other than "no other product with a
/// weight leads to it".
static std::string whyNot(const ShardPlan &plan) {
  auto says = [](const auto &refusal) { return refusal.second != ShardPlan::kFromInput; };
  const auto *it = llvm::find_if(plan.refusals, says);
  if (it == plan.refusals.end())
    it = plan.refusals.begin();
  if (it == plan.refusals.end())
    return "it has no product with a weight";
  return describe(MatmulOp(it->first).getLoc()) + ": " + it->second;
}

LogicalResult kiln::shard(ModuleOp module, int64_t ranks) {
  auto main = mainOf(module);
  if (ranks == 1 || !main)
    return success();
  ShardPlan plan = planShards(main, ranks);
  addToReport(module, kShardReportAttr, plan.report(main));
  for (const auto &[matmul, why] : plan.refusals)
    remarkMissed(MatmulOp(matmul).getLoc(), kShardPass, "shard",
                 "every rank computes all of it: " + why);
  if (failed(checkSeeds(main, plan)))
    return failure();
  if (plan.rows.empty())
    return kiln::emitError(main.getLoc(),
                           {ErrorCode::ShardImpossible, "",
                            "no product can be split among " + std::to_string(ranks) +
                                " ranks; " + whyNot(plan),
                            "", "",
                            "choose a number of ranks that divides heads and columns, or "
                            "compile without --ranks"});
  setRanks(module, ranks);
  Splitter(main, plan, ranks).run();
  return success();
}

namespace {
class ShardPass : public kiln::impl::ShardPassBase<ShardPass> {
public:
  using ShardPassBase::ShardPassBase;
  LogicalResult initialize(MLIRContext *context) override {
    return checkOption(*this, ranks, 1, Mesh::kMaxPlannedRanks, context);
  }
  void runOnGraph() override {
    if (failed(shard(getOperation(), ranks)))
      signalPassFailure();
  }
};
} // namespace
