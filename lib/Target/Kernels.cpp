//===- Kernels.cpp - Kernels on the way to code ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/Kernels.h"
#include "dialects/Tile/Tile.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/KernelText.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

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

KernelTextSink kiln::writeTextsTo(std::string folder) {
  // A folder that cannot be made shows when the first file is opened in it.
  (void)llvm::sys::fs::create_directories(folder);
  return [folder = std::move(folder)](llvm::StringRef kernel, llvm::StringRef kind,
                                      llvm::StringRef text) -> llvm::Error {
    const std::string path = (folder + "/" + kernel + "." + kind).str();
    std::error_code code;
    llvm::ToolOutputFile file(path, code, llvm::sys::fs::OF_Text);
    if (code)
      return makeError({ErrorCode::OutputNotWritable, path, code.message(), "", "", ""});
    file.os() << text;
    file.keep();
    return llvm::Error::success();
  };
}
