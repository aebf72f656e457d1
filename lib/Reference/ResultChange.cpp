//===- ResultChange.cpp - Changes of results by passes --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/ResultChange.h"
#include "mlir/IR/BuiltinTypes.h"

#include <algorithm>

using namespace kiln;
using namespace kiln::reference;
using namespace mlir;

ChangesResults::~ChangesResults() = default;

/// Returns the relative error to which roundings to a type may accumulate in a model.
static double roundingOf(Type element) {
  return element.isBF16() ? 5e-2 : element.isF16() ? 1e-2 : 0;
}

ResultChange reference::changeByRaising(ModuleOp module) {
  ResultChange change;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        change.tolerance =
            std::max(change.tolerance, roundingOf(tensor.getElementType()));
  });
  return change;
}
