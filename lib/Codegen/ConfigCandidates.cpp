//===- ConfigCandidates.cpp - Configs that are worth measuring ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPU families rank many configs, so their lists are the candidates. On hosts the lists
// are short, as the rules leave little open; there variations of the chosen config
// are tried as well.
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Configs.h"
#include "kiln/Codegen/Explain.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

namespace {
/// Collects configs that can be emitted, each once.
class Collector {
public:
  Collector(graph::KernelOp kernel, const TargetInfo &target,
            std::optional<int64_t> maxRows)
      : kernel(kernel), target(target), maxRows(maxRows) {}

  void add(Attribute config) {
    if (config && !llvm::is_contained(configs, config) &&
        !checkConfig(kernel, target, maxRows, config))
      configs.push_back(config);
  }

  SmallVector<Attribute> configs;

private:
  graph::KernelOp kernel;
  const TargetInfo &target;
  std::optional<int64_t> maxRows;
};
} // namespace

/// Other shapes of the register tile first, as they change the inner loop, then other
/// cuts into tasks.
static void addVariations(tile::GemmConfigAttr config, Collector &collector) {
  auto add = [&](int64_t mr, int64_t group, int64_t mc, int64_t panels, int64_t kc) {
    collector.add(tile::GemmConfigAttr::get(
        config.getContext(), mr, config.getNr(), mc, std::max<int64_t>(panels, 1),
        std::max<int64_t>(kc, 0), config.getKu(), group, config.getStrip()));
  };
  int64_t mr = config.getMr(), group = config.getGroup(), mc = config.getMc(),
          panels = config.getPanels(), kc = config.getKc();
  for (int64_t other : {int64_t(2), int64_t(1), int64_t(3), int64_t(4)})
    for (int64_t rows = 14; rows >= 4; --rows)
      if (other != group && rows * other >= mr * group - group &&
          rows * other <= mr * group + group)
        add(rows, other, mc, panels, kc);
  for (int64_t rows : {mc / 2, mc * 2, mc * 3 / 2})
    add(mr, group, rows, panels, kc);
  for (int64_t count : {panels / 2, panels * 2})
    add(mr, group, mc, count, kc);
  for (int64_t depth : {int64_t(0), int64_t(256), int64_t(384), int64_t(512)})
    add(mr, group, mc, panels, depth);
}

static void addVariations(tile::AttentionConfigAttr config, Collector &collector) {
  for (int64_t queries : {config.getMc() / 2, config.getMc() / 4, config.getMc() * 2})
    collector.add(tile::AttentionConfigAttr::get(config.getContext(), config.getMr(),
                                                 config.getNr(), queries));
}

static void addVariations(tile::PointwiseConfigAttr config, Collector &collector) {
  for (int64_t grain : {config.getGrain() / 2, config.getGrain() / 4,
                        config.getGrain() * 2, config.getGrain() * 4})
    collector.add(tile::PointwiseConfigAttr::get(
        config.getContext(), config.getLanes(), grain, config.getStage(),
        config.getThreads(), config.getTeam(), config.getShare(),
        config.getPositions()));
}

SmallVector<Attribute> kiln::codegen::candidateConfigs(graph::KernelOp kernel,
                                                       const TargetInfo &target,
                                                       std::optional<int64_t> maxRows) {
  Attribute chosen = chooseConfig(kernel, target, maxRows);
  if (!chosen)
    return {};
  Collector collector(kernel, target, maxRows);
  collector.configs.push_back(chosen);
  for (const Candidate &candidate : explainKernel(kernel, target, maxRows).candidates)
    collector.add(candidate.attribute);
  if (auto gemm = dyn_cast<tile::GemmConfigAttr>(chosen))
    addVariations(gemm, collector);
  else if (auto attention = dyn_cast<tile::AttentionConfigAttr>(chosen))
    addVariations(attention, collector);
  else if (auto pointwise = dyn_cast<tile::PointwiseConfigAttr>(chosen))
    addVariations(pointwise, collector);
  return std::move(collector.configs);
}
