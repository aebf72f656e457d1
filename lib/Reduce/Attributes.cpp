//===- Attributes.cpp - Fewer attributes and locations --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace kiln;
using namespace kiln::reduce;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Asks the op's own verifier whether it can be without an attribute: what is missing is
/// what generated verifiers look for first. Names of programs' inputs and outputs stay.
static bool isOptional(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == SymbolTable::getSymbolAttrName())
    return false;
  if (isa<FunctionOpInterface>(op) &&
      llvm::is_contained({"arg_attrs", "res_attrs"}, attribute.getName().getValue()))
    return false;
  op->removeAttr(attribute.getName());
  // A default may be what was there.
  bool isValid = op->getAttr(attribute.getName()) != attribute.getValue() &&
                 succeeded(op->getName().verifyInvariants(op));
  op->setAttr(attribute.getName(), attribute.getValue());
  return isValid;
}

static void collectAttributes(ModuleOp module, Sites &sites) {
  ScopedDiagnosticHandler silent(module.getContext(), [](Diagnostic &) {});
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (isOptional(op, attribute))
        sites.push_back({op, 0, attribute.getName()});
  });
}

static bool dropAttributes(ModuleOp module, ArrayRef<Site> sites) {
  bool changed = false;
  for (const Site &site : sites)
    changed |= bool(site.op->removeAttr(site.name));
  return changed;
}

const ModuleEdit reduce::kDropAttributes = {"drop attributes", collectAttributes,
                                            dropAttributes};

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

bool reduce::hasLocations(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<UnknownLoc, FileLineColLoc>(op->getLoc()) ? WalkResult::advance()
                                                             : WalkResult::interrupt();
      })
      .wasInterrupted();
}

static void collectLocations(ModuleOp module, Sites &sites) {
  if (hasLocations(module))
    sites.push_back({module});
}

static bool dropLocations(ModuleOp module, ArrayRef<Site>) {
  Location unknown = UnknownLoc::get(module.getContext());
  module.walk([&](Operation *op) {
    op->setLoc(unknown);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(unknown);
  });
  return true;
}

const ModuleEdit reduce::kDropLocations = {"drop locations", collectLocations,
                                           dropLocations};
