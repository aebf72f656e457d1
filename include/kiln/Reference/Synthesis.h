//===- Synthesis.h - Synthetic dims, inputs and weights ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything here is a function of names, indices and a seed, so that two runs, and the
// modules before and after a pass, get equal values.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_SYNTHESIS_H
#define KILN_REFERENCE_SYNTHESIS_H

#include "kiln/Reference/Evaluator.h"

namespace kiln::reference {

/// Distribution of the floats in synthetic inputs.
enum class Flavour {
  Plain,       ///< roughly in [-2, 2]
  Adversarial, ///< with zeros of both signs, ties, and tiny and large values
  NonFinite,   ///< with some NaN and infinities
  Masked, ///< like Plain; integer and boolean masks also have rows of zeros
};

/// Chooses small distinct values inside of the declared ranges, from `first` on.
Symbols chooseSymbols(mlir::ModuleOp module, int64_t first = 2);

/// Returns the size of the smallest dim that `value` indexes in a gather, directly or
/// through casts, views and kernels; nullopt if it is not an index.
std::optional<int64_t> tableSize(mlir::Value value, const Symbols &symbols);

/// Makes inputs of @main. Integers that index a gather (through casts, views and kernels)
/// are in range, other integers and booleans are 0 or 1. Masked: a row of these, along
/// the last dim, may be all 0, all 1, or begin or end with zeros.
llvm::Expected<llvm::SmallVector<Tensor>> makeInputs(mlir::func::FuncOp main,
                                                     const Symbols &symbols, uint64_t seed,
                                                     Flavour flavour);

/// Weights that are read from files if they are small or have no floats, and otherwise
/// generated from the hash of their bytes, so that models of gigabytes are evaluated
/// without being read. `files` may be null: everything is generated.
class SynthesisedWeights final : public WeightSource {
public:
  explicit SynthesisedWeights(WeightSource *files) : files(files) {}
  llvm::Expected<Tensor> get(graph::WeightOp weight) override;

private:
  WeightSource *files;
};

} // namespace kiln::reference

#endif // KILN_REFERENCE_SYNTHESIS_H
