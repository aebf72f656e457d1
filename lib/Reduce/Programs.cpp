//===- Programs.cpp - Ops, inputs and outputs of programs and kernels -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/SymbolBounds.h"
#include "dialects/Tile/Tile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace kiln::graph;
using namespace kiln;
using namespace kiln::reduce;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

/// A name that no input or output of a program has.
static StringAttr unusedName(func::FuncOp program) {
  llvm::SmallPtrSet<Attribute, 16> used;
  for (unsigned i = 0; i < program.getNumArguments(); ++i)
    used.insert(program.getArgAttr(i, kNameAttr));
  for (unsigned i = 0; i < program.getNumResults(); ++i)
    used.insert(program.getResultAttr(i, kNameAttr));
  for (unsigned i = 0;; ++i)
    if (auto name = StringAttr::get(program.getContext(), "cut" + Twine(i));
        !used.contains(name))
      return name;
}

static DictionaryAttr namedAttributes(func::FuncOp program) {
  return DictionaryAttr::get(program.getContext(),
                             NamedAttribute(kNameAttr, unusedName(program)));
}

/// Adds an input to a program, or to a kernel of one; null if there is no way to.
static Value addArgument(Operation *container, Type type) {
  if (auto program = dyn_cast<func::FuncOp>(container)) {
    unsigned count = program.getNumArguments();
    if (failed(program.insertArgument(count, type, namedAttributes(program),
                                      program.getLoc())))
      return {};
    return program.getArgument(count);
  }
  auto kernel = cast<KernelOp>(container);
  Value outer = addArgument(kernel->getParentOp(), type);
  if (!outer)
    return {};
  kernel->insertOperands(kernel->getNumOperands(), outer);
  return kernel.getBlock().addArgument(type, kernel.getLoc());
}

/// Makes a kernel anew whose results are those that it yields, and gives the results
/// `kept` of the old one, by their numbers in the new one, to the readers of those.
static KernelOp rebuild(KernelOp kernel, ArrayRef<unsigned> kept) {
  OpBuilder builder(kernel);
  OperationState state(kernel.getLoc(), kernel->getName());
  state.addOperands(kernel->getOperands());
  state.addTypes(kernel.getYielded().getTypes());
  state.addAttributes(kernel->getAttrDictionary().getValue());
  state.addRegion()->takeBody(kernel.getBody());
  auto made = cast<KernelOp>(builder.create(state));
  for (auto [number, old] : llvm::enumerate(kept))
    kernel.getResult(old).replaceAllUsesWith(made.getResult(number));
  kernel.erase();
  return made;
}

/// Adds an output to a program, or to a kernel of one, which becomes another op.
static Operation *addOutput(Operation *container, Value value) {
  if (auto program = dyn_cast<func::FuncOp>(container)) {
    unsigned count = program.getNumResults();
    if (succeeded(program.insertResult(count, value.getType(), namedAttributes(program))))
      value.getParentBlock()->getTerminator()->insertOperands(count, value);
    return program;
  }
  auto kernel = cast<KernelOp>(container);
  unsigned count = kernel->getNumResults();
  kernel.getBlock().getTerminator()->insertOperands(count, value);
  kernel = rebuild(kernel, llvm::to_vector(llvm::seq(count)));
  addOutput(kernel->getParentOp(), kernel.getResult(count));
  return kernel;
}

static bool hasOneBlock(func::FuncOp program) {
  return program.getBody().hasOneBlock() &&
         isa<func::ReturnOp>(program.front().getTerminator());
}

/// Programs and the kernels in them, in order.
static SmallVector<Operation *> containersOf(ModuleOp module) {
  SmallVector<Operation *> containers;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto program = dyn_cast<func::FuncOp>(op); program && hasOneBlock(program))
      containers.push_back(op);
    if (isa<KernelOp>(op) && isa<func::FuncOp>(op->getParentOp()))
      containers.push_back(op);
  });
  return containers;
}

static Block &blockOf(Operation *container) { return container->getRegion(0).front(); }

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

namespace {
/// Ops of one block that are cut out of it.
class Cut {
public:
  Cut(Operation *container, ArrayRef<Operation *> ops)
      : container(container), ops(ops.begin(), ops.end()) {}

  bool run();

private:
  bool isCut(Operation *user) {
    Operation *op = blockOf(container).findAncestorOpInBlock(*user);
    return op && ops.contains(op);
  }
  bool replaceResults(Operation *op);
  void collectOutputs(Operation *op);

  Operation *container;
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> outputs;
};
} // namespace

/// Makes inputs of those results that ops read which stay.
bool Cut::replaceResults(Operation *op) {
  for (Value result : op->getResults()) {
    if (llvm::all_of(result.getUsers(), [&](Operation *user) { return isCut(user); }))
      continue;
    Value argument = addArgument(container, result.getType());
    if (!argument)
      return false;
    result.replaceUsesWithIf(argument,
                             [&](OpOperand &use) { return !isCut(use.getOwner()); });
  }
  return true;
}

/// Finds what would have no reader any more, and stays because it may be what shows the
/// bug.
void Cut::collectOutputs(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (definition && definition->getNumOperands() && !isCut(definition) &&
        llvm::all_of(operand.getUsers(), [&](Operation *user) { return isCut(user); }))
      outputs.insert(operand);
  }
}

bool Cut::run() {
  for (Operation *op : ops) {
    if (!replaceResults(op))
      return false;
    collectOutputs(op);
  }
  for (Operation *op : llvm::reverse(ops)) {
    op->dropAllUses();
    op->erase();
  }
  for (Value output : outputs)
    container = addOutput(container, output);
  return !ops.empty();
}

template <typename Container> static void collectOps(ModuleOp module, Sites &sites) {
  for (Operation *container : containersOf(module))
    if (isa<Container>(container))
      for (Operation &op : blockOf(container).without_terminator())
        sites.push_back({&op});
}

static bool cut(ModuleOp module, ArrayRef<Site> sites) {
  llvm::MapVector<Operation *, SmallVector<Operation *>> byContainer;
  for (const Site &site : sites)
    byContainer[site.op->getParentOp()].push_back(site.op);
  bool changed = false;
  for (auto &[container, ops] : byContainer)
    changed |= Cut(container, ops).run();
  return changed;
}

const ModuleEdit reduce::kCutPrograms = {"cut ops out of programs",
                                         collectOps<func::FuncOp>, cut};
const ModuleEdit reduce::kCutKernels = {"cut ops out of kernels", collectOps<KernelOp>,
                                        cut};

//===----------------------------------------------------------------------===//
// Fewer inputs and outputs
//===----------------------------------------------------------------------===//

static void collectOutputs(ModuleOp module, Sites &sites) {
  for (Operation *container : containersOf(module))
    for (unsigned i = 0; i < blockOf(container).getTerminator()->getNumOperands(); ++i)
      if (isa<func::FuncOp>(container) || container->getResult(i).use_empty())
        sites.push_back({container, i});
}

static bool dropOutput(func::FuncOp program, llvm::BitVector dropped) {
  program.front().getTerminator()->eraseOperands(dropped);
  return succeeded(program.eraseResults(dropped));
}

static bool dropOutput(KernelOp kernel, const llvm::BitVector &dropped) {
  SmallVector<unsigned> kept;
  for (unsigned i = 0; i < kernel->getNumResults(); ++i)
    if (!dropped[i])
      kept.push_back(i);
  kernel.getBlock().getTerminator()->eraseOperands(dropped);
  rebuild(kernel, kept);
  return true;
}

static bool dropOutputs(ModuleOp module, ArrayRef<Site> sites) {
  llvm::MapVector<Operation *, llvm::BitVector> dropped;
  for (const Site &site : sites) {
    llvm::BitVector &numbers = dropped[site.op];
    numbers.resize(blockOf(site.op).getTerminator()->getNumOperands());
    numbers.set(site.index);
  }
  bool changed = false;
  // Kernels, which are made anew, in front of the programs that hold them.
  for (auto &[container, numbers] : llvm::reverse(dropped))
    changed |= isa<KernelOp>(container)
                   ? dropOutput(cast<KernelOp>(container), numbers)
                   : dropOutput(cast<func::FuncOp>(container), numbers);
  return changed;
}

const ModuleEdit reduce::kDropOutputs = {"drop outputs", collectOutputs, dropOutputs};

static void collectArguments(ModuleOp module, Sites &sites) {
  auto collect = [&](Operation *container, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      if (blockOf(container).getArgument(i).use_empty())
        sites.push_back({container, i});
  };
  for (Operation *container : containersOf(module))
    collect(container, blockOf(container).getNumArguments());
  module.walk([&](tile::KernelOp kernel) { collect(kernel, kernel.getNumBuffers()); });
}

static bool dropArgument(Operation *container, unsigned index) {
  if (auto program = dyn_cast<func::FuncOp>(container))
    return succeeded(program.eraseArgument(index));
  if (isa<KernelOp>(container))
    container->eraseOperand(index);
  else if (auto kernel = cast<tile::KernelOp>(container); index < kernel.getReads())
    kernel.setReads(kernel.getReads() - 1);
  blockOf(container).eraseArgument(index);
  return true;
}

static bool dropArguments(ModuleOp module, ArrayRef<Site> sites) {
  bool changed = false;
  for (const Site &site : llvm::reverse(sites))
    changed |= dropArgument(site.op, site.index);
  return changed;
}

const ModuleEdit reduce::kDropArguments = {"drop arguments", collectArguments,
                                           dropArguments};

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

static void collectDeclarations(ModuleOp module, Sites &sites) {
  llvm::DenseSet<StringAttr> used = usedSymbols(module);
  module.walk<WalkOrder::PreOrder>([&](ModuleOp inner) {
    for (Operation &op : *inner.getBody())
      if (auto symbol = dyn_cast<SymbolOp>(op);
          !symbol || !used.contains(symbol.getSymNameAttr()))
        sites.push_back({&op});
  });
}

static bool eraseAll(ModuleOp module, ArrayRef<Site> sites) {
  // What stands inside of others comes behind them.
  for (const Site &site : llvm::reverse(sites))
    site.op->erase();
  return !sites.empty();
}

const ModuleEdit reduce::kEraseDeclarations = {"erase declarations", collectDeclarations,
                                               eraseAll};
