//===- TileOps.td - Ops of the tile dialect -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_OPS_TD
#define KILN_TILE_OPS_TD

include "dialects/Tile/TileAsyncOps.td"
include "dialects/Tile/TileKernelOps.td"
include "dialects/Tile/TileMemoryOps.td"
include "dialects/Tile/TileFragOps.td"
include "dialects/Tile/TileScaledOps.td"
include "dialects/Tile/TileSignalOps.td"

#endif // KILN_TILE_OPS_TD
