//===- Family.cpp - Products among the kernel families -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ConfigCheck.h"
#include "kiln/Codegen/Gemm.h"
#include "kiln/Codegen/KernelFamily.h"
#include "lib/Codegen/Gemm/Config/TensorConfig.h"
#include "lib/Codegen/Gemm/Program/ColumnHalves.h"
#include "lib/Codegen/Gemm/Program/ProductOp.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static constexpr StringLiteral kRows = "rows";

static std::optional<int64_t> maxRows(const CodeRequest &request) {
  return maxOf(request.variant, kRows);
}

static GemmProblem problemOf(const CodeRequest &request) {
  return gemmProblem(request.kernel, request.target, maxRows(request));
}

//===----------------------------------------------------------------------===//
// Configs
//===----------------------------------------------------------------------===//

static Attribute chooseConfig(const CodeRequest &request) {
  graph::KernelOp kernel = request.kernel;
  MLIRContext *context = kernel.getContext();
  GemmProblem problem = problemOf(request);
  if (request.target.gpu)
    return chooseGpuConfig(context, problem, request.target);
  auto configs = rankGemmConfigs(context, problem, request.target);
  return configs.empty() ? Attribute() : Attribute(configs.front());
}

static constexpr StringLiteral kTime = "ns of the fullest multiprocessor, by a model";

/// GEMVs, and the tiles of tensor cores that they compete with.
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
  // The winner's kind first, as it is what the kernel has.
  if (!chooseGemvConfig(context, problem, target))
    std::swap(gemvs, tiles);
  llvm::append_range(gemvs.candidates, tiles.candidates);
  // Then those that lost, whatever their kind.
  std::stable_sort(
      gemvs.candidates.begin() + 1, gemvs.candidates.end(),
      [](const Candidate &x, const Candidate &y) { return x.cost < y.cost; });
  return gemvs;
}

static Explanation explain(const CodeRequest &request) {
  auto [kernel, target, variant] = request;
  MLIRContext *context = kernel.getContext();
  GemmProblem problem = problemOf(request);
  auto groups = rankWarpgroupGemmConfigs(context, problem, target);
  if (!groups.empty())
    return byCost(kTime, groups, [&](Attribute config) {
      return gpuConfigTime(problem, target, config);
    });
  if (!target.gpu)
    return byRule("most rows and panels in registers, then steps of K whose rows fit L2",
                  rankGemmConfigs(context, problem, target));
  if (Explanation gemvs = explainGemv(problem, target, context);
      !gemvs.candidates.empty())
    return gemvs;
  auto configs = rankBlockGemmConfigs(context, problem, target);
  if (!problem.onTensorCores && !problem.scaleBlock)
    return byRule("64 columns by 64 rows where they fit, then wider, then narrower; more "
                  "stages first; as many parts of K as take the fewest cycles",
                  configs);
  return byCost(kTime, configs,
                [&](Attribute config) { return gpuConfigTime(problem, target, config); });
}

/// Other shapes of the register tile first, as they change the inner loop, then other
/// cuts into tasks.
static SmallVector<Attribute> variations(Attribute chosen) {
  SmallVector<Attribute> configs;
  auto config = dyn_cast<tile::GemmConfigAttr>(chosen);
  if (!config)
    return configs;
  auto add = [&](int64_t mr, int64_t group, int64_t mc, int64_t panels, int64_t kc) {
    configs.push_back(tile::GemmConfigAttr::get(
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
  return configs;
}

static ConfigProblem checkConfig(const CodeRequest &request, Attribute config) {
  return checkGemmConfig(problemOf(request), request.target, config);
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

static std::vector<Quantity> quantities(graph::KernelOp kernel) {
  return {{kRows.str(), gemmRows(kernel)}};
}

static SmallVector<Variant> variants(graph::KernelOp kernel, const TargetInfo &target) {
  return llvm::map_to_vector(gemmVariants(kernel, target), [](int64_t rows) {
    return Variant{{Bound{kRows.str(), rows}}};
  });
}

//===----------------------------------------------------------------------===//
// The row
//===----------------------------------------------------------------------===//

static const Hero kMatmul{"matmul",
                          4,
                          Hero::Prologue::None,
                          Hero::Epilogue::Elementwise,
                          /*absorbsViews=*/false,
                          /*computesOperand=*/nullptr,
                          isColumnHalf};

static bool holdsProduct(graph::KernelOp kernel) {
  return llvm::any_of(kernel.getBlock(),
                      [](Operation &op) { return bool(ProductOp::of(&op)); });
}

static const Hero *ownHero(Operation *op) {
  return ProductOp::of(op) ? &kMatmul : nullptr;
}

static FailureOr<tile::KernelOp> emit(const CodeRequest &request, OpBuilder &builder,
                                      Attribute config) {
  return emitGemm(request.kernel, request.target, builder, config, maxRows(request));
}

const KernelFamily &kiln::codegen::gemmFamily() {
  static const KernelFamily family{"gemm",
                                   {"gemm", "block_gemm", "warpgroup_gemm", "gemv"},
                                   ownHero,
                                   holdsProduct,
                                   canEmitGemm,
                                   /*operandToCopy=*/nullptr,
                                   chooseConfig,
                                   explain,
                                   variations,
                                   checkConfig,
                                   quantities,
                                   variants,
                                   emit};
  return family;
}
