//===- FindCode.cpp - The tile program of a graph kernel ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FindCode.h"
#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Codegen/KernelFamily.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

SymbolicExpr kiln::toSymbolic(tile::KernelOp kernel, AffineMap map) {
  SmallVector<StringAttr> symbols(kernel.getSymbols().getAsRange<StringAttr>());
  return SymbolicExpr::fromAffine(map.getResult(0), symbols);
}

static void addWorkspace(tile::KernelOp program, KernelCode &code) {
  if (!program.getWorkspace())
    return;
  code.workspaces.push_back(toSymbolic(program, *program.getWorkspace()));
  code.tickets.push_back(toSymbolic(program, *program.getTickets()));
}

/// Adds the variants of `kernel` on the target with this index.
static void addVariants(graph::KernelOp kernel, ModuleOp target, int64_t number,
                        KernelCode &code) {
  for (auto program : target.getOps<tile::KernelOp>()) {
    if (program.getReplacesAttr() != kernel.getCodeAttr())
      continue;
    std::vector<KernelCode::Bound> when;
    for (auto bound : program.getWhen()->getAsRange<tile::BoundAttr>())
      when.push_back({toSymbolic(program, bound.getValue().getValue()), bound.getMax()});
    code.variants.push_back({program.getSymName().str(), number, std::move(when),
                             toSymbolic(program, program.getGrid())});
    addWorkspace(program, code);
  }
}

FailureOr<KernelCode> kiln::findCode(graph::KernelOp kernel) {
  KernelCode code;
  auto module = kernel->getParentOfType<ModuleOp>();
  for (auto target : module.getOps<ModuleOp>()) {
    auto program = kernel.getCodeAttr()
                       ? target.lookupSymbol<tile::KernelOp>(kernel.getCodeAttr())
                       : tile::KernelOp();
    if (!program)
      continue;
    addVariants(kernel, target, int64_t(code.grids.size()), code);
    code.grids.push_back(toSymbolic(program, program.getGrid()));
    // A GPU's scratch is shared memory, which is in no arena.
    bool isShared = program.getThreads().has_value();
    code.scratch.push_back(isShared ? SymbolicExpr(0)
                                    : toSymbolic(program, program.getScratch()));
    addWorkspace(program, code);
  }
  if (!code.grids.empty())
    return code;
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::LevelViolation;
  diagnosis.what = "a kernel has no code";
  diagnosis.expected =
      "a tile.kernel in every target's module, as kiln-emit-kernels leaves it";
  return emitError(kernel.getLoc(), diagnosis);
}

KernelCodegen kiln::getKernelCodegen(codegen::SharedAnalyses analyses) {
  return {[analyses](graph::KernelOp kernel, std::string *why) {
            std::string reason;
            bool can = analyses->of(kernel).canEmit(reason);
            if (!can && why)
              *why = reason;
            return can;
          },
          [analyses](graph::KernelOp kernel, ArrayRef<std::string> targets) {
            return analyses->of(kernel).operandToCopy(targets);
          },
          codegen::heroOf, codegen::registerConfigDialects};
}
