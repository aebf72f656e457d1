//===- GraphText.h - Evaluating ops written as text -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_REFERENCE_GRAPHTEXT_H
#define KILN_TEST_UNIT_REFERENCE_GRAPHTEXT_H

#include "kiln/Reference/Evaluator.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <limits>

namespace kiln::reference {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A context with the graph dialect that parses and runs text.
class GraphTest : public testing::Test {
protected:
  GraphTest() {
    mlir::DialectRegistry registry;
    registry.insert<graph::GraphDialect, mlir::func::FuncDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  mlir::Type type(llvm::StringRef text) { return mlir::parseType(text, &context); }
  Tensor floats(llvm::StringRef element, llvm::ArrayRef<int64_t> shape,
                llvm::ArrayRef<double> values) {
    return Tensor::fromDoubles(type(element), shape, values).rounded();
  }
  Tensor f32(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<double> values) {
    return floats("f32", shape, values);
  }
  Tensor ints(llvm::StringRef element, llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<int64_t> values) {
    return Tensor::fromInts(type(element), shape, values);
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  /// Runs a function; on failure the error has its text.
  llvm::Expected<Results> tryRun(mlir::ModuleOp module, llvm::ArrayRef<Tensor> inputs,
                                 const Symbols &symbols = {}) {
    auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
    NoWeights none;
    BakedWeights weights(module, none);
    return evaluate(main, inputs, symbols, weights, options);
  }

  /// Returns the first result, of type `result`, of `%r = <op>` with operands %0, %1, ...
  /// of `types`. Symbols are not declared, only given values.
  Tensor eval(const std::string &op, llvm::ArrayRef<std::string> types, const std::string &result,
              llvm::ArrayRef<Tensor> inputs, const Symbols &symbols = {}) {
    auto module = parse(text(op, types, result));
    EXPECT_TRUE(module) << op;
    if (!module)
      return {};
    auto results = tryRun(*module, inputs, symbols);
    if (!results) {
      ADD_FAILURE() << op << ": " << llvm::toString(results.takeError());
      return {};
    }
    return results->front();
  }

  /// Returns the error of such an op; empty if it succeeds.
  std::string evalError(const std::string &op, llvm::ArrayRef<std::string> types,
                        const std::string &result, llvm::ArrayRef<Tensor> inputs,
                        const Symbols &symbols = {}) {
    auto module = parse(text(op, types, result));
    EXPECT_TRUE(module) << op;
    auto results = tryRun(*module, inputs, symbols);
    return results ? "" : llvm::toString(results.takeError());
  }

  static std::string text(const std::string &op, llvm::ArrayRef<std::string> types,
                          const std::string &result) {
    std::string arguments;
    for (size_t i = 0; i < types.size(); ++i)
      arguments += (i ? ", %" : "%") + std::to_string(i) + ": " + types[i];
    return "func.func @main(" + arguments + ") -> " + result + " {\n  %r = " + op +
           "\n  return %r : " + result + "\n}\n";
  }

  static void expectNear(const Tensor &found, llvm::ArrayRef<double> expected,
                         double tolerance = 1e-12) {
    ASSERT_EQ(found.getNumElements(), static_cast<int64_t>(expected.size()));
    for (size_t i = 0; i < expected.size(); ++i) {
      double value = found.getDouble(i);
      if (std::isnan(expected[i]))
        EXPECT_TRUE(std::isnan(value)) << i << ": " << value;
      else if (std::isinf(expected[i]))
        EXPECT_EQ(value, expected[i]) << i;
      else
        EXPECT_NEAR(value, expected[i], tolerance) << i;
    }
  }

  static void expectInts(const Tensor &found, llvm::ArrayRef<int64_t> expected) {
    EXPECT_EQ(llvm::ArrayRef<int64_t>(found.ints()), expected);
  }

  mlir::MLIRContext context;
  Options options;
};

} // namespace kiln::reference

#endif // KILN_TEST_UNIT_REFERENCE_GRAPHTEXT_H
