//===- TrafficRows.cpp - Building rows of traffic cases -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrafficRows.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace kiln;
using namespace kiln::test;

int64_t kiln::test::countOf(const Sizes &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

uint64_t kiln::test::bytesOf(const Operand &operand) {
  return countOf(operand.dims) * kiln_dtype_size(operand.dtype);
}

std::string kiln::test::joinedSizes(const Sizes &sizes, const char *between) {
  return llvm::join(
      llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }), between);
}

KernelCase kiln::test::countedRow(const std::string &name,
                                  const std::vector<std::string> &nodes,
                                  const std::vector<Operand> &inputs,
                                  const Operand &output, const char *gpu,
                                  const Integers &integers) {
  ModelText model;
  for (const Operand &input : inputs)
    model.input(input.name, input.dtype, dimsOf(input.dims));
  for (const auto &[constant, values] : integers)
    model.integers(constant, values);
  for (const std::string &node : nodes)
    model.node(node);
  model.output(output.name, output.dtype, dimsOf(output.dims));
  KernelCase row{"traffic", name + "_" + gpu, model, {gpu}};
  row.forHost = false;
  return row;
}

Traffic kiln::test::onceEach(const std::vector<Operand> &inputs, const Operand &output) {
  Traffic traffic;
  for (const Operand &input : inputs)
    traffic.bytes += bytesOf(input);
  traffic.bytes += bytesOf(output);
  traffic.touchedBytes = traffic.bytes;
  return traffic;
}

std::vector<Operand> kiln::test::operandsOf(const Shapes &shapes, kiln_dtype dtype) {
  std::vector<Operand> operands;
  for (const auto &[name, dims] : shapes)
    operands.push_back({name, dims, dtype});
  return operands;
}

Traffic kiln::test::trafficOf(Elements elements, kiln_dtype dtype, const char *config) {
  Traffic traffic;
  traffic.bytes = elements.asked * kiln_dtype_size(dtype);
  traffic.touchedBytes = elements.touched * kiln_dtype_size(dtype);
  traffic.conflicts = INFINITY;
  traffic.config = config;
  return traffic;
}

uint64_t kiln::test::elementsOf(const Shapes &shapes) {
  uint64_t count = 0;
  for (const auto &[name, dims] : shapes)
    count += countOf(dims);
  return count;
}

std::string kiln::test::prefixOf(kiln_dtype dtype) {
  return std::string(kiln_dtype_name(dtype)) + "_";
}
