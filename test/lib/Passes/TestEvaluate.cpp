//===- TestEvaluate.cpp - What a function computes --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates functions with lib/Reference and prints the results, as constants are folded
// only if that makes a model smaller. Argument i has the values i, i + 1, i + 2 ...
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "kiln/Reference/Evaluator.h"
#include "kiln/Support/Error.h"
#include "mlir/Pass/Pass.h"

using namespace kiln;
using namespace mlir;

namespace {
struct Evaluate : public PassWrapper<Evaluate, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Evaluate)

  Evaluate() = default;
  Evaluate(const Evaluate &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "kiln-test-evaluate"; }
  StringRef getDescription() const final {
    return "Print what every function computes, in double precision, rounded at its end";
  }

  ListOption<std::string> dims{*this, "dims",
                               llvm::cl::desc("Values of symbols: name:value,name:value")};

  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (llvm::Error error = print(function)) {
        (void)kiln::emitError(function.getLoc(), takeDiagnosis(std::move(error)));
        return signalPassFailure();
      }
  }

private:
  reference::Symbols symbols() const {
    reference::Symbols given;
    for (StringRef dim : dims) {
      auto [name, value] = dim.split(':');
      int64_t number = 0;
      if (!value.getAsInteger(10, number))
        given.set(name, number);
    }
    return given;
  }

  static reference::Tensor argument(Type type, ArrayRef<int64_t> shape, int64_t first) {
    SmallVector<int64_t> values(llvm::product_of(shape));
    std::iota(values.begin(), values.end(), first);
    Type element = cast<RankedTensorType>(type).getElementType();
    if (!isa<FloatType>(element))
      return reference::Tensor::fromInts(element, shape, values);
    SmallVector<double> floats(values.begin(), values.end());
    return reference::Tensor::fromDoubles(element, shape, floats);
  }

  llvm::Error print(func::FuncOp function) {
    reference::Symbols given = symbols();
    SmallVector<reference::Tensor> inputs;
    for (Type type : function.getArgumentTypes()) {
      llvm::Expected<reference::Shape> shape = reference::shapeOf(type, given);
      if (!shape)
        return shape.takeError();
      inputs.push_back(argument(type, *shape, inputs.size()));
    }
    reference::NoWeights weights;
    llvm::Expected<reference::Results> results =
        reference::evaluate(function.getBody().front(), inputs, given, weights);
    if (!results)
      return results.takeError();
    llvm::outs() << "func.func @" << function.getName() << "\n";
    for (auto [i, result] : llvm::enumerate(*results)) {
      if (auto name = function.getResultAttrOfType<StringAttr>(i, "graph.name"))
        llvm::outs() << "  " << name.getValue() << " = ";
      else
        llvm::outs() << "  #" << i << " = ";
      DenseElementsAttr value = result.toAttr();
      llvm::outs() << value << "\n";
    }
    return llvm::Error::success();
  }
};
} // namespace

void kiln::test::registerEvaluate() { PassRegistration<Evaluate>(); }
