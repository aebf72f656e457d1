//===- Types.h - ONNX element types -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_TYPES_H
#define KILN_LIB_IMPORT_TYPES_H

#include "lib/Import/Onnx/Proto.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace kiln::import {

/// Names of the supported element types, for messages.
inline constexpr llvm::StringLiteral kSupportedTypes =
    "float, double, float16, bfloat16, bool, int8 to int64, uint8 to uint64, or a float or "
    "integer of 8 bits and fewer";

/// Returns the element type; null if Kiln does not support it.
mlir::Type elementTypeOf(int onnxType, mlir::MLIRContext *context);
/// Returns the ONNX number of an element type made by `elementTypeOf`.
int onnxTypeOf(mlir::Type elementType);
/// Returns "float", "string", "type 77".
std::string onnxTypeName(int onnxType);
/// Returns a tensor type as an ONNX type; symbolic dims by name.
onnx::TypeProto typeProtoOf(mlir::RankedTensorType type);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_TYPES_H
