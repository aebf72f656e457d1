//===- Pointwise.cpp - Row and pointwise kernels --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Pointwise.h"
#include "BoxEmitter.h"
#include "Columns.h"
#include "KernelEmitter.h"
#include "Problem.h"
#include "TransposeEmitter.h"
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
  std::unique_ptr<Program> program = programFor(kernel, target, why);
  if (!program)
    return {};
  bool isTransposed =
      !rankBoxConfigs(context, boxProblemOf(kernel, *program, findBox(kernel, *program)),
                      target)
           .empty() ||
      !rankTransposeConfigs(
           context, transposeProblemOf(kernel, *program, findTurned(*program)), target)
           .empty() ||
      !rankRowTileConfigs(
           context, rowTileProblemOf(kernel, *program, findTurnedRows(*program)), target)
           .empty();
  if (isTransposed)
    return {};
  return rankPointwiseConfigs(context, problemOf(*program), target);
}

TransposeProblem kiln::codegen::transposeProblem(graph::KernelOp kernel) {
  std::string why;
  std::unique_ptr<Program> program = Program::build(kernel, why);
  return program ? transposeProblemOf(kernel, *program, findTurned(*program))
                 : TransposeProblem();
}

BoxProblem kiln::codegen::boxProblem(graph::KernelOp kernel) {
  std::string why;
  std::unique_ptr<Program> program = Program::build(kernel, why);
  return program ? boxProblemOf(kernel, *program, findBox(kernel, *program))
                 : BoxProblem();
}

RowTileProblem kiln::codegen::rowTileProblem(graph::KernelOp kernel) {
  std::string why;
  std::unique_ptr<Program> program = Program::build(kernel, why);
  return program ? rowTileProblemOf(kernel, *program, findTurnedRows(*program))
                 : RowTileProblem();
}

bool kiln::codegen::canEmitPointwiseOrRow(graph::KernelOp kernel, std::string *why) {
  std::string reason;
  bool ok = Program::build(kernel, reason) != nullptr;
  if (why)
    *why = reason;
  return ok;
}

std::optional<unsigned>
kiln::codegen::pointwiseOperandToCopy(graph::KernelOp kernel,
                                      ArrayRef<std::string> targets) {
  std::string why;
  std::unique_ptr<Program> program = Program::build(kernel, why);
  if (!program)
    return std::nullopt;
  if (auto number = turnedOtherwise(*program))
    return number;
  Turned turned = findTurnedRows(*program);
  RowTileProblem problem = rowTileProblemOf(kernel, *program, turned);
  bool hasGpu = false, isHeld = true;
  for (const std::string &name : targets) {
    std::optional<TargetInfo> target = TargetInfo::find(name);
    if (!target || !target->gpu)
      continue;
    hasGpu = true;
    isHeld &= holdsRowTile(kernel.getContext(), problem, *target);
  }
  if (!isHeld)
    return largeOperand(*program, turned);
  return hasGpu ? turnedWithoutTile(*program) : std::nullopt;
}

/// A box through scratch where dims are short and the target has one; null otherwise.
static tile::KernelOp emitBox(graph::KernelOp kernel, Program &program,
                              const TargetInfo &target, OpBuilder &builder) {
  Box box = findBox(kernel, program);
  auto configs =
      rankBoxConfigs(kernel.getContext(), boxProblemOf(kernel, program, box), target);
  if (configs.empty())
    return {};
  return BoxEmitter(builder, kernel, program, std::move(box), configs.front()).emit();
}

/// A tile through scratch where that serves the target; null where it does not.
static tile::KernelOp emitTranspose(graph::KernelOp kernel, Program &program,
                                    const TargetInfo &target, OpBuilder &builder) {
  Turned turned = findTurned(program);
  auto configs = rankTransposeConfigs(
      kernel.getContext(), transposeProblemOf(kernel, program, turned), target);
  if (configs.empty())
    return {};
  return TransposeEmitter(builder, kernel, program, turned, configs.front()).emit();
}

/// The same for rows.
static tile::KernelOp emitRowTile(graph::KernelOp kernel, Program &program,
                                  const TargetInfo &target, OpBuilder &builder) {
  Turned turned = findTurnedRows(program);
  auto configs = rankRowTileConfigs(kernel.getContext(),
                                    rowTileProblemOf(kernel, program, turned), target);
  if (configs.empty())
    return {};
  tile::RowTileConfigAttr config = configs.front();
  KernelEmitter emitter(builder, kernel, program, config.getRow());
  emitter.tileRows(turned, config);
  return emitter.emit();
}

FailureOr<tile::KernelOp>
kiln::codegen::emitPointwiseOrRow(graph::KernelOp kernel, const TargetInfo &target,
                                  OpBuilder &builder, tile::PointwiseConfigAttr config) {
  std::string why;
  std::unique_ptr<Program> program = programFor(kernel, target, why);
  if (!program) {
    kiln::emitError(kernel.getLoc(),
                    {ErrorCode::KernelNotEmittable, "", why,
                     "at most one row op between views and elementwise ops", "", ""});
    return failure();
  }
  MLIRContext *context = kernel.getContext();
  context->loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                       scf::SCFDialect>();
  tile::KernelOp result;
  if (!config)
    result = emitBox(kernel, *program, target, builder);
  if (!result && !config)
    result = emitTranspose(kernel, *program, target, builder);
  if (!result && !config)
    result = emitRowTile(kernel, *program, target, builder);
  if (!result && !config)
    config = rankPointwiseConfigs(context, problemOf(*program), target).front();
  if (!result && config.getShare() > 1)
    result = ColumnEmitter(builder, kernel, *program, config).emit();
  if (!result)
    result = KernelEmitter(builder, kernel, *program, config).emit();
  tidy(result);
  return result;
}
