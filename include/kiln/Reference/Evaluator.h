//===- Evaluator.h - The graph dialect in double precision ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph computes, op by op, as the descriptions in dialects/Graph say:
// the oracle for folding, baking, tests, `kiln verify` and `--verify=each`.
// Floats are computed as f64 and rounded only where an op says so (a narrowing
// cast). A collective of one rank is the identity; Ranks.h has those of several.
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

/// The values of symbolic dims.
class Symbols {
public:
  Symbols() = default;
  Symbols(std::initializer_list<std::pair<llvm::StringRef, int64_t>> list);
  void set(llvm::StringRef name, int64_t value) { values[name] = value; }
  std::optional<int64_t> lookup(llvm::StringRef name) const;
  /// The value of an expression; nullopt if a symbol has none, on overflow, or
  /// on division by a value <= 0.
  std::optional<int64_t> evaluate(const graph::SymbolicExpr &expr) const;
  /// "batch = 2, seq = 3", sorted by name.
  std::string str() const;

private:
  llvm::StringMap<int64_t> values;
};

struct Options {
  /// Round the result of every op to its declared type, as a run of one op at a
  /// time would; for comparing what must be the same to the bit.
  bool exactTyped = false;
  /// Move every result of an attention by the most that rounding of its scores can:
  /// how far such a result is from the exact one tells a defect from a kernel that
  /// holds large scores in the accumulators' type. docs/rationale/precision.md
  bool moveByScores = false;
  /// Ops to evaluate with exactTyped: by default those whose rounding decides about
  /// whole numbers (lib/Reference/Decisive.h).
  const llvm::DenseSet<mlir::Operation *> *rounded = nullptr;
  /// Where values of @bake that are small and slow to compute are kept for the next weight
  /// that needs them: parts `unit` and `multipliers` of graph.quantize_weight.
  llvm::DenseMap<mlir::Value, Tensor> *kept = nullptr;
  /// Where blocks of codes of @bake add what they are off by.
  QuantizationErrors *errors = nullptr;
  /// Called after each op of the evaluated block (not inside kernels).
  std::function<void(mlir::Operation *op, llvm::ArrayRef<Tensor> operands,
                     llvm::ArrayRef<Tensor> results)>
      observe;
};

using Results = llvm::SmallVector<Tensor, 1>;

/// The shape of a tensor type at these symbols.
llvm::Expected<Shape> shapeOf(mlir::Type type, const Symbols &symbols);

/// Reads the symbols off the shapes of a function's inputs: each dim that is one
/// symbol gives its value.
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

/// Evaluates a function of one block, after checking its inputs.
llvm::Expected<Results> evaluate(mlir::func::FuncOp func, llvm::ArrayRef<Tensor> inputs,
                                 const Symbols &symbols, WeightSource &weights,
                                 const Options &options = {});

} // namespace kiln::reference

#endif // KILN_REFERENCE_EVALUATOR_H
