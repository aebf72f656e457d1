//===- Tensor.h - Values of the reference evaluator -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dense row-major tensor. Elements that were only copied keep the bytes of their type,
// perhaps borrowed from a mapped file; computed floats are f64 without rounding ("wide"),
// whatever their element type. Integers, booleans (one byte) and floats of at most 8 bits
// (one byte) always have the size of their type.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_TENSOR_H
#define KILN_REFERENCE_TENSOR_H

#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <vector>

namespace kiln::reference {

using Shape = llvm::SmallVector<int64_t, 4>;

/// True for the element types that can be evaluated: f16, bf16, f32, f64, i1,
/// integers of 8, 16, 32 and 64 bits and graph's narrow types.
bool isSupported(mlir::Type elementType);
/// True for unsigned types such as `ui8`, and for booleans.
bool isUnsigned(mlir::Type elementType);
/// Returns the product of the dims; nullopt if it is negative or exceeds 2^46.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);
/// Returns row-major strides in elements.
Shape stridesOf(llvm::ArrayRef<int64_t> shape);

class Tensor {
public:
  Tensor() = default;

  /// Refers to bytes of the element type without a copy; `owner` keeps them alive (null:
  /// the caller does). They need no alignment.
  static Tensor borrow(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                       const void *bytes, std::shared_ptr<const void> owner = nullptr);
  /// Allocates uninitialized memory.
  static Tensor allocate(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                         bool wide = false);
  /// Makes a tensor from floats, which stay wide. For an integer type the values are
  /// converted as by a cast.
  static Tensor fromDoubles(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<double> values);
  /// Makes a tensor of integers or booleans from the low bits of each value.
  static Tensor fromInts(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> values);
  /// Makes a tensor from an attribute; nullopt if it is not dense.
  static std::optional<Tensor> fromAttr(mlir::ElementsAttr attr);

  mlir::Type getElementType() const { return elementType; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return numElements; }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(elementType); }
  bool isWide() const { return wide; }

  /// Returns the elements as stored, getElementBytes() each.
  const char *data() const { return bytes; }
  int64_t getElementBytes() const;
  /// Only for a tensor that was just allocated.
  char *mutableData() { return const_cast<char *>(bytes); }
  template <typename T> T *mutableDataAs() { return reinterpret_cast<T *>(mutableData()); }

  /// Returns element i in row-major order. Unsigned 64-bit integers keep their bits.
  double getDouble(int64_t i) const;
  int64_t getInt(int64_t i) const;

  /// Converts floats to f64, without a copy if they are wide already.
  Tensor widen() const;
  /// Returns the elements of a widened tensor (see widen) without a copy.
  llvm::ArrayRef<double> doubles() const;
  /// Returns the elements of any integer tensor.
  std::vector<int64_t> ints() const;

  /// Returns the same elements with another shape of equal size, without a copy.
  Tensor withShape(llvm::ArrayRef<int64_t> newShape) const;
  /// Returns contiguous elements from index `begin` on with the given shape, without a
  /// copy.
  Tensor slice(int64_t begin, llvm::ArrayRef<int64_t> newShape) const;
  /// Rounds to the element type, to nearest even; the result is not wide. Floats of at
  /// most 8 bits saturate.
  Tensor rounded() const;
  /// Converts as graph.cast does: float to integer truncates and saturates (NaN: 0), to
  /// boolean is != 0, integers keep their low bits, floats round once. Conversion to a
  /// float type that contains every value of the old type is exact.
  Tensor convert(mlir::Type type, const CastRules &rules = {}) const;
  /// Returns the bytes of convert(type), rounded.
  std::vector<char> toBytes(mlir::Type type) const;
  std::vector<char> toBytes() const { return toBytes(elementType); }
  /// Makes a constant, rounded to the element type.
  mlir::DenseElementsAttr toAttr() const;

private:
  mlir::Type elementType;
  Shape shape;
  int64_t numElements = 0;
  bool wide = false;
  const char *bytes = nullptr;
  std::shared_ptr<const void> owner;
};

} // namespace kiln::reference

#endif // KILN_REFERENCE_TENSOR_H
