//===- KernelAnalysesTest.cpp - Cached analyses of kernels ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/KernelAnalyses.h"
#include "KernelHarness.h"
#include "kiln/Codegen/EmitKernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/ThreadPool.h"

#include <set>

using namespace kiln;
using namespace kiln::test;
using codegen::KernelAnalysis;
using graph::KernelOp;

namespace {

/// Kernels 0 and 1 differ only in names, 2 adds where they multiply, 3 is a matmul.
constexpr const char *kModule = R"(
#x = #graph.shape<[n] -> [n, 64]>
graph.symbol @n in [1, 512]
func.func @main(%x: tensor<?x64xf32, #x>, %w: tensor<64x64xf32>) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<?x64xf32, #x>) -> tensor<?x64xf32, #x> attributes {nodes = ["first"]} {
    %y = graph.binary mul %a, %a : (tensor<?x64xf32, #x>, tensor<?x64xf32, #x>) -> tensor<?x64xf32, #x>
    graph.yield %y : tensor<?x64xf32, #x>
  }
  %1 = graph.kernel "pointwise" (%b = %0) : (tensor<?x64xf32, #x>) -> tensor<?x64xf32, #x> attributes {nodes = ["second"]} {
    %z = graph.binary mul %b, %b : (tensor<?x64xf32, #x>, tensor<?x64xf32, #x>) -> tensor<?x64xf32, #x>
    graph.yield %z : tensor<?x64xf32, #x>
  }
  %2 = graph.kernel "pointwise" (%a = %x) : (tensor<?x64xf32, #x>) -> tensor<?x64xf32, #x> {
    %y = graph.binary add %a, %a : (tensor<?x64xf32, #x>, tensor<?x64xf32, #x>) -> tensor<?x64xf32, #x>
    graph.yield %y : tensor<?x64xf32, #x>
  }
  %3 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x64xf32, #x>, tensor<64x64xf32>) -> tensor<?x64xf32, #x> {
    %y = graph.matmul %a, %b : (tensor<?x64xf32, #x>, tensor<64x64xf32>) -> tensor<?x64xf32, #x>
    graph.yield %y : tensor<?x64xf32, #x>
  }
  return
})";

class AnalysesOfKernels : public testing::Test {
protected:
  AnalysesOfKernels() : module(parse()) {}

  mlir::OwningOpRef<mlir::ModuleOp> parse() {
    context.loadDialect<mlir::func::FuncDialect>();
    return parseGraph(context, kModule);
  }
  std::vector<KernelOp> kernels() {
    std::vector<KernelOp> found;
    module->walk([&](KernelOp kernel) { found.push_back(kernel); });
    return found;
  }
  /// Returns the emitted program for a target, as text.
  std::string emitted(const KernelAnalysis &analysis, KernelOp kernel,
                      llvm::StringRef name) {
    mlir::OwningOpRef<mlir::ModuleOp> code =
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(code->getBody());
    auto target = llvm::cantFail(TargetInfo::get(name));
    auto program = codegen::emitKernel(analysis, kernel, {target}, builder);
    EXPECT_TRUE(mlir::succeeded(program));
    std::string text;
    llvm::raw_string_ostream(text) << *code;
    return text;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  codegen::KernelAnalyses analyses;
};

} // namespace

TEST_F(AnalysesOfKernels, AreOnePerFingerprint) {
  std::vector<KernelOp> all = kernels();
  const KernelAnalysis &first = analyses.of(all[0]);
  EXPECT_EQ(&analyses.of(all[1]), &first);
  EXPECT_EQ(&analyses.of(all[0]), &first);
  EXPECT_EQ(analyses.size(), 1u);
  EXPECT_NE(&analyses.of(all[2]), &first);
  EXPECT_NE(&analyses.of(all[3]), &first);
  EXPECT_EQ(analyses.size(), 3u);
}

TEST_F(AnalysesOfKernels, GiveEachKernelItsNodes) {
  std::vector<KernelOp> all = kernels();
  EXPECT_NE(emitted(analyses.of(all[0]), all[0], "sm_80").find("first"),
            std::string::npos);
  EXPECT_NE(emitted(analyses.of(all[1]), all[1], "sm_80").find("second"),
            std::string::npos);
  EXPECT_EQ(analyses.size(), 1u);
}

TEST_F(AnalysesOfKernels, AreMadeAgainOfAKernelThatChanged) {
  KernelOp kernel = kernels().front();
  const KernelAnalysis &before = analyses.of(kernel);
  std::string text = emitted(before, kernel, "x86-64-v3");
  auto product = *kernel.getBlock().getOps<graph::BinaryOp>().begin();
  product.setKind(graph::BinaryKind::add);
  const KernelAnalysis &sum = analyses.of(kernel);
  EXPECT_NE(&sum, &before);
  EXPECT_NE(emitted(sum, kernel, "x86-64-v3").find("arith.addf"), std::string::npos);
  product.setKind(graph::BinaryKind::mul);
  EXPECT_EQ(&analyses.of(kernel), &before);
  EXPECT_EQ(emitted(analyses.of(kernel), kernel, "x86-64-v3"), text);
}

TEST_F(AnalysesOfKernels, DependOnTheRangesOfSymbols) {
  KernelOp matmul = kernels().back();
  auto target = llvm::cantFail(TargetInfo::get("sm_80"));
  const KernelAnalysis &wide = analyses.of(matmul);
  EXPECT_FALSE(wide.variants(target).empty());
  module->lookupSymbol<graph::SymbolOp>("n").setMax(4);
  const KernelAnalysis &narrow = analyses.of(matmul);
  EXPECT_NE(&narrow, &wide);
  EXPECT_TRUE(narrow.variants(target).empty());
  EXPECT_FALSE(wide.variants(target).empty());
}

TEST_F(AnalysesOfKernels, OutliveTheirKernels) {
  std::vector<std::string> texts;
  for (KernelOp kernel : kernels())
    texts.push_back(emitted(*codegen::analyze(kernel), kernel, "x86-64-v3"));
  for (KernelOp kernel : kernels())
    analyses.of(kernel);
  size_t count = analyses.size();
  module = parse(); // the other module is destroyed
  for (auto [kernel, text] : llvm::zip(kernels(), texts))
    EXPECT_EQ(emitted(analyses.of(kernel), kernel, "x86-64-v3"), text);
  EXPECT_EQ(analyses.size(), count);
}

TEST_F(AnalysesOfKernels, AreOneForAllThreads) {
  constexpr unsigned kThreads = 4, kRounds = 8;
  std::vector<KernelOp> all = kernels();
  std::vector<TargetInfo> targets;
  std::vector<std::string> texts;
  for (const char *name : {"x86-64-v3", "sm_80"}) {
    targets.push_back(llvm::cantFail(TargetInfo::get(name)));
    for (KernelOp kernel : all)
      texts.push_back(emitted(*codegen::analyze(kernel), kernel, name));
  }
  std::mutex mutex;
  std::set<const KernelAnalysis *> seen;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(kThreads));
  for (unsigned thread = 0; thread < kThreads; ++thread)
    pool.async([&] {
      for (unsigned round = 0; round < kRounds; ++round)
        for (size_t i = 0; i < texts.size(); ++i) {
          KernelOp kernel = all[i % all.size()];
          const KernelAnalysis &analysis = analyses.of(kernel);
          std::string text = emitted(analysis, kernel, targets[i / all.size()].name);
          std::lock_guard<std::mutex> lock(mutex);
          EXPECT_EQ(text, texts[i]);
          seen.insert(&analysis);
        }
    });
  pool.wait();
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(analyses.size(), 3u);
}
