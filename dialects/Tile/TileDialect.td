//===- TileDialect.td - The tile dialect -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_DIALECT_TD
#define KILN_TILE_DIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::kiln::tile";
  let summary = "How one kernel computes";
  let description = [{
    A kernel is the program of one task, written in tiles and movements and
    never in lanes. Memory is reached through views (strided, with run-time
    extents); what is in registers is a fragment, an SSA value of rank 1 or 2;
    what a matrix product reads is a staged tile. `arith`, `affine.apply` and
    `scf` say the address math and the control flow. The dialect ends when a
    target has lowered it.

    Element types are signless: ops say where a sign matters. A boolean is `i1`
    in a fragment and one byte in memory. Every op's meaning is sequential and
    complete without a target, so that lib/Interpreter can run it.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let useDefaultTypePrinterParser = 1;
}

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

#endif // KILN_TILE_DIALECT_TD
