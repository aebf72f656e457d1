//===- WeightBlocks.h - Weights computed blockwise --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights that @bake computes are as large as the model's. A block of the result needs
// only a box of each operand, so each block is computed separately, from the mapped file
// to the package; memory use depends only on the block.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_WEIGHTBLOCKS_H
#define KILN_REFERENCE_WEIGHTBLOCKS_H

#include "kiln/Reference/Evaluator.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace kiln::reference {

struct BoxView;

/// The elements [begin, begin + size) of each dim.
struct Box {
  Shape begin, size;
  bool operator==(const Box &) const = default;
};

/// Divides `shape` into contiguous boxes, in order, of at most `elements` elements each,
/// or of one row if rows are longer.
std::vector<Box> contiguousBoxes(llvm::ArrayRef<int64_t> shape, int64_t elements);

/// A value that depends only on weights.
class WeightBlocks {
public:
  /// Finds the leaves that blocks are computed from: weights, constants, and results of
  /// ops that need their entire operands (reductions, matmuls), which are computed here.
  static llvm::Expected<WeightBlocks> open(mlir::Value value, WeightSource &weights,
                                           const Options &options);
  /// Wraps an existing tensor.
  explicit WeightBlocks(Tensor tensor);

  /// Restricts the value to a box.
  WeightBlocks part(const Box &box) const;

  /// Computes the elements of a box in their stored type. Thread-safe.
  llvm::Expected<Tensor> get(const Box &box) const;
  /// Returns the elements of a box like get(), but without a copy if the elements exist.
  llvm::Expected<BoxView> view(const Box &box) const;
  /// Whether the elements exist already instead of being computed by box.
  bool exists() const { return !value; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  mlir::Type getElementType() const { return elementType; }
  /// Bytes of the values that were computed in full.
  int64_t getWholeBytes() const { return wholeBytes; }

  /// Values of @bake that boxes of other values are computed from, with their elements.
  using Leaves = llvm::DenseMap<mlir::Value, std::shared_ptr<const WeightBlocks>>;

private:
  WeightBlocks() = default;
  llvm::Error resolve(mlir::Value value, WeightSource &weights);

  mlir::Value value; ///< null: the elements are in `whole`
  Tensor whole;
  Shape shape;
  Shape origin; ///< offset of `shape` in the value; empty: zero
  mlir::Type elementType;
  Options options;
  Leaves leaves;
  int64_t wholeBytes = 0;
};

} // namespace kiln::reference

#endif // KILN_REFERENCE_WEIGHTBLOCKS_H
