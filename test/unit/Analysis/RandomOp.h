//===- RandomOp.h - Ops of random shapes ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_ANALYSIS_RANDOMOP_H
#define KILN_TEST_UNIT_ANALYSIS_RANDOMOP_H

#include "kiln/Reference/Evaluator.h"
#include "mlir/IR/Builders.h"

#include <random>

namespace kiln::test {

/// One op of the graph dialect with values for its operands. Dims are constants or
/// symbols, including 0 and 1.
class RandomOp {
public:
  RandomOp(mlir::MLIRContext *context, unsigned seed)
      : random(seed), b(context), loc(b.getUnknownLoc()) {
    b.setInsertionPointToStart(&block);
  }

  /// Op names that build() accepts.
  static llvm::ArrayRef<llvm::StringRef> names();
  /// Builds an op "graph.<name>".
  void build(llvm::StringRef name);

  mlir::Operation *op() { return &block.back(); }
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool chance(double probability) {
    return std::bernoulli_distribution(probability)(random);
  }
  /// Returns a random valid element of an operand of this type.
  double randomElement(mlir::Type element);

  llvm::SmallVector<reference::Tensor> operands; ///< by operand of the op
  reference::Symbols symbols;

private:
  using Dims = graph::Dims;

  graph::SymbolicExpr dim(int64_t low = 0, int64_t high = 4);
  Dims dims(int64_t minRank, int64_t maxRank);
  int64_t valueOf(const graph::SymbolicExpr &expr) { return *symbols.evaluate(expr); }
  /// Adds an operand; integers are in [low, high].
  mlir::Value operand(mlir::Type element, llvm::ArrayRef<graph::SymbolicExpr> dims,
                      int64_t low = -6, int64_t high = 6);
  mlir::Value floats(llvm::ArrayRef<graph::SymbolicExpr> dims) {
    return operand(b.getF32Type(), dims);
  }
  /// Returns dims that broadcast to `dims`.
  Dims narrower(llvm::ArrayRef<graph::SymbolicExpr> dims, int64_t minRank = 0);

  void buildElementwise();
  void buildReshape();
  void buildTranspose();
  void buildBroadcast();
  void buildSlice();
  void buildConcat();
  void buildGather();
  void buildScatter();
  void buildPanels();
  void buildGenerator();
  void buildReduce();
  void buildRow();
  void buildQuantization();
  void buildKvWrite();
  // RandomContraction.cpp
  void buildMatmul();
  void buildAttention();
  void buildAttentionLse();
  void buildRope();
  void buildScaledMatmul();
  void buildQuantizeWeight();
  mlir::Value maybeLengths(const graph::SymbolicExpr &batch);

  std::mt19937 random;
  mlir::Block block;
  mlir::OpBuilder b;
  mlir::Location loc;
  int64_t numSymbols = 0;
};

} // namespace kiln::test

#endif // KILN_TEST_UNIT_ANALYSIS_RANDOMOP_H
