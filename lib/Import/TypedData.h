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

/// Elements in the typed field that belongs to the tensor's type.
uint64_t typedCount(const onnx::TensorProto &tensor);
/// Those elements as the tensor's type, little-endian; a bool is a byte.
std::vector<uint8_t> decodeTyped(const onnx::TensorProto &tensor);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_TYPEDDATA_H
