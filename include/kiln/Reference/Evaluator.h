//===- Evaluator.h - The graph dialect in double precision ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An evaluator of graphs, op by op, according to the descriptions in dialects/Graph: the
// oracle for folding, baking, tests, `kiln verify` and `--verify=each`. Floats are
// computed as f64 and rounded only where an op says so (a narrowing cast). A collective
// of one rank is the identity; Ranks.h evaluates collectives of several ranks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_EVALUATOR_H
#define KILN_REFERENCE_EVALUATOR_H

#include "dialects/Graph/Graph.h"
#include "kiln/Reference/Tensor.h"
#include "kiln/Reference/Weights.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace kiln::reference {

class QuantizationErrors;

/// Values of symbolic dims.
class Symbols {
public:
  Symbols() = default;
  Symbols(std::initializer_list<std::pair<llvm::StringRef, int64_t>> list);
  void set(llvm::StringRef name, int64_t value) { values[name] = value; }
  std::optional<int64_t> lookup(llvm::StringRef name) const;
  /// Evaluates an expression; nullopt if a symbol has no value, on overflow, or on
  /// division by a value <= 0.
  std::optional<int64_t> evaluate(const graph::SymbolicExpr &expr) const;
  /// Returns text such as "batch = 2, seq = 3", sorted by name.
  std::string str() const;

private:
  llvm::StringMap<int64_t> values;
};

struct Options {
  /// Rounds the result of every op to its declared type, like a run of single ops, for
  /// bitwise comparisons.
  bool exactTyped = false;
  /// Perturbs every result of an attention by the largest error that rounding of its
  /// scores can cause. The distance from the exact result distinguishes defects from
  /// kernels that keep large scores in the accumulators' type.
  /// docs/rationale/precision.md
  bool moveByScores = false;
  /// Ops to evaluate with exactTyped: by default those whose rounding determines integers
  /// (lib/Reference/Decisive.h).
  const llvm::DenseSet<mlir::Operation *> *rounded = nullptr;
  /// Cache of small values of @bake that are slow to compute and that several weights
  /// need: parts `unit` and `multipliers` of graph.quantize_weight.
  llvm::DenseMap<mlir::Value, Tensor> *kept = nullptr;
  /// Accumulates the quantization errors of blocks that @bake computes.
  QuantizationErrors *errors = nullptr;
  /// Called after each op of the evaluated block (not inside kernels).
  std::function<void(mlir::Operation *op, llvm::ArrayRef<Tensor> operands,
                     llvm::ArrayRef<Tensor> results)>
      observe;
};

using Results = llvm::SmallVector<Tensor, 1>;

/// Returns the shape of a tensor type for these symbols.
llvm::Expected<Shape> shapeOf(mlir::Type type, const Symbols &symbols);

/// Takes the values of symbols from the shapes of a function's inputs: each dim that is
/// one symbol gives its value.
llvm::Expected<Symbols> bindSymbols(mlir::func::FuncOp func,
                                    llvm::ArrayRef<Shape> shapes);

/// Evaluates one op of the graph dialect.
llvm::Expected<Results> evaluateOp(mlir::Operation *op, llvm::ArrayRef<Tensor> operands,
                                   const Symbols &symbols, WeightSource &weights,
                                   const Options &options = {});

/// Evaluates a block; the operands of its terminator are the results. A value is
/// released after its last use.
llvm::Expected<Results> evaluate(mlir::Block &block, llvm::ArrayRef<Tensor> inputs,
                                 const Symbols &symbols, WeightSource &weights,
                                 const Options &options = {});

/// Evaluates a function of one block after a check of its inputs.
llvm::Expected<Results> evaluate(mlir::func::FuncOp func, llvm::ArrayRef<Tensor> inputs,
                                 const Symbols &symbols, WeightSource &weights,
                                 const Options &options = {});

} // namespace kiln::reference

#endif // KILN_REFERENCE_EVALUATOR_H
