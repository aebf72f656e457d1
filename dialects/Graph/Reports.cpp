//===- Reports.cpp - Reports of passes in a module ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Reports.h"

using namespace mlir;
using namespace kiln::graph;

static constexpr llvm::StringLiteral kLists[] = {kPrecisionReportAttr, kShardReportAttr,
                                                 kObservedAttr, kCalibrationAttr,
                                                 kActivationRangesAttr};

static bool isList(StringRef attribute) { return llvm::is_contained(kLists, attribute); }

bool kiln::graph::isRecord(StringRef attribute) {
  return isList(attribute) ||
         llvm::is_contained({StringRef(kIndexReportAttr), StringRef(kCompileAttr),
                             StringRef(kSourceAttr)},
                            attribute);
}

LogicalResult kiln::graph::verifyRecord(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto list = dyn_cast<ArrayAttr>(attribute.getValue());
  bool isRight = isList(name) ? list && llvm::all_of(list, llvm::IsaPred<DictionaryAttr>)
                              : isa<DictionaryAttr>(attribute.getValue());
  if (isa<ModuleOp>(op) && isRight)
    return success();
  return op->emitOpError() << "carries " << name << ", which is for modules, and "
                           << (isList(name) ? "a list of dictionaries" : "a dictionary");
}

void kiln::graph::removeRecords(ModuleOp module) {
  for (NamedAttribute attribute : llvm::to_vector(module->getDiscardableAttrs()))
    if (isRecord(attribute.getName()))
      module->removeDiscardableAttr(attribute.getName());
}

void kiln::graph::addToReport(ModuleOp module, StringRef attribute,
                              ArrayRef<Attribute> entries) {
  if (entries.empty())
    return;
  SmallVector<Attribute> all;
  if (auto list = module->getAttrOfType<ArrayAttr>(attribute))
    llvm::append_range(all, list);
  llvm::append_range(all, entries);
  module->setAttr(attribute, ArrayAttr::get(module.getContext(), all));
}
