//===- EmitKernel.cpp - From a fused kernel to a tile program -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/EmitKernel.h"
#include "Expression/KernelShell.h"
#include "kiln/Codegen/KernelFamily.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

bool kiln::codegen::canEmit(graph::KernelOp kernel, std::string *why) {
  std::string reason;
  bool can = familyOf(kernel).canEmit(kernel, &reason);
  if (!can && why)
    *why = reason;
  return can;
}

std::optional<unsigned> kiln::codegen::operandToCopy(graph::KernelOp kernel,
                                                     ArrayRef<std::string> targets) {
  const KernelFamily &family = familyOf(kernel);
  return family.operandToCopy ? family.operandToCopy(kernel, targets) : std::nullopt;
}

void kiln::codegen::registerConfigDialects(DialectRegistry &registry) {
  registry.insert<tile::TileDialect>();
}

/// Says on the program for which launches it is.
static void setBounds(tile::KernelOp program, graph::KernelOp kernel,
                      const KernelFamily &family, const Variant &variant) {
  std::vector<Quantity> quantities = family.quantities(kernel);
  std::vector<std::pair<SymbolicExpr, int64_t>> bounds;
  for (const Bound &bound : variant.bounds)
    for (const Quantity &quantity : quantities)
      if (quantity.name == bound.quantity)
        bounds.push_back({quantity.value, bound.max});
  setBounds(program, kernel, bounds);
}

FailureOr<tile::KernelOp>
kiln::codegen::emitKernel(graph::KernelOp kernel, const TargetInfo &target,
                          OpBuilder &builder, Attribute config,
                          const std::optional<Variant> &variant) {
  const KernelFamily &family = familyOf(kernel);
  auto program = family.emit({kernel, target, variant}, builder, config);
  if (succeeded(program) && variant)
    ::setBounds(*program, kernel, family, *variant);
  return program;
}

SmallVector<Variant> kiln::codegen::variantsOf(graph::KernelOp kernel,
                                               const TargetInfo &target) {
  const KernelFamily &family = familyOf(kernel);
  return family.variants ? family.variants(kernel, target) : SmallVector<Variant>();
}
