//===- Ranks.h - The graph dialect on several ranks -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks run the same program, so they are evaluated in lockstep: each op on every
// rank before the next op. A collective then has the operands of all ranks, without
// waiting.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_RANKS_H
#define KILN_REFERENCE_RANKS_H

#include "kiln/Reference/Evaluator.h"
#include "kiln/Reference/WeightBlocks.h"

namespace kiln::reference {

/// Evaluates a function of one block on one rank per list of inputs. `weights` has one
/// source per rank. Returns results by rank. Sums over ranks are in f64, in the order of
/// ranks. Errors: those of evaluate; KILN-E0252 if a collective has another number of
/// ranks.
llvm::Expected<std::vector<Results>>
evaluateRanks(mlir::func::FuncOp func, llvm::ArrayRef<llvm::ArrayRef<Tensor>> inputs,
              const Symbols &symbols, llvm::ArrayRef<WeightSource *> weights,
              const Options &options = {});

/// Evaluates a collective: `operands` and the results have one tensor per rank of the
/// module. Fails if the number of ranks is not a multiple of the group size.
llvm::Expected<std::vector<Tensor>> evaluateCollective(mlir::Operation *op,
                                                       llvm::ArrayRef<Tensor> operands);

/// Returns the box of a rank's part of a tensor that `ranks` ranks divide along `axis`.
Box rankBox(llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t rank, int64_t ranks);
/// Returns a rank's part of a tensor that `ranks` ranks divide along `axis`.
Tensor rankPart(const Tensor &whole, int64_t axis, int64_t rank, int64_t ranks);

} // namespace kiln::reference

#endif // KILN_REFERENCE_RANKS_H
