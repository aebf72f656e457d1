//===- Pointwise.cpp - Row and pointwise kernels --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Pointwise.h"
#include "Columns.h"
#include "Horizontal.h"
#include "Problem.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Folds constants into one place each and drops what is computed twice.
static void tidy(tile::KernelOp kernel) {
  SmallVector<Operation *> operations;
  kernel->walk([&](Operation *op) {
    if (op != kernel)
      operations.push_back(op);
  });
  // Folding only: there are no patterns that could fail to converge.
  (void)applyOpPatternsGreedily(operations, FrozenRewritePatternSet());
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
}

PointwiseProblem kiln::codegen::pointwiseProblem(graph::KernelOp kernel) {
  std::string why;
  std::unique_ptr<Program> program = Program::build(kernel, why);
  return program ? problemOf(*program) : PointwiseProblem();
}

/// As the emitter sees the kernel on a target; null if there is no such form.
static std::unique_ptr<Program> programFor(graph::KernelOp kernel,
                                           const TargetInfo &target, std::string &why) {
  std::unique_ptr<Program> program = Program::build(kernel, why, /*splits=*/!target.gpu);
  if (program && !target.gpu)
    vectorizeWindows(*program);
  return program;
}

SmallVector<tile::PointwiseConfigAttr>
kiln::codegen::pointwiseConfigs(graph::KernelOp kernel, const TargetInfo &target) {
  std::string why;
  MLIRContext *context = kernel.getContext();
  if (isHorizontal(kernel)) {
    auto programs = Horizontal::build(kernel, why, /*splits=*/!target.gpu);
    return programs ? programs->configs(target)
                    : SmallVector<tile::PointwiseConfigAttr>();
  }
  std::unique_ptr<Program> program = programFor(kernel, target, why);
  if (!program)
    return {};
  for (const Staging &staging : findStagings(kernel, *program))
    if (!rankStagingConfigs(context, stagingProblemOf(kernel, *program, staging), target)
             .empty())
      return {};
  return rankPointwiseConfigs(context, problemOf(*program), target);
}

SmallVector<tile::StagingConfigAttr>
kiln::codegen::rankStagingConfigs(graph::KernelOp kernel, const TargetInfo &target) {
  std::string why;
  std::unique_ptr<Program> program;
  if (!isHorizontal(kernel))
    program = Program::build(kernel, why);
  if (program)
    for (const Staging &staging : findStagings(kernel, *program)) {
      StagingProblem problem = stagingProblemOf(kernel, *program, staging);
      auto configs = rankStagingConfigs(kernel.getContext(), problem, target);
      if (!configs.empty())
        return configs;
    }
  return {};
}

bool kiln::codegen::canEmitPointwiseOrRow(graph::KernelOp kernel, std::string *why) {
  std::string reason;
  bool ok = isHorizontal(kernel)
                ? Horizontal::build(kernel, reason, /*splits=*/false) != nullptr
                : Program::build(kernel, reason) != nullptr;
  if (why)
    *why = reason;
  return ok;
}

std::optional<unsigned>
kiln::codegen::pointwiseOperandToCopy(graph::KernelOp kernel,
                                      ArrayRef<std::string> targets) {
  if (isHorizontal(kernel))
    return std::nullopt;
  std::string why;
  std::unique_ptr<Program> program = Program::build(kernel, why);
  if (!program)
    return std::nullopt;
  std::vector<TargetInfo> gpus;
  for (const std::string &name : targets)
    if (auto target = TargetInfo::find(name); target && target->gpu)
      gpus.push_back(*target);
  auto isStaged = [&](const Staging &staging) {
    StagingProblem problem = stagingProblemOf(kernel, *program, staging);
    return llvm::all_of(gpus, [&](const TargetInfo &gpu) {
      return holdsStaging(kernel.getContext(), problem, gpu);
    });
  };
  return operandToTranspose(*program, isStaged, /*hasGpu=*/!gpus.empty());
}

/// With strided operands in scratch where that serves the target; null where it does not.
static tile::KernelOp emitStaged(graph::KernelOp kernel, Program &program,
                                 const TargetInfo &target, OpBuilder &builder) {
  for (const Staging &staging : findStagings(kernel, program)) {
    StagingProblem problem = stagingProblemOf(kernel, program, staging);
    auto configs = rankStagingConfigs(kernel.getContext(), problem, target);
    if (configs.empty())
      continue;
    KernelEmitter emitter(builder, kernel, program, configs.front().getCompute());
    emitter.stage(staging, configs.front());
    return emitter.emit();
  }
  return {};
}

static LogicalResult refuse(graph::KernelOp kernel, StringRef why) {
  kiln::emitError(kernel.getLoc(),
                  {ErrorCode::KernelNotEmittable, "", why.str(),
                   "row ops along the same dims, between views and elementwise ops", "",
                   ""});
  return failure();
}

/// One result after the other, or all by one program.
static FailureOr<tile::KernelOp> emitPrograms(graph::KernelOp kernel,
                                              const TargetInfo &target,
                                              OpBuilder &builder,
                                              tile::PointwiseConfigAttr config) {
  std::string why;
  MLIRContext *context = kernel.getContext();
  if (isHorizontal(kernel)) {
    auto programs = Horizontal::build(kernel, why, /*splits=*/!target.gpu);
    if (!programs)
      return refuse(kernel, why);
    return programs->emit(builder, config ? config : programs->configs(target).front());
  }
  std::unique_ptr<Program> program = programFor(kernel, target, why);
  if (!program)
    return refuse(kernel, why);
  tile::KernelOp result;
  if (!config)
    result = emitStaged(kernel, *program, target, builder);
  if (!result && !config)
    config = rankPointwiseConfigs(context, problemOf(*program), target).front();
  if (!result && config.getShare() > 1)
    result = ColumnEmitter(builder, kernel, *program, config).emit();
  if (!result)
    result = KernelEmitter(builder, kernel, *program, config).emit();
  return result;
}

FailureOr<tile::KernelOp>
kiln::codegen::emitPointwiseOrRow(graph::KernelOp kernel, const TargetInfo &target,
                                  OpBuilder &builder, tile::PointwiseConfigAttr config) {
  kernel.getContext()
      ->loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                    scf::SCFDialect>();
  FailureOr<tile::KernelOp> result = emitPrograms(kernel, target, builder, config);
  if (succeeded(result))
    tidy(*result);
  return result;
}
