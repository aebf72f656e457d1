//===- GraphPass.h - Base of passes over graphs -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ANALYSIS_GRAPHPASS_H
#define KILN_ANALYSIS_GRAPHPASS_H

#include "kiln/Analysis/VerifyPrograms.h"
#include "mlir/Pass/Pass.h"

namespace kiln {

/// Base of passes over a graph, a module or one function, which assume that each value is
/// a tensor of a valid type. No verifier of an op promises that: `kiln-opt` runs a pass
/// on any IR that parses. Reports a value of another type (see graph::ValueTypes) and
/// fails before the pass begins.
template <typename OpT> class GraphPass : public mlir::OperationPass<OpT> {
public:
  using mlir::OperationPass<OpT>::OperationPass;

  void runOnOperation() final {
    if (failed(graph::verifyValues(this->getOperation())))
      return this->signalPassFailure();
    runOnGraph();
  }

protected:
  virtual void runOnGraph() = 0;
};

} // namespace kiln

#endif // KILN_ANALYSIS_GRAPHPASS_H
