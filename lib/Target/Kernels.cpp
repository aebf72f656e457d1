//===- Kernels.cpp - Kernels on the way to code ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/Kernels.h"
#include "dialects/Tile/Tile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"

using namespace kiln;
using namespace mlir;

bool kiln::isKernel(Operation *op) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return !function.isExternal();
  return isa<tile::KernelOp>(op);
}

SmallVector<Operation *> kiln::kernelsIn(ModuleOp module) {
  SmallVector<Operation *> kernels;
  for (Operation &op : *module.getBody())
    if (isKernel(&op))
      kernels.push_back(&op);
  return kernels;
}

OwningOpRef<ModuleOp> kiln::isolateKernel(Operation *kernel) {
  llvm::SetVector<Operation *> wanted;
  wanted.insert(kernel);
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i]->walk([&](Operation *op) {
      for (NamedAttribute attribute : op->getAttrs())
        if (auto name = dyn_cast<FlatSymbolRefAttr>(attribute.getValue()))
          if (Operation *other = SymbolTable::lookupSymbolIn(kernel->getParentOp(), name);
              other && !isa<tile::KernelOp>(other)) // a kernel names one that it replaces
            wanted.insert(other);
    });
  OwningOpRef<ModuleOp> module(ModuleOp::create(kernel->getLoc()));
  for (Operation &op : *kernel->getBlock())
    if (wanted.contains(&op))
      module->push_back(op.clone());
  return module;
}
