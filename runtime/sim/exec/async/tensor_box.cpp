//===- tensor_box.cpp - Iteration over a TMA box --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/tensor_box.h"

#include "runtime/sim/exec/swizzle.h"

#include <algorithm>

namespace kiln::sim::exec::async {

static std::string dimensionProblem(const TensorMap &map, unsigned d) {
  std::string name = " of dimension " + std::to_string(d);
  if (map.box[d] < 1 || map.box[d] > 256)
    return "the box size" + name + " is not in 1..256";
  if (map.elementStrides[d] < 1 || map.elementStrides[d] > 8)
    return "the element stride" + name + " is not in 1..8";
  if (d > 0 && (map.strides[d - 1] % 16 || map.strides[d - 1] >> 40))
    return "the stride" + name + " is no multiple of 16 below 2^40";
  return "";
}

/// Returns the name of a field that the map lacks for that rank, or an empty string.
static std::string missingField(const TensorMap &map, unsigned rank) {
  auto lacks = [&](unsigned field) { return map.missing >> field & 1; };
  if (lacks(TensorMap::AddressField))
    return ".global_address";
  for (unsigned d = 0; d < rank; ++d) {
    std::string of = " of dimension " + std::to_string(d);
    if (lacks(TensorMap::BoxField + d))
      return ".box_dim" + of;
    if (lacks(TensorMap::ExtentField + d))
      return ".global_dim" + of;
    if (lacks(TensorMap::ElementStrideField + d))
      return ".element_stride" + of;
    if (d > 0 && lacks(TensorMap::StrideField + d - 1))
      return ".global_stride" + of;
  }
  return "";
}

std::string problemOf(const TensorMap &map, unsigned rank) {
  if (map.magic != TensorMap::Valid)
    return "these 128 bytes are no tensor map";
  if (std::string field = missingField(map, rank); !field.empty())
    return "tensormap.replace never set " + field +
           " of this map, which it began from zeros";
  if (map.rank != rank)
    return "the tensor map has " + std::to_string(map.rank) +
           " dimensions, the instruction " + std::to_string(rank);
  if (map.interleave != TensorMap::InterleaveNone)
    return "interleaved tensor maps are not modelled";
  uint32_t bits = TensorMap::elementBits(map.element);
  if (bits < 8 || map.swizzle >= TensorMap::SwizzleCount)
    return "the tensor map has an element type or swizzle that is not modelled";
  if (map.globalAddress % 16)
    return "the tensor's address is no multiple of 16";
  for (unsigned d = 0; d < rank; ++d)
    if (std::string problem = dimensionProblem(map, d); !problem.empty())
      return problem;
  uint32_t inner = map.box[0] * bits / 8, span = swizzleSpan(map.swizzle);
  if (inner % 16)
    return "the inner box size is no multiple of 16 bytes";
  if (span && inner > span)
    return "the inner box size is more than the swizzle's " + std::to_string(span) +
           " bytes";
  return "";
}

TensorBox::TensorBox(const TensorMap &map,
                     const std::array<int32_t, TensorMap::MaxRank> &start)
    : map(map), start(start), elementSize(TensorMap::elementBits(map.element) / 8),
      innerBytes(map.box[0] * elementSize) {
  counts[0] = map.box[0]; // the element stride of dimension 0 is ignored
  for (unsigned d = 1; d < map.rank; ++d) {
    counts[d] = (map.box[d] + map.elementStrides[d] - 1) / map.elementStrides[d];
    rowCount *= counts[d];
  }
}

TensorBox::Row TensorBox::row(uint32_t index) const {
  Row result;
  result.offset = index * innerBytes;
  result.address = map.globalAddress;
  for (unsigned d = 1; d < map.rank; ++d) {
    int64_t at = int64_t(start[d]) + int64_t(index % counts[d]) * map.elementStrides[d];
    index /= counts[d];
    if (at < 0 || uint64_t(at) >= map.extent(d))
      return result;
    result.address += uint64_t(at) * map.strides[d - 1];
  }
  int64_t begin = std::max<int64_t>(start[0], 0);
  int64_t end = std::min<int64_t>(int64_t(start[0]) + counts[0], int64_t(map.extent(0)));
  if (begin >= end)
    return result;
  result.first = uint32_t(begin - start[0]) * elementSize;
  result.count = uint32_t(end - begin) * elementSize;
  result.address += uint64_t(begin) * elementSize;
  return result;
}

} // namespace kiln::sim::exec::async
