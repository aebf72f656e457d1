//===- Scope.h - The live values of a block ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Reference.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_SCOPE_H
#define KILN_LIB_REFERENCE_SCOPE_H

#include "kiln/Reference/Evaluator.h"

namespace kiln::reference {

/// The live values of a block: each is released after its last use.
class Scope {
public:
  void define(mlir::Value value, Tensor tensor) {
    if (!value.use_empty())
      live[value] = {std::move(tensor),
                     std::distance(value.use_begin(), value.use_end())};
  }

  /// Returns the operands of `op` and releases those whose last use it is.
  Results take(mlir::Operation *op) {
    Results operands;
    for (mlir::Value operand : op->getOperands()) {
      auto it = live.find(operand);
      assert(it != live.end() && "value used before it is defined");
      operands.push_back(it->second.first);
      if (--it->second.second == 0)
        live.erase(it);
    }
    return operands;
  }

private:
  llvm::DenseMap<mlir::Value, std::pair<Tensor, ptrdiff_t>> live;
};

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_SCOPE_H
