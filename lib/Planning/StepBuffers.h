//===- StepBuffers.h - Buffers that a step accesses -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PLANNING_STEPBUFFERS_H
#define KILN_LIB_PLANNING_STEPBUFFERS_H

#include "dialects/Plan/Plan.h"

namespace kiln {

/// Names of the buffers that a step reads and writes, including its workspace.
struct StepBuffers {
  explicit StepBuffers(mlir::Operation *step);

  llvm::SmallVector<llvm::StringRef> reads, writes;
};

/// Returns the buffer whose storage the named buffer uses, through all aliases.
plan::BufferOp storageOf(mlir::SymbolTable &symbols, llvm::StringRef name);

} // namespace kiln

#endif // KILN_LIB_PLANNING_STEPBUFFERS_H
