//===- ReferenceCheck.h - Run graph.kernels and the reference ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the code of a graph.kernel on memory that ends at an inaccessible page, with
// several partitions of the tasks, and compares the results with the reference
// evaluator's.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_CODEGEN_POINTWISE_REFERENCECHECK_H
#define KILN_TEST_UNIT_CODEGEN_POINTWISE_REFERENCECHECK_H

#include "kiln/Reference/Evaluator.h"
#include "test/unit/Target/HostHarness.h"

#include <random>

namespace kiln::test {

/// Memory that ends at the end of a page; the next page is inaccessible. A known pattern
/// precedes the memory.
class GuardedMemory {
public:
  explicit GuardedMemory(size_t bytes);
  ~GuardedMemory();
  GuardedMemory(GuardedMemory &&other);
  char *data() const { return base + front; }
  size_t size() const { return bytes; }
  bool isFrontIntact() const;

private:
  char *base = nullptr;
  size_t bytes, front = 0, mapped = 0;
};

/// One kernel with everything needed to run it.
struct KernelCase {
  graph::KernelOp kernel;
  tile::KernelOp code;
  reference::Symbols symbols;
  std::vector<reference::Tensor> inputs;
};

/// Allowed difference of a result from the reference.
struct Tolerance {
  double relative = 1e-6;
  double absolute = 1e-6;
  /// Factor of the difference between the reference with and without rounding after every
  /// op, which estimates the effect of rounding on this expression.
  double rounding = 4.0;
  /// Fraction of the largest such difference that every element is allowed.
  double spread = 0.0;
  /// Fraction of elements that may differ because rounding flipped a decision or a row op
  /// amplified a cancellation.
  double decisions = 0.0;
};

/// Returns random elements: floats in [-2, 2], integers in [low, high].
reference::Tensor randomTensor(std::mt19937 &random, mlir::Type element,
                               llvm::ArrayRef<int64_t> shape, int64_t low = -5,
                               int64_t high = 5);

/// Runs all tasks at once, then one by one from the last to the first, checks that both
/// give the same bits and returns the bytes of the results.
std::vector<std::vector<char>> runKernel(const KernelCase &test, kiln_host_kernel function);

/// Returns the bytes of the tile evaluator's results; empty, with a failure recorded, if
/// it reports an error.
std::vector<std::vector<char>> evaluateTile(const KernelCase &test);

/// Reference results, in double precision and rounded after every op.
struct Expected {
  std::vector<reference::Tensor> exact, rounded;
};
std::optional<Expected> evaluateReference(const KernelCase &test);

void compareResults(const Expected &expected, llvm::ArrayRef<std::vector<char>> bytes,
                    const Tolerance &tolerance);

/// Runs and compares; failures name the kernel.
void checkKernel(const KernelCase &test, const LoadedImage &image, const Tolerance &tolerance);

/// Returns the kernel and its symbol values as text.
std::string spell(const KernelCase &test);

void loadGraphDialects(mlir::MLIRContext &context);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_CODEGEN_POINTWISE_REFERENCECHECK_H
