//===- Pointwise.cpp - Row and pointwise kernels --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "PointwisePrograms.h"
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

/// Deduplicates constants and removes common subexpressions.
static void tidy(tile::KernelOp kernel) {
  SmallVector<Operation *> operations;
  kernel->walk([&](Operation *op) {
    if (op != kernel)
      operations.push_back(op);
  });
  // With no patterns, only folding, convergence is guaranteed.
  (void)applyOpPatternsGreedily(operations, FrozenRewritePatternSet());
  IRRewriter rewriter(kernel.getContext());
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

PointwisePrograms::PointwisePrograms(graph::KernelOp kernel)
    : kernel(kernel), context(kernel.getContext()), general(build(/*splits=*/false)) {}

PointwisePrograms::Form PointwisePrograms::build(bool splits) const {
  Form form;
  if (isHorizontal(kernel))
    form.parts = Horizontal::build(kernel, form.why, splits);
  else
    form.program = Program::build(kernel, form.why, splits);
  return form;
}

/// Copies the GPU program unless a host needs other loops.
PointwisePrograms::Form PointwisePrograms::buildForHosts() const {
  if (general.parts && !general.parts->dividesLastDim())
    return {nullptr, std::make_unique<Horizontal>(*general.parts), ""};
  if (!general.program)
    return build(/*splits=*/true);
  Form form;
  auto program = general.program->dividesLastDim
                     ? Program::build(kernel, form.why, /*splits=*/true)
                     : std::make_unique<Program>(*general.program);
  if (program)
    vectorizeWindows(*program);
  form.program = std::move(program);
  return form;
}

const PointwisePrograms::Form &
PointwisePrograms::formFor(const TargetInfo &target) const {
  if (target.gpu)
    return general;
  std::call_once(hasHosts, [&] { hosts = buildForHosts(); });
  return hosts;
}

bool PointwisePrograms::canEmit(std::string &why) const {
  why = general.why;
  return general.program || general.parts;
}

SmallVector<tile::PointwiseConfigAttr>
PointwisePrograms::configs(const TargetInfo &target) const {
  const Form &form = formFor(target);
  if (form.parts)
    return form.parts->configs(context, target);
  if (!form.program)
    return {};
  for (const Staging &staging : findStagings(kernel, *form.program))
    if (!rankStagingConfigs(context, stagingProblemOf(kernel, *form.program, staging),
                            target)
             .empty())
      return {};
  return rankPointwiseConfigs(context, problemOf(*form.program), target);
}

SmallVector<tile::StagingConfigAttr>
PointwisePrograms::stagingConfigs(const TargetInfo &target) const {
  if (!general.program)
    return {};
  const Program &program = *general.program;
  for (const Staging &staging : findStagings(kernel, program)) {
    StagingProblem problem = stagingProblemOf(kernel, program, staging);
    auto configs = rankStagingConfigs(context, problem, target);
    if (!configs.empty())
      return configs;
  }
  return {};
}

std::optional<unsigned>
PointwisePrograms::operandToCopy(ArrayRef<std::string> targets) const {
  if (!general.program)
    return std::nullopt;
  const Program &program = *general.program;
  std::vector<TargetInfo> gpus;
  for (const std::string &name : targets)
    if (auto target = TargetInfo::find(name); target && target->gpu)
      gpus.push_back(*target);
  auto isStaged = [&](const Staging &staging) {
    StagingProblem problem = stagingProblemOf(kernel, program, staging);
    return llvm::all_of(
        gpus, [&](const TargetInfo &gpu) { return holdsStaging(context, problem, gpu); });
  };
  return operandToTranspose(program, isStaged, /*hasGpu=*/!gpus.empty());
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Emits a program that stages strided operands in scratch; null if the target gains
/// nothing from that.
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

/// Emits each result by its own program (horizontal fusion), or all by one.
FailureOr<tile::KernelOp>
PointwisePrograms::emitForm(graph::KernelOp kernel, const TargetInfo &target,
                            OpBuilder &builder, tile::PointwiseConfigAttr config) const {
  const Form &form = formFor(target);
  if (form.parts)
    return form.parts->emit(
        kernel, builder, config ? config : form.parts->configs(context, target).front());
  if (!form.program)
    return kiln::emitError(kernel.getLoc(),
                           {ErrorCode::KernelNotEmittable, "", form.why,
                            "row ops along the same dims, between views and elementwise "
                            "ops",
                            "", ""});
  Program program = *form.program; // a copy, because emitters add nodes
  tile::KernelOp result;
  if (!config)
    result = emitStaged(kernel, program, target, builder);
  if (!result && !config)
    config = rankPointwiseConfigs(context, problemOf(program), target).front();
  if (!result && config.getReduceSplit() > 1)
    result = ColumnEmitter(builder, kernel, program, config).emit();
  if (!result)
    result = KernelEmitter(builder, kernel, program, config).emit();
  return result;
}

FailureOr<tile::KernelOp>
PointwisePrograms::emit(graph::KernelOp kernel, const TargetInfo &target,
                        OpBuilder &builder, tile::PointwiseConfigAttr config) const {
  context->loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                       scf::SCFDialect>();
  FailureOr<tile::KernelOp> result = emitForm(kernel, target, builder, config);
  if (succeeded(result))
    tidy(*result);
  return result;
}
