//===- Cache.h - Caches that a model writes in place ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_ATTENTION_CACHE_H
#define KILN_LIB_IMPORT_OPS_ATTENTION_CACHE_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// Marks pasts, inputs of a node [.., rows, size], as caches that the op writes in place:
/// how many of their rows count is data, so they must become state, whose rows all do.
/// Reports where they cannot; that each has its present is checked with all pasts. Where
/// nothing is in them (ImportOptions::pastIsEmpty), they have no rows.
mlir::LogicalResult markCaches(Node &n, llvm::ArrayRef<unsigned> pasts);

/// The input of the model that a value is a part of; null if it is computed.
mlir::BlockArgument inputBehind(mlir::Value value);

/// An input that says how long such caches are: it follows from the state. See
/// graph::kCacheAttr for the roles; "last" is one less than "total".
void markLength(Node &n, unsigned input, llvm::StringRef role);

/// Says of an input of the model what it is to a cache, see graph::kCacheAttr.
inline void markCache(mlir::BlockArgument input, llvm::StringRef role) {
  auto function = llvm::cast<mlir::func::FuncOp>(input.getOwner()->getParentOp());
  function.setArgAttr(input.getArgNumber(), graph::kCacheAttr,
                      mlir::StringAttr::get(input.getContext(), role));
}

/// Whether it has been said of an input that it is one.
inline bool isCache(mlir::BlockArgument input) {
  auto function = llvm::cast<mlir::func::FuncOp>(input.getOwner()->getParentOp());
  auto role = function.getArgAttrOfType<mlir::StringAttr>(input.getArgNumber(),
                                                          graph::kCacheAttr);
  return role && role == "cache";
}

/// Whether ops have written caches that are empty (ImportOptions::pastIsEmpty).
bool hasEmptyCaches(Node &n);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_ATTENTION_CACHE_H
