//===- OpTable.h - ONNX ops and their handlers ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPTABLE_H
#define KILN_LIB_IMPORT_OPTABLE_H

#include "lib/Import/Node.h"

namespace kiln::import {

using Handler = mlir::LogicalResult (*)(Node &);

struct OpEntry {
  llvm::StringLiteral domain, op;
  int sinceVersion;
  Handler handler;
};

/// Returns all handlers, sorted by domain, op and version.
llvm::ArrayRef<OpEntry> opTable();
/// Returns the handler of exactly this version; null if there is none.
const OpEntry *findOp(llvm::StringRef domain, llvm::StringRef op, int sinceVersion);
/// Returns the versions that have a handler.
llvm::SmallVector<int> handledVersions(llvm::StringRef domain, llvm::StringRef op);
/// Returns the handler of an op at an opset: by its schema's version or, for ops unknown
/// to the ONNX library, the newest that is not newer than the opset.
const OpEntry *findOpAt(llvm::StringRef domain, llvm::StringRef op, int opset);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPTABLE_H
