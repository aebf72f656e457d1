//===- TypedData.h - Tensor data in protobuf's typed fields -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_TYPEDDATA_H
#define KILN_LIB_IMPORT_TYPEDDATA_H

#include "lib/Import/Onnx/Proto.h"

#include <cstdint>
#include <vector>

namespace kiln::import {

/// Returns the number of entries in the typed field for the tensor's type: elements or,
/// for packed types, bytes.
uint64_t typedCount(const onnx::TensorProto &tensor);
/// Returns the number of entries for this many elements.
uint64_t typedEntries(int onnxType, uint64_t elements);
/// Decodes a tensor's typed field to elements of its type, little-endian; booleans and
/// elements of fewer than 8 bits take a byte. The field must have typedEntries(elements)
/// entries.
std::vector<uint8_t> decodeTyped(const onnx::TensorProto &tensor, uint64_t elements);

/// Returns the bits per element in raw data if several share a byte; 0 for all other
/// types.
int packedBits(int onnxType);
/// Unpacks elements of raw data, low bits first, to a byte each: integers are extended,
/// floats are in the low bits. `bytes` has all bytes of the elements.
std::vector<uint8_t> unpack(int onnxType, const uint8_t *bytes, uint64_t elements);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_TYPEDDATA_H
