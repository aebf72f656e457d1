//===- KernelFamilies.cpp - Table of the kernel families ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/KernelFamily.h"
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

std::unique_ptr<KernelAnalysis> kiln::codegen::analyze(graph::KernelOp kernel) {
  return familyOf(kernel).analyze(kernel);
}
