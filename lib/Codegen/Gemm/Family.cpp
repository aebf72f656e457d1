//===- Family.cpp - The GEMM kernel family --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmAnalysis.h"
#include "kiln/Codegen/KernelFamily.h"
#include "lib/Codegen/Gemm/Config/TensorConfig.h"
#include "lib/Codegen/Gemm/Program/ColumnHalves.h"
#include "lib/Codegen/Gemm/Program/ProductOp.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Configs
//===----------------------------------------------------------------------===//

Attribute GemmAnalysis::chooseConfig(const CodeRequest &request) const {
  if (request.target.gpu)
    return chooseGpuConfig(context, problem(request), request.target);
  auto configs = rankGemmConfigs(context, problem(request), request.target);
  return configs.empty() ? Attribute() : Attribute(configs.front());
}

static constexpr StringLiteral kTime =
    "predicted ns on the multiprocessor with the most work";

/// Explains GEMVs and the tiles on tensor cores that they compete with.
static Explanation explainGemv(const GemmProblem &problem, const TargetInfo &target,
                               MLIRContext *context) {
  Explanation gemvs =
      byCost(kTime, rankGemvConfigs(context, problem, target),
             [&](Attribute config) { return gpuConfigTime(problem, target, config); });
  if (gemvs.candidates.empty() || !competesWithTiles(problem))
    return gemvs;
  Explanation tiles =
      byCost(kTime, rankTensorGemmConfigs(context, problem, target),
             [&](Attribute config) { return gpuConfigTime(problem, target, config); });
  // Lists the selected kind first.
  if (!chooseGemvConfig(context, problem, target))
    std::swap(gemvs, tiles);
  llvm::append_range(gemvs.candidates, tiles.candidates);
  // The remaining candidates follow by time, whatever their kind.
  std::stable_sort(
      gemvs.candidates.begin() + 1, gemvs.candidates.end(),
      [](const Candidate &x, const Candidate &y) { return x.cost < y.cost; });
  return gemvs;
}

Explanation GemmAnalysis::explain(const CodeRequest &request) const {
  const TargetInfo &target = request.target;
  GemmProblem problem = this->problem(request);
  auto groups = rankWarpgroupGemmConfigs(context, problem, target);
  if (!groups.empty())
    return byCost(kTime, groups, [&](Attribute config) {
      return gpuConfigTime(problem, target, config);
    });
  if (!target.gpu)
    return byRule("the largest register tile, then blocks of K whose rows fit L2",
                  rankGemmConfigs(context, problem, target));
  if (Explanation gemvs = explainGemv(problem, target, context);
      !gemvs.candidates.empty())
    return gemvs;
  auto configs = rankBlockGemmConfigs(context, problem, target);
  if (!problem.onTensorCores && !problem.scaleBlock)
    return byRule(
        "tiles of 64 by 64 where they fit, then wider ones, then narrower ones; "
        "more pipeline stages first; the split of K with the fewest cycles",
        configs);
  return byCost(kTime, configs,
                [&](Attribute config) { return gpuConfigTime(problem, target, config); });
}

/// Returns other shapes of the register tile first, since they change the inner loop,
/// then other task sizes.
SmallVector<Attribute> GemmAnalysis::variations(Attribute chosen) const {
  SmallVector<Attribute> configs;
  auto config = dyn_cast<tile::GemmConfigAttr>(chosen);
  if (!config)
    return configs;
  auto add = [&](int64_t mr, int64_t group, int64_t mc, int64_t panels, int64_t kc) {
    configs.push_back(tile::GemmConfigAttr::get(
        config.getContext(), mr, config.getNr(), mc, std::max<int64_t>(panels, 1),
        std::max<int64_t>(kc, 0), config.getKu(), group, config.getStagedEpilogue()));
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
  return configs;
}

ConfigProblem GemmAnalysis::checkConfig(const CodeRequest &request,
                                        Attribute config) const {
  return checkGemmConfig(problem(request), request.target, config);
}

//===----------------------------------------------------------------------===//
// Row of the family table
//===----------------------------------------------------------------------===//

namespace {
class GemmFamily final : public KernelFamily {
public:
  GemmFamily() : KernelFamily("gemm", {"gemm", "block_gemm", "warpgroup_gemm", "gemv"}) {}

  const Hero *heroOf(Operation *op) const override {
    static const Hero hero{"matmul",
                           4,
                           Hero::Prologue::None,
                           Hero::Epilogue::Elementwise,
                           /*absorbsViews=*/false,
                           /*computesOperand=*/nullptr,
                           isColumnHalf};
    return ProductOp::of(op) ? &hero : nullptr;
  }
  bool matches(graph::KernelOp kernel) const override {
    return llvm::any_of(kernel.getBlock(),
                        [](Operation &op) { return bool(ProductOp::of(&op)); });
  }
  std::unique_ptr<KernelAnalysis> analyze(graph::KernelOp kernel) const override {
    return std::make_unique<GemmAnalysis>(kernel);
  }
};
} // namespace

const KernelFamily &kiln::codegen::gemmFamily() {
  static const GemmFamily family;
  return family;
}
