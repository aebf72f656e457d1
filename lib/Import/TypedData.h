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

/// Entries of the typed field that belongs to the tensor's type: elements, but for
/// packed types, of which an entry holds a byte.
uint64_t typedCount(const onnx::TensorProto &tensor);
/// The entries that this many elements take.
uint64_t typedEntries(int onnxType, uint64_t elements);
/// Decodes a tensor's typed field to elements of its type, little-endian; a bool is a
/// byte, and so is a number of fewer than 8 bits. The field must have typedEntries of
/// `elements`.
std::vector<uint8_t> decodeTyped(const onnx::TensorProto &tensor, uint64_t elements);

/// Bits of an element in raw data where several share a byte; 0 for all other types.
int packedBits(int onnxType);
/// Elements of raw data, the low bits first, as a byte each: integers are extended to
/// it, floats lie in its low bits. `bytes` are as many as the elements take.
std::vector<uint8_t> unpack(int onnxType, const uint8_t *bytes, uint64_t elements);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_TYPEDDATA_H
