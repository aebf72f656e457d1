//===- Blocks.h - Rows split into blocks of even height ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the emitters of contractions. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_BLOCKS_H
#define KILN_LIB_CODEGEN_BLOCKS_H

#include "Expression/NodeEmitter.h"
#include "kiln/Target/TargetInfo.h"

namespace kiln::codegen {

/// AMX tile registers as tdpbf16ps takes them: columns of f32, and steps of K; half of
/// the registers are accumulators.
inline constexpr int64_t kTileRegisterColumns = kTileRegisterRowBytes / 4,
                         kTileRegisterSteps = tile::MmaOp::kBlockSteps,
                         kTileAccumulators = kAmxTiles / 2;

/// Returns the dot product by which a CPU multiplies bf16 faster than by FMAs of f32;
/// nullopt: none.
std::optional<tile::DotProduct> bf16DotProduct(const TargetInfo &target);

/// Cache line size of a host in bytes.
inline constexpr int64_t kCacheLineBytes = 64;

/// Returns, in ascending order, every block height that occurs when `least` to `most`
/// rows are split into the minimum number of blocks of at most `tallest` rows, with
/// heights that differ by at most one.
llvm::SmallVector<int64_t> blockHeights(int64_t least, int64_t most, int64_t tallest);

/// Emits `body` once per height, and a switch that selects the one for `height`.
void switchHeight(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
                  mlir::Value height, llvm::ArrayRef<int64_t> heights,
                  llvm::function_ref<void(int64_t)> body);

/// Emits a loop whose body is a scope of the emitter.
void emitLoop(mlir::OpBuilder &b, mlir::Location loc, NodeEmitter &emitter,
              mlir::Value begin, mlir::Value end, mlir::Value step,
              llvm::function_ref<void(mlir::Value)> body);

/// Splits `whole` into `parts` parts that differ by at most one. Returns begin and length
/// of part `number`.
std::pair<mlir::Value, mlir::Value> evenPart(mlir::OpBuilder &b, mlir::Location loc,
                                             mlir::Value whole, mlir::Value number,
                                             mlir::Value parts);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_BLOCKS_H
