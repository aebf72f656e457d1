//===- CheckConfig.cpp - Checks of GEMM configs ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostConfig.h"
#include "ScaledConfig.h"
#include "TensorConfig.h"
#include "kiln/Codegen/Gemm.h"
#include "lib/Codegen/Blocks.h"
#include "lib/Codegen/ConfigCheck.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Hosts
//===----------------------------------------------------------------------===//

/// Checks that the accumulators of a block of rows and a group of panels fit the
/// registers.
static ConfigProblem checkRegisterTile(const GemmProblem &problem,
                                       const TargetInfo &target,
                                       tile::GemmConfigAttr config) {
  if (usesBf16Tiles(problem)) {
    if (config.getMr() % kTileRegisterRows)
      return wrongValue(config, "number of rows (mr)",
                        "a multiple of " + Twine(kTileRegisterRows) +
                            ", the rows of a tile register",
                        config.getMr());
    int64_t tiles = config.getMr() / kTileRegisterRows * config.getGroup();
    return tiles > kTileAccumulators ? exceeds(config, "tile registers for accumulators",
                                               Twine(kTileAccumulators), Twine(tiles))
                                     : std::nullopt;
  }
  int64_t registers =
      hostTileRegisters(problem, target, config.getMr(), config.getGroup());
  return registers > target.vectorRegisters
             ? exceeds(config, "vector registers", Twine(target.vectorRegisters),
                       Twine(registers))
             : std::nullopt;
}

/// Returns the steps that a pass over K must have a multiple of; 1 if any number will do.
static std::pair<int64_t, StringRef> unitOfPass(const GemmProblem &problem) {
  if (usesBf16Tiles(problem))
    return {kTileRegisterSteps, "the steps of a tile register"};
  return {std::max<int64_t>({problem.scaleBlock, problem.rhsScaleBlock, 1}),
          "the steps that have a scale"};
}

static ConfigProblem checkHost(const GemmProblem &problem, const TargetInfo &target,
                               tile::GemmConfigAttr config) {
  constexpr int64_t kMaxRows = 4096, kMaxPanels = 1 << 20, kMaxUnroll = 64;
  auto outside = [&](StringRef what, int64_t value, int64_t lo, int64_t hi) {
    return value < lo || value > hi
               ? wrongValue(config, what, Twine(lo) + " to " + Twine(hi), value)
               : std::nullopt;
  };
  if (config.getNr() != problem.width)
    return wrongValue(config, "panel width (nr)", Twine(problem.width), config.getNr());
  if (auto wrong = outside("number of rows (mr)", config.getMr(), 1, kMaxRows))
    return wrong;
  if (auto wrong = outside("number of panels side by side (group)", config.getGroup(), 1,
                           target.vectorRegisters))
    return wrong;
  if (auto wrong = checkRegisterTile(problem, target, config))
    return wrong;
  if (auto wrong = outside("number of rows per task (mc)", config.getMc(), config.getMr(),
                           kMaxRows))
    return wrong;
  if (auto wrong =
          outside("number of panels per task", config.getPanels(), 1, kMaxPanels))
    return wrong;
  if (auto wrong = outside("depth of a pass (kc)", config.getKc(), 0, kMaxPanels))
    return wrong;
  auto [unit, meaning] = unitOfPass(problem);
  if (config.getKc() % unit)
    return wrongValue(config, "number of steps of a pass (kc)",
                      "a multiple of " + Twine(unit) + ", " + meaning, config.getKc());
  return outside("distance of prefetches (ku)", config.getKu(), 1, kMaxUnroll);
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

static ConfigProblem checkBlockGemm(const GemmProblem &problem, const TargetInfo &target,
                                    tile::BlockGemmConfigAttr config) {
  for (int64_t value : {config.getRows(), config.getPanels(), config.getBlockK(),
                        config.getStages(), config.getRowThreads(), config.getSplit()})
    if (value < 1)
      return wrongValue(config, "parameter", "at least 1", value);
  BlockResources needed = problem.scaleBlock ? scaledGemmResources(problem, config)
                          : problem.onTensorCores
                              ? tensorGemmResources(problem, target, config)
                              : blockGemmResources(problem, config);
  if (auto wrong = checkBlock(config, needed, *target.gpu))
    return wrong;
  bool isKnown =
      problem.scaleBlock
          ? llvm::is_contained(
                rankScaledGemmConfigs(config.getContext(), problem, target), config)
      : problem.onTensorCores ? isTensorGemmTile(problem, target, config)
                              : isBlockGemmTile(problem, target, config);
  if (isKnown)
    return std::nullopt;
  return wrongValue(config, "tile (rows)", "a tile like those that kiln explain lists",
                    config.getRows());
}

static ConfigProblem checkWarpgroups(const GemmProblem &problem, const TargetInfo &target,
                                     tile::WarpgroupGemmConfigAttr config) {
  if (config.getStages() < 2)
    return wrongValue(config, "number of stages", "at least 2", config.getStages());
  constexpr int64_t kMaxColumns = 256;
  if (config.getRows() < 1 || config.getPanels() < 1 ||
      config.getPanels() * problem.width > kMaxColumns)
    return wrongValue(config, "tile (panels)",
                      "1 to " + Twine(kMaxColumns / problem.width), config.getPanels());
  if (!isWarpgroupCluster(config))
    return wrongValue(
        config, "cluster",
        "1, or 2 with an even number of panels, all of K and no tail_blocks",
        config.getCluster());
  if (auto wrong = checkBlock(config, warpgroupGemmResources(problem, target, config),
                              *target.gpu))
    return wrong;
  if (config.getTailBlocks() != 0 && !isStreamKTail(problem, target, config))
    return wrongValue(
        config, "number of units of stream-K (tail_blocks)",
        "0, or without split: more than the tiles of the last wave, at most "
        "their steps of K and " +
            Twine(target.gpu->model.multiprocessors),
        config.getTailBlocks());
  if (isWarpgroupGemmTile(problem, target, config))
    return std::nullopt;
  return wrongValue(config, "tile (rows)",
                    "a tile like those that kiln explain lists, of 2 or more stages",
                    config.getRows());
}

static ConfigProblem checkGemv(const GemmProblem &problem, const TargetInfo &target,
                               tile::GemvConfigAttr config) {
  if (auto wrong =
          checkBlock(config, gemvResources(problem, target, config), *target.gpu))
    return wrong;
  if (isGemvTile(problem, target, config))
    return std::nullopt;
  return wrongValue(config, "number of columns",
                    "a config like those that kiln explain lists", config.getColumns());
}

ConfigProblem kiln::codegen::checkGemmConfig(const GemmProblem &problem,
                                             const TargetInfo &target, Attribute config) {
  if (auto host = dyn_cast<tile::GemmConfigAttr>(config); host && !target.gpu)
    return checkHost(problem, target, host);
  if (!target.gpu)
    return wrongFamily(config, "gemm");
  MLIRContext *context = config.getContext();
  if (auto groups = dyn_cast<tile::WarpgroupGemmConfigAttr>(config))
    return rankWarpgroupGemmConfigs(context, problem, target).empty()
               ? wrongFamily(config, "block_gemm, or gemv where rows are few")
               : checkWarpgroups(problem, target, groups);
  if (auto gemv = dyn_cast<tile::GemvConfigAttr>(config))
    return rankGemvConfigs(context, problem, target).empty()
               ? wrongFamily(config,
                             "block_gemm: rows are many, or nothing is contiguous")
               : checkGemv(problem, target, gemv);
  if (auto block = dyn_cast<tile::BlockGemmConfigAttr>(config))
    return checkBlockGemm(problem, target, block);
  return wrongFamily(config, "block_gemm, warpgroup_gemm or gemv");
}
