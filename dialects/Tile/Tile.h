//===- Tile.h - The tile dialect -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything a user of the dialect includes.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_TILE_TILE_H
#define KILN_DIALECTS_TILE_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Tile/TileDialect.h.inc"
#include "dialects/Tile/TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Tile/TileAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Tile/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/Tile/TileOps.h.inc"

namespace kiln::tile {

/// Attribute of an scf.for: its iterations are independent and distributed over thread
/// groups of this many threads.
inline constexpr llvm::StringLiteral kTeamAttr = "tile.team";

/// Returns the number of threads that run an op together: those of its block, or of the
/// thread group if the op is such a loop or inside of one.
int64_t groupThreads(mlir::Operation *op);

/// Bytes of one element in memory; a boolean takes one, index eight.
int64_t elementBytes(mlir::Type elementType);

} // namespace kiln::tile

#endif // KILN_DIALECTS_TILE_TILE_H
