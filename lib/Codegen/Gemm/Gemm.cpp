//===- Gemm.cpp - Matrix products -----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Gemm.h"
#include "Emitter.h"
#include "Gemv.h"
#include "TensorConfig.h"
#include "Rows.h"
#include "TensorOperand.h"
#include "kiln/Support/Error.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static int64_t defaultWidth(graph::KernelOp kernel) {
  for (auto matmul : kernel.getBlock().getOps<graph::MatmulOp>())
    return gemmPanelWidth(cast<RankedTensorType>(matmul.getType()).getElementType());
  return gemmPanelWidth(Float32Type::get(kernel.getContext()));
}

/// The program for a target. Panels of a right operand that is not packed are as
/// wide as a line for tensor cores, unless views divide the columns more finely.
static std::unique_ptr<GemmProgram> buildFor(graph::KernelOp kernel, const TargetInfo &target,
                                             std::string &why) {
  int64_t width = defaultWidth(kernel);
  std::unique_ptr<GemmProgram> program = GemmProgram::build(kernel, width, why);
  if (!program || !target.gpu || !target.gpu->hasMmaSync || program->isPacked ||
      !program->fitsTensorCores())
    return program;
  auto columns = graph::getDims(program->matmul.getResult()).back().getConstant();
  int64_t bytes = tile::elementBytes(program->rhs->storage);
  for (int64_t wider = tensorPanelWidth(columns, bytes); wider > width; wider /= 2) {
    std::string reason;
    if (std::unique_ptr<GemmProgram> other = GemmProgram::build(kernel, wider, reason))
      return other;
  }
  return program;
}

/// Batches whose number is known at run time only.
static constexpr int64_t kTypicalBatch = 8;

static GemmProblem problemOf(const GemmProgram &program, const TargetInfo &target) {
  GemmProblem problem;
  for (const Loop &loop : program.batch) {
    problem.batch *= loop.extent.getConstant().value_or(kTypicalBatch);
    problem.isBatchKnown &= loop.extent.getConstant().has_value();
  }
  problem.operandBytes = tile::elementBytes(program.lhs->storage);
  problem.onTensorCores = target.gpu && target.gpu->hasMmaSync && program.fitsTensorCores();
  problem.m = knownRows(program);
  problem.isRowCountExact = program.row.extent.isConstant();
  if (auto panels = program.panelCount().getConstant())
    problem.n = *panels * program.width;
  problem.k = program.depth.extent.getConstant();
  problem.accumulatorBytes = tile::elementBytes(program.accumulator);
  problem.rhsBytes = tile::elementBytes(program.rhs->storage);
  problem.isPacked = program.isPacked;
  problem.width = program.width;
  problem.epilogueCost = program.epilogueCost();
  problem.hasTensorOperands = hasTensorOperands(program);
  describeStream(program, problem);
  return problem;
}

GemmProblem kiln::codegen::gemmProblem(graph::KernelOp kernel, const TargetInfo &target) {
  std::string why;
  std::unique_ptr<GemmProgram> program = buildFor(kernel, target, why);
  return program ? problemOf(*program, target) : GemmProblem();
}

bool kiln::codegen::canEmitGemm(graph::KernelOp kernel, std::string *why) {
  std::string reason;
  bool can = GemmProgram::build(kernel, defaultWidth(kernel), reason) != nullptr;
  if (!can && why)
    *why = reason;
  return can;
}

FailureOr<tile::KernelOp> kiln::codegen::emitGemm(graph::KernelOp kernel,
                                                  const TargetInfo &target, OpBuilder &builder,
                                                  tile::GemmConfigAttr config) {
  std::string why;
  std::unique_ptr<GemmProgram> program = buildFor(kernel, target, why);
  if (!program) {
    kiln::emitError(kernel.getLoc(), {ErrorCode::KernelNotEmittable, "", why,
                                      "one matmul between views and elementwise ops", "", ""});
    return failure();
  }
  auto groups = rankWarpgroupGemmConfigs(builder.getContext(), problemOf(*program, target), target);
  if (!groups.empty())
    return GemmEmitter(builder, kernel, *program, {}).emitWarpgroups(groups.front());
  if (auto gemv = chooseGemvConfig(builder.getContext(), problemOf(*program, target), target))
    return GemvEmitter(builder, kernel, *program, gemv).emit();
  if (target.gpu) {
    auto block =
        rankBlockGemmConfigs(builder.getContext(), problemOf(*program, target), target).front();
    return GemmEmitter(builder, kernel, *program, {}).emitBlock(block);
  }
  if (!config)
    config = rankGemmConfigs(builder.getContext(), problemOf(*program, target), target).front();
  return GemmEmitter(builder, kernel, *program, config).emit();
}
