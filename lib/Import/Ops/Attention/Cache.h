//===- Cache.h - Caches written in place ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_ATTENTION_CACHE_H
#define KILN_LIB_IMPORT_OPS_ATTENTION_CACHE_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// Marks pasts, inputs of a node [.., rows, size], as caches that the op writes in place.
/// The number of their valid rows is data, so they must become state, whose rows are all
/// valid. Reports pasts that cannot; that each has a present is checked for all pasts
/// later. If pasts are empty (ImportOptions::pastIsEmpty), they get no rows.
mlir::LogicalResult markCaches(Node &n, llvm::ArrayRef<unsigned> pasts);

/// Returns the model's input that a value is a part of; null if it is computed.
mlir::BlockArgument inputBehind(mlir::Value value);

/// Marks an input with the length of such caches, which follows from the state. See
/// graph::kCacheAttr for the roles; "last" is one less than "total".
void markLength(Node &n, unsigned input, llvm::StringRef role);

/// Sets the role of a model's input for a cache, see graph::kCacheAttr.
inline void markCache(mlir::BlockArgument input, llvm::StringRef role) {
  auto function = llvm::cast<mlir::func::FuncOp>(input.getOwner()->getParentOp());
  function.setArgAttr(input.getArgNumber(), graph::kCacheAttr,
                      mlir::StringAttr::get(input.getContext(), role));
}

/// Returns true if an input is marked as a cache.
inline bool isCache(mlir::BlockArgument input) {
  auto function = llvm::cast<mlir::func::FuncOp>(input.getOwner()->getParentOp());
  auto role = function.getArgAttrOfType<mlir::StringAttr>(input.getArgNumber(),
                                                          graph::kCacheAttr);
  return role && role == "cache";
}

/// Returns true if ops write caches that are empty (ImportOptions::pastIsEmpty).
bool hasEmptyCaches(Node &n);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_ATTENTION_CACHE_H
