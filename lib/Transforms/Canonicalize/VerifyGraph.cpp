//===- VerifyGraph.cpp - Checks the graph level ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Analysis/VerifyPrograms.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "llvm/ADT/StringMap.h"

namespace kiln {
#define GEN_PASS_DEF_VERIFYGRAPHPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kVerifyGraphPass = "kiln-verify-graph";
/// Names of the functions that a module at this level may have: one program, or the
/// programs of a model with state.
static constexpr StringLiteral kFunctions[] = {"main", "prefill", "decode", kBakeName};

namespace {
class Verifier {
public:
  explicit Verifier(ModuleOp module) : module(module), types(module) {}
  LogicalResult run();

private:
  void report(Location loc, ErrorCode::ID code, const Twine &what, const Twine &expected,
              const Twine &found) {
    emitError(loc, Diagnosis{code, {}, what.str(), expected.str(), found.str(), {}});
    ok = false;
  }
  void checkTop();
  void checkName(Location loc, StringAttr name, const Twine &what,
                 llvm::StringMap<unsigned> &seen);
  void checkNames(func::FuncOp program);
  void checkFunction(func::FuncOp function);
  /// False if the op cannot stand in the function, and none of those inside is looked at.
  bool checkOp(Operation *op, func::FuncOp function);
  void checkRanks(Operation *op, int64_t ranks);
  void checkBake(func::FuncOp bake);
  void checkWeights();

  ModuleOp module;
  ValueTypes types;
  bool ok = true;
  llvm::DenseMap<StringAttr, unsigned> timesSet;
  llvm::DenseSet<StringAttr> read;
  std::optional<int64_t> worldSize;
};
} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Verifier::checkTop() {
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    bool known = function && llvm::is_contained(kFunctions, function.getName());
    if (known && function.getBody().hasOneBlock())
      continue;
    if (known)
      report(op.getLoc(), ErrorCode::NoMain, "@" + function.getName() + " has no single block",
             "one block", Twine(function.getBody().getBlocks().size()));
    else if (function)
      report(op.getLoc(), ErrorCode::NoMain, "the module holds another function",
             "@main, or @prefill and @decode, and @bake", "@" + function.getName());
    else if (!isa<SymbolOp, WeightOp>(op))
      report(op.getLoc(), ErrorCode::ForeignOp, "an op cannot stand in the module",
             "graph.symbol, graph.weight or func.func", op.getName().getStringRef());
  }
  SymbolTable symbols(module);
  Operation *main = symbols.lookup("main");
  if (main && (symbols.lookup("prefill") || symbols.lookup("decode")))
    report(main->getLoc(), ErrorCode::NoMain, "the module has two models",
           "@main, or @prefill and @decode", "all of them");
  if (llvm::none_of(module.getOps<func::FuncOp>(),
                    [](func::FuncOp function) { return !isBake(function); }))
    report(module.getLoc(), ErrorCode::NoMain, "the module has no model", "func.func @main",
           "none");
}

void Verifier::checkName(Location loc, StringAttr name, const Twine &what,
                         llvm::StringMap<unsigned> &seen) {
  if (!name || name.empty())
    report(loc, ErrorCode::TensorName, what + " has no name", "graph.name", "none");
  else if (seen[name.getValue()]++)
    report(loc, ErrorCode::TensorName, what + " has the name of another one",
           "distinct names", "\"" + name.getValue() + "\" twice");
}

void Verifier::checkNames(func::FuncOp program) {
  llvm::StringMap<unsigned> inputs, outputs;
  std::string of = (" of @" + program.getName()).str();
  for (unsigned i = 0; i < program.getNumArguments(); ++i)
    if (!program.getArgAttr(i, kStateAttr))
      checkName(program.getArgument(i).getLoc(),
                program.getArgAttrOfType<StringAttr>(i, kNameAttr),
                "argument " + Twine(i) + of, inputs);
  for (unsigned i = 0; i < program.getNumResults(); ++i)
    if (!program.getResultAttr(i, kStateAttr))
      checkName(program.getLoc(), program.getResultAttrOfType<StringAttr>(i, kNameAttr),
                "result " + Twine(i) + of, outputs);
}

//===----------------------------------------------------------------------===//
// Ops and types
//===----------------------------------------------------------------------===//

/// Checks a collective's number of ranks. On a mesh with several axes, a group may have
/// fewer ranks than the module, with a stride.
void Verifier::checkRanks(Operation *op, int64_t ranks) {
  if (!worldSize)
    worldSize = ranks;
  if (ranks < 1 || !axisOfCollective(op).divides(*worldSize))
    report(op->getLoc(), ErrorCode::CollectiveRanks, "collectives differ in the number of ranks",
           Twine(*worldSize), Twine(ranks));
}

bool Verifier::checkOp(Operation *op, func::FuncOp function) {
  bool inBake = isBake(function);
  std::optional<int64_t> ranks = collectiveRanks(op);
  // Names of ops whose dialect is not loaded have no dialect object.
  bool graph = op->isRegistered() && isa<GraphDialect>(op->getDialect());
  bool misplaced = isa<SymbolOp, WeightOp, KernelOp, YieldOp>(op) ||
                   (isa<SetWeightOp>(op) && !inBake) || (ranks && inBake);
  if (!isa<func::ReturnOp>(op) && (!graph || misplaced)) {
    report(op->getLoc(), ErrorCode::ForeignOp,
           "an op cannot stand in @" + function.getName(),
           "ops of the graph dialect before fusion", op->getName().getStringRef());
    return false;
  }
  for (OpResult result : op->getResults())
    ok &= succeeded(
        types.check(op, result.getType(), "result " + Twine(result.getResultNumber())));
  for (NamedAttribute attribute : op->getAttrs())
    if (auto shape = dyn_cast<ShapeAttr>(attribute.getValue()))
      ok &= succeeded(types.check(op, shape));
  if (ranks)
    checkRanks(op, *ranks);
  if (auto get = dyn_cast<GetWeightOp>(op))
    read.insert(get.getWeightAttr().getAttr());
  return true;
}

void Verifier::checkFunction(func::FuncOp function) {
  ok &= succeeded(types.check(function));
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    return op == function || checkOp(op, function) ? WalkResult::advance()
                                                   : WalkResult::skip();
  });
  if (isBake(function))
    checkBake(function);
  else
    checkNames(function);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

void Verifier::checkBake(func::FuncOp bake) {
  SymbolTable symbols(module);
  for (Operation &op : bake.front()) {
    if (auto set = dyn_cast<SetWeightOp>(op))
      ++timesSet[set.getWeightAttr().getAttr()];
    auto get = dyn_cast<GetWeightOp>(op);
    auto weight = get ? symbols.lookup<WeightOp>(get.getWeight()) : WeightOp();
    bool isGiven = weight && (weight.getFile() || weight->hasAttr(kPartAttr));
    if (weight && !isGiven && !timesSet.lookup(weight.getSymNameAttr()))
      report(op.getLoc(), ErrorCode::WeightNotBaked, "@bake reads a weight before it is set",
             "graph.set_weight above", "@" + weight.getSymName());
  }
}

void Verifier::checkWeights() {
  for (WeightOp weight : module.getOps<WeightOp>())
    if (std::optional<WeightPart> part = partOf(weight))
      read.insert(part->of.getAttr());
  for (WeightOp weight : module.getOps<WeightOp>()) {
    unsigned times = timesSet.lookup(weight.getSymNameAttr());
    if (weight->hasAttr(kPartAttr) && times > 0)
      report(weight.getLoc(), ErrorCode::WeightNotBaked,
             "@" + weight.getSymName() + " is a part of another weight, and @bake sets it",
             "no graph.set_weight of a part", Twine(times));
    else if (!weight.getFile() && !weight->hasAttr(kPartAttr) && times != 1)
      report(weight.getLoc(), ErrorCode::WeightNotBaked,
             "@" + weight.getSymName() + " has no file and is not set exactly once",
             "one graph.set_weight in @bake", Twine(times));
    if (!read.contains(weight.getSymNameAttr()))
      remarkAnalysis(weight.getLoc(), kVerifyGraphPass, "unused",
                     "weight @" + weight.getSymName() +
                         " is read by no op: it is not in the package");
  }
}

LogicalResult Verifier::run() {
  if (module->hasAttr(kRanksAttr))
    worldSize = ranksOf(module);
  checkTop();
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (function.getBody().hasOneBlock())
      checkFunction(function);
  checkWeights();
  return success(ok);
}

LogicalResult kiln::verifyGraph(ModuleOp module) { return Verifier(module).run(); }

namespace {
class VerifyGraphPass : public kiln::impl::VerifyGraphPassBase<VerifyGraphPass> {
public:
  void runOnOperation() override {
    if (failed(verifyGraph(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
