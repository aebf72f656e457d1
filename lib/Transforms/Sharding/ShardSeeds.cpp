//===- ShardSeeds.cpp - Sharding annotations of weights -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardSeeds.h"
#include "ShardTables.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/Match.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/ShardAnnotations.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static WeightOp weightOf(Value value) {
  auto get = value.getDefiningOp<GetWeightOp>();
  return get ? get->getParentOfType<ModuleOp>().lookupSymbol<WeightOp>(get.getWeight())
             : WeightOp();
}

std::optional<int64_t> kiln::graph::seedOf(WeightOp weight) {
  auto seed = weight ? weight->getAttrOfType<IntegerAttr>(kShardAxisAttr) : IntegerAttr();
  return seed ? std::optional(seed.getInt()) : std::nullopt;
}

/// Returns the axis that a shard divides, or kWholeWeight.
static int64_t axisOf(const Shard &shard) {
  return shard.parts > 1 ? shard.axis : kWholeWeight;
}

static std::string inWords(int64_t axis) {
  return axis == kWholeWeight ? "whole" : "divided along axis " + std::to_string(axis);
}

/// Returns the weights that a compile-time value is computed from.
static SmallVector<WeightOp> weightsBehind(Value value) {
  SmallVector<WeightOp> weights;
  for (Operation *op : collectTree(value))
    if (WeightOp weight = weightOf(op->getResult(0)))
      weights.push_back(weight);
  return weights;
}

std::string kiln::graph::seedAgainst(const llvm::SetVector<ShardedValue> &shards,
                                     const llvm::DenseSet<ShardedValue> &leaves) {
  for (const ShardedValue &one : shards) {
    if (!leaves.contains(one))
      continue;
    // If the trace ends before the weight, the shard's axes are not the weight's.
    bool isWeight = one.first.getDefiningOp<GetWeightOp>() != nullptr;
    for (WeightOp weight : weightsBehind(one.first)) {
      std::optional<int64_t> seed = seedOf(weight);
      int64_t axis = axisOf(one.second);
      if (seed && (*seed != axis || (!isWeight && axis != kWholeWeight)))
        return "its annotation says that weight '" + weight.getSymName().str() + "' is " +
               inWords(*seed) + ", and it would be " +
               (isWeight ? inWords(axis) : "divided after it has been transformed");
    }
  }
  return "";
}

/// Returns why a matmul with the weight is replicated; for the first matmul of a pair,
/// which has no reason, returns that of the first following matmul that has one.
static std::string whyWhole(WeightOp weight, const ShardPlan &plan) {
  auto inWords = [](const std::pair<MatmulOp, std::string> &refusal) {
    return describe(MatmulOp(refusal.first).getLoc()) + ": " + refusal.second;
  };
  for (const auto &[gather, why] : plan.tableRefusals)
    if (tableOf(gather) == weight)
      return describe(GatherOp(gather).getLoc()) + ": " + why;
  auto says = [](const auto &refusal) { return refusal.second != ShardPlan::kFromInput; };
  auto isOwn = [&](const auto &refusal) {
    return llvm::is_contained(weightsBehind(MatmulOp(refusal.first).getRhs()), weight);
  };
  const auto *own = llvm::find_if(plan.refusals, isOwn), *end = plan.refusals.end();
  const auto *other = llvm::find_if(plan.refusals, says);
  if (own != end && (says(*own) || other == end))
    return inWords(*own);
  return other != end ? inWords(*other) : "no product with it is divided among the ranks";
}

LogicalResult kiln::graph::checkSeeds(func::FuncOp main, const ShardPlan &plan) {
  llvm::DenseSet<Operation *> divided;
  for (const ShardedValue &one : plan.shards)
    if (one.second.parts > 1 && plan.leaves.contains(one))
      divided.insert(weightOf(one.first));
  for (auto weight : main->getParentOfType<ModuleOp>().getOps<WeightOp>()) {
    std::optional<int64_t> seed = seedOf(weight);
    if (!seed || *seed == kWholeWeight || divided.contains(weight))
      continue;
    Diagnosis diagnosis;
    diagnosis.code = ErrorCode::ShardImpossible;
    diagnosis.where = "weight '" + weight.getSymName().str() + "'";
    diagnosis.what = "the weight cannot be " + inWords(*seed) + " as its annotation says";
    diagnosis.found = whyWhole(weight, plan);
    diagnosis.fix =
        "annotate the products of a pair alike (columns, then rows), or leave "
        "the annotation of this weight out";
    return kiln::emitError(weight.getLoc(), diagnosis);
  }
  return success();
}
