//===- Triangle.h - Triangular tables ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters write causal masks as tables of all positions (1 x 1 x 1024 x 1024), which
// nodes slice. Imported as a comparison of row and column indices they need no memory,
// and kiln-raise-attention can recognize the positions.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_TRIANGLE_H
#define KILN_LIB_IMPORT_TRIANGLE_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace kiln::import {

/// The two elements of a square table that has one of them up to the diagonal and the
/// other after it.
struct Triangle {
  llvm::ArrayRef<uint8_t> upTo, behind; ///< one element each, in the table's bytes
};

/// Reads every byte of a table; nullopt at the first element that does not match. Tables
/// with fewer than four rows are rejected: they may match by chance.
std::optional<Triangle> readTriangle(mlir::RankedTensorType type,
                                     llvm::ArrayRef<uint8_t> bytes);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_TRIANGLE_H
