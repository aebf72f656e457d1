//===- ShardPlan.cpp - Plans tensor parallelism ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardPlan.h"
#include "ShardSeeds.h"
#include "ShardTables.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

//===----------------------------------------------------------------------===//
// From a row-parallel matmul to its inputs
//===----------------------------------------------------------------------===//

std::optional<std::pair<Shard, Shard>> kiln::graph::rowShards(MatmulOp row,
                                                              int64_t ranks) {
  int64_t last = rankOf(row.getLhs()) - 1, rhsLast = rankOf(row.getRhs()) - 1;
  auto lhs = wholeAxis(row.getLhs(), row.getTransposeA() ? last - 1 : last, ranks);
  auto rhs = wholeAxis(row.getRhs(), row.getTransposeB() ? rhsLast : rhsLast - 1, ranks);
  if (!lhs || !rhs)
    return std::nullopt;
  return std::pair(*lhs, *rhs);
}

std::optional<Shard> kiln::graph::columnShard(MatmulOp product, int64_t ranks) {
  int64_t last = rankOf(product.getRhs()) - 1;
  return wholeAxis(product.getRhs(), product.getTransposeB() ? last - 1 : last, ranks);
}

namespace {
/// Traces from a row-parallel matmul back to column-parallel ones.
class Trace {
public:
  Trace(MatmulOp row, int64_t ranks, const ShardPlan &plan)
      : row(row), ranks(ranks), plan(plan) {}
  /// False if it cannot be divided; `refusal` is the reason.
  bool run();
  /// Traces a column-parallel head. False, perhaps with a refusal, if it cannot be
  /// divided.
  bool runHead();

  llvm::SetVector<ShardedValue> shards;
  llvm::DenseSet<ShardedValue> leaves;
  llvm::SetVector<MatmulOp> columns;
  llvm::SetVector<Value> whole; ///< values that ops of the trace need in full
  std::string refusal;

private:
  bool visitAll();
  bool visit(Value value, const Shard &shard);
  bool visitArgument(BlockArgument argument, const Shard &shard);
  bool visitOp(Operation *op, const Shard &shard, bool isKnown);
  bool refuse(Operation *op, const Twine &why) {
    refusal = (op == row ? "" : describe(op->getLoc()) + ": ") + why.str();
    return false;
  }

  MatmulOp row;
  int64_t ranks;
  const ShardPlan &plan;
};
} // namespace

bool Trace::visitOp(Operation *op, const Shard &shard, bool isKnown) {
  auto matmul = dyn_cast<MatmulOp>(op);
  if (matmul && !isKnown) {
    if (plan.rows.contains(matmul))
      return refuse(op, "its result is a sum over the ranks already");
    bool byColumns = shard.axis == rankOf(matmul.getResult()) - 1;
    if (byColumns && !isCompileTime(matmul.getRhs()))
      return refuse(op, "its right operand is no weight");
    if (byColumns && shard.parts > 1)
      columns.insert(matmul);
  }
  ShardRule rule = shardRuleOf(op, shard);
  if (!rule.refusal.empty())
    return refuse(op, rule.refusal);
  for (auto [operand, needed] : llvm::zip(op->getOperands(), rule.operands))
    if (needed)
      shards.insert({operand, *needed});
    else if (!isCompileTime(operand))
      whole.insert(operand);
  return true;
}

bool Trace::visitArgument(BlockArgument argument, const Shard &shard) {
  auto main = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!main.getArgAttr(argument.getArgNumber(), kStateAttr))
    return refuse(row, ShardPlan::kFromInput);
  return isWholeAxis(argument, shard) || refuse(row, "it reads a part of a state");
}

/// Whether the value is an input with rows of a past, of which each rank reads its heads.
static bool isPastInput(Value value) {
  return isa<BlockArgument>(value) && llvm::any_of(value.getUsers(), [](Operation *user) {
           return isa<ConcatOp>(user);
         });
}

bool Trace::visit(Value value, const Shard &shard) {
  Operation *op = value.getDefiningOp();
  bool isKnown = isCompileTime(value);
  // A trace may end at a weight, which can be divided anywhere, and at a value that all
  // ranks have in full.
  bool mayBegin = isKnown || isWhole(value, shard) || isPastInput(value);
  bool isSource = op && isa<GetWeightOp, ConstantOp>(op);
  if (!isSource && (op ? visitOp(op, shard, isKnown)
                       : visitArgument(cast<BlockArgument>(value), shard)))
    return true;
  if (!mayBegin)
    return false;
  leaves.insert({value, shard});
  refusal.clear();
  return true;
}

bool Trace::run() {
  auto own = rowShards(row, ranks);
  if (!own)
    return refuse(row, "the dim that it adds up is not constant");
  if (own->first.length % ranks != 0)
    return refuse(row, Twine(ranks) + " ranks do not divide the " +
                           Twine(own->first.length) + " rows of its weight");
  shards.insert({row.getLhs(), own->first});
  shards.insert({row.getRhs(), own->second});
  return visitAll() && (!columns.empty() || refuse(row, ShardPlan::kFromInput));
}

bool Trace::visitAll() {
  for (size_t i = 0; i < shards.size(); ++i) {
    ShardedValue one = shards[i];
    if (!visit(one.first, one.second))
      return false;
  }
  return true;
}

/// Whether only outputs depend on the value, and no other matmul or attention: logits, or
/// tokens chosen from them.
static bool isLastProduct(Value value, func::FuncOp main) {
  // Values are visited once: repeated sums of a value with itself have exponentially many
  // paths.
  llvm::SetVector<Value> worklist;
  worklist.insert(value);
  for (size_t i = 0; i < worklist.size(); ++i) {
    if (worklist[i].use_empty())
      return false;
    for (OpOperand &use : worklist[i].getUses()) {
      Operation *user = use.getOwner();
      if (isa<func::ReturnOp>(user)) {
        if (main.getResultAttr(use.getOperandNumber(), kStateAttr))
          return false;
      } else if (isa<MatmulOp, ScaledMatmulOp, AttentionOp, KvWriteOp>(user)) {
        return false;
      } else {
        worklist.insert(user->getResult(0));
      }
    }
  }
  return true;
}

/// A head must be wider than its input: gathering a row of the result then costs less
/// than reading the entire weight on every rank.
bool Trace::runHead() {
  auto main = row->getParentOfType<func::FuncOp>();
  auto columnsOfAll = columnShard(row, ranks);
  auto own = rowShards(row, ranks);
  if (!columnsOfAll || !own || columnsOfAll->length < own->first.length ||
      columnsOfAll->length % ranks != 0 || !isLastProduct(row.getResult(), main))
    return false;
  shards.insert({row.getRhs(), *columnsOfAll});
  // A table that ranks also need in full would be stored twice.
  llvm::SmallPtrSet<Operation *, 8> tree;
  for (Operation *op : collectTree(row.getRhs()))
    tree.insert(op);
  auto readsParts = [&](Operation *user) {
    auto gather = dyn_cast<GatherOp>(user);
    return gather && plan.tables.contains(gather);
  };
  for (Operation *op : tree)
    if (isa<GetWeightOp>(op) && llvm::any_of(op->getUsers(), [&](Operation *user) {
          return user != row && !tree.contains(user) && !readsParts(user);
        }))
      return refuse(row, "other ops read all of its weight, which would be stored twice");
  return visitAll();
}

//===----------------------------------------------------------------------===//
// Planning of all matmuls
//===----------------------------------------------------------------------===//

namespace {
class Planner {
public:
  Planner(func::FuncOp main, int64_t ranks) : main(main), ranks(ranks) {}
  ShardPlan run();

private:
  ShardPlan attempt();
  void addTables(ShardPlan &plan);
  void addHeads(ShardPlan &plan);
  MatmulOp findMisfit(ShardPlan &plan, std::string &why);

  func::FuncOp main;
  int64_t ranks;
  llvm::MapVector<MatmulOp, std::string> dropped;
  DenseMap<MatmulOp, std::unique_ptr<Trace>> traces; ///< traces of the current attempt
};
} // namespace

/// Plans greedily, in the order of the model.
ShardPlan Planner::attempt() {
  ShardPlan plan;
  traces.clear();
  plan.refusals = dropped;
  for (auto matmul : main.front().getOps<MatmulOp>()) {
    if (isCompileTime(matmul.getResult()) || !isCompileTime(matmul.getRhs()) ||
        dropped.contains(matmul))
      continue;
    auto trace = std::make_unique<Trace>(matmul, ranks, plan);
    if (!trace->run()) {
      plan.refusals[matmul] = trace->refusal;
      continue;
    }
    if (std::string why = seedAgainst(trace->shards, trace->leaves); !why.empty()) {
      plan.refusals[matmul] = why;
      continue;
    }
    plan.rows.insert(matmul);
    plan.columns.insert_range(trace->columns);
    for (MatmulOp column : trace->columns) // were refused as row-parallel before
      plan.refusals.erase(column);
    plan.shards.insert_range(trace->shards);
    plan.leaves.insert_range(trace->leaves);
    traces[matmul] = std::move(trace);
  }
  return plan;
}

/// Returns the new rows and their shard if the value is a concat of past inputs and new
/// rows of which every rank has a part; nullopt for other values.
static std::optional<ShardedValue> newRowsOf(Value present, const Shard &shard) {
  auto concat = present.getDefiningOp<ConcatOp>();
  if (!concat || shard.axis == int64_t(concat.getAxis()) || !isWholeAxis(present, shard))
    return std::nullopt;
  auto isComputed = [](Value input) { return !isa<BlockArgument>(input); };
  if (llvm::count_if(concat.getInputs(), isComputed) != 1)
    return std::nullopt;
  return ShardedValue(*llvm::find_if(concat.getInputs(), isComputed), shard);
}

/// Returns a matmul for which ranks would compute shards of a value that they need in
/// full as well; null if there is none. Adds the plan's presents.
MatmulOp Planner::findMisfit(ShardPlan &plan, std::string &why) {
  llvm::DenseSet<Operation *> split(plan.rows.begin(), plan.rows.end());
  llvm::DenseSet<Value> whole;
  for (const ShardedValue &one : plan.shards)
    if (Operation *op = one.first.getDefiningOp())
      split.insert(op);
  for (const auto &entry : traces)
    whole.insert_range(entry.second->whole);
  for (MatmulOp row : plan.rows)
    for (const ShardedValue &one : traces[row]->shards) {
      Value value = one.first;
      if (isCompileTime(value) || plan.leaves.contains(one) || isWhole(value, one.second))
        continue;
      if (whole.contains(value)) {
        why = "all of " + describe(value.getLoc()) + " is needed as well";
        return row;
      }
      for (OpOperand &use : value.getUses()) {
        Operation *user = use.getOwner();
        bool isState = isa<func::ReturnOp>(user) && isWholeAxis(value, one.second) &&
                       main.getResultAttr(use.getOperandNumber(), kStateAttr);
        if (split.contains(user) || isState)
          continue;
        auto newRows = newRowsOf(value, one.second);
        if (newRows && isa<func::ReturnOp>(user)) {
          plan.presents[value.getDefiningOp<ConcatOp>()] = *newRows;
          continue;
        }
        why = "all of " + describe(value.getLoc()) + " is needed by " +
              (isa<func::ReturnOp>(user) ? "an output" : describe(user->getLoc()));
        return row;
      }
    }
  return {};
}

/// Divides only tables that the user divides, as each gather then needs an all-reduce.
void Planner::addTables(ShardPlan &plan) {
  for (auto gather : main.front().getOps<GatherOp>()) {
    WeightOp table = tableOf(gather);
    if (!table || seedOf(table) != 0)
      continue;
    SmallVector<ShardedValue> shards = tableShards(gather, ranks);
    if (shards.front().second.length % ranks != 0) {
      plan.tableRefusals[gather] = std::to_string(ranks) + " ranks do not divide its " +
                                   std::to_string(shards.front().second.length) + " rows";
      continue;
    }
    plan.tables.insert(gather);
    plan.shards.insert_range(shards);
    plan.leaves.insert(shards.back());
  }
}

/// Makes heads, the last matmuls of a model, column-parallel unless they are divided
/// already.
void Planner::addHeads(ShardPlan &plan) {
  for (auto &[matmul, why] : plan.refusals) {
    Trace trace(matmul, ranks, plan);
    if (trace.runHead()) {
      if (std::string reason = seedAgainst(trace.shards, trace.leaves); !reason.empty()) {
        why = reason;
        continue;
      }
      plan.heads.insert(matmul);
      plan.shards.insert_range(trace.shards);
      plan.leaves.insert_range(trace.leaves);
    } else if (!trace.refusal.empty()) {
      why = trace.refusal;
    }
  }
  for (MatmulOp head : plan.heads)
    plan.refusals.erase(head);
}

ShardPlan Planner::run() {
  while (true) {
    ShardPlan plan = attempt();
    std::string why;
    if (MatmulOp misfit = findMisfit(plan, why)) {
      dropped[misfit] = why;
      continue;
    }
    if (!plan.rows.empty()) {
      addTables(plan);
      addHeads(plan);
    }
    return plan;
  }
}

ShardPlan kiln::graph::planShards(func::FuncOp main, int64_t ranks) {
  return Planner(main, ranks).run();
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

ShardReport ShardPlan::report(func::FuncOp main) const {
  llvm::DenseSet<Value> split;
  for (const ShardedValue &one : shards)
    split.insert(one.first);
  ShardReport report;
  auto add = [&](Operation &op, const char *how, const std::string &why) {
    report.push_back(
        {op.getName().stripDialect().str(), describe(op.getLoc()), how, why});
  };
  for (Operation &op : main.front()) {
    auto matmul = dyn_cast<MatmulOp>(op);
    auto gather = dyn_cast<GatherOp>(op);
    if (gather && tables.contains(gather))
      add(op, ShardEntry::kTable, "");
    else if (isa<AttentionOp>(op) && split.contains(op.getResult(0)))
      add(op, ShardEntry::kHeads, "");
    else if (isa<AttentionOp>(op))
      add(op, ShardEntry::kReplicated, "no product behind it is split by rows");
    else if (matmul && rows.contains(matmul))
      add(op, ShardEntry::kRows, "");
    else if (matmul && heads.contains(matmul))
      add(op, ShardEntry::kGathered, "");
    else if (matmul && columns.contains(matmul))
      add(op, ShardEntry::kColumns, "");
    else if (auto *it = refusals.find(matmul); matmul && it != refusals.end())
      add(op, ShardEntry::kReplicated, it->second);
  }
  return report;
}
