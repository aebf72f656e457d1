//===- VerifyEach.cpp - Verifies results after every pass -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/VerifyEach.h"
#include "Ops.h"
#include "dialects/Graph/IndexRows.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Reference/Compare.h"
#include "kiln/Reference/Ranks.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

/// Returns the program that is evaluated; other programs of a model have the same ops.
static func::FuncOp mainOf(ModuleOp module) {
  SmallVector<func::FuncOp> programs =
      module ? programsOf(module) : SmallVector<func::FuncOp>();
  return programs.empty() ? func::FuncOp() : programs.front();
}

//===----------------------------------------------------------------------===//
// Snapshot
//===----------------------------------------------------------------------===//

static llvm::Expected<Results> run(ModuleOp module, ArrayRef<Tensor> inputs,
                                   const Symbols &symbols, const VerifyEachOptions &options) {
  MappedWeights files(options.modelFolder);
  SynthesisedWeights some(options.modelFolder.empty() ? nullptr : &files);
  // All ranks get the same inputs, and rank 0's results are the model's.
  std::vector<BakedWeights> baked;
  std::vector<WeightSource *> weights;
  int64_t ranks = ranksOf(module);
  baked.reserve(ranks);
  for (int64_t rank = 0; rank < ranks; ++rank)
    weights.push_back(&baked.emplace_back(module, some, rank));
  if (ranks == 1)
    return evaluate(mainOf(module), inputs, symbols, *weights.front());
  llvm::Expected<std::vector<Results>> results = evaluateRanks(
      mainOf(module), SmallVector<ArrayRef<Tensor>>(ranks, inputs), symbols, weights);
  if (!results)
    return results.takeError();
  return std::move(results->front());
}

/// Dims and input values of a test case. Dims are distinct, so that swapped dims are
/// detected; the second case has other sizes.
struct CaseKind {
  int64_t firstDim;
  Flavour flavour;
};
static constexpr CaseKind kCases[] = {{2, Flavour::Plain},
                                      {3, Flavour::Adversarial},
                                      {2, Flavour::NonFinite},
                                      {4, Flavour::Masked}};

/// Returns true if an input has a type that the flavour affects.
static bool fitsInputs(func::FuncOp main, Flavour flavour) {
  auto takes = [&](function_ref<bool(Type)> isOf) {
    return llvm::any_of(main.getArgumentTypes(), [&](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && isOf(tensor.getElementType());
    });
  };
  switch (flavour) {
  case Flavour::NonFinite:
    return takes([](Type element) { return isa<FloatType>(element); });
  case Flavour::Masked:
    return takes([](Type element) { return isa<IntegerType>(element); });
  default:
    return true;
  }
}

llvm::Expected<Snapshot> Snapshot::take(ModuleOp module, const VerifyEachOptions &options) {
  Snapshot snapshot;
  func::FuncOp main = mainOf(module);
  snapshot.program = main.getName().str();
  llvm::append_range(snapshot.argumentTypes, main.getArgumentTypes());
  llvm::Error error = llvm::Error::success();
  for (CaseKind kind : kCases) {
    if (!fitsInputs(main, kind.flavour))
      continue;
    Symbols symbols = chooseSymbols(module, kind.firstDim);
    auto inputs = makeInputs(main, symbols, options.seed + snapshot.cases.size(), kind.flavour);
    if (!inputs)
      return llvm::joinErrors(std::move(error), inputs.takeError());
    llvm::Expected<Results> outputs = run(module, *inputs, symbols, options);
    if (outputs)
      snapshot.cases.push_back({kind.flavour, symbols, std::move(*inputs), std::move(*outputs)});
    else // the model may be invalid for these dims
      error = llvm::joinErrors(std::move(error), outputs.takeError());
  }
  if (snapshot.cases.empty())
    return error;
  llvm::consumeError(std::move(error));
  return snapshot;
}

bool Snapshot::fits(func::FuncOp main) const {
  return main.getName() == program && main.getArgumentTypes() == ArrayRef<Type>(argumentTypes);
}

llvm::Expected<Snapshot> Snapshot::repeat(ModuleOp module,
                                          const VerifyEachOptions &options) const {
  Snapshot later = *this;
  for (Case &one : later.cases) {
    llvm::Expected<Results> outputs = run(module, one.inputs, one.symbols, options);
    if (!outputs)
      return outputs.takeError();
    one.outputs = std::move(*outputs);
  }
  return later;
}

static std::string outputName(func::FuncOp main, unsigned i) {
  if (i < main.getNumResults())
    if (auto name = main.getResultAttrOfType<StringAttr>(i, kNameAttr))
      return "output '" + name.str() + "'";
  return "output " + std::to_string(i);
}

/// Returns the number of results that are outputs of the model.
static size_t countOutputs(func::FuncOp main) {
  size_t count = main.getNumResults();
  while (count && main.getResultAttr(count - 1, kIndexCheckAttr))
    --count;
  return count;
}

static llvm::Error changed(StringRef where, std::string what, std::string expected,
                           std::string found) {
  return makeError({ErrorCode::PassChangedResult, where.str(), std::move(what),
                    std::move(expected), std::move(found),
                    "compile without --verify=each only to go on; report the pass"});
}

/// Returns `found` with elements of `expected` where either is not finite.
static Tensor withoutNonFinite(const Tensor &found, const Tensor &expected) {
  if (!found.isFloat() || found.getShape() != expected.getShape() ||
      found.getElementType() != expected.getElementType())
    return found;
  std::vector<double> values;
  for (int64_t i = 0; i < found.getNumElements(); ++i) {
    double own = found.getDouble(i), other = expected.getDouble(i);
    values.push_back(std::isfinite(own) && std::isfinite(other) ? own : other);
  }
  return Tensor::fromDoubles(found.getElementType(), found.getShape(), values);
}

llvm::Error Snapshot::check(const Snapshot &later, func::FuncOp main, StringRef where,
                            const VerifyEachOptions &options) const {
  for (auto [before, after] : llvm::zip(cases, later.cases)) {
    if (options.ignoreAdversarial && before.flavour == Flavour::Adversarial)
      continue;
    // Index checks are results after the outputs; a pass may add some.
    size_t outputs = countOutputs(main), had = before.outputs.size();
    if (had < outputs || after.outputs.size() < had)
      return changed(where, "the number of outputs changed", std::to_string(had),
                     std::to_string(after.outputs.size()));
    for (auto [i, expected] : llvm::enumerate(before.outputs)) {
      Tensor found = options.ignoreNonFinite ? withoutNonFinite(after.outputs[i], expected)
                                             : after.outputs[i];
      Difference difference = compare(found, expected, options.tolerance);
      if (difference.same)
        continue;
      std::string at = before.symbols.str();
      return changed(where, outputName(main, i) + " changed",
                     llvm::formatv("a relative error of at most {0:e1}", options.tolerance),
                     difference.str(found.getShape()) + (at.empty() ? "" : " with " + at));
    }
  }
  return llvm::Error::success();
}

llvm::Error reference::compareModules(ModuleOp before, ModuleOp after, StringRef where,
                                      const VerifyEachOptions &options) {
  llvm::Expected<Snapshot> first = Snapshot::take(before, options);
  if (!first)
    return first.takeError();
  llvm::Expected<Snapshot> second = first->repeat(after, options);
  if (!second)
    return second.takeError();
  return first->check(*second, mainOf(after), where, options);
}

//===----------------------------------------------------------------------===//
// Instrumentation
//===----------------------------------------------------------------------===//

static ModuleOp moduleOf(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  for (Operation *at = op; (at = at->getParentOp());)
    if (auto outer = dyn_cast<ModuleOp>(at))
      module = outer;
  return module;
}

static std::string nameOf(Pass *pass) {
  StringRef name = pass->getArgument().empty() ? pass->getName() : pass->getArgument();
  return "pass '" + name.str() + "'";
}

void VerifyEachInstrumentation::refresh(ModuleOp module, StringRef where) {
  snapshot.reset();
  if (!mainOf(module))
    return;
  llvm::Expected<Snapshot> taken = Snapshot::take(module, options);
  if (taken) {
    snapshot = std::move(*taken);
    return;
  }
  Diagnosis diagnosis = takeDiagnosis(taken.takeError());
  if (std::exchange(warned, true))
    return;
  mlir::emitWarning(module.getLoc())
      << where << " is not verified, because the model before it cannot be evaluated: "
      << diagnosis.str();
}

void VerifyEachInstrumentation::runBeforePass(Pass *pass, Operation *op) {
  ModuleOp module = moduleOf(op);
  if (!module)
    return;
  if (auto *changing = dynamic_cast<ChangesResults *>(pass))
    changes[pass] = changing->resultChange(module);
  OperationFingerPrint now(module);
  if (fingerprint == now)
    return;
  fingerprint = now;
  refresh(module, nameOf(pass));
}

void VerifyEachInstrumentation::runAfterPass(Pass *pass, Operation *op) {
  ModuleOp module = moduleOf(op);
  if (!module)
    return;
  OperationFingerPrint now(module);
  // The module is unchanged, or this is a pipeline whose last pass was already verified.
  if (fingerprint == now)
    return;
  if (!snapshot || !mainOf(module)) {
    fingerprint.reset(); // the module's state is unknown now
    return;
  }
  fingerprint = now;
  // Passes that create state change the inputs, so that results cannot be compared.
  if (!snapshot->fits(mainOf(module))) {
    mlir::emitWarning(module.getLoc())
        << nameOf(pass) << " is not verified, because it changes what the model takes";
    return fingerprint.reset();
  }
  llvm::Expected<Snapshot> later = snapshot->repeat(module, options);
  VerifyEachOptions own = options;
  ResultChange change = changes.lookup(pass);
  if (change.tolerance > 0)
    own.tolerance = change.tolerance;
  own.ignoreAdversarial = change.assumesMasks;
  own.ignoreNonFinite = change.movesNonFinite;
  llvm::Error error = later ? snapshot->check(*later, mainOf(module), nameOf(pass), own)
                            : changed(nameOf(pass), "the model can no longer be evaluated", {},
                                      llvm::toString(later.takeError()));
  if (later)
    snapshot = std::move(*later); // the next pass is compared with this result
  else
    snapshot.reset();
  if (error) {
    failed = true;
    kiln::emitError(module.getLoc(), takeDiagnosis(std::move(error)));
  }
}

LogicalResult reference::runVerified(PassManager &pm, ModuleOp module,
                                     const VerifyEachOptions &options) {
  bool failed = false;
  module.getContext()->disableMultithreading();
  pm.addInstrumentation(std::make_unique<VerifyEachInstrumentation>(options, failed));
  LogicalResult result = pm.run(module);
  return failed ? failure() : result;
}
