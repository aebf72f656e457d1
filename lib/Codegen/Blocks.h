//===- Blocks.h - Rows cut into blocks of even height -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the emitters of contractions share. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_BLOCKS_H
#define KILN_LIB_CODEGEN_BLOCKS_H

#include "Expression/NodeEmitter.h"

namespace kiln::codegen {

/// Bytes of a cache line of a host.
inline constexpr int64_t kCacheLineBytes = 64;

/// Every height a block can have when `least` to `most` rows are cut into as few
/// blocks of at most `tallest` rows as possible, even to one row; ascending.
llvm::SmallVector<int64_t> blockHeights(int64_t least, int64_t most, int64_t tallest);

/// Emits `body` once per height and a switch that picks the one `height` is.
void switchHeight(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
                  mlir::Value height, llvm::ArrayRef<int64_t> heights,
                  llvm::function_ref<void(int64_t)> body);

/// A loop whose body is a scope of the emitter.
void emitLoop(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
              mlir::Value begin, mlir::Value end, mlir::Value step,
              llvm::function_ref<void(mlir::Value)> body);

/// The part of `whole` that part `number` of `parts` is: begin and length. Parts
/// differ by at most one.
std::pair<mlir::Value, mlir::Value> evenPart(mlir::OpBuilder &b, mlir::Location loc,
                                             mlir::Value whole, mlir::Value number,
                                             mlir::Value parts);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_BLOCKS_H
