//===- KernelFamilies.cpp - Table of the kernel families ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/KernelFamily.h"
#include "kiln/ErrorCodes/Target.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Returns the table, initially the built-in families, in order of priority.
static std::vector<const KernelFamily *> &table() {
  static std::vector<const KernelFamily *> rows{&attentionFamily(), &gemmFamily(),
                                                &scatterFamily(), &pointwiseFamily()};
  return rows;
}

void kiln::codegen::registerKernelFamily(const KernelFamily &family, StringRef before) {
  auto at = llvm::find_if(table(),
                          [&](const KernelFamily *row) { return row->name == before; });
  table().insert(at, &family);
}

ArrayRef<const KernelFamily *> kiln::codegen::kernelFamilies() { return table(); }

const KernelFamily &kiln::codegen::familyOf(graph::KernelOp kernel) {
  for (const KernelFamily *row : table())
    if (row->matches(kernel))
      return *row;
  llvm_unreachable("a built-in row takes every kernel");
}

const Hero &kiln::codegen::heroOf(Operation *op) {
  for (const KernelFamily *row : table())
    if (const Hero *hero = row->heroOf(op))
      return *hero;
  llvm_unreachable("a built-in row takes every op");
}

namespace {
/// A kernel with a product or an attention of no elements, over which no family loops:
/// there is a fill in place of it behind kiln-simplify-graph.
class EmptyKernel : public KernelAnalysis {
public:
  explicit EmptyKernel(Operation *op)
      : problem("it has a " + op->getName().getStringRef().str() +
                " with a dim of 0, which kiln-simplify-graph replaces") {}

  bool canEmit(std::string &why) const override {
    why = problem;
    return false;
  }
  Explanation explain(const CodeRequest &) const override { return {}; }
  ConfigProblem checkConfig(const CodeRequest &, Attribute) const override {
    return Diagnosis{ErrorCode::ConfigImpossible, "", problem, "", "", ""};
  }
  FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const CodeRequest &, OpBuilder &,
                                 Attribute) const override {
    return kiln::emitError(kernel.getLoc(),
                           {ErrorCode::KernelNotEmittable,
                            "graph.kernel \"" + kernel.getHero().str() + "\"", problem,
                            "", "", "run --kiln-graph-pipeline in front"});
  }

private:
  std::string problem;
};
} // namespace

static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

/// The first op of a kernel that multiplies matrices without elements, or null.
static Operation *emptyProduct(graph::KernelOp kernel) {
  for (Operation &op : kernel.getBlock())
    if ((attentionFamily().heroOf(&op) || gemmFamily().heroOf(&op)) &&
        (llvm::any_of(op.getOperandTypes(), isEmpty) ||
         llvm::any_of(op.getResultTypes(), isEmpty)))
      return &op;
  return nullptr;
}

std::unique_ptr<KernelAnalysis> kiln::codegen::analyze(graph::KernelOp kernel) {
  if (Operation *op = emptyProduct(kernel))
    return std::make_unique<EmptyKernel>(op);
  return familyOf(kernel).analyze(kernel);
}
