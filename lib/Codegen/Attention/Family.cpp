//===- Family.cpp - The attention kernel family ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Blocks.h"
#include "../ConfigCheck.h"
#include "AttentionAnalysis.h"
#include "MaskFusion.h"
#include "dialects/Graph/PartialAttention.h"
#include "kiln/Codegen/KernelFamily.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Configs
//===----------------------------------------------------------------------===//

Attribute AttentionAnalysis::chooseConfig(const CodeRequest &request) const {
  SmallVector<Attribute> configs = this->configs(request);
  return configs.empty() ? Attribute() : configs.front();
}

Explanation AttentionAnalysis::explain(const CodeRequest &request) const {
  auto time = [&](Attribute config) { return this->time(request, config); };
  if (auto groups = warpgroupConfigs(request); !groups.empty())
    return byCost("the largest tile of queries, then of keys, that registers and shared "
                  "memory hold; the predicted ns do not order them",
                  groups, time);
  if (request.target.gpu)
    return byCost("the largest tile of queries and keys that registers and shared memory "
                  "hold; the predicted ns do not order them",
                  blockConfigs(request), time);
  return byRule("the register tile with the most rows", configs(request));
}

SmallVector<Attribute> AttentionAnalysis::variations(Attribute chosen) const {
  SmallVector<Attribute> configs;
  if (auto config = dyn_cast<tile::AttentionConfigAttr>(chosen))
    for (int64_t queries : {config.getMc() / 2, config.getMc() / 4, config.getMc() * 2})
      configs.push_back(tile::AttentionConfigAttr::get(
          config.getContext(), config.getMr(), config.getNr(), queries));
  return configs;
}

/// Checks the register tile of a host, `mr` rows by `nr` columns.
static ConfigProblem checkHostAttention(tile::AttentionConfigAttr config,
                                        ArrayRef<Attribute> known,
                                        const TargetInfo &target, bool usesTiles) {
  // The listed configs differ in width; compare with the one of the same width.
  for (Attribute attribute : known) {
    auto other = cast<tile::AttentionConfigAttr>(attribute);
    if (other.getNr() != config.getNr())
      continue;
    if (config.getMr() < 1 || config.getMr() > other.getMr())
      return exceeds(config, "vector registers", Twine(other.getMr()) + " rows",
                     Twine(config.getMr()) + " rows");
    if (usesTiles && config.getMr() % kTileRegisterRows)
      return wrongValue(config, "number of rows (mr)",
                        "a multiple of " + Twine(kTileRegisterRows) +
                            ", the rows of a tile register",
                        config.getMr());
    constexpr int64_t kMaxQueries = 4096;
    if (config.getMc() < config.getMr() || config.getMc() > kMaxQueries)
      return wrongValue(config, "number of rows per task (mc)",
                        Twine(config.getMr()) + " to " + Twine(kMaxQueries),
                        config.getMc());
    return std::nullopt;
  }
  return wrongValue(config, "number of columns (nr)",
                    "whole vector registers, one or two", config.getNr());
}

/// Checks a config for warpgroups. Listed configs have the maximum number of stages that
/// fit shared memory; fewer are valid too.
static ConfigProblem checkWarpgroupAttention(tile::WarpgroupAttentionConfigAttr config,
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
  return hasGroups
             ? wrongValue(config, "tile of queries (rows)",
                          "one of the tiles that kiln explain lists", config.getRows())
             : wrongFamily(config, "block_attention");
}

ConfigProblem AttentionAnalysis::checkConfig(const CodeRequest &request,
                                             Attribute config) const {
  const TargetInfo &target = request.target;
  SmallVector<Attribute> known = configs(request);
  if (!target.gpu) {
    auto host = dyn_cast<tile::AttentionConfigAttr>(config);
    std::optional<AttentionProgram> own = programFor(request);
    bool usesTiles = own && own->dotProduct(target) == tile::DotProduct::tdpbf16ps;
    return host ? checkHostAttention(host, known, target, usesTiles)
                : wrongFamily(config, "attention");
  }
  if (auto groups = dyn_cast<tile::WarpgroupAttentionConfigAttr>(config))
    return checkWarpgroupAttention(groups, known);
  auto block = dyn_cast<tile::BlockAttentionConfigAttr>(config);
  if (!block)
    return wrongFamily(config, "block_attention");
  if (llvm::is_contained(known, config))
    return std::nullopt;
  BlockResources needed{block.getThreads(), sharedBytes(block), 0};
  if (auto problem = checkBlock(config, needed, *target.gpu))
    return problem;
  return wrongValue(config, "tile of queries (rows)",
                    "one of the tiles that kiln explain lists", block.getRows());
}

//===----------------------------------------------------------------------===//
// Row of the family table
//===----------------------------------------------------------------------===//

static const Hero kAttention{
    "attention",           3,           Hero::Prologue::ByCost, Hero::Epilogue::NotWider,
    /*absorbsViews=*/true, computesMask};

/// Hero of an attention whose log-sum-exp is a result, and of the op that reads it. Ops
/// on the result may need the log-sum-exps of other ranks, so none joins the epilogue.
static const Hero kAttentionLse{"attention", 3, Hero::Prologue::None,
                                Hero::Epilogue::None,
                                /*absorbsViews=*/false};

namespace {
class AttentionFamily final : public KernelFamily {
public:
  AttentionFamily()
      : KernelFamily("attention",
                     {"attention", "block_attention", "warpgroup_attention"}) {}

  const Hero *heroOf(Operation *op) const override {
    if (auto attention = dyn_cast<graph::AttentionOp>(op))
      return graph::lseOf(attention) ? &kAttentionLse : &kAttention;
    return isa<graph::AttentionLseOp>(op) ? &kAttentionLse : nullptr;
  }
  /// Matches kernels with an attention, or with only the op that reads its log-sum-exp,
  /// for which no code can be generated.
  bool matches(graph::KernelOp kernel) const override {
    return holds<graph::AttentionOp>(kernel) || holds<graph::AttentionLseOp>(kernel);
  }
  std::unique_ptr<KernelAnalysis> analyze(graph::KernelOp kernel) const override {
    return std::make_unique<AttentionAnalysis>(kernel);
  }
};
} // namespace

const KernelFamily &kiln::codegen::attentionFamily() {
  static const AttentionFamily family;
  return family;
}
