//===- Storage.h - Typed access to stored elements --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Reference: C++ types of element types, and loops over several operands
// that broadcast to one shape.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_STORAGE_H
#define KILN_LIB_REFERENCE_STORAGE_H

#include "kiln/Reference/Tensor.h"
#include "llvm/Support/ErrorHandling.h"

#include <array>
#include <cstring>

namespace kiln::reference {

/// Returns element i of unaligned memory.
template <typename T> T load(const char *bytes, int64_t i) {
  T value;
  std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
  return value;
}

/// Calls `fn` with a zero of the C++ type that stores an integer element.
template <typename Fn> void withInteger(mlir::Type type, Fn fn) {
  bool noSign = isUnsigned(type);
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return fn(uint8_t(0));
  case 2:
  case 4:
  case 8:
    return noSign ? fn(uint8_t(0)) : fn(int8_t(0));
  case 16:
    return noSign ? fn(uint16_t(0)) : fn(int16_t(0));
  case 32:
    return noSign ? fn(uint32_t(0)) : fn(int32_t(0));
  case 64:
    return noSign ? fn(uint64_t(0)) : fn(int64_t(0));
  }
  llvm_unreachable("integer width that cannot be evaluated");
}

/// Calls `fn` with a zero of the unsigned integer of this size, to move elements of any
/// type.
template <typename Fn> void withBytes(int64_t bytes, Fn fn) {
  switch (bytes) {
  case 1:
    return fn(uint8_t(0));
  case 2:
    return fn(uint16_t(0));
  case 4:
    return fn(uint32_t(0));
  case 8:
    return fn(uint64_t(0));
  }
  llvm_unreachable("element size that cannot be evaluated");
}

/// Returns strides in elements of a tensor of shape `from` broadcast to shape `to`: 0 in
/// broadcast dims.
inline Shape broadcastStrides(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  Shape own = stridesOf(from), strides(to.size(), 0);
  size_t added = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i)
    strides[i + added] = from[i] == 1 && to[i + added] != 1 ? 0 : own[i];
  return strides;
}

/// Calls `fn(i, offsets)` for each element of `shape` in row-major order, where
/// offsets[k] is the sum of the coordinates times strides[k].
template <size_t N, typename Fn>
void forEachElement(llvm::ArrayRef<int64_t> shape, const std::array<Shape, N> &strides,
                    Fn fn) {
  int64_t count = countElements(shape).value();
  std::array<int64_t, N> offsets{};
  Shape index(shape.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    fn(i, offsets);
    for (size_t dim = shape.size(); dim-- > 0;) {
      ++index[dim];
      for (size_t k = 0; k < N; ++k)
        offsets[k] += strides[k][dim];
      if (index[dim] < shape[dim])
        break;
      for (size_t k = 0; k < N; ++k)
        offsets[k] -= strides[k][dim] * shape[dim];
      index[dim] = 0;
    }
  }
}

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_STORAGE_H
