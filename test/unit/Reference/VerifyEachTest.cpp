//===- VerifyEachTest.cpp - planted bugs are found ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "Passes/TestPasses.h"
#include "kiln/Reference/VerifyEach.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace kiln::reference;

namespace {
class VerifyEach : public GraphTest {
protected:
  static void SetUpTestSuite() {
    static const bool registered = [] {
      kiln::test::registerTestPasses();
      mlir::registerCanonicalizerPass();
      return true;
    }();
    (void)registered;
  }

  /// Runs a pipeline with verification and returns the diagnostics; `ok` is the outcome.
  std::string run(mlir::ModuleOp module, const std::string &pipeline, bool &ok) {
    std::string text;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      text += diagnostic.str() + "\n";
      return mlir::success();
    });
    mlir::PassManager pm(&context);
    EXPECT_TRUE(mlir::succeeded(mlir::parsePassPipeline(pipeline, pm)));
    ok = mlir::succeeded(runVerified(pm, module));
    return text;
  }

  void expectFound(const char *text, const std::string &bug, const std::string &words) {
    auto module = parse(text);
    bool ok = true;
    std::string found = run(*module, "canonicalize,kiln-test-plant-bug{bug=" + bug +
                                         "},canonicalize", ok);
    EXPECT_FALSE(ok) << bug;
    EXPECT_NE(found.find("KILN-E0257: pass 'kiln-test-plant-bug': " + words), std::string::npos)
        << found;
    EXPECT_EQ(found.find("canonicalize"), std::string::npos) << found;
  }

  void expectClean(const char *text, const std::string &pipeline) {
    auto module = parse(text);
    bool ok = false;
    std::string found = run(*module, pipeline, ok);
    EXPECT_TRUE(ok) << found;
    EXPECT_EQ(found, "");
  }
};
} // namespace

/// A model with token ids, a mask, a baked weight, a kernel, a norm and symbolic dims.
static constexpr const char *kModel = R"(
  graph.symbol @batch in [1, 64]
  graph.symbol @seq in [1, 512]
  graph.weight @table : tensor<5x4xf32> {file = "m", offset = 0, length = 80, hash = "t"}
  graph.weight @w : tensor<4x4xf32> {file = "m", offset = 80, length = 64, hash = "w"}
  graph.weight @packed : tensor<2x4x2xf32>
  func.func @bake() {
    %w = graph.get_weight @w : tensor<4x4xf32>
    %p = graph.pack %w width 2 : (tensor<4x4xf32>) -> tensor<2x4x2xf32>
    graph.set_weight @packed, %p : tensor<2x4x2xf32>
    return
  }
  func.func @main(
      %ids: tensor<?x?xi64, #graph.shape<[batch, seq] -> [batch, seq]>> {graph.name = "ids"},
      %x: tensor<?x?x1xf32, #graph.shape<[batch, seq] -> [batch, seq, 1]>> {graph.name = "x"})
      -> (tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>> {graph.name = "y"}) {
    %t = graph.get_weight @table : tensor<5x4xf32>
    %p = graph.get_weight @packed : tensor<2x4x2xf32>
    %e = graph.gather %t, %ids axis 0 : (tensor<5x4xf32>, tensor<?x?xi64, #graph.shape<[batch, seq] -> [batch, seq]>>) -> tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>
    %k = graph.kernel "matmul" (%a = %e, %b = %p, %c = %x) : (tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>, tensor<2x4x2xf32>, tensor<?x?x1xf32, #graph.shape<[batch, seq] -> [batch, seq, 1]>>) -> tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>> {
      %u = graph.unpack %b : (tensor<2x4x2xf32>) -> tensor<4x4xf32>
      %m = graph.matmul %a, %u : (tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>, tensor<4x4xf32>) -> tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>
      %s = graph.binary add %m, %a : (tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>, tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>) -> tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>
      %d = graph.binary sub %s, %c : (tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>, tensor<?x?x1xf32, #graph.shape<[batch, seq] -> [batch, seq, 1]>>) -> tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>
      graph.yield %d : tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>
    }
    %n = graph.layer_norm %k axis 2 {epsilon = 1.0e-5 : f64} : (tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>) -> tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>
    return %n : tensor<?x?x4xf32, #graph.shape<[batch, seq] -> [batch, seq, 4]>>
  })";

TEST_F(VerifyEach, NamesThePassTheOutputAndThePlace) {
  expectFound(kModel, "add-to-sub", "output 'y' changed; expected a relative error of at most");
  expectFound(kModel, "add-to-sub", "output 'y' changed");
  expectFound(kModel, "swap-operands", "output 'y' changed");
  expectFound(kModel, "epsilon", "output 'y' changed");
  auto module = parse(kModel);
  bool ok = true;
  std::string found = run(*module, "kiln-test-plant-bug", ok);
  EXPECT_NE(found.find("max error"), std::string::npos) << found;
  EXPECT_NE(found.find("first at [0, 0, 0]"), std::string::npos) << found;
  EXPECT_NE(found.find("with batch = 2, seq = 3"), std::string::npos) << found;
}

TEST_F(VerifyEach, LetsCorrectPassesThrough) {
  expectClean(kModel, "kiln-test-plant-bug{bug=harmless},canonicalize");
  expectClean(kModel, "func.func(canonicalize),canonicalize");
}

TEST_F(VerifyEach, OnlyThePassIsBlamed) {
  auto module = parse(kModel);
  bool ok = true;
  std::string found = run(*module, "kiln-test-plant-bug{bug=harmless},kiln-test-plant-bug{bug="
                                   "epsilon},kiln-test-plant-bug{bug=harmless}", ok);
  EXPECT_FALSE(ok);
  EXPECT_EQ(llvm::StringRef(found).count("KILN-E0257"), 1u) << found;
}

TEST_F(VerifyEach, ModelsThatCannotBeEvaluatedGiveAWarning) {
  auto module = parse(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = graph.all_reduce sum %x ranks 2 : (tensor<2xf32>) -> tensor<2xf32>
      %z = graph.binary add %y, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %z : tensor<2xf32>
    })");
  bool ok = false;
  std::string found = run(*module, "kiln-test-plant-bug,canonicalize", ok);
  EXPECT_TRUE(ok);
  EXPECT_EQ(llvm::StringRef(found).count("is not verified"), 1u) << found;
}

TEST_F(VerifyEach, ModulesWithoutAMainAreLeftAlone) {
  expectClean("func.func @other() { return }", "kiln-test-plant-bug,canonicalize");
}

TEST_F(VerifyEach, CompareModules) {
  auto a = parse(kModel), b = parse(kModel);
  EXPECT_FALSE(llvm::errorToBool(compareModules(*a, *b, "test")));
  bool ok = true;
  run(*b, "kiln-test-plant-bug{bug=epsilon}", ok);
  EXPECT_TRUE(llvm::errorToBool(compareModules(*a, *b, "test")));
}

//===----------------------------------------------------------------------===//
// Generated inputs
//===----------------------------------------------------------------------===//

TEST_F(VerifyEach, TokensStayInTheirTable) {
  auto module = parse(kModel);
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  Symbols symbols = chooseSymbols(*module);
  EXPECT_EQ(symbols.str(), "batch = 2, seq = 3");
  EXPECT_EQ(tableSize(main.getArgument(0), symbols), 5);
  EXPECT_EQ(tableSize(main.getArgument(1), symbols), std::nullopt);
  auto inputs = llvm::cantFail(makeInputs(main, symbols, 0, Flavour::Plain));
  for (int64_t id : inputs[0].ints())
    EXPECT_TRUE(id >= 0 && id < 5) << id;
  auto again = llvm::cantFail(makeInputs(main, symbols, 0, Flavour::Plain));
  EXPECT_EQ(inputs[1].toBytes(), again[1].toBytes());
  auto other = llvm::cantFail(makeInputs(main, symbols, 1, Flavour::Plain));
  EXPECT_NE(inputs[1].toBytes(), other[1].toBytes());
}

TEST_F(VerifyEach, SymbolsStayInTheirRanges) {
  auto module = parse("graph.symbol @a in [7, 9]\ngraph.symbol @b in [0, 1]\n");
  EXPECT_EQ(chooseSymbols(*module).str(), "a = 7, b = 1");
}

TEST_F(VerifyEach, FlavoursHoldWhatTheyPromise) {
  auto module = parse("func.func @main(%x: tensor<512xf32>) { return }");
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  auto count = [&](Flavour flavour, const std::function<bool(double)> &holds) {
    auto inputs = llvm::cantFail(makeInputs(main, {}, 0, flavour));
    int64_t n = 0;
    for (int64_t i = 0; i < 512; ++i)
      n += holds(inputs[0].getDouble(i));
    return n;
  };
  EXPECT_EQ(count(Flavour::Plain, [](double x) { return std::fabs(x) <= 2; }), 512);
  EXPECT_GT(count(Flavour::Adversarial, [](double x) { return x == 0; }), 4);
  EXPECT_EQ(count(Flavour::Adversarial, [](double x) { return std::isfinite(x); }), 512);
  EXPECT_GT(count(Flavour::NonFinite, [](double x) { return std::isnan(x); }), 4);
  EXPECT_GT(count(Flavour::NonFinite, [](double x) { return std::isfinite(x); }), 256);
}
