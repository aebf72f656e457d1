//===- ObserveProducts.cpp - Adds inputs of matmuls as outputs ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScaledOperands.h"
#include "dialects/Graph/Reports.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace kiln {
#define GEN_PASS_DEF_OBSERVEPRODUCTSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static SymbolicExpr rowsOf(Value value) {
  SymbolicExpr rows(1);
  Dims dims = getDims(value);
  for (const SymbolicExpr &dim : ArrayRef(dims).drop_back())
    rows *= dim;
  return rows;
}

/// Returns X^T X for all rows of a value.
static Value sumOfProducts(OpBuilder &b, Value value) {
  Value matrix =
      reshapeTo(b, value.getLoc(), value, {rowsOf(value), getDims(value).back()});
  return MatmulOp::create(b, value.getLoc(), matrix, matrix, /*transposeA=*/true);
}

/// Returns the largest magnitude of each column over all rows of a value.
static Value largestOfColumns(OpBuilder &b, Value value) {
  Location loc = value.getLoc();
  Value magnitudes = UnaryOp::create(b, loc, UnaryKind::abs, value);
  SmallVector<int64_t> rows = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(value) - 1));
  return ReduceOp::create(b, loc, ReduceKind::max, magnitudes, rows, /*keepDims=*/false);
}

static Value observe(OpBuilder &b, Value value, Observed what) {
  switch (what) {
  case Observed::Products:
    return sumOfProducts(b, value);
  case Observed::Maxima:
    return largestOfColumns(b, value);
  case Observed::Values:
    return value;
  }
  llvm_unreachable("all are named");
}

/// Adds a result to a single-block function.
static void addResult(func::FuncOp function, Value value, StringRef name) {
  auto terminator = cast<func::ReturnOp>(function.getBody().back().getTerminator());
  terminator.getOperandsMutable().append(value);
  OpBuilder b(function.getContext());
  NamedAttribute attr = b.getNamedAttr(kNameAttr, b.getStringAttr(name));
  (void)function.insertResult(function.getNumResults(), value.getType(),
                              b.getDictionaryAttr({attr}));
}

/// Drops the first `count` results of a function, which makes ops that only they need
/// dead.
static void dropResults(func::FuncOp function, unsigned count) {
  auto terminator = cast<func::ReturnOp>(function.getBody().back().getTerminator());
  terminator.getOperandsMutable().erase(0, count);
  llvm::BitVector dropped(function.getNumResults());
  dropped.set(0, count);
  (void)function.eraseResults(dropped);
}

std::vector<ObservedInput> kiln::observeProducts(func::FuncOp main,
                                                 const Observation &observation) {
  llvm::MapVector<Value, std::vector<std::string>> inputs;
  main.walk([&](MatmulOp op) {
    if (whyNotQuantized(op).empty())
      llvm::append_range(inputs[op.getLhs()], nodeNames(op.getLoc()));
  });
  std::vector<ObservedInput> observed;
  OpBuilder b(main.getBody().back().getTerminator());
  unsigned results = main.getNumResults();
  uint64_t count = 0, elements = 0;
  for (auto &[value, nodes] : inputs) {
    int64_t k = getDims(value).back().getConstant().value_or(0);
    ObservedInput input{{}, k, std::move(nodes), rowsOf(value).str()};
    uint64_t own = observation.elementsOf(k);
    bool fits = own <= observation.elements && elements <= observation.elements - own;
    if (observed.size() >= observation.first &&
        observed.size() == observation.first + count && (fits || count == 0)) {
      input.output = "observed." + std::to_string(count++);
      elements += own;
      addResult(main, observe(b, value, observation.what), input.output);
    }
    observed.push_back(std::move(input));
  }
  if (count)
    dropResults(main, results);
  return observed;
}

namespace {
class ObserveProductsPass
    : public kiln::impl::ObserveProductsPassBase<ObserveProductsPass> {
public:
  using ObserveProductsPassBase::ObserveProductsPassBase;
  void runOnGraph() override {
    auto main = mainOf(getOperation());
    if (!main)
      return;
    std::vector<ObservedInput> inputs = observeProducts(main, {first, elements, what});
    numObserved += llvm::count_if(
        inputs, [](const ObservedInput &input) { return !input.output.empty(); });
    addToReport(getOperation(), kObservedAttr, inputs);
  }
};
} // namespace

