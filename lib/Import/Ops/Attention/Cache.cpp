//===- Cache.cpp - Caches written in place --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"
#include "kiln/ErrorCodes/Model.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

BlockArgument kiln::import::inputBehind(Value value) {
  while (isa_and_present<graph::SliceOp, graph::ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return dyn_cast_if_present<BlockArgument>(value);
}

/// Makes the caches empty: all keys are new and valid.
static LogicalResult emptyCaches(Node &n, ArrayRef<unsigned> pasts) {
  for (unsigned input : pasts) {
    Dims dims = n.inputDims(input);
    if (dims.size() >= 2 &&
        failed(n.unify(dims[dims.size() - 2], 0, "a cache cannot be empty")))
      return failure();
  }
  return success();
}

LogicalResult kiln::import::markCaches(Node &n, ArrayRef<unsigned> pasts) {
  if (n.symbols.pastIsEmpty())
    return emptyCaches(n, pasts);
  if (!n.symbols.pastIsState())
    return n.fail(ErrorCode::FormUnsupported, n.op() + " needs a cache that is state",
                  "a model compiled with state", "pasts as inputs",
                  "leave --no-state out");
  for (unsigned input : pasts) {
    BlockArgument cache = inputBehind(n.input(input));
    Dims dims = n.inputDims(input);
    if (!cache || dims.size() < 2 || !dims[dims.size() - 2].getSymbol())
      return n.fail(ErrorCode::FormUnsupported,
                    n.op() + " needs a cache that can become state",
                    "a past that is an input of the model, its length a symbolic dim",
                    graph::printDims(dims) + (cache ? "" : " of a computed past"),
                    "export the model with a symbolic dim for the rows of the past");
    markCache(cache, "cache");
  }
  return success();
}

void kiln::import::markLength(Node &n, unsigned input, StringRef role) {
  if (auto length = dyn_cast_if_present<BlockArgument>(n.input(input)))
    markCache(length, role);
}

bool kiln::import::hasEmptyCaches(Node &n) {
  auto main = n.builder.getInsertionBlock()->getParentOp();
  return n.symbols.pastIsEmpty() &&
         llvm::any_of(cast<func::FuncOp>(main).getArguments(), isCache);
}
