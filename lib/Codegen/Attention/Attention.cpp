//===- Attention.cpp - Attention kernels ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Attention.h"
#include "Emitter.h"
#include "kiln/Support/Error.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Queries of a task: packing keys and values is 1/128 of what it does then.
static constexpr int64_t kQueries = 128;

SmallVector<tile::AttentionConfigAttr>
kiln::codegen::rankAttentionConfigs(MLIRContext *context, int64_t accumulatorBytes,
                                    const TargetInfo &target) {
  SmallVector<tile::AttentionConfigAttr> configs;
  for (int64_t registers : {2, 1}) {
    int64_t width = target.lanes(accumulatorBytes) * registers;
    int64_t rows = (target.vectorRegisters - 1 - registers) / registers;
    configs.push_back(tile::AttentionConfigAttr::get(
        context, std::clamp<int64_t>(rows, 1, 12), width, kQueries));
  }
  return configs;
}

bool kiln::codegen::canEmitAttention(graph::KernelOp kernel, std::string *why) {
  std::string reason;
  bool can = AttentionProgram::build(kernel, reason) != nullptr;
  if (!can && why)
    *why = reason;
  return can;
}

FailureOr<tile::KernelOp> kiln::codegen::emitAttention(graph::KernelOp kernel,
                                                       const TargetInfo &target,
                                                       OpBuilder &builder,
                                                       tile::AttentionConfigAttr config) {
  std::string why;
  std::unique_ptr<AttentionProgram> program = AttentionProgram::build(kernel, why);
  if (!program) {
    kiln::emitError(kernel.getLoc(), {ErrorCode::KernelNotEmittable, "", why,
                                      "one attention between views and elementwise ops", "",
                                      ""});
    return failure();
  }
  if (!config)
    config = rankAttentionConfigs(builder.getContext(),
                                  tile::elementBytes(program->accumulator), target)
                 .front();
  return AttentionEmitter(builder, kernel, *program, config).emit();
}
