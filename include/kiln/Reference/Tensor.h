//===- Tensor.h - Values of the reference evaluator -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dense row-major tensor. What was only moved keeps the bytes of its element
// type, perhaps borrowed from a mapped file; floats that were computed are held
// as f64 without rounding ("wide"), whatever their element type says. Integers,
// booleans (one byte) and floats of 8 bits and fewer (one byte) always have the
// size of their type.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REFERENCE_TENSOR_H
#define KILN_REFERENCE_TENSOR_H

#include "kiln/Support/FloatFormat.h"
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
/// True for `ui8` and its like, and for booleans.
bool isUnsigned(mlir::Type elementType);
/// Product of the dims; nullopt if negative or over 2^46.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);
/// Row-major strides in elements.
Shape stridesOf(llvm::ArrayRef<int64_t> shape);

class Tensor {
public:
  Tensor() = default;

  /// Looks at bytes of the element type that `owner` keeps alive (null: the
  /// caller does). They need no alignment.
  static Tensor borrow(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                       const void *bytes, std::shared_ptr<const void> owner = nullptr);
  /// New memory, not initialised.
  static Tensor allocate(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                         bool wide = false);
  /// Floats, kept wide. For an integer type values are converted as by a cast.
  static Tensor fromDoubles(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<double> values);
  /// Integers or booleans; the low bits of each value.
  static Tensor fromInts(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> values);
  /// The value of an attribute; nullopt if it is not dense.
  static std::optional<Tensor> fromAttr(mlir::ElementsAttr attr);

  mlir::Type getElementType() const { return elementType; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return numElements; }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(elementType); }
  bool isWide() const { return wide; }

  /// The elements as stored: getElementBytes() each.
  const char *data() const { return bytes; }
  int64_t getElementBytes() const;
  /// Only of a tensor just allocated.
  char *mutableData() { return const_cast<char *>(bytes); }
  template <typename T> T *mutableDataAs() { return reinterpret_cast<T *>(mutableData()); }

  /// Element i in row-major order. Unsigned 64-bit integers keep their bits.
  double getDouble(int64_t i) const;
  int64_t getInt(int64_t i) const;

  /// Floats as f64; no copy where they are already.
  Tensor widen() const;
  /// Returns the elements of a widened tensor (see widen) without a copy.
  llvm::ArrayRef<double> doubles() const;
  /// The integers of any integer tensor.
  std::vector<int64_t> ints() const;

  /// Returns the same elements, not copied, under another shape of the same size.
  Tensor withShape(llvm::ArrayRef<int64_t> newShape) const;
  /// The contiguous elements from number `begin` on, under a shape; no copy.
  Tensor slice(int64_t begin, llvm::ArrayRef<int64_t> newShape) const;
  /// Rounded to the element type, to nearest even; no longer wide. Floats of 8 bits and
  /// fewer saturate.
  Tensor rounded() const;
  /// Converts as graph.cast does: float to integer truncates and saturates (NaN: 0), to
  /// boolean is != 0, integers keep their low bits, floats round once. A float type that
  /// holds every value of the old one rounds nothing.
  Tensor convert(mlir::Type type, const CastRules &rules = {}) const;
  /// The bytes of convert(type), rounded.
  std::vector<char> toBytes(mlir::Type type) const;
  std::vector<char> toBytes() const { return toBytes(elementType); }
  /// As a constant, rounded to the element type.
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
