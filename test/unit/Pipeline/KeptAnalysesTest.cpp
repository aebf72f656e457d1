//===- KeptAnalysesTest.cpp - Analyses cached across phases ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/KernelAnalyses.h"
#include "kiln/Pipeline/Phases.h"
#include "kiln/Pipeline/Registration.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace mlir;

/// Two layers of a matmul and a softmax, with only two distinct kernels.
static const char *const kLayers = R"(
#x = #graph.shape<[n] -> [n, 64]>
graph.symbol @n in [1, 512]
graph.weight @w : tensor<64x64xf32> {file = "w", offset = 0 : i64, length = 16384 : i64, hash = "0"}
func.func @main(%x: tensor<?x64xf32, #x> {graph.name = "x"}) -> (tensor<?x64xf32, #x> {graph.name = "y"}) {
  %w = graph.get_weight @w : tensor<64x64xf32>
  %0 = graph.matmul %x, %w : (tensor<?x64xf32, #x>, tensor<64x64xf32>) -> tensor<?x64xf32, #x>
  %1 = graph.softmax %0 axis 1 : (tensor<?x64xf32, #x>) -> tensor<?x64xf32, #x>
  %2 = graph.matmul %1, %w : (tensor<?x64xf32, #x>, tensor<64x64xf32>) -> tensor<?x64xf32, #x>
  %3 = graph.softmax %2 axis 1 : (tensor<?x64xf32, #x>) -> tensor<?x64xf32, #x>
  return %3 : tensor<?x64xf32, #x>
})";

TEST(KeptAnalyses, SurviveThePhaseThatMadeThem) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(kLayers, &context);
  ASSERT_TRUE(module);
  auto analyses = std::make_shared<codegen::KernelAnalyses>();
  PhaseOptions options;
  options.targets.names = {"x86-64-v3", "sm_80", "sm_90a"};
  auto run = [&](StringRef name) {
    PassManager pm(&context);
    const Phase *phase =
        llvm::find_if(getPhases(), [&](const Phase &one) { return one.name == name; });
    phase->addTo(pm, options, analyses);
    ASSERT_TRUE(succeeded(pm.run(*module))) << name.str();
  };
  run("kernels");
  auto kernels = module->lookupSymbol<func::FuncOp>("main").getOps<graph::KernelOp>();
  EXPECT_EQ(std::distance(kernels.begin(), kernels.end()), 4);
  EXPECT_EQ(analyses->size(), 2u); // analysed by fusion
  run("code");
  EXPECT_EQ(analyses->size(), 2u); // and reused by configs, variants and code generation,
                                   // for all targets
}
