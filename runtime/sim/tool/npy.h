//===- npy.h - Arrays in NumPy's file format ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TOOL_NPY_H
#define KILN_SIM_TOOL_NPY_H

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::sim::tool {

struct Array {
  std::string type; ///< as NumPy writes it: "<f4", "|u1"
  std::vector<uint64_t> shape;
  std::vector<uint8_t> bytes;
};

/// Maps "f32" to "<f4"; empty if there is no such type.
std::string npyType(const std::string &name);
/// Bytes of an element; 0 for types that are not plain little-endian numbers.
unsigned elementBytes(const std::string &type);
/// Computes the bytes of an array; false if they exceed a device's memory.
bool byteCount(const Array &array, uint64_t &bytes);

/// Both set `problem` when they return false.
bool readNpy(const std::string &path, Array &array, std::string &problem);
bool writeNpy(const std::string &path, const Array &array, std::string &problem);

} // namespace kiln::sim::tool

#endif // KILN_SIM_TOOL_NPY_H
