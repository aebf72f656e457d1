//===- Gemm.cpp - Matrix products -----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Gemm.h"
#include "Emitter.h"
#include "kiln/Support/Error.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static int64_t defaultWidth(graph::KernelOp kernel) {
  for (auto matmul : kernel.getBlock().getOps<graph::MatmulOp>())
    return gemmPanelWidth(cast<RankedTensorType>(matmul.getType()).getElementType());
  return gemmPanelWidth(Float32Type::get(kernel.getContext()));
}

static GemmProblem problemOf(const GemmProgram &program) {
  GemmProblem problem;
  problem.m = program.row.extent.getConstant();
  if (auto panels = program.panelCount().getConstant())
    problem.n = *panels * program.width;
  problem.k = program.depth.extent.getConstant();
  problem.accumulatorBytes = tile::elementBytes(program.accumulator);
  problem.rhsBytes = tile::elementBytes(program.rhs->storage);
  problem.isPacked = program.isPacked;
  problem.width = program.width;
  problem.epilogueCost = program.epilogueCost();
  return problem;
}

GemmProblem kiln::codegen::gemmProblem(graph::KernelOp kernel) {
  std::string why;
  std::unique_ptr<GemmProgram> program = GemmProgram::build(kernel, defaultWidth(kernel), why);
  return program ? problemOf(*program) : GemmProblem();
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
  std::unique_ptr<GemmProgram> program = GemmProgram::build(kernel, defaultWidth(kernel), why);
  if (!program) {
    kiln::emitError(kernel.getLoc(), {ErrorCode::KernelNotEmittable, "", why,
                                      "one matmul between views and elementwise ops", "", ""});
    return failure();
  }
  if (target.gpu) {
    auto block =
        rankBlockGemmConfigs(builder.getContext(), problemOf(*program), target).front();
    return GemmEmitter(builder, kernel, *program, {}).emitBlock(block);
  }
  if (!config)
    config = rankGemmConfigs(builder.getContext(), problemOf(*program), target).front();
  return GemmEmitter(builder, kernel, *program, config).emit();
}
