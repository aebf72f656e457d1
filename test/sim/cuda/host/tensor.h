//===- tensor.h - Tensors for TMA --------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes tensor maps from sizes and strides, and computes the expected result of a box
// copy.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TEST_CUDA_HOST_TENSOR_H
#define KILN_SIM_TEST_CUDA_HOST_TENSOR_H

#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

/// The driver's numbers of element types, swizzles and out-of-bounds fills.
enum class Element {
  U8 = 0,
  U16 = 1,
  U32 = 2,
  S32 = 3,
  U64 = 4,
  F16 = 6,
  F32 = 7,
  Bf16 = 9
};
enum class SwizzleMode { None = 0, Bytes32 = 1, Bytes64 = 2, Bytes128 = 3 };
enum class Fill { Zero = 0, Nan = 1 };

struct Tensor {
  Element element = Element::U32;
  uint32_t bytes = 4;               ///< per element
  std::vector<uint64_t> sizes = {}; ///< innermost first
  std::vector<uint32_t> box = {};
  SwizzleMode swizzle = SwizzleMode::None;
  Fill fill = Fill::Zero;
  std::vector<uint32_t> steps = {}; ///< element strides; ones if empty

  /// Bytes between adjacent elements in dimension i; rows are padded to 16 bytes.
  uint64_t stride(size_t i) const {
    if (i == 0)
      return bytes;
    uint64_t row = (sizes[0] * bytes + 15) / 16 * 16;
    for (size_t j = 1; j < i; ++j)
      row *= sizes[j];
    return row;
  }
  uint64_t totalBytes() const { return stride(sizes.size()); }
  /// Number of elements that a copy moves in dimension i.
  uint32_t moved(size_t i) const {
    return steps.empty() ? box[i] : divideUp(box[i], steps[i]);
  }
  uint32_t boxBytes() const {
    uint32_t out = bytes;
    for (size_t i = 0; i < box.size(); ++i)
      out *= moved(i);
    return out;
  }
  /// Returns the offset of byte `at` of a box in shared memory.
  uint32_t swizzled(uint32_t at) const {
    uint32_t mask = (1u << int(swizzle)) - 1;
    return at ^ (at >> 7 & mask) << 4;
  }

  TensorMap map(DevicePointer address) const {
    TensorMap out;
    std::vector<uint64_t> strides;
    for (size_t i = 1; i < sizes.size(); ++i)
      strides.push_back(stride(i));
    std::vector<uint32_t> ones(sizes.size(), 1);
    require(driver().cuTensorMapEncodeTiled(&out, int(element), uint32_t(sizes.size()),
                                            reinterpret_cast<void *>(address),
                                            sizes.data(), strides.data(), box.data(),
                                            steps.empty() ? ones.data() : steps.data(), 0,
                                            int(swizzle), 0, int(fill)),
            "cuTensorMapEncodeTiled");
    return out;
  }

  /// Calls visit(offset in the box in bytes, offset in the tensor in bytes or -1 if out
  /// of bounds) for each element of the box at the coordinates.
  template <typename Visit>
  void eachElement(const std::vector<int> &at, Visit visit) const {
    uint32_t count = boxBytes() / bytes;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t rest = i;
      int64_t offset = 0;
      for (size_t d = 0; d < sizes.size(); ++d) {
        int64_t index = at[d] + int64_t(rest % moved(d)) * (steps.empty() ? 1 : steps[d]);
        rest /= moved(d);
        bool inside = index >= 0 && index < int64_t(sizes[d]);
        offset = inside && offset >= 0 ? offset + index * int64_t(stride(d)) : -1;
      }
      visit(i * bytes, offset);
    }
  }
};

} // namespace kiln::sim::programs

#endif // KILN_SIM_TEST_CUDA_HOST_TENSOR_H
