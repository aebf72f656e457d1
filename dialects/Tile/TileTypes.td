//===- TileTypes.td - Types of the tile dialect -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_TYPES_TD
#define KILN_TILE_TYPES_TD

include "dialects/Tile/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_Element : AnyTypeOf<[AnySignlessInteger, AnyFloat, Index], "an element type">;

def Tile_BufferType : Tile_Type<"Buffer", "buffer"> {
  let summary = "Where memory of a kernel begins";
  let description = [{
    `!tile.buffer<f32>`: the start of an operand, a result or the scratch. It is
    aligned to its element and has no extent; `tile.view` gives it one.

    Constraints: (C1) the element is a signless integer or a float.
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let genVerifyDecl = 1;
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "A strided view of a buffer";
  let description = [{
    `!tile.view<?x384xf32, [384, 1]>`: extents, element, strides in elements. A
    `?` is known at run time. A stride of 0 repeats a dim.

    Constraints:
    (C1) one stride per extent.
    (C2) extents are not negative.
    (C3) the element is a signless integer or a float.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        ArrayRefParameter<"int64_t">:$strides);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// Number of `?` among the extents, among the strides.
    unsigned getNumDynamicSizes() const;
    unsigned getNumDynamicStrides() const;
  }];
}

def Tile_StagedType : Tile_Type<"Staged", "staged"> {
  let summary = "An operand of tile.mma";
  let description = [{
    `!tile.staged<6x?xf32>`: a tile the matrix unit can read, made by
    `tile.stage` only. On the host it is the memory itself, on a GPU a slot of
    shared memory. An extent may be known only at run time.

    Constraints:
    (C1) rank 2, extents positive or `?`.
    (C2) the element is a signless integer or a float.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_FragType : Tile_Type<"Frag", "frag"> {
  let summary = "A tile in registers";
  let description = [{
    `!tile.frag<6x16xf32>`: an SSA value.

    Constraints:
    (C1) rank 1 or 2, extents positive and static.
    (C2) the element is a signless integer, a float or index.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// Rows and row length; a fragment of rank 1 is one row.
    int64_t getRows() const { return getRank() == 2 ? getShape()[0] : 1; }
    int64_t getColumns() const { return getShape().back(); }
    int64_t getNumElements() const { return getRows() * getColumns(); }
    FragType cloneWith(::mlir::Type element) const {
      return get(getContext(), getShape(), element);
    }
  }];
}

def Tile_FragOrScalar : AnyTypeOf<[Tile_FragType, Tile_Element], "a fragment or a scalar">;

#endif // KILN_TILE_TYPES_TD
