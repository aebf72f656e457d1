//===- Blocks.cpp - Fewer ops in any block --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Plan/Plan.h"
#include "dialects/Tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace kiln;
using namespace kiln::reduce;
using namespace mlir;

/// Ops that are no declarations, no terminators and no part of a plan.
static void walkOps(ModuleOp module, llvm::function_ref<void(Operation *)> visit) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getParentOp() && !isa<ModuleOp, plan::ProgramOp>(op->getParentOp()) &&
        !op->hasTrait<OpTrait::IsTerminator>())
      visit(op);
  });
}

/// Calls `edit` for sites from the last to the first: what ops hold, and what reads them,
/// comes before them.
static bool editReversed(ArrayRef<Site> sites,
                         llvm::function_ref<bool(const Site &)> edit) {
  bool changed = false;
  for (const Site &site : llvm::reverse(sites))
    changed |= edit(site);
  return changed;
}

//===----------------------------------------------------------------------===//
// Unused ops
//===----------------------------------------------------------------------===//

static void collectUnused(ModuleOp module, Sites &sites) {
  walkOps(module, [&](Operation *op) {
    if (op->use_empty())
      sites.push_back({op});
  });
}

static bool eraseUnused(ModuleOp module, ArrayRef<Site> sites) {
  return editReversed(sites, [](const Site &site) {
    site.op->dropAllUses();
    site.op->erase();
    return true;
  });
}

const ModuleEdit reduce::kEraseUnused = {"erase unused ops", collectUnused, eraseUnused};

//===----------------------------------------------------------------------===//
// Results replaced by other values
//===----------------------------------------------------------------------===//

static bool replaceAndErase(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return true;
}

/// The operand of that number that each result can be replaced by; results and operands
/// of loops are such pairs.
static Value operandFor(Operation *op, unsigned result, unsigned first) {
  unsigned skipped = 0;
  for (Value operand : op->getOperands())
    if (operand.getType() == op->getResult(result).getType() &&
        skipped++ == first + (op->getNumResults() > 1 ? result : 0))
      return operand;
  return {};
}

static void collectByOperand(ModuleOp module, Sites &sites) {
  walkOps(module, [&](Operation *op) {
    bool isPossible = op->getNumResults() > 0;
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      isPossible = isPossible && operandFor(op, i, 0);
    for (unsigned first = 0; isPossible && operandFor(op, op->getNumResults() - 1, first);
         ++first)
      sites.push_back({op, first});
  });
}

static bool replaceByOperand(ModuleOp module, ArrayRef<Site> sites) {
  Operation *last = nullptr;
  return editReversed(sites, [&](const Site &site) {
    // Of several operands of an op the last one takes its place.
    if (site.op == last)
      return false;
    last = site.op;
    for (unsigned i = 0; i < site.op->getNumResults(); ++i)
      site.op->getResult(i).replaceAllUsesWith(operandFor(site.op, i, site.index));
    site.op->erase();
    return true;
  });
}

const ModuleEdit reduce::kReplaceByOperand = {"replace results by operands",
                                              collectByOperand, replaceByOperand};

/// The first argument of that type that an op can read.
static Value argumentFor(Operation *op, Type type) {
  for (Block *block = op->getBlock(); block; block = block->getParentOp()->getBlock()) {
    for (Value argument : block->getArguments())
      if (argument.getType() == type)
        return argument;
    if (block->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
  }
  return {};
}

/// Visits the arguments of an op's regions that something reads.
static void walkArguments(ModuleOp module,
                          llvm::function_ref<void(Operation *, BlockArgument)> visit) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (BlockArgument argument :
           region.empty() ? ArrayRef<BlockArgument>() : region.getArguments())
        if (!argument.use_empty())
          visit(op, argument);
  });
}

/// Place of an argument: 0 stands for the result of an op.
static Site siteOf(Operation *op, BlockArgument argument) {
  unsigned region = argument.getOwner()->getParent()->getRegionNumber();
  constexpr unsigned kRegions = 4;
  return {op, 1 + argument.getArgNumber() * kRegions + region};
}

/// Value that a site of siteOf names.
static Value valueAt(const Site &site) {
  constexpr unsigned kRegions = 4;
  if (!site.index)
    return site.op->getResult(0);
  unsigned number = site.index - 1;
  return site.op->getRegion(number % kRegions).getArgument(number / kRegions);
}

/// An argument in front of this one with its type.
static Value earlierArgument(BlockArgument argument) {
  for (BlockArgument other : argument.getOwner()->getArguments())
    if (other == argument || other.getType() == argument.getType())
      return other == argument ? Value() : other;
  return {};
}

static void collectByArgument(ModuleOp module, Sites &sites) {
  walkOps(module, [&](Operation *op) {
    if (op->getNumResults() == 1 && op->getNumOperands() &&
        argumentFor(op, op->getResult(0).getType()))
      sites.push_back({op});
  });
  walkArguments(module, [&](Operation *op, BlockArgument argument) {
    if (earlierArgument(argument))
      sites.push_back(siteOf(op, argument));
  });
}

static bool replaceByArgument(ModuleOp module, ArrayRef<Site> sites) {
  return editReversed(sites, [](const Site &site) {
    Value value = valueAt(site);
    if (!site.index)
      return replaceAndErase(site.op, argumentFor(site.op, value.getType()));
    value.replaceAllUsesWith(earlierArgument(cast<BlockArgument>(value)));
    return true;
  });
}

const ModuleEdit reduce::kReplaceByArgument = {"replace values by arguments",
                                               collectByArgument, replaceByArgument};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Removes an operand, which then counts no more in its group.
static void removeOperand(Operation *op, int32_t index) {
  op->eraseOperand(index);
  StringAttr name = StringAttr::get(op->getContext(), "operandSegmentSizes");
  auto groups = dyn_cast_or_null<DenseI32ArrayAttr>(
      op->getInherentAttr(name).value_or(Attribute()));
  if (!groups)
    return;
  SmallVector<int32_t> sizes(groups.asArrayRef());
  unsigned group = 0;
  for (; index >= sizes[group]; ++group)
    index -= sizes[group];
  --sizes[group];
  op->setInherentAttr(name, DenseI32ArrayAttr::get(op->getContext(), sizes));
}

/// Asks the op's own verifier whether it can be without an operand.
static bool isOperandOptional(Operation *op, unsigned index) {
  Operation *copy = op->clone();
  removeOperand(copy, index);
  bool isValid = succeeded(copy->getName().verifyInvariants(copy));
  copy->destroy();
  return isValid;
}

static void collectOperands(ModuleOp module, Sites &sites) {
  ScopedDiagnosticHandler silent(module.getContext(), [](Diagnostic &) {});
  walkOps(module, [&](Operation *op) {
    for (unsigned i = 0; i < op->getNumOperands() && !op->getNumRegions(); ++i)
      if (isOperandOptional(op, i))
        sites.push_back({op, i});
  });
}

static bool dropOperands(ModuleOp module, ArrayRef<Site> sites) {
  return editReversed(sites, [](const Site &site) {
    removeOperand(site.op, int32_t(site.index));
    return true;
  });
}

const ModuleEdit reduce::kDropOperands = {"drop operands", collectOperands, dropOperands};

//===----------------------------------------------------------------------===//
// Results replaced by constants
//===----------------------------------------------------------------------===//

/// An element that is neutral to products, as which few rewrites take it: 1, and 0 of
/// integers, which index.
static TypedAttr elementOf(Type type) {
  Builder builder(type.getContext());
  if (isa<FloatType>(type))
    return builder.getFloatAttr(type, 1);
  if (isa<IntegerType, IndexType>(type))
    return builder.getIntegerAttr(type, 0);
  return {};
}

/// Constant of a type as an attribute; null if it has none.
static TypedAttr constantOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return elementOf(type);
  TypedAttr element;
  if (isa<RankedTensorType, VectorType>(type) && shaped.hasStaticShape())
    element = elementOf(shaped.getElementType());
  return element ? DenseElementsAttr::get(shaped, Attribute(element)) : TypedAttr();
}

static Value makeConstant(OpBuilder &builder, Location loc, Type type) {
  TypedAttr value = constantOf(type);
  if (isa<RankedTensorType>(type))
    return graph::ConstantOp::create(builder, loc, cast<ElementsAttr>(value));
  return arith::ConstantOp::create(builder, loc, value);
}

static void collectByConstant(ModuleOp module, Sites &sites) {
  walkOps(module, [&](Operation *op) {
    if (op->getNumResults() == 1 && !matchPattern(op, m_Constant()) &&
        constantOf(op->getResult(0).getType()))
      sites.push_back({op});
  });
  walkArguments(module, [&](Operation *op, BlockArgument argument) {
    if (argument.getType().isIndex() && !isa<LoopLikeOpInterface>(op))
      sites.push_back(siteOf(op, argument));
  });
}

static bool replaceByConstant(ModuleOp module, ArrayRef<Site> sites) {
  return editReversed(sites, [](const Site &site) {
    OpBuilder builder(site.op);
    Value value = valueAt(site);
    if (site.index)
      builder.setInsertionPointToStart(cast<BlockArgument>(value).getOwner());
    Value constant = makeConstant(builder, site.op->getLoc(), value.getType());
    if (!site.index)
      return replaceAndErase(site.op, constant);
    value.replaceAllUsesWith(constant);
    return true;
  });
}

const ModuleEdit reduce::kReplaceByConstant = {"replace values by constants",
                                               collectByConstant, replaceByConstant};

//===----------------------------------------------------------------------===//
// Loops and conditions
//===----------------------------------------------------------------------===//

static void collectRegions(ModuleOp module, Sites &sites) {
  walkOps(module, [&](Operation *op) {
    if (isa<scf::ForOp>(op))
      sites.push_back({op});
    if (auto branches = dyn_cast<scf::IfOp>(op))
      for (unsigned i = 0; i < 2; ++i)
        if (!branches->getRegion(i).empty())
          sites.push_back({op, i});
  });
}

/// Puts what a region computes in place of its op.
static bool inlineRegion(const Site &site) {
  Block &body = site.op->getRegion(site.index).front();
  if (auto loop = dyn_cast<scf::ForOp>(site.op)) {
    loop.getInductionVar().replaceAllUsesWith(loop.getLowerBound());
    for (auto [argument, init] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      argument.replaceAllUsesWith(init);
  }
  Operation *terminator = body.getTerminator();
  site.op->replaceAllUsesWith(terminator->getOperands());
  terminator->erase();
  site.op->getBlock()->getOperations().splice(site.op->getIterator(),
                                              body.getOperations());
  site.op->erase();
  return true;
}

static bool inlineRegions(ModuleOp module, ArrayRef<Site> sites) {
  Operation *last = nullptr;
  return editReversed(sites, [&](const Site &site) {
    return site.op != std::exchange(last, site.op) && inlineRegion(site);
  });
}

const ModuleEdit reduce::kInlineRegions = {"inline loops and conditions", collectRegions,
                                           inlineRegions};
