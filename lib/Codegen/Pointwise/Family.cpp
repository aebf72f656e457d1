//===- Family.cpp - The row and pointwise family --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ConfigCheck.h"
#include "PointwisePrograms.h"
#include "kiln/Codegen/KernelFamily.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Configs
//===----------------------------------------------------------------------===//

namespace {
class PointwiseAnalysis final : public KernelAnalysis {
public:
  explicit PointwiseAnalysis(graph::KernelOp kernel) : programs(kernel) {}

  bool canEmit(std::string &why) const override { return programs.canEmit(why); }
  std::optional<unsigned> operandToCopy(ArrayRef<std::string> targets) const override {
    return programs.operandToCopy(targets);
  }
  Attribute chooseConfig(const CodeRequest &request) const override;
  Explanation explain(const CodeRequest &request) const override;
  SmallVector<Attribute> variations(Attribute chosen) const override;
  ConfigProblem checkConfig(const CodeRequest &request, Attribute config) const override;
  FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const CodeRequest &request,
                                 OpBuilder &builder, Attribute config) const override {
    return programs.emit(kernel, request.target, builder,
                         dyn_cast_or_null<tile::PointwiseConfigAttr>(config));
  }

private:
  PointwisePrograms programs;
};
} // namespace

Attribute PointwiseAnalysis::chooseConfig(const CodeRequest &request) const {
  auto configs = programs.configs(request.target);
  return configs.empty() ? Attribute() : Attribute(configs.front());
}

Explanation PointwiseAnalysis::explain(const CodeRequest &request) const {
  if (auto tiles = programs.stagingConfigs(request.target); !tiles.empty())
    return byRule(
        "tiles of whole sectors in the order of the operand and of the result, in shared "
        "memory with the fewest bank conflicts, then the widest thread groups",
        tiles);
  auto configs = programs.configs(request.target);
  if (configs.empty())
    return {};
  if (configs.front().getReduceSplit() > 1)
    return byRule("columns reduced by the fewest thread groups that keep all "
                  "multiprocessors busy, or that read whole sectors, then by one group",
                  configs);
  return byRule(
      "the widest vectors or memory accesses that divide the loop, then narrower ones",
      configs);
}

SmallVector<Attribute> PointwiseAnalysis::variations(Attribute chosen) const {
  SmallVector<Attribute> configs;
  if (auto config = dyn_cast<tile::PointwiseConfigAttr>(chosen))
    for (int64_t grain : {config.getGrain() / 2, config.getGrain() / 4,
                          config.getGrain() * 2, config.getGrain() * 4})
      configs.push_back(tile::PointwiseConfigAttr::get(
          config.getContext(), config.getLanes(), grain, config.getStage(),
          config.getThreads(), config.getGroupThreads(), config.getReduceSplit(),
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

ConfigProblem PointwiseAnalysis::checkConfig(const CodeRequest &request,
                                             Attribute config) const {
  const TargetInfo &target = request.target;
  auto pointwise = dyn_cast<tile::PointwiseConfigAttr>(config);
  SmallVector<tile::PointwiseConfigAttr> known = programs.configs(target);
  if (known.empty())
    return wrongFamily(config, "none: the kernel transposes through shared memory");
  if (!pointwise)
    return wrongFamily(config, "pointwise");
  if (ConfigProblem problem = checkGrain(pointwise))
    return problem;
  if (target.gpu)
    if (auto problem = checkBlock(config, {pointwise.getThreads(), 0, 0}, *target.gpu))
      return problem;
  // Configs that differ from a listed one only in elements per task are valid.
  for (tile::PointwiseConfigAttr other : known) {
    auto same = tile::PointwiseConfigAttr::get(
        config.getContext(), other.getLanes(), pointwise.getGrain(), other.getStage(),
        other.getThreads(), other.getGroupThreads(), other.getReduceSplit(),
        other.getPositions());
    if (same == pointwise)
      return std::nullopt;
  }
  return wrongValue(config, "fragment (lanes)",
                    "a config that kiln explain lists, of any grain",
                    pointwise.getLanes());
}

//===----------------------------------------------------------------------===//
// Row of the family table
//===----------------------------------------------------------------------===//

/// Prologue::First: each pass recomputes the row operand; scale and bias are read once.
static const Hero kRow{"row", 1, Hero::Prologue::First, Hero::Epilogue::Elementwise,
                       /*absorbsViews=*/false};
static const Hero kPointwise{"pointwise", 0, Hero::Prologue::All, Hero::Epilogue::All,
                             /*absorbsViews=*/false};

/// Hero of writes to a key-value cache. Results are in the state's memory, so no op can
/// join as an epilogue.
static const Hero kKvWrite{"kv_write", 0, Hero::Prologue::All, Hero::Epilogue::None,
                           /*absorbsViews=*/false};

namespace {
class PointwiseFamily final : public KernelFamily {
public:
  PointwiseFamily() : KernelFamily("pointwise", {"pointwise"}) {}

  const Hero *heroOf(Operation *op) const override {
    if (isa<graph::KvWriteOp>(op))
      return &kKvWrite;
    return isa<graph::SoftmaxOp, graph::LayerNormOp, graph::RmsNormOp, graph::ReduceOp>(
               op)
               ? &kRow
               : &kPointwise;
  }
  bool matches(graph::KernelOp) const override { return true; }
  std::unique_ptr<KernelAnalysis> analyze(graph::KernelOp kernel) const override {
    return std::make_unique<PointwiseAnalysis>(kernel);
  }
};
} // namespace

const KernelFamily &kiln::codegen::pointwiseFamily() {
  static const PointwiseFamily family;
  return family;
}
