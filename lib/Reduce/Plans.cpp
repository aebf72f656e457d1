//===- Plans.cpp - Fewer steps and buffers of plans -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "dialects/Plan/Plan.h"
#include "llvm/ADT/MapVector.h"

using namespace kiln::plan;
using namespace kiln;
using namespace kiln::reduce;
using namespace mlir;

static bool isStep(Operation &op) { return isa<LaunchOp, CopyOp, CollectiveOp>(op); }

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static void collectSteps(ModuleOp module, Sites &sites) {
  module.walk([&](ProgramOp program) {
    for (Operation &op : program.getBody().front())
      if (isStep(op))
        sites.push_back({&op});
  });
}

/// Erases steps of a program, and counts those that are left where numbers name steps.
static void eraseSteps(ProgramOp program, const llvm::DenseSet<Operation *> &erased) {
  SmallVector<int64_t> before{0}; // steps that are left in front of each
  for (Operation &op : program.getBody().front())
    if (isStep(op))
      before.push_back(before.back() + !erased.contains(&op));
  auto renumbered = [&](int64_t step) {
    return step >= 0 && step < int64_t(before.size()) ? before[step] : step;
  };
  for (Operation &op : llvm::make_early_inc_range(program.getBody().front())) {
    if (auto buffer = dyn_cast<BufferOp>(op)) {
      buffer.setFirst(renumbered(buffer.getFirst()));
      buffer.setLast(renumbered(buffer.getLast()));
    }
    auto collective = dyn_cast<CollectiveOp>(op);
    if (collective && collective.getJoin())
      collective.setJoin(renumbered(*collective.getJoin()));
    if (erased.contains(&op))
      op.erase();
  }
}

static bool dropSteps(ModuleOp module, ArrayRef<Site> sites) {
  llvm::MapVector<Operation *, llvm::DenseSet<Operation *>> byProgram;
  for (const Site &site : sites)
    byProgram[site.op->getParentOp()].insert(site.op);
  for (auto &[program, erased] : byProgram)
    eraseSteps(cast<ProgramOp>(program), erased);
  return !sites.empty();
}

const ModuleEdit reduce::kDropSteps = {"drop steps", collectSteps, dropSteps};

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Names that an op's attributes have, but the list of buffers below it.
static void collectNames(Operation &op, llvm::DenseSet<Attribute> &names) {
  AttrTypeWalker walker;
  walker.addWalk([&](FlatSymbolRefAttr name) { names.insert(name.getAttr()); });
  for (NamedAttribute attribute : op.getAttrs())
    if (attribute.getName() != "above")
      walker.walk(attribute.getValue());
}

static void collectBuffers(ModuleOp module, Sites &sites) {
  module.walk([&](ProgramOp program) {
    llvm::DenseSet<Attribute> names;
    for (Operation &op : program.getBody().front())
      collectNames(op, names);
    for (Operation &op : program.getBody().front())
      if (!isStep(op) && !names.contains(SymbolTable::getSymbolName(&op)))
        sites.push_back({&op});
  });
}

/// Takes buffers that are gone off a list of those below another one.
static void dropFromList(BufferOp buffer, const llvm::DenseSet<Attribute> &gone) {
  ArrayAttr above = buffer.getAboveAttr();
  if (!above)
    return;
  SmallVector<Attribute> left;
  for (auto name : above.getAsRange<FlatSymbolRefAttr>())
    if (!gone.contains(name.getAttr()))
      left.push_back(name);
  if (left.empty())
    buffer.removeAboveAttr();
  else
    buffer.setAboveAttr(ArrayAttr::get(buffer.getContext(), left));
}

static bool dropBuffers(ModuleOp module, ArrayRef<Site> sites) {
  llvm::MapVector<Operation *, llvm::DenseSet<Attribute>> gone;
  for (const Site &site : sites) {
    gone[site.op->getParentOp()].insert(SymbolTable::getSymbolName(site.op));
    site.op->erase();
  }
  for (auto &[program, names] : gone)
    for (BufferOp buffer : cast<ProgramOp>(program).getOps<BufferOp>())
      dropFromList(buffer, names);
  return !sites.empty();
}

const ModuleEdit reduce::kDropBuffers = {"drop buffers", collectBuffers, dropBuffers};
