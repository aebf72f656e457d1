//===- OutputSet.h - Memory for all outputs ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_OUTPUTSET_H
#define KILN_EXECUTION_OUTPUTSET_H

#include "kiln/Execution/Handles.h"
#include "kiln/Execution/Inputs.h"
#include "kiln/Execution/Runner.h"

namespace kiln::execution {

/// One tensor per output of a model, with the shapes that follow from the inputs.
class OutputSet {
public:
  static llvm::Expected<OutputSet> create(kiln_model *model, kiln_session *session,
                                          llvm::ArrayRef<kiln_tensor> inputs);

  llvm::ArrayRef<TensorBuffer> buffers() const { return memory; }
  llvm::ArrayRef<kiln_tensor> tensors() const { return views; }

private:
  std::vector<TensorBuffer> memory;
  std::vector<kiln_tensor> views;
};

/// Runs once. Indices that the model computes only from generated inputs, for example
/// positions, may be out of range; that is a warning, as they are clamped.
llvm::Error runOnce(kiln_session *session, const InputSet &inputs,
                    const OutputSet &outputs);
/// Runs once on all ranks of a runner.
llvm::Error runOnce(const Runner &runner, const InputSet &inputs,
                    const OutputSet &outputs);

} // namespace kiln::execution

#endif // KILN_EXECUTION_OUTPUTSET_H
