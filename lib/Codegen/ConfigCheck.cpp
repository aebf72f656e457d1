//===- ConfigCheck.cpp - What makes a config impossible -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources first, as they are what a person who edits a config trips over, then the
// shapes that the emitters have code for.
//
//===----------------------------------------------------------------------===//

#include "ConfigCheck.h"
#include "kiln/Codegen/Attention.h"
#include "kiln/Codegen/Pointwise.h"
#include "kiln/Codegen/Scatter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static std::string textOf(Attribute config) {
  std::string text;
  llvm::raw_string_ostream(text) << config;
  return text;
}

ConfigProblem kiln::codegen::wrongFamily(Attribute config, StringRef expected) {
  return Diagnosis{ErrorCode::ConfigImpossible, "",
                   "this kernel has no config of this family on this target",
                   expected.str(), textOf(config),
                   "give a config of that family, or delete the line"};
}

ConfigProblem kiln::codegen::wrongValue(Attribute config, StringRef what,
                                        const Twine &expected, int64_t found) {
  return Diagnosis{ErrorCode::ConfigImpossible, "",
                   ("there is no code for such a " + what + " in " + textOf(config)).str(),
                   expected.str(), std::to_string(found),
                   "choose such a value, or delete the line"};
}

ConfigProblem kiln::codegen::exceeds(Attribute config, StringRef resource,
                                     const Twine &limit, const Twine &needed) {
  return Diagnosis{ErrorCode::ConfigImpossible, "",
                   (Twine(textOf(config)) + " needs more " + resource + " than the target has").str(),
                   "at most " + limit.str(), needed.str(),
                   "choose smaller tiles or fewer stages, or delete the line"};
}

ConfigProblem kiln::codegen::checkBlock(Attribute config, const BlockResources &needed,
                                        const GpuInfo &gpu) {
  if (needed.threads < gpu.warpThreads || needed.threads > gpu.maxBlockThreads)
    return exceeds(config, "threads per block", Twine(gpu.maxBlockThreads) + " threads",
                   Twine(needed.threads) + " threads");
  if (needed.sharedBytes > gpu.maxSharedBytes)
    return exceeds(config, "shared memory", Twine(gpu.maxSharedBytes) + " bytes",
                   Twine(needed.sharedBytes) + " bytes");
  int64_t registers = std::min(gpu.maxThreadRegisters,
                               gpu.registersPerMultiprocessor / needed.threads);
  if (needed.registers > registers)
    return exceeds(config, "registers", Twine(registers) + " registers per thread",
                   "about " + Twine(needed.registers) + " registers per thread");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Attention and scatter
//===----------------------------------------------------------------------===//

/// The register tile on a host, with `mr` rows of `nr` columns.
static ConfigProblem checkHostAttention(tile::AttentionConfigAttr config,
                                        ArrayRef<Attribute> known,
                                        const TargetInfo &target) {
  // Of the listed configs, each of one width, this is the one of the same width.
  for (Attribute attribute : known) {
    auto other = cast<tile::AttentionConfigAttr>(attribute);
    if (other.getNr() != config.getNr())
      continue;
    if (config.getMr() < 1 || config.getMr() > other.getMr())
      return exceeds(config, "vector registers", Twine(other.getMr()) + " rows",
                     Twine(config.getMr()) + " rows");
    constexpr int64_t kMaxQueries = 4096;
    if (config.getMc() < config.getMr() || config.getMc() > kMaxQueries)
      return wrongValue(config, "number of rows per task (mc)",
                        Twine(config.getMr()) + " to " + Twine(kMaxQueries),
                        config.getMc());
    return std::nullopt;
  }
  return wrongValue(config, "number of columns (nr)", "whole vector registers, one or two",
                    config.getNr());
}

/// Listed tiles have as many stages as shared memory holds; fewer are possible.
static ConfigProblem
checkWarpgroupAttention(tile::WarpgroupAttentionConfigAttr config,
                        ArrayRef<Attribute> known) {
  bool hasGroups = false;
  for (Attribute attribute : known) {
    auto other = dyn_cast<tile::WarpgroupAttentionConfigAttr>(attribute);
    hasGroups |= bool(other);
    if (!other || config != tile::WarpgroupAttentionConfigAttr::get(
                                config.getContext(), other.getRows(), other.getKeys(),
                                config.getStages(), other.getProducerRegisters(),
                                other.getConsumerRegisters()))
      continue;
    if (config.getStages() > other.getStages())
      return exceeds(config, "shared memory", Twine(other.getStages()) + " stages",
                     Twine(config.getStages()) + " stages");
    if (config.getStages() < 2)
      return wrongValue(config, "number of stages", "at least 2", config.getStages());
    return std::nullopt;
  }
  return hasGroups ? wrongValue(config, "tile of queries (rows)",
                                "one of the tiles that kiln explain lists",
                                config.getRows())
                   : wrongFamily(config, "block_attention");
}

ConfigProblem kiln::codegen::checkAttentionConfig(graph::KernelOp kernel,
                                                  const TargetInfo &target,
                                                  Attribute config) {
  SmallVector<Attribute> known = attentionConfigs(kernel, target);
  if (!target.gpu) {
    auto host = dyn_cast<tile::AttentionConfigAttr>(config);
    return host ? checkHostAttention(host, known, target)
                : wrongFamily(config, "attention");
  }
  if (auto groups = dyn_cast<tile::WarpgroupAttentionConfigAttr>(config))
    return checkWarpgroupAttention(groups, known);
  auto block = dyn_cast<tile::BlockAttentionConfigAttr>(config);
  if (!block)
    return wrongFamily(config, "block_attention");
  if (llvm::is_contained(known, config))
    return std::nullopt;
  BlockResources needed{block.getThreads(), blockAttentionSharedBytes(kernel, block), 0};
  if (auto problem = checkBlock(config, needed, *target.gpu))
    return problem;
  return wrongValue(config, "tile of queries (rows)",
                    "one of the tiles that kiln explain lists", block.getRows());
}

ConfigProblem kiln::codegen::checkScatterConfig(graph::KernelOp kernel,
                                                const TargetInfo &target,
                                                Attribute config) {
  auto scatter = dyn_cast<tile::ScatterConfigAttr>(config);
  if (!scatter)
    return wrongFamily(config, "scatter");
  auto known = rankScatterConfigs(kernel.getContext(), scatterProblem(kernel), target);
  if (llvm::is_contained(known, scatter))
    return std::nullopt;
  return wrongValue(config, "part (rows)", "the config that kiln explain lists",
                    scatter.getRows());
}

//===----------------------------------------------------------------------===//
// Rows and pointwise
//===----------------------------------------------------------------------===//

static ConfigProblem checkGrain(tile::PointwiseConfigAttr config) {
  constexpr int64_t kMaxGrain = 1 << 24;
  if (config.getGrain() < 1 || config.getGrain() > kMaxGrain)
    return wrongValue(config, "task (grain)", "1 to " + Twine(kMaxGrain) + " elements",
                      config.getGrain());
  return std::nullopt;
}

ConfigProblem kiln::codegen::checkPointwiseConfig(graph::KernelOp kernel,
                                                  const TargetInfo &target,
                                                  Attribute config) {
  auto pointwise = dyn_cast<tile::PointwiseConfigAttr>(config);
  SmallVector<tile::PointwiseConfigAttr> known = pointwiseConfigs(kernel, target);
  if (known.empty())
    return wrongFamily(config, "none: the kernel transposes through shared memory");
  if (!pointwise)
    return wrongFamily(config, "pointwise");
  if (ConfigProblem problem = checkGrain(pointwise))
    return problem;
  if (target.gpu)
    if (auto problem = checkBlock(config, {pointwise.getThreads(), 0, 0}, *target.gpu))
      return problem;
  // How many elements a task computes is free; all else decides what code there is.
  for (tile::PointwiseConfigAttr other : known) {
    auto same = tile::PointwiseConfigAttr::get(
        config.getContext(), other.getLanes(), pointwise.getGrain(), other.getStage(),
        other.getThreads(), other.getTeam(), other.getShare(), other.getPositions());
    if (same == pointwise)
      return std::nullopt;
  }
  return wrongValue(config, "fragment (lanes)",
                    "a config that kiln explain lists, of any grain",
                    pointwise.getLanes());
}
