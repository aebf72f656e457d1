//===- TestRankConfigs.cpp - The configs an emitter chooses from ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints all configs of kernels, best first; a tile program shows only the first one.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "kiln/Codegen/Scatter.h"
#include "kiln/Support/Error.h"
#include "lib/Codegen/Attention/AttentionAnalysis.h"
#include "lib/Codegen/Gemm/GemmAnalysis.h"
#include "lib/Codegen/Pointwise/PointwisePrograms.h"
#include "mlir/Pass/Pass.h"

using namespace kiln;
using namespace mlir;

namespace {
struct RankConfigs : public PassWrapper<RankConfigs, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RankConfigs)

  RankConfigs() = default;
  RankConfigs(const RankConfigs &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "kiln-test-rank-configs"; }
  StringRef getDescription() const final {
    return "Print every kernel's configs for a target, best first";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<tile::TileDialect>();
  }

  Option<std::string> target{*this, "target", llvm::cl::init("x86-64-v3"),
                             llvm::cl::desc("The target")};

  void runOnOperation() override {
    llvm::Expected<TargetInfo> info = TargetInfo::get(target);
    if (!info) {
      (void)kiln::emitError(getOperation().getLoc(), takeDiagnosis(info.takeError()));
      return signalPassFailure();
    }
    getOperation().walk([&](graph::KernelOp kernel) {
      llvm::outs() << "kernel \"" << kernel.getHero() << "\" for " << target << "\n";
      for (Attribute config : rank(kernel, *info))
        llvm::outs() << "  " << config << "\n";
    });
  }

private:
  /// Whether a matmul or attention of the kernel has an operand or result without
  /// elements.
  static bool isEmpty(graph::KernelOp kernel) {
    auto hasNone = [](Type type) {
      return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0);
    };
    return llvm::any_of(kernel.getBlock().getOperations(), [&](Operation &op) {
      return isa<graph::MatmulOp, graph::ScaledMatmulOp, graph::AttentionOp>(op) &&
             (llvm::any_of(op.getOperandTypes(), hasNone) ||
              llvm::any_of(op.getResultTypes(), hasNone));
    });
  }

  SmallVector<Attribute> rank(graph::KernelOp kernel, const TargetInfo &info) {
    auto asAttributes = [](auto configs) {
      return SmallVector<Attribute>(configs.begin(), configs.end());
    };
    if (isEmpty(kernel)) // codegen::analyze has no code for it
      return {};
    Block &block = kernel.getBlock();
    // On a GPU the analysis knows the types; the attention configs for CPUs below assume
    // f32.
    if (info.gpu)
      if (auto attention = block.getOps<graph::AttentionOp>(); !attention.empty()) {
        codegen::AttentionAnalysis analysis(kernel);
        auto warpgroups = analysis.warpgroupConfigs({info});
        if (!warpgroups.empty())
          return asAttributes(warpgroups);
        return asAttributes(analysis.blockConfigs({info}));
      }
    if (info.gpu && !block.getOps<graph::MatmulOp>().empty()) {
      codegen::GemmProblem problem = codegen::GemmAnalysis(kernel).problem({info});
      auto configs =
          asAttributes(codegen::rankWarpgroupGemmConfigs(&getContext(), problem, info));
      llvm::append_range(configs, codegen::rankGemvConfigs(&getContext(), problem, info));
      llvm::append_range(configs, codegen::rankBlockGemmConfigs(&getContext(), problem, info));
      return configs;
    }
    if (!block.getOps<graph::AttentionOp>().empty())
      return asAttributes(
          codegen::rankAttentionConfigs(&getContext(), /*accumulatorBytes=*/4, info));
    if (!block.getOps<graph::MatmulOp>().empty())
      return asAttributes(codegen::rankGemmConfigs(
          &getContext(), codegen::GemmAnalysis(kernel).problem({info}), info));
    if (!block.getOps<graph::ScatterOp>().empty())
      return asAttributes(
          codegen::rankScatterConfigs(&getContext(), codegen::scatterProblem(kernel), info));
    codegen::PointwisePrograms programs(kernel);
    if (auto tiles = programs.stagingConfigs(info); !tiles.empty())
      return asAttributes(tiles);
    return asAttributes(programs.configs(info));
  }
};
} // namespace

void kiln::test::registerRankConfigs() { PassRegistration<RankConfigs>(); }
