//===- Family.cpp - Rows and pointwise kernels among the families --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ConfigCheck.h"
#include "kiln/Codegen/KernelFamily.h"
#include "kiln/Codegen/Pointwise.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Configs
//===----------------------------------------------------------------------===//

static Attribute chooseConfig(const CodeRequest &request) {
  auto configs = pointwiseConfigs(request.kernel, request.target);
  return configs.empty() ? Attribute() : Attribute(configs.front());
}

static Explanation explain(const CodeRequest &request) {
  auto [kernel, target, variant] = request;
  if (auto tiles = rankStagingConfigs(kernel, target); !tiles.empty())
    return byRule(
        "tiles of whole sectors in the order of the operand and of the result, in shared "
        "memory with the fewest bank conflicts, then the widest thread groups",
        tiles);
  auto configs = pointwiseConfigs(kernel, target);
  if (configs.empty())
    return {};
  if (configs.front().getShare() > 1)
    return byRule("positions of a strip of columns by the fewest teams that keep a GPU "
                  "busy, or that make whole sectors, then by one team",
                  configs);
  return byRule("whole registers or accesses without wasted lanes, then fewer", configs);
}

static SmallVector<Attribute> variations(Attribute chosen) {
  SmallVector<Attribute> configs;
  if (auto config = dyn_cast<tile::PointwiseConfigAttr>(chosen))
    for (int64_t grain : {config.getGrain() / 2, config.getGrain() / 4,
                          config.getGrain() * 2, config.getGrain() * 4})
      configs.push_back(tile::PointwiseConfigAttr::get(
          config.getContext(), config.getLanes(), grain, config.getStage(),
          config.getThreads(), config.getTeam(), config.getShare(),
          config.getPositions()));
  return configs;
}

static ConfigProblem checkGrain(tile::PointwiseConfigAttr config) {
  constexpr int64_t kMaxGrain = 1 << 24;
  if (config.getGrain() < 1 || config.getGrain() > kMaxGrain)
    return wrongValue(config, "task (grain)", "1 to " + Twine(kMaxGrain) + " elements",
                      config.getGrain());
  return std::nullopt;
}

static ConfigProblem checkConfig(const CodeRequest &request, Attribute config) {
  auto [kernel, target, variant] = request;
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

//===----------------------------------------------------------------------===//
// The row
//===----------------------------------------------------------------------===//

/// Only the row itself is recomputed in passes; scale and bias are not.
static const Hero kRow{"row", 1, Hero::Prologue::First, Hero::Epilogue::Elementwise,
                       /*absorbsViews=*/false};
static const Hero kPointwise{"pointwise", 0, Hero::Prologue::All, Hero::Epilogue::All,
                             /*absorbsViews=*/false};

/// Hero of writes to a key-value cache. They lie in the memory of the state, not of a
/// result, so nothing joins as an epilogue.
static const Hero kKvWrite{"kv_write", 0, Hero::Prologue::All, Hero::Epilogue::None,
                           /*absorbsViews=*/false};

static const Hero *ownHero(Operation *op) {
  if (isa<graph::KvWriteOp>(op))
    return &kKvWrite;
  return isa<graph::SoftmaxOp, graph::LayerNormOp, graph::RmsNormOp, graph::ReduceOp>(op)
             ? &kRow
             : &kPointwise;
}

static bool matches(graph::KernelOp) { return true; }

static FailureOr<tile::KernelOp> emit(const CodeRequest &request, OpBuilder &builder,
                                      Attribute config) {
  return emitPointwiseOrRow(request.kernel, request.target, builder,
                            dyn_cast_or_null<tile::PointwiseConfigAttr>(config));
}

const KernelFamily &kiln::codegen::pointwiseFamily() {
  static const KernelFamily family{"pointwise",
                                   {"pointwise"},
                                   ownHero,
                                   matches,
                                   canEmitPointwiseOrRow,
                                   pointwiseOperandToCopy,
                                   chooseConfig,
                                   explain,
                                   variations,
                                   checkConfig,
                                   /*quantities=*/nullptr,
                                   /*variants=*/nullptr,
                                   emit};
  return family;
}
