//===- Explain.cpp - Why a kernel has its config --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Explain.h"
#include "Gemm/TensorConfig.h"
#include "kiln/Codegen/Attention.h"
#include "kiln/Codegen/Gemm.h"
#include "kiln/Codegen/Pointwise.h"
#include "kiln/Codegen/Scatter.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

template <typename Config> static Candidate candidate(Config config) {
  Candidate result;
  result.attribute = config;
  llvm::raw_string_ostream(result.config) << config;
  return result;
}

template <typename Configs>
static Explanation byRule(StringRef rule, const Configs &configs) {
  Explanation result{rule.str(), {}};
  for (auto config : configs)
    result.candidates.push_back(candidate(config));
  return result;
}

template <typename Configs, typename Cost>
static Explanation byCost(StringRef criterion, const Configs &configs, Cost cost) {
  Explanation result = byRule(criterion, configs);
  for (auto [entry, config] : llvm::zip(result.candidates, configs))
    entry.cost = double(cost(config));
  return result;
}

static constexpr StringLiteral kTime = "ns of the fullest multiprocessor, by a model";

/// Streams of few rows, and the tiles of tensor cores that they compete with.
static Explanation explainGemv(const GemmProblem &problem, const TargetInfo &target,
                               MLIRContext *context) {
  Explanation streams =
      byCost(kTime, rankGemvConfigs(context, problem, target),
             [&](tile::GemvConfigAttr config) {
               return gpuConfigTime(problem, target, config);
             });
  if (streams.candidates.empty() || !competesWithTiles(problem))
    return streams;
  Explanation tiles = byCost(kTime, rankTensorGemmConfigs(context, problem, target),
                             [&](tile::BlockGemmConfigAttr config) {
                               return gpuConfigTime(problem, target, config);
                             });
  // The winner's kind first, as it is what the kernel has.
  if (!chooseGemvConfig(context, problem, target))
    std::swap(streams, tiles);
  llvm::append_range(streams.candidates, tiles.candidates);
  // Then those that lost, whatever their kind.
  std::stable_sort(streams.candidates.begin() + 1, streams.candidates.end(),
                   [](const Candidate &x, const Candidate &y) { return x.cost < y.cost; });
  return streams;
}

static Explanation explainGemm(graph::KernelOp kernel, const TargetInfo &target,
                               std::optional<int64_t> mostRows) {
  MLIRContext *context = kernel.getContext();
  GemmProblem problem = gemmProblem(kernel, target, mostRows);
  auto groups = rankWarpgroupGemmConfigs(context, problem, target);
  if (!groups.empty())
    return byCost(kTime, groups, [&](tile::WarpgroupGemmConfigAttr config) {
      return gpuConfigTime(problem, target, config);
    });
  if (!target.gpu)
    return byRule("most rows and panels in registers, then steps of K whose rows fit L2",
                  rankGemmConfigs(context, problem, target));
  if (Explanation streams = explainGemv(problem, target, context); !streams.candidates.empty())
    return streams;
  auto configs = rankBlockGemmConfigs(context, problem, target);
  if (!problem.onTensorCores)
    return byRule("64 columns by 64 rows where they fit, then wider, then narrower; more stages first; as many parts of K as take the fewest cycles",
                  configs);
  return byCost(kTime, configs,
                [&](tile::BlockGemmConfigAttr config) {
                  return gpuConfigTime(problem, target, config);
                });
}

static Explanation explainAttention(graph::KernelOp kernel, const TargetInfo &target) {
  if (auto warpgroups = warpgroupAttentionConfigs(kernel, target); !warpgroups.empty())
    return byRule("most queries, then most keys that registers and shared memory hold", warpgroups);
  if (target.gpu)
    return byRule("the largest tile of queries and keys that registers and shared memory hold",
                  blockAttentionConfigs(kernel, target));
  auto attention = *kernel.getBlock().getOps<graph::AttentionOp>().begin();
  Type element = cast<RankedTensorType>(attention.getType()).getElementType();
  return byRule("most rows in registers",
                rankAttentionConfigs(kernel.getContext(), element.isF64() ? 8 : 4, target));
}

Explanation kiln::codegen::explainKernel(graph::KernelOp kernel, const TargetInfo &target,
                                         std::optional<int64_t> mostRows) {
  if (!kernel.getBlock().getOps<graph::AttentionOp>().empty())
    return explainAttention(kernel, target);
  if (!kernel.getBlock().getOps<graph::MatmulOp>().empty())
    return explainGemm(kernel, target, mostRows);
  if (!kernel.getBlock().getOps<graph::ScatterOp>().empty())
    return byRule("fragments along the columns, or along the rows where there is one column",
                  rankScatterConfigs(kernel.getContext(), scatterProblem(kernel), target));
  if (auto tiles = rankStagingConfigs(kernel, target); !tiles.empty())
    return byRule("tiles of whole sectors in the order of the operand and of the result, in shared memory with the fewest bank conflicts, then the widest thread groups",
                  tiles);
  auto configs = pointwiseConfigs(kernel, target);
  if (configs.empty())
    return {};
  if (configs.front().getShare() > 1)
    return byRule("positions of a strip of columns by the fewest teams that keep a GPU busy, or that make whole sectors, then by one team",
                  configs);
  return byRule("whole registers or accesses without wasted lanes, then fewer", configs);
}
