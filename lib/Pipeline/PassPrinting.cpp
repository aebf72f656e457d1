//===- PassPrinting.cpp - What passes print of themselves -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassInstruments.h"
#include "kiln/Support/UsageError.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace mlir;

static constexpr StringLiteral kAll = "all";

/// Whether the text of pipelines has a pass with this flag.
static bool hasPass(StringRef pipelines, StringRef name) {
  auto isPartOfName = [](char c) { return llvm::isAlnum(c) || c == '-'; };
  for (size_t at = pipelines.find(name); at != StringRef::npos && !name.empty();
       at = pipelines.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !isPartOfName(pipelines[at - 1])) &&
        (end == pipelines.size() || !isPartOfName(pipelines[end])))
      return true;
  }
  return false;
}

llvm::Error kiln::checkPassNames(const PassPrinting &printing, StringRef pipelines) {
  for (const auto &[option, names] :
       {std::pair("--mlir-print-ir-before", ArrayRef(printing.before)),
        std::pair("--mlir-print-ir-after", ArrayRef(printing.after))})
    for (const std::string &name : names)
      if (name != kAll && !hasPass(pipelines, name))
        return usageError(option, "no pass of this compile has this name",
                          "all, or flags of passes that --print-pipeline all lists",
                          "'" + name + "'", "correct the name");
  return llvm::Error::success();
}

static std::function<bool(Pass *, Operation *)>
isOneOf(const std::vector<std::string> &names) {
  return [names](Pass *pass, Operation *) {
    return llvm::is_contained(names, kAll.str()) ||
           llvm::is_contained(names, pass->getArgument().str());
  };
}

void kiln::printPasses(PassManager &pm, const PassPrinting &printing) {
  if (!printing.printsIr())
    return;
  auto before = isOneOf(printing.before), after = isOneOf(printing.after);
  if (printing.treeDir.empty())
    pm.enableIRPrinting(before, after, /*printModuleScope=*/false, printing.onlyChanges);
  else
    pm.enableIRPrintingToFileTree(before, after, /*printModuleScope=*/false,
                                  printing.onlyChanges, /*printAfterOnlyOnFailure=*/false,
                                  printing.treeDir);
}
