//===- StepBuffers.h - What a step of a plan touches ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PLANNING_STEPBUFFERS_H
#define KILN_LIB_PLANNING_STEPBUFFERS_H

#include "dialects/Plan/Plan.h"

namespace kiln {

/// The names of the buffers that a step reads and writes, its workspace among those.
struct StepBuffers {
  explicit StepBuffers(mlir::Operation *step);

  llvm::SmallVector<llvm::StringRef> reads, writes;
};

/// The buffer whose memory one of that name has: behind aliases.
plan::BufferOp storageOf(mlir::SymbolTable &symbols, llvm::StringRef name);

} // namespace kiln

#endif // KILN_LIB_PLANNING_STEPBUFFERS_H
