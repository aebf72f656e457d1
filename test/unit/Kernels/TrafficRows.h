//===- TrafficRows.h - Building rows of traffic cases -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_TRAFFICROWS_H
#define KILN_TEST_UNIT_KERNELS_TRAFFICROWS_H

#include "KernelCase.h"

namespace kiln::test {

inline constexpr kiln_dtype kTrafficTypes[] = {KILN_DTYPE_F32, KILN_DTYPE_F16,
                                               KILN_DTYPE_BF16};
inline constexpr const char *kTrafficGpus[] = {"sm_80", "sm_90a"};
inline const std::string kTransposedX = "t = Transpose <perm = [0, 2, 1]> (x)";
inline const std::string kTransposedV = "u = Transpose <perm = [0, 2, 1]> (v)";

using Sizes = std::vector<int64_t>;

/// A tensor of a model: its name, dims and type.
struct Operand {
  std::string name;
  Sizes dims;
  kiln_dtype dtype;
};

/// Returns the product of the sizes.
int64_t countOf(const Sizes &sizes);
uint64_t bytesOf(const Operand &operand);

/// Returns "2x64x3".
std::string joinedSizes(const Sizes &sizes, const char *between = "x");

/// int64 initializers by name.
using Integers = std::vector<std::pair<std::string, std::vector<int64_t>>>;

/// Returns a row of the family "traffic": nodes that compute the output from some inputs,
/// on one GPU.
KernelCase countedRow(const std::string &name, const std::vector<std::string> &nodes,
                      const std::vector<Operand> &inputs, const Operand &output,
                      const char *gpu, const Integers &integers = {});

/// Returns the traffic of a launch that reads all inputs and writes the output, each
/// once.
Traffic onceEach(const std::vector<Operand> &inputs, const Operand &output);

/// Sizes of inputs by name, all of one type.
using Shapes = std::vector<std::pair<const char *, Sizes>>;
std::vector<Operand> operandsOf(const Shapes &shapes, kiln_dtype dtype);
uint64_t elementsOf(const Shapes &shapes);

/// Numbers of requested and of touched elements.
struct Elements {
  uint64_t asked, touched;
};
/// Returns their traffic in a type; bank conflicts are not compared.
Traffic trafficOf(Elements elements, kiln_dtype dtype, const char *config);

/// Returns "f16_".
std::string prefixOf(kiln_dtype dtype);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_TRAFFICROWS_H
