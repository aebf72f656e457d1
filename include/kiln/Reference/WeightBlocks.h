//===- WeightBlocks.h - Weights computed block by block ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What @bake makes of the model's weights is as large as these. A block of a result needs
// only a box of each operand, so it is computed by itself, from the bytes of the mapped
// file to the bytes of the package; how much memory that takes depends on the block.
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

/// Elements [begin, begin + size) of each dim.
struct Box {
  Shape begin, size;
  bool operator==(const Box &) const = default;
};

/// Boxes of `shape` that are contiguous, in order, of at most `elements` each, or of one
/// row where rows are longer than this.
std::vector<Box> contiguousBoxes(llvm::ArrayRef<int64_t> shape, int64_t elements);

/// A value that depends on weights alone.
class WeightBlocks {
public:
  /// Finds what blocks begin with: weights, constants, and the values of ops that need
  /// all of their operands (a reduction, a product), which are computed here.
  static llvm::Expected<WeightBlocks> open(mlir::Value value, WeightSource &weights,
                                           const Options &options);
  /// A tensor that exists.
  explicit WeightBlocks(Tensor tensor);

  /// These elements of it alone.
  WeightBlocks part(const Box &box) const;

  /// The elements of a box, as stored. May be called by several threads at once.
  llvm::Expected<Tensor> get(const Box &box) const;
  /// Returns the elements of a box as get() does, without a copy where the elements
  /// exist.
  llvm::Expected<BoxView> view(const Box &box) const;
  /// Whether the elements exist, and are not computed box by box.
  bool exists() const { return !value; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  mlir::Type getElementType() const { return elementType; }
  /// Bytes of the values that were computed as a whole.
  int64_t getWholeBytes() const { return wholeBytes; }

  /// Values of @bake that boxes of other values are computed from, with their elements.
  using Leaves = llvm::DenseMap<mlir::Value, std::shared_ptr<const WeightBlocks>>;

private:
  WeightBlocks() = default;
  llvm::Error resolve(mlir::Value value, WeightSource &weights);

  mlir::Value value; ///< null: `whole`
  Tensor whole;
  Shape shape;
  Shape origin; ///< of `shape` in the value; empty: where the value begins
  mlir::Type elementType;
  Options options;
  Leaves leaves;
  int64_t wholeBytes = 0;
};

} // namespace kiln::reference

#endif // KILN_REFERENCE_WEIGHTBLOCKS_H
