//===- SubstituteSymbols.cpp - Symbols become expressions -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SubstituteSymbols.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static Dims substituteDims(Dims dims, const SymbolMap &map) {
  for (SymbolicExpr &dim : dims)
    dim = dim.substitute([&](StringAttr name) -> std::optional<SymbolicExpr> {
      auto it = map.find(name);
      return it == map.end() ? std::nullopt : std::optional(it->second);
    });
  return dims;
}

void kiln::graph::substituteSymbols(func::FuncOp function, const SymbolMap &map) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType type) -> std::pair<Type, WalkResult> {
    return {makeTensorType(substituteDims(getDims(type), map), type.getElementType()),
            WalkResult::skip()};
  });
  replacer.addReplacement([&](ShapeAttr shape) -> std::pair<Attribute, WalkResult> {
    return {makeShape(shape.getContext(), substituteDims(getDims(shape), map)),
            WalkResult::skip()};
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false, /*replaceTypes=*/true);
}

void kiln::graph::eraseUnusedSymbols(ModuleOp module) {
  llvm::DenseSet<StringAttr> used = usedSymbols(module);
  for (SymbolOp symbol : llvm::make_early_inc_range(module.getOps<SymbolOp>()))
    if (!used.contains(symbol.getSymNameAttr()))
      symbol.erase();
}
