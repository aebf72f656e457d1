//===- Triangle.h - Tables that compare positions ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters write causal masks as tables of all positions (1 x 1 x 1024 x 1024), of
// which nodes take a part. Imported as the comparison that they are, they need no
// memory, and kiln-raise-attention reads the positions off them.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_TRIANGLE_H
#define KILN_LIB_IMPORT_TRIANGLE_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace kiln::import {

/// The two elements of a table that has one of them up to the diagonal of its rows
/// and columns, which are equal in number, and the other behind it.
struct Triangle {
  llvm::ArrayRef<uint8_t> upTo, behind; ///< one element each, in the table's bytes
};

/// Reads every byte of a table; nullopt at the first element that does not fit.
/// Tables of fewer than four rows are left: they may be so by chance.
std::optional<Triangle> readTriangle(mlir::RankedTensorType type,
                                     llvm::ArrayRef<uint8_t> bytes);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_TRIANGLE_H
