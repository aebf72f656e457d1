//===- Synthesis.h - Dims, inputs and weights to evaluate with --*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything here is a function of names, indices and a seed: two runs, and the
// module before and after a pass, see the same values.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_SYNTHESIS_H
#define KILN_REFERENCE_SYNTHESIS_H

#include "kiln/Reference/Evaluator.h"

namespace kiln::reference {

/// Distribution of the floats of synthesised inputs.
enum class Flavour {
  Plain,       ///< about [-2, 2]
  Adversarial, ///< with zeros of both signs, ties, tiny and large ones
  NonFinite,   ///< with a few NaN and infinities
  Masked, ///< as Plain; masks, which are integers or booleans, also have rows of zeros
};

/// Small distinct values inside the declared ranges, from `first` on.
Symbols chooseSymbols(mlir::ModuleOp module, int64_t first = 2);

/// The size of the smallest dim that `value` gathers from, directly or through
/// casts, views and kernels; nullopt if it is no index.
std::optional<int64_t> tableSize(mlir::Value value, const Symbols &symbols);

/// Inputs for @main. Integers that choose rows of a gather are inside its table
/// (through casts, views and kernels), other integers and booleans are 0 or 1. Masked:
/// a row of these, along the last dim, may be all 0, all 1, or begin or end with zeros.
llvm::Expected<llvm::SmallVector<Tensor>> makeInputs(mlir::func::FuncOp main,
                                                     const Symbols &symbols, uint64_t seed,
                                                     Flavour flavour);

/// Weights from files where they are small or hold no floats, and made up from
/// the hash of their bytes otherwise, so that models of gigabytes are evaluated
/// without being read. `files` may be null: everything is made up.
class SynthesisedWeights final : public WeightSource {
public:
  explicit SynthesisedWeights(WeightSource *files) : files(files) {}
  llvm::Expected<Tensor> get(graph::WeightOp weight) override;

private:
  WeightSource *files;
};

} // namespace kiln::reference

#endif // KILN_REFERENCE_SYNTHESIS_H
