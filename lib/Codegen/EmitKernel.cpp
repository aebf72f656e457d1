//===- EmitKernel.cpp - From a fused kernel to a tile program -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/EmitKernel.h"
#include "Expression/KernelShell.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

void kiln::codegen::registerConfigDialects(DialectRegistry &registry) {
  registry.insert<tile::TileDialect>();
}

/// Sets the attributes that bound the launches which the program is for.
static void setBounds(tile::KernelOp program, graph::KernelOp kernel,
                      const KernelAnalysis &analysis, const Variant &variant) {
  std::vector<Quantity> quantities = analysis.quantities();
  std::vector<std::pair<SymbolicExpr, int64_t>> bounds;
  for (const Bound &bound : variant.bounds)
    for (const Quantity &quantity : quantities)
      if (quantity.name == bound.quantity)
        bounds.push_back({quantity.value, bound.max});
  setBounds(program, kernel, bounds);
}

FailureOr<tile::KernelOp> kiln::codegen::emitKernel(const KernelAnalysis &analysis,
                                                    graph::KernelOp kernel,
                                                    const CodeRequest &request,
                                                    OpBuilder &builder,
                                                    Attribute config) {
  auto program = analysis.emit(kernel, request, builder, config);
  if (succeeded(program) && request.variant)
    ::setBounds(*program, kernel, analysis, *request.variant);
  return program;
}

FailureOr<tile::KernelOp>
kiln::codegen::emitKernel(graph::KernelOp kernel, const TargetInfo &target,
                          OpBuilder &builder, Attribute config,
                          const std::optional<Variant> &variant) {
  return emitKernel(*analyze(kernel), kernel, {target, variant}, builder, config);
}
