//===- tensor_box.h - Walking the box of a tensor copy ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_TENSOR_BOX_H
#define KILN_SIM_EXEC_ASYNC_TENSOR_BOX_H

#include "runtime/sim/memory/tensor_map.h"

#include <array>
#include <string>

namespace kiln::sim::exec::async {

/// Returns why a tensor map is invalid for a copy of `rank` dimensions; empty: it is
/// valid. Maps that cuTensorMapEncodeTiled made are right; tensormap.replace can break
/// them.
std::string problemOf(const TensorMap &map, unsigned rank);

/// A box of a tensor: the part [start, start + box) in each dimension, every
/// elementStride-th element of the outer ones. It may hang over all edges.
class TensorBox {
public:
  TensorBox(const TensorMap &map, const std::array<int32_t, TensorMap::MaxRank> &start);

  /// One row along dimension 0: `offset` bytes into the packed box, of which the bytes
  /// [first, first + count) exist, the first of them at global `address`; the others
  /// are out of bounds. count 0: the whole row is.
  struct Row {
    uint32_t offset = 0;
    uint32_t first = 0, count = 0;
    uint64_t address = 0;
  };

  uint32_t rowBytes() const { return innerBytes; }
  uint32_t rows() const { return rowCount; }
  /// Bytes of the box in shared memory, all of which a load completes on its mbarrier.
  uint32_t bytes() const { return innerBytes * rowCount; }
  uint32_t elementBytes() const { return elementSize; }
  Row row(uint32_t index) const;

private:
  const TensorMap &map;
  std::array<int32_t, TensorMap::MaxRank> start;
  std::array<uint32_t, TensorMap::MaxRank> counts = {}; ///< elements taken
  uint32_t elementSize, innerBytes, rowCount = 1;
};

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_TENSOR_BOX_H
