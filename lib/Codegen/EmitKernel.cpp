//===- EmitKernel.cpp - From a fused kernel to a tile program -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Codegen/Attention.h"
#include "kiln/Codegen/Gemm.h"
#include "kiln/Codegen/Pointwise.h"
#include "kiln/Codegen/Scatter.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

template <typename OpTy> static bool holds(graph::KernelOp kernel) {
  return !kernel.getBlock().getOps<OpTy>().empty();
}

bool kiln::codegen::canEmit(graph::KernelOp kernel, std::string *why) {
  if (holds<graph::AttentionOp>(kernel))
    return canEmitAttention(kernel, why);
  if (holds<graph::MatmulOp>(kernel))
    return canEmitGemm(kernel, why);
  if (holds<graph::ScatterOp>(kernel))
    return canEmitScatter(kernel, why);
  return canEmitPointwiseOrRow(kernel, why);
}

std::optional<unsigned> kiln::codegen::operandToCopy(graph::KernelOp kernel,
                                                     ArrayRef<std::string> targets) {
  bool isPointwise = !holds<graph::AttentionOp>(kernel) &&
                     !holds<graph::MatmulOp>(kernel) && !holds<graph::ScatterOp>(kernel);
  return isPointwise ? pointwiseOperandToCopy(kernel, targets) : std::nullopt;
}

void kiln::codegen::registerConfigDialects(DialectRegistry &registry) {
  registry.insert<tile::TileDialect>();
}

FailureOr<tile::KernelOp> kiln::codegen::emitKernel(graph::KernelOp kernel,
                                                    const TargetInfo &target,
                                                    OpBuilder &builder, Attribute config,
                                                    std::optional<int64_t> mostRows) {
  if (holds<graph::AttentionOp>(kernel))
    return emitAttention(kernel, target, builder, config);
  if (holds<graph::MatmulOp>(kernel))
    return emitGemm(kernel, target, builder, config, mostRows);
  if (holds<graph::ScatterOp>(kernel))
    return emitScatter(kernel, target, builder,
                       dyn_cast_or_null<tile::ScatterConfigAttr>(config));
  return emitPointwiseOrRow(kernel, target, builder,
                            dyn_cast_or_null<tile::PointwiseConfigAttr>(config));
}

SmallVector<int64_t> kiln::codegen::rowVariants(graph::KernelOp kernel,
                                                    const TargetInfo &target) {
  if (holds<graph::AttentionOp>(kernel) || !holds<graph::MatmulOp>(kernel))
    return {};
  return gemmVariants(kernel, target);
}
