//===- tensor_box.h - Iteration over a TMA box ------------------*- C++ -*-===//
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

/// Returns why a tensor map is invalid for a copy of `rank` dimensions, or an empty
/// string. Maps from cuTensorMapEncodeTiled are valid; tensormap.replace can break them.
std::string problemOf(const TensorMap &map, unsigned rank);

/// A box of a tensor: elements [start, start + box) in each dimension, in the outer ones
/// every elementStride-th. It may extend beyond all edges of the tensor.
class TensorBox {
public:
  TensorBox(const TensorMap &map, const std::array<int32_t, TensorMap::MaxRank> &start);

  /// One row along dimension 0, at `offset` bytes in the packed box. Its bytes [first,
  /// first + count) are in bounds and start at global `address`; the others are out of
  /// bounds. count 0: the entire row is.
  struct Row {
    uint32_t offset = 0;
    uint32_t first = 0, count = 0;
    uint64_t address = 0;
  };

  uint32_t rowBytes() const { return innerBytes; }
  uint32_t rows() const { return rowCount; }
  /// Bytes of the box in shared memory; a load completes that many on its mbarrier, also
  /// for out-of-bounds elements.
  uint32_t bytes() const { return innerBytes * rowCount; }
  uint32_t elementBytes() const { return elementSize; }
  Row row(uint32_t index) const;

private:
  const TensorMap &map;
  std::array<int32_t, TensorMap::MaxRank> start;
  std::array<uint32_t, TensorMap::MaxRank> counts = {}; ///< elements per dimension
  uint32_t elementSize, innerBytes, rowCount = 1;
};

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_TENSOR_BOX_H
