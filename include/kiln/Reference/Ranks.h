//===- Ranks.h - The graph dialect on several ranks -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks run one program, so they are evaluated side by side: each op on every rank before
// the next op. A collective then finds the operands of all ranks, and nobody waits.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_RANKS_H
#define KILN_REFERENCE_RANKS_H

#include "kiln/Reference/Evaluator.h"
#include "kiln/Reference/WeightBlocks.h"

namespace kiln::reference {

/// Evaluates a function of one block on as many ranks as there are lists of inputs.
/// `weights` has a source for each rank. Results by rank. Sums over ranks are in f64, in
/// the order of the ranks. Errors: as of evaluate; KILN-E0252 if a collective is of
/// another number of ranks.
llvm::Expected<std::vector<Results>>
evaluateRanks(mlir::func::FuncOp func, llvm::ArrayRef<llvm::ArrayRef<Tensor>> inputs,
              const Symbols &symbols, llvm::ArrayRef<WeightSource *> weights,
              const Options &options = {});

/// Evaluates a collective: `operands` and the results have one tensor per rank of the
/// module. An error if the ranks are no whole groups of the collective.
llvm::Expected<std::vector<Tensor>> evaluateCollective(mlir::Operation *op,
                                                       llvm::ArrayRef<Tensor> operands);

/// Where a rank's part lies in a tensor that `ranks` ranks divide along `axis`.
Box rankBox(llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t rank, int64_t ranks);
/// This rank's part of a tensor that `ranks` ranks divide along `axis`.
Tensor rankPart(const Tensor &whole, int64_t axis, int64_t rank, int64_t ranks);

} // namespace kiln::reference

#endif // KILN_REFERENCE_RANKS_H
