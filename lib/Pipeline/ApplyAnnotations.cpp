//===- ApplyAnnotations.cpp - Annotations of weights ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApplyAnnotations.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/NameList.h"
#include "kiln/Transforms/Graph/PrecisionPolicy.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/GlobPattern.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Returns the nodes that read a weight or a value that is computed only from it and
/// other weights.
static std::vector<std::string> readersOf(ArrayRef<GetWeightOp> reads) {
  llvm::SetVector<Value> known;
  std::vector<std::string> names;
  for (GetWeightOp read : reads)
    known.insert(read.getResult());
  for (size_t i = 0; i < known.size(); ++i)
    for (Operation *user : known[i].getUsers()) {
      llvm::append_range(names, nodeNames(user->getLoc()));
      bool isKnown = llvm::all_of(user->getOperands(), [&](Value operand) {
        return known.contains(operand) ||
               isa_and_present<GetWeightOp, ConstantOp>(operand.getDefiningOp());
      });
      if (isKnown)
        known.insert_range(user->getResults());
    }
  return names;
}

namespace {
class Annotator {
public:
  Annotator(ModuleOp module, const ShardAnnotations &annotations, const Mesh &mesh)
      : module(module), annotations(annotations), mesh(mesh),
        used(annotations.rules.size()) {
    for (const ShardRule &rule : annotations.rules)
      globs.push_back(
          rule.by == ShardRule::By::Name
              ? std::nullopt
              : std::optional(llvm::cantFail(llvm::GlobPattern::create(rule.names))));
  }
  llvm::Error run();

private:
  llvm::Error fail(const Twine &what, const Twine &expected, const Twine &found) const {
    return makeError({ErrorCode::BadUsage, annotations.place, what.str(), expected.str(),
                      found.str(), "docs/guides/ranks.md describes annotations"});
  }
  bool names(size_t rule, WeightOp weight, ArrayRef<std::string> readers) const;
  llvm::Error annotate(WeightOp weight, ArrayRef<std::string> readers);
  llvm::Error checkUsed() const;

  ModuleOp module;
  const ShardAnnotations &annotations;
  const Mesh &mesh;
  std::vector<bool> used;
  std::vector<std::optional<llvm::GlobPattern>> globs;
  std::vector<std::string> seen; ///< matched weights
};
} // namespace

bool Annotator::names(size_t rule, WeightOp weight, ArrayRef<std::string> readers) const {
  switch (annotations.rules[rule].by) {
  case ShardRule::By::Name:
    return weight.getSymName() == annotations.rules[rule].names;
  case ShardRule::By::Weight:
    return globs[rule]->match(weight.getSymName());
  case ShardRule::By::Node:
    return llvm::any_of(readers,
                        [&](StringRef reader) { return globs[rule]->match(reader); });
  }
  llvm_unreachable("all kinds of rules are above");
}

llvm::Error Annotator::annotate(WeightOp weight, ArrayRef<std::string> readers) {
  std::optional<int64_t> axis, stage;
  int64_t rank = getDims(weight.getType()).size();
  for (auto [i, rule] : llvm::enumerate(annotations.rules)) {
    if (!names(i, weight, readers))
      continue;
    used[i] = true;
    bool hasAxis = rule.by != ShardRule::By::Node || rank >= 2;
    if (!axis && hasAxis)
      axis = rule.axis;
    if (!stage)
      stage = rule.stage;
  }
  std::string place = ("weight '" + weight.getSymName() + "'").str();
  Builder builder(weight.getContext());
  if (axis) {
    if (*axis >= rank)
      return fail(place + " has no such axis", "less than " + Twine(rank), Twine(*axis));
    if (*axis >= 0 && mesh.tp == 1)
      return fail(place + " is divided among tensor-parallel ranks",
                  "a mesh with tp of 2 or more",
                  mesh.cp > 1   ? "cp"
                  : mesh.pp > 1 ? "pp alone"
                                : "one rank");
    weight->setAttr(kShardAxisAttr, builder.getI64IntegerAttr(*axis));
  }
  if (stage) {
    if (*stage >= mesh.pp)
      return fail(place + " is on a stage that the mesh does not have",
                  "less than " + Twine(mesh.pp), Twine(*stage));
    if (mesh.pp > 1)
      weight->setAttr(kStageAttr, builder.getI64IntegerAttr(*stage));
  }
  return llvm::Error::success();
}

llvm::Error Annotator::checkUsed() const {
  for (auto [rule, isUsed] : llvm::zip(annotations.rules, used)) {
    if (isUsed || rule.by == ShardRule::By::Name)
      continue;
    constexpr size_t kShown = 8;
    return fail("a rule names no weight", "one of " + shortened(seen, kShown),
                rule.names);
  }
  return llvm::Error::success();
}

llvm::Error Annotator::run() {
  llvm::DenseMap<Attribute, SmallVector<GetWeightOp>> reads;
  module.walk([&](GetWeightOp op) { reads[op.getWeightAttr().getAttr()].push_back(op); });
  for (auto weight : module.getOps<WeightOp>()) {
    seen.push_back(weight.getSymName().str());
    if (llvm::Error error = annotate(weight, readersOf(reads[weight.getSymNameAttr()])))
      return error;
  }
  return checkUsed();
}

llvm::Error kiln::applyAnnotations(ModuleOp module, const ShardAnnotations &annotations,
                                   const Mesh &mesh) {
  return Annotator(module, annotations, mesh).run();
}
