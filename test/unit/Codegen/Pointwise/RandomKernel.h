//===- RandomKernel.h - Random row and pointwise kernels --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_CODEGEN_POINTWISE_RANDOMKERNEL_H
#define KILN_TEST_UNIT_CODEGEN_POINTWISE_RANDOMKERNEL_H

#include "ReferenceCheck.h"

namespace kiln::test {

/// Generates a graph.kernel from a seed: a random chain of elementwise and movement ops
/// that adds operands, perhaps a row op, perhaps an epilogue. Dims are constants or
/// symbols.
class RandomKernel {
public:
  RandomKernel(mlir::OpBuilder &builder, unsigned seed) : b(builder), random(seed) {}

  /// Returns the kernel, with inputs and symbol values; `code` is not set.
  KernelCase build();
  /// Whether rounded floats determine an integer or a select.
  bool decides = false;

private:
  using Dims = graph::Dims;

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool chance(double probability) {
    return std::bernoulli_distribution(probability)(random);
  }
  template <typename T> T oneOf(std::initializer_list<T> list) {
    return list.begin()[pick(0, list.size() - 1)];
  }

  static mlir::Type elementOf(mlir::Value value) {
    return mlir::cast<mlir::RankedTensorType>(value.getType()).getElementType();
  }
  mlir::Type randomElement();
  graph::SymbolicExpr randomDim();
  Dims randomDims();
  int64_t valueOf(const graph::SymbolicExpr &expr);
  int64_t countOf(llvm::ArrayRef<graph::SymbolicExpr> dims);
  mlir::Value operand(mlir::Type element, llvm::ArrayRef<graph::SymbolicExpr> dims,
                      int64_t low = -5, int64_t high = 5);
  /// Adds an operand that broadcasts to the dims.
  mlir::Value partner(mlir::Type element, const Dims &dims);

  mlir::Value step(mlir::Value value);
  mlir::Value elementwise(mlir::Value value);
  mlir::Value unary(mlir::Value value);
  mlir::Value binary(mlir::Value value);
  mlir::Value select(mlir::Value value);
  mlir::Value cast(mlir::Value value);
  mlir::Value movement(mlir::Value value);
  mlir::Value reshape(mlir::Value value);
  mlir::Value slice(mlir::Value value);
  mlir::Value concat(mlir::Value value);
  mlir::Value gather(mlir::Value value);
  mlir::Value broadcast(mlir::Value value);
  mlir::Value special(mlir::Value value);
  mlir::Value rowOp(mlir::Value value);

  mlir::OpBuilder &b;
  std::mt19937 random;
  mlir::Block *block = nullptr;
  KernelCase result;
  int64_t numSymbols = 0;
};

} // namespace kiln::test

#endif // KILN_TEST_UNIT_CODEGEN_POINTWISE_RANDOMKERNEL_H
