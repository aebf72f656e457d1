//===- TileTypes.td - Types of the tile dialect -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_TYPES_TD
#define KILN_TILE_TYPES_TD

include "dialects/Tile/TileAttrs.td"
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

    `!tile.staged<64x32xbf16, matrices>`, as kiln-assign-layouts leaves it on a GPU: chunks
    of 16 bytes swizzled for ldmatrix; `words`: for words of 4 bytes that tensor cores take
    one by one; `lines`: as in global memory, padded against bank conflicts.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        OptionalParameter<"std::optional<::kiln::tile::StagedLayout>">:$layout);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                   "::mlir::Type":$elementType), [{
    return $_get($_ctxt, shape, elementType, std::nullopt);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    StagedType cloneWith(::kiln::tile::StagedLayout layout) const {
      return get(getContext(), getShape(), getElementType(), layout);
    }
  }];
}

def Tile_FragType : Tile_Type<"Frag", "frag"> {
  let summary = "A tile in registers";
  let description = [{
    `!tile.frag<6x16xf32>`: an SSA value.
    `!tile.frag<16x8xf32, #tile.linear_layout<...>>`, as kiln-assign-layouts leaves it on a
    GPU: spread over the threads of a group as the layout says.

    Constraints:
    (C1) rank 1 or 2, extents positive and static.
    (C2) the element is a signless integer, a float or index.
    (C3) the bases of the layout are elements, and reach all of them.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        OptionalParameter<"::kiln::tile::LinearLayoutAttr">:$layout);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                   "::mlir::Type":$elementType), [{
    return $_get($_ctxt, shape, elementType, ::kiln::tile::LinearLayoutAttr());
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// Rows and row length; a fragment of rank 1 is one row.
    int64_t getRows() const { return getRank() == 2 ? getShape()[0] : 1; }
    int64_t getColumns() const { return getShape().back(); }
    int64_t getNumElements() const { return getRows() * getColumns(); }
    FragType cloneWith(::mlir::Type element) const {
      return get(getContext(), getShape(), element, getLayout());
    }
    FragType cloneWith(::kiln::tile::LinearLayoutAttr layout) const {
      return get(getContext(), getShape(), getElementType(), layout);
    }
    /// This type without its layout.
    FragType withoutLayout() const {
      return get(getContext(), getShape(), getElementType());
    }
  }];
}

def Tile_MemType : Tile_Type<"Mem", "mem"> {
  let summary = "A multistage buffer that matrix units read";
  let description = [{
    `!tile.mem<3x128x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>`:
    3 stages, each of which holds a tile of 128x64 elements; the layout says where each
    element of a stage lies. Registers and tensor memory hold no such buffers today:
    the space `tensor` is for targets that have it.

    Constraints:
    (C1) rank 3, extents positive and static: stages, rows, columns.
    (C2) the element is a signless integer or a float.
    (C3) where lines are swizzled, the contiguous dim of a tile is at least one swizzled
         line long, or a whole number of them.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::kiln::tile::MemLayoutAttr":$layout,
                        "::kiln::tile::MemorySpace":$space);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getStages() const { return getShape()[0]; }
    int64_t getRows() const { return getShape()[1]; }
    int64_t getColumns() const { return getShape()[2]; }
    /// Bits of one stage.
    int64_t getStageBits() const;
    int64_t getStageBytes() const { return getStageBits() / 8; }
    /// Tiles are lines of contiguous elements: how many, and of how many elements.
    int64_t getLines() const;
    int64_t getLineElements() const;
  }];
}

def Tile_BarrierType : Tile_Type<"Barrier", "barrier"> {
  let summary = "Barriers in shared memory, one per stage of a buffer";
  let description = [{
    `!tile.barrier<3>`: each completes a phase when all threads that it waits for have
    arrived and all bytes that were announced to it have been written; phases have
    alternating parities, the first one 0 (PTX ISA, "mbarrier").

    Constraints: (C1) at least one.
  }];
  let parameters = (ins "int64_t":$count);
  let assemblyFormat = "`<` $count `>`";
  let genVerifyDecl = 1;
}

def Tile_PendingType : Tile_Type<"Pending", "pending"> {
  let summary = "Accumulators of a matrix product in flight";
  let description = [{
    `!tile.pending<64x16xf32>`: what tile.issue_mma leaves. It becomes a fragment by
    tile.wait_mma, so that no use before its completion can be written.

    Constraints: (C1) rank 2, extents positive and static.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_OperandType : Tile_Type<"Operand", "operand"> {
  let summary = "A left operand in registers";
  let description = [{
    `!tile.operand<64x128xbf16>`: a fragment packed as matrix units read their left operand
    from registers (PTX ISA, "Register Fragments for wgmma.mma_async"), made by
    tile.pack_operand. A product in flight may still read it.

    Constraints:
    (C1) rank 2, extents positive and static.
    (C2) the element has 16 bits.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_FragOrScalar : AnyTypeOf<[Tile_FragType, Tile_Element], "a fragment or a scalar">;

#endif // KILN_TILE_TYPES_TD
