//===- StructureTest.cpp - constants, generators, kernels, modules --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "kiln/Reference/Folding.h"

#include <cmath>

using namespace kiln::reference;

using Structure = GraphTest;

TEST_F(Structure, Constants) {
  expectNear(eval("graph.constant dense<[1.5, 0x7FC00000]> : tensor<2xf32>", {},
                  "tensor<2xf32>", {}),
             {1.5, kNaN});
  expectInts(eval("graph.constant dense<[true, false, true]> : tensor<3xi1>", {},
                  "tensor<3xi1>", {}),
             {1, 0, 1});
  expectInts(eval("graph.constant dense<true> : tensor<2xi1>", {}, "tensor<2xi1>", {}),
             {1, 1});
  expectInts(
      eval("graph.constant dense<-7> : tensor<2x2xi64>", {}, "tensor<2x2xi64>", {}),
      {-7, -7, -7, -7});
  expectInts(
      eval("graph.constant dense<[200, 3]> : tensor<2xui8>", {}, "tensor<2xui8>", {}),
      {200, 3});
  expectNear(
      eval("graph.constant dense<[0.1, 2.0]> : tensor<2xbf16>", {}, "tensor<2xbf16>", {}),
      {0.10009765625, 2}, 0);
}

TEST_F(Structure, FillAndIota) {
  expectNear(eval("graph.fill 2.5 : f32 : tensor<2xf32>", {}, "tensor<2xf32>", {}),
             {2.5, 2.5});
  expectInts(eval("graph.fill true : tensor<2xi1>", {}, "tensor<2xi1>", {}), {1, 1});
  expectInts(eval("graph.fill 255 : ui8 : tensor<1xui8>", {}, "tensor<1xui8>", {}),
             {255});
  expectInts(
      eval("graph.iota axis 1 {start = 3.0 : f64, step = -2.0 : f64} : tensor<2x3xi64>",
           {}, "tensor<2x3xi64>", {}),
      {3, 1, -1, 3, 1, -1});
  expectNear(eval("graph.iota axis 0 {step = 0.5 : f64} : tensor<3xf32>", {},
                  "tensor<3xf32>", {}),
             {0, 0.5, 1});
}

TEST_F(Structure, Dims) {
  std::string op = "graph.dims <[b, s] -> [b, s * b + 1, s floordiv 2]> : tensor<3xi64>";
  expectInts(eval(op, {}, "tensor<3xi64>", {}, {{"b", 3}, {"s", 5}}), {3, 16, 2});
  EXPECT_NE(evalError(op, {}, "tensor<3xi64>", {}, {{"b", 3}}).find("KILN-E0250"),
            std::string::npos);
}

TEST_F(Structure, NegativeAndHugeDimsAreErrors) {
  std::string t = "tensor<?xf32, #graph.shape<[n] -> [n - 4]>>";
  EXPECT_NE(
      evalError("graph.fill 0.0 : f32 : " + t, {}, t, {}, {{"n", 3}}).find("KILN-E0250"),
      std::string::npos);
  std::string u = "tensor<?xf32, #graph.shape<[n] -> [n * n * n]>>";
  EXPECT_NE(evalError("graph.fill 0.0 : f32 : " + u, {}, u, {}, {{"n", 1 << 20}})
                .find("KILN-E0250"),
            std::string::npos);
}

TEST_F(Structure, InputsAreChecked) {
  std::string t = "tensor<?xf32, #graph.shape<[n] -> [n]>>";
  std::string op = "graph.unary exp %0 : (" + t + ") -> " + t;
  std::string wrong = evalError(op, {t}, t, {f32({3}, {1, 2, 3})}, {{"n", 2}});
  EXPECT_NE(wrong.find("KILN-E0251: input 0: "), std::string::npos) << wrong;
  EXPECT_NE(
      evalError(op, {t}, t, {ints("i32", {2}, {1, 2})}, {{"n", 2}}).find("KILN-E0251"),
      std::string::npos);
  EXPECT_NE(evalError(op, {t}, t, {}, {{"n", 2}}).find("KILN-E0251"), std::string::npos);
}

TEST_F(Structure, CollectivesOfOneRankAreTheIdentity) {
  std::string t = "tensor<2xf32>";
  Tensor x = f32({2}, {1, 2});
  expectNear(eval("graph.all_reduce sum %0 ranks 1 : (" + t + ") -> " + t, {t}, t, {x}),
             {1, 2});
  expectNear(
      eval("graph.all_gather %0 axis 0 ranks 1 : (" + t + ") -> " + t, {t}, t, {x}),
      {1, 2});
  expectNear(eval("graph.reduce_scatter max %0 axis 0 ranks 1 : (" + t + ") -> " + t, {t},
                  t, {x}),
             {1, 2});
  EXPECT_NE(
      evalError("graph.all_reduce sum %0 ranks 2 : (" + t + ") -> " + t, {t}, t, {x})
          .find("KILN-E0252"),
      std::string::npos);
}

static constexpr const char *kKernel = R"(
  func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0, %1 = graph.kernel "pointwise" (%a = %x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %2 = graph.unary exp %a : (tensor<2xf32>) -> tensor<2xf32>
      %3 = graph.unary log %2 : (tensor<2xf32>) -> tensor<2xf32>
      graph.yield %2, %3 : tensor<2xf32>, tensor<2xf32>
    }
    return %0, %1 : tensor<2xf32>, tensor<2xf32>
  })";

TEST_F(Structure, Kernel) {
  auto module = parse(kKernel);
  Results results = llvm::cantFail(tryRun(*module, {f32({2}, {1, 2})}));
  expectNear(results[0], {M_E, M_E * M_E});
  expectNear(results[1], {1, 2});
}

TEST_F(Structure, ExactTypedRoundsEveryOp) {
  auto module = parse(kKernel);
  options.exactTyped = true;
  Results results = llvm::cantFail(tryRun(*module, {f32({2}, {1, 2})}));
  EXPECT_FALSE(results[0].isWide());
  EXPECT_EQ(results[0].getDouble(0), static_cast<float>(M_E));
  EXPECT_EQ(results[1].getDouble(0),
            static_cast<float>(std::log(static_cast<double>(static_cast<float>(M_E)))));
}

/// Position buckets of T5: in f32 log(2) / log(16) is exactly a quarter, in f64 with
/// these constants it is less.
static const char kBucket[] = R"(
  func.func @main(%x: tensor<3xf32>) -> (tensor<3xi64>, tensor<3xf32>) {
    %0, %1 = graph.kernel "pointwise" (%a = %x) : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %8 = graph.constant dense<8.0> : tensor<f32>
      %16 = graph.constant dense<2.7725887> : tensor<f32>
      %d = graph.binary div %a, %8 : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
      %l = graph.unary log %d : (tensor<3xf32>) -> tensor<3xf32>
      %q = graph.binary div %l, %16 : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
      %e = graph.unary exp %d : (tensor<3xf32>) -> tensor<3xf32>
      graph.yield %q, %e : tensor<3xf32>, tensor<3xf32>
    }
    %c = graph.constant dense<8.0> : tensor<f32>
    %m = graph.binary mul %0, %c : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %i = graph.cast %m : (tensor<3xf32>) -> tensor<3xi64>
    return %i, %1 : tensor<3xi64>, tensor<3xf32>
  })";

TEST_F(Structure, WhatBecomesAWholeNumberIsRounded) {
  auto module = parse(kBucket);
  Results results = llvm::cantFail(tryRun(*module, {f32({3}, {16, 32, 64})}));
  EXPECT_EQ(results[0].getInt(0), 2);
  EXPECT_EQ(results[0].getInt(1), 4);
  EXPECT_EQ(results[0].getInt(2), 6);
  // Values that do not determine an integer are computed in f64.
  EXPECT_EQ(results[1].getDouble(0), std::exp(2.0));
}

TEST_F(Structure, ObserverSeesOpsOfTheBlock) {
  auto module = parse(kKernel);
  int ops = 0;
  options.observe = [&](mlir::Operation *op, llvm::ArrayRef<Tensor> operands,
                        llvm::ArrayRef<Tensor> results) {
    ++ops;
    EXPECT_TRUE(mlir::isa<kiln::graph::KernelOp>(op));
    EXPECT_EQ(operands.size(), 1u);
    EXPECT_EQ(results.size(), 2u);
  };
  llvm::cantFail(tryRun(*module, {f32({2}, {1, 2})}));
  EXPECT_EQ(ops, 1);
}

TEST_F(Structure, BindSymbols) {
  auto module = parse(R"(
    func.func @main(%a: tensor<?x4xf32, #graph.shape<[n] -> [n, 4]>>,
                    %b: tensor<?x?xf32, #graph.shape<[m, n] -> [n * 2, m]>>) {
      return
    })");
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  Symbols symbols = llvm::cantFail(bindSymbols(main, {Shape{3, 4}, Shape{6, 5}}));
  EXPECT_EQ(symbols.str(), "m = 5, n = 3");
  EXPECT_FALSE(
      llvm::errorToBool(bindSymbols(main, {Shape{3, 4}, Shape{6, 5}}).takeError()));
  EXPECT_TRUE(llvm::errorToBool(bindSymbols(main, {Shape{3, 4}, Shape{6}}).takeError()));
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

namespace {
class Folding : public GraphTest {
protected:
  /// Returns the folded value of the last op before the return.
  std::optional<mlir::DenseElementsAttr> fold(const std::string &body) {
    module = parse("func.func @main() {\n" + body + "\n  return\n}\n");
    EXPECT_TRUE(module);
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    return foldOp(main.getBody().front().getTerminator()->getPrevNode());
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

TEST_F(Folding, RoundsOnceToTheType) {
  auto value = fold("%a = graph.constant dense<3.0> : tensor<2xf32>\n"
                    "%b = graph.unary reciprocal %a : (tensor<2xf32>) -> tensor<2xf32>");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->getValues<float>()[1], 1.0f / 3.0f);
}

TEST_F(Folding, BooleansAndIntegers) {
  auto value = fold(
      "%a = graph.constant dense<[1, 5]> : tensor<2xi64>\n"
      "%b = graph.constant dense<3> : tensor<i64>\n"
      "%c = graph.compare less %a, %b : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>");
  ASSERT_TRUE(value);
  EXPECT_TRUE(value->getValues<bool>()[0]);
  EXPECT_FALSE(value->getValues<bool>()[1]);
  value = fold("%a = graph.iota axis 0 : tensor<3xi32>");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->getValues<int32_t>()[2], 2);
}

TEST_F(Folding, LeavesWhatIsNotConstant) {
  EXPECT_FALSE(fold("%a = graph.dims <[n] -> [n]> : tensor<1xi64>"));
  EXPECT_FALSE(fold("%a = graph.constant dense<1.0> : tensor<2xf32>"));
  EXPECT_FALSE(fold("%a = graph.dims <[n] -> [n]> : tensor<1xi64>\n"
                    "%b = graph.unary neg %a : (tensor<1xi64>) -> tensor<1xi64>"));
}

TEST_F(Folding, LeavesWhatIsLarge) {
  EXPECT_FALSE(fold("%a = graph.constant dense<1.0> : tensor<f32>\n"
                    "%b = graph.broadcast %a : (tensor<f32>) -> tensor<257xf32>"));
  EXPECT_FALSE(fold(
      "%a = graph.constant dense<1.0> : tensor<100000x1000xf32>\n"
      "%b = graph.reduce sum %a axes [0, 1] : (tensor<100000x1000xf32>) -> tensor<f32>"));
}

TEST_F(Folding, LeavesWhatHasNoValue) {
  EXPECT_FALSE(fold("%a = graph.constant dense<> : tensor<0xf32>\n"
                    "%i = graph.constant dense<0> : tensor<1xi64>\n"
                    "%b = graph.gather %a, %i axis 0 : (tensor<0xf32>, tensor<1xi64>) -> "
                    "tensor<1xf32>"));
}
