//===- IntTensor.h - Integer tensors with known content ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of shape arithmetic: small tensors of integers or booleans whose elements are
// expressions over the model's symbolic dims. Exporters also compute shapes in floats, so
// float tensors of integers are tracked too, while every value is exact.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_INTTENSOR_H
#define KILN_LIB_IMPORT_INTTENSOR_H

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kiln::import {

using graph::Dims;
using graph::SymbolicExpr;

struct IntTensor {
  llvm::SmallVector<int64_t> shape;
  Dims elements; ///< row-major
  mlir::Type elementType;

  /// Larger tensors are treated as data, not as shapes.
  static constexpr size_t kMaxElements = 256;

  static IntTensor scalar(SymbolicExpr value, mlir::Type type) {
    return {{}, {value}, type};
  }
  static IntTensor vector(Dims values, mlir::Type type) {
    return {{int64_t(values.size())}, values, type};
  }
  int64_t rank() const { return shape.size(); }
  /// Returns all elements as integers; nullopt if one depends on a symbol.
  std::optional<llvm::SmallVector<int64_t>> constants() const;
  mlir::RankedTensorType type() const;
};

/// Returns true for types whose values are tracked: i32, i64, f32, f64 and booleans.
bool isTracked(mlir::Type elementType);
/// Returns the maximum integer that a tracked type represents exactly; INT64_MAX for i64.
int64_t exactLimit(mlir::Type elementType);

/// Returns true if the expression is small enough for further computation, which bounds
/// the work on any model.
bool isReasonable(const SymbolicExpr &expr);

/// Applies `combine` to the elements of broadcast tensors; nullopt if it is undecided for
/// an element or the result is too large.
using Combine =
    llvm::function_ref<std::optional<SymbolicExpr>(llvm::ArrayRef<SymbolicExpr>)>;
std::optional<IntTensor> combine(llvm::ArrayRef<const IntTensor *> operands,
                                 mlir::Type type, Combine function);

/// Gathers slices along `axis` by constant indices (negative: from the end); the axis is
/// replaced by `indexShape`. nullopt if an index is out of range.
std::optional<IntTensor> take(const IntTensor &data, int64_t axis,
                              llvm::ArrayRef<int64_t> indices,
                              llvm::ArrayRef<int64_t> indexShape);
/// Concatenates tensors of equal rank along `axis`.
std::optional<IntTensor> join(llvm::ArrayRef<const IntTensor *> parts, int64_t axis);
/// Transposes: dim i of the result is dim permutation[i] of the data.
IntTensor transpose(const IntTensor &data, llvm::ArrayRef<int64_t> permutation);
/// Returns the same elements with another shape; nullopt if its number of elements
/// differs.
std::optional<IntTensor> reshape(const IntTensor &data, llvm::ArrayRef<int64_t> shape);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_INTTENSOR_H
