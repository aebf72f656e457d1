//===- ChooseConfigs.cpp - Selection of every kernel's config -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/TileHints.h"
#include "kiln/Codegen/Configs.h"
#include "kiln/Codegen/ConfigsFile.h"
#include "kiln/Codegen/Passes.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Activity.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Target/TargetInfo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

namespace kiln {
#define GEN_PASS_DEF_CHOOSECONFIGSPASS
#include "kiln/Codegen/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
/// A config that is not the compiler's choice, and the place that gives it.
struct GivenConfig {
  Attribute config;
  std::string where;
};

class ChooseConfigsPass : public kiln::impl::ChooseConfigsPassBase<ChooseConfigsPass> {
public:
  using ChooseConfigsPassBase::ChooseConfigsPassBase;
  ChooseConfigsPass(const ChooseConfigsPassOptions &options,
                    codegen::SharedAnalyses analyses)
      : ChooseConfigsPassBase(options), analyses(std::move(analyses)) {}
  void runOnOperation() override;

private:
  LogicalResult readInputs();
  LogicalResult readPresent();
  FailureOr<DictionaryAttr> configsOf(KernelOp kernel,
                                      const codegen::KernelAnalysis &analysis);
  FailureOr<Attribute> configOf(KernelOp kernel, const codegen::KernelAnalysis &analysis,
                                const codegen::CodeRequest &request);
  std::optional<GivenConfig> givenConfig(KernelOp kernel,
                                         const codegen::KernelAnalysis &analysis,
                                         const codegen::CodeRequest &request);
  FailureOr<Attribute> checked(KernelOp kernel, const codegen::KernelAnalysis &analysis,
                               const codegen::CodeRequest &request,
                               const GivenConfig &config);
  LogicalResult checkPresent(KernelOp kernel, DictionaryAttr present,
                             ArrayRef<NamedAttribute> chosen);
  void warnOfUnused();

  std::vector<TargetInfo> infos;
  codegen::ConfigsFile given;
  /// Configs that kernels have already, which whoever edited them put there.
  DenseMap<const codegen::KernelAnalysis *, DictionaryAttr> present;
  codegen::SharedAnalyses analyses = std::make_shared<codegen::KernelAnalyses>();
};
} // namespace

/// Reads the targets and the configs file.
LogicalResult ChooseConfigsPass::readInputs() {
  Location loc = getOperation().getLoc();
  SmallVector<std::string> names(targets.begin(), targets.end());
  if (names.empty())
    names.push_back("native");
  for (const std::string &name : names) {
    llvm::Expected<TargetInfo> info = TargetInfo::get(name);
    if (!info)
      return kiln::emitError(loc, takeDiagnosis(info.takeError()));
    infos.push_back(std::move(*info));
  }
  if (configs.empty())
    return success();
  auto file = codegen::ConfigsFile::read(configs, &getContext());
  if (!file)
    return kiln::emitError(loc, takeDiagnosis(file.takeError()));
  given = std::move(*file);
  return success();
}

/// One of equal kernels may have configs, which are for all of them.
LogicalResult ChooseConfigsPass::readPresent() {
  for (KernelOp kernel : kernelsOf(getOperation())) {
    auto configs = kernel->getAttrOfType<DictionaryAttr>(tile::kConfigsAttr);
    if (!configs)
      continue;
    DictionaryAttr &known = present[&analyses->of(kernel)];
    if (known && known != configs)
      return kiln::emitError(kernel.getLoc(),
                             {ErrorCode::ConfigImpossible, tile::kConfigsAttr.str(),
                              "a kernel has other configs than one that is equal to it",
                              "configs on one of them, or the same on all", "both",
                              "edit the configs of the first, and delete the others"});
    known = configs;
  }
  return success();
}

/// Returns the config where the kernel can have it, and reports an error where not.
FailureOr<Attribute> ChooseConfigsPass::checked(KernelOp kernel,
                                                const codegen::KernelAnalysis &analysis,
                                                const codegen::CodeRequest &request,
                                                const GivenConfig &config) {
  ++numGiven;
  auto problem = analysis.checkConfig(request, config.config);
  if (!problem)
    return config.config;
  problem->where = config.where;
  kiln::emitError(kernel.getLoc(), *problem);
  return failure();
}

/// Reports a config that is for no target or variant of the kernel.
LogicalResult ChooseConfigsPass::checkPresent(KernelOp kernel, DictionaryAttr present,
                                              ArrayRef<NamedAttribute> chosen) {
  auto names = llvm::map_to_vector(
      chosen, [](const NamedAttribute &entry) { return entry.getName().getValue(); });
  for (NamedAttribute entry : present)
    if (!llvm::is_contained(names, entry.getName().getValue()))
      return kiln::emitError(kernel.getLoc(),
                             {ErrorCode::ConfigImpossible, tile::kConfigsAttr.str(),
                              "a config is for code that this kernel does not have",
                              llvm::join(names, ", "), entry.getName().str(),
                              "rename or delete the entry"});
  return success();
}

/// Returns the config that the kernel has, or the file gives for it.
std::optional<GivenConfig>
ChooseConfigsPass::givenConfig(KernelOp kernel, const codegen::KernelAnalysis &analysis,
                               const codegen::CodeRequest &request) {
  std::string entry = request.target.name + codegen::variantSuffix(request.variant);
  if (DictionaryAttr configs = present.lookup(&analysis))
    if (Attribute config = configs.get(entry))
      return GivenConfig{config, tile::kConfigsAttr.str() + ": " + entry};
  const codegen::ConfigsFile::Line *line = nullptr;
  if (!given.getLines().empty())
    line =
        given.find(codegen::problemKey(kernel) + codegen::variantSuffix(request.variant),
                   request.target.name);
  if (!line)
    return std::nullopt;
  return GivenConfig{line->config,
                     line->where + ": " + line->key + " on " + line->target};
}

/// Adds the candidate's config and its cost, if it has one.
static void addCandidate(PendingRemark &remark, StringRef key,
                         const codegen::Candidate &candidate) {
  remark << RemarkValue(key, candidate.config);
  if (candidate.cost)
    remark << RemarkValue((key + "Cost").str(),
                          llvm::formatv("{0:f1}", *candidate.cost).str());
}

/// Leaves a remark of which config a kernel has, the runner-up, and what decided: the
/// criterion of the family, or the place that gives the config.
static void remarkConfig(KernelOp kernel, const codegen::KernelAnalysis &analysis,
                         const codegen::CodeRequest &request, Attribute config,
                         StringRef given) {
  auto remark =
      remarkPassed(kernel.getLoc(), "kiln-choose-configs", "config",
                   given.empty() ? "ranked first of the configs that the kernel can have"
                                 : "given by hand, or by a configs file");
  if (!remark)
    return;
  codegen::Explanation explanation = analysis.explain(request);
  remark << RemarkValue("Target",
                        request.target.name + codegen::variantSuffix(request.variant))
         << RemarkValue("Criterion", given.empty() ? explanation.criterion : given.str())
         << RemarkValue("Candidates", explanation.candidates.size());
  auto chosen =
      llvm::find_if(explanation.candidates, [&](const codegen::Candidate &one) {
        return one.attribute == config;
      });
  if (chosen != explanation.candidates.end())
    addCandidate(remark, "Config", *chosen);
  else
    remark << RemarkValue("Config", config);
  for (const codegen::Candidate &other : explanation.candidates)
    if (other.attribute != config)
      return addCandidate(remark, "RunnerUp", other);
}

/// Returns the config that is given, or else the one that the family chooses, which may
/// be null. Reports an error where checkConfig refuses the former.
FailureOr<Attribute> ChooseConfigsPass::configOf(KernelOp kernel,
                                                 const codegen::KernelAnalysis &analysis,
                                                 const codegen::CodeRequest &request) {
  std::optional<GivenConfig> given = givenConfig(kernel, analysis, request);
  FailureOr<Attribute> config = given ? checked(kernel, analysis, request, *given)
                                      : FailureOr(analysis.chooseConfig(request));
  if (succeeded(config) && *config)
    remarkConfig(kernel, analysis, request, *config, given ? given->where : "");
  return config;
}

FailureOr<DictionaryAttr>
ChooseConfigsPass::configsOf(KernelOp kernel, const codegen::KernelAnalysis &analysis) {
  SmallVector<NamedAttribute> entries;
  for (const TargetInfo &target : infos) {
    Activity activity("the configs of '" + kernel.getHero() + "' for " + target.name);
    SmallVector<std::optional<codegen::Variant>> variants{std::nullopt};
    if (!batchInvariant)
      llvm::append_range(variants, analysis.variants(target));
    for (const std::optional<codegen::Variant> &variant : variants) {
      FailureOr<Attribute> config = configOf(kernel, analysis, {target, variant});
      if (failed(config))
        return failure();
      if (!*config)
        continue;
      entries.emplace_back(
          StringAttr::get(&getContext(), target.name + codegen::variantSuffix(variant)),
          *config);
    }
  }
  if (DictionaryAttr configs = present.lookup(&analysis))
    if (failed(checkPresent(kernel, configs, entries)))
      return failure();
  return DictionaryAttr::get(&getContext(), entries);
}

/// Warns about unused lines of the file: they are for another model or target, or have a
/// wrong key.
void ChooseConfigsPass::warnOfUnused() {
  for (const codegen::ConfigsFile::Line &line : given.getLines())
    if (!line.isUsed)
      emitWarning(UnknownLoc::get(&getContext()))
          << line.where << ": unused: no kernel of this model is " << line.key << " on "
          << line.target;
}

void ChooseConfigsPass::runOnOperation() {
  if (failed(readInputs()) || failed(readPresent()))
    return signalPassFailure();
  DenseMap<const codegen::KernelAnalysis *, DictionaryAttr> known;
  for (KernelOp kernel : kernelsOf(getOperation())) {
    const codegen::KernelAnalysis &analysis = analyses->of(kernel);
    auto [it, inserted] = known.try_emplace(&analysis);
    if (inserted) {
      FailureOr<DictionaryAttr> chosen = configsOf(kernel, analysis);
      if (failed(chosen))
        return signalPassFailure();
      it->second = *chosen;
    }
    if (!it->second.empty())
      kernel->setDiscardableAttr(tile::kConfigsAttr, it->second);
  }
  warnOfUnused();
}

std::unique_ptr<Pass> kiln::createChooseConfigsPass(ChooseConfigsPassOptions options,
                                                    codegen::SharedAnalyses analyses) {
  return std::make_unique<ChooseConfigsPass>(options, std::move(analyses));
}
