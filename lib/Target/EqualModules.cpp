//===- EqualModules.cpp - Compiling equal kernels once --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EqualModules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SHA256.h"

llvm::Function &kiln::definedIn(llvm::Module &module) {
  return *llvm::find_if(module, [](llvm::Function &f) { return !f.isDeclaration(); });
}

std::string kiln::hashWithoutName(llvm::Module &module) {
  llvm::Function &defined = definedIn(module);
  std::string name = defined.getName().str();
  defined.setName("kernel");
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  defined.setName(name);
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(bitcode)));
}
