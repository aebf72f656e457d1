//===- TileMemoryOps.td - Views, loads, stores -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_MEMORY_OPS_TD
#define KILN_TILE_MEMORY_OPS_TD

include "dialects/Tile/TileAttrs.td"
include "dialects/Tile/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ScratchOp : Tile_Op<"scratch", [Pure]> {
  let summary = "A buffer in this worker's scratch";
  let description = [{
    Starts `offset` bytes into the scratch, which is aligned to 64 bytes and
    undefined when a task begins. The offset is a multiple of the element's
    size.
  }];
  let arguments = (ins Index:$offset);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = "$offset attr-dict `:` type($result)";
}

def Tile_ViewOp : Tile_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary = "Extents and strides for a buffer";
  let description = [{
    Element [i, j, ...] of the view is element offset + i * stride0 + j *
    stride1 + ... of the buffer. `sizes` and `strides` give the `?` of the type
    in order.

    ```mlir
    %v = tile.view %x offset %o sizes(%m) strides()
       : !tile.buffer<f32> -> !tile.view<?x384xf32, [384, 1]>
    ```

    Constraints:
    (C1) one size per `?` extent and one stride per `?` stride.
    (C2) the element types of buffer and view are equal.
  }];
  let arguments = (ins Tile_BufferType:$buffer, Index:$offset, Variadic<Index>:$sizes,
                       Variadic<Index>:$strides);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $buffer `offset` $offset `sizes` `(` $sizes `)` `strides` `(` $strides `)` attr-dict
    `:` type($buffer) `->` type($result)
  }];
  let builders = [
    /// Static sizes and strides become part of the type, the others become operands.
    OpBuilder<(ins "::mlir::Value":$buffer, "::mlir::Value":$offset,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$strides)>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedStrides();
  }];
}

class Tile_AccessOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits> {
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_AccessOp<"load", [AttrSizedOperandSegments]> {
  let summary = "A fragment or a scalar from a view";
  let description = [{
    One index per dim of the view. Dim d of a fragment of rank r runs along dim
    rank - r + d of the view, from its index on. Along the dims of the fragment
    listed in `masked`, elements past the extent of the view are not read and
    are `pad`; all others must be inside. With `before`, the index of the last
    dim may be negative, and elements in front of the view are masked, too.

    ```mlir
    %f = tile.load %v[%i, %j] pad %zero masked [1]
       : !tile.view<?x?xf32, [?, 1]> -> !tile.frag<6x16xf32>
    ```

    Constraints:
    (C1) one index per dim of the view; the fragment's rank is at most the view's.
    (C2) the element types are equal, or i8 of the view and f8E4M3FN of the fragment,
         which the bytes stand for: tile.stage.
    (C3) `masked` lists dims of the fragment, increasing; `pad` is given exactly
         when it is not empty, and has the element type.
    (C4) `before` only where the fragment's last dim is masked.
  }];
  let arguments = (ins Arg<Tile_ViewType, "", [MemRead]>:$view, Variadic<Index>:$indices,
                       Optional<Tile_Element>:$pad,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$masked, UnitAttr:$before);
  let results = (outs Tile_FragOrScalar:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` (`pad` $pad^ `:` type($pad) `masked` $masked)?
    (`before` $before^)? attr-dict
    `:` type($view) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$view, "::mlir::ValueRange":$indices), [{
      build($_builder, $_state, result, view, indices, ::mlir::Value(),
            ::llvm::ArrayRef<int64_t>{});
    }]>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$view, "::mlir::ValueRange":$indices,
                   "::mlir::Value":$pad, "::llvm::ArrayRef<int64_t>":$masked), [{
      build($_builder, $_state, result, view, indices, pad, masked, /*before=*/false);
    }]>
  ];
}

def Tile_StoreOp : Tile_AccessOp<"store"> {
  let summary = "Writes a fragment or a scalar into a view";
  let description = [{
    Indices, fragment dims and `masked` as for tile.load: along masked dims,
    elements past the extent of the view are dropped.

    Constraints:
    (C1) one index per dim of the view; the fragment's rank is at most the view's.
    (C2) the element types are equal.
    (C3) `masked` lists dims of the fragment, increasing.
  }];
  let arguments = (ins Tile_FragOrScalar:$value, Arg<Tile_ViewType, "", [MemWrite]>:$view,
                       Variadic<Index>:$indices,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$masked);
  let assemblyFormat = [{
    $value `,` $view `[` $indices `]` (`masked` $masked^)? attr-dict
    `:` type($value) `,` type($view)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$view, "::mlir::ValueRange":$indices), [{
      build($_builder, $_state, value, view, indices, ::llvm::ArrayRef<int64_t>{});
    }]>
  ];
}

def Tile_GatherOp : Tile_AccessOp<"gather", [AttrSizedOperandSegments]> {
  let summary = "Elements of a view's last dim, chosen by a fragment of indices";
  let description = [{
    result[n] = view[indices..., where[n]]. With `pad`, an index outside the
    last extent gives `pad` and reads nothing; without, every one must be inside.

    ```mlir
    %f = tile.gather %v[%i] at %w pad %zero : f32
       : !tile.view<?x?xf32, [?, 1]>, !tile.frag<16xi64> -> !tile.frag<16xf32>
    ```

    Constraints:
    (C1) one index per dim of the view but the last; the view has rank 1 at least.
    (C2) `where` holds integers or indices and has the result's shape.
    (C3) result, pad and view have one element type.
  }];
  let arguments = (ins Arg<Tile_ViewType, "", [MemRead]>:$view, Variadic<Index>:$indices,
                       Tile_FragType:$where, Optional<Tile_Element>:$pad);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` `at` $where (`pad` $pad^ `:` type($pad))? attr-dict
    `:` type($view) `,` type($where) `->` type($result)
  }];
}

def Tile_ScatterOp : Tile_AccessOp<"scatter"> {
  let summary = "Writes to elements of a view's last dim, chosen by indices";
  let description = [{
    view[indices..., where[n]] = value[n]. With `masked`, an index outside the last
    extent is dropped; without, every one must be inside. No two elements may go to
    one place: threads have no order.

    Constraints:
    (C1) one index per dim of the view but the last; the view has rank 1 at least.
    (C2) `where` holds integers or indices and has the value's shape.
    (C3) value and view have one element type.
  }];
  let arguments = (ins Tile_FragType:$value, Arg<Tile_ViewType, "", [MemWrite]>:$view,
                       Variadic<Index>:$indices, Tile_FragType:$where, UnitAttr:$masked);
  let assemblyFormat = [{
    $value `,` $view `[` $indices `]` `at` $where (`masked` $masked^)? attr-dict
    `:` type($value) `,` type($view) `,` type($where)
  }];
}

def Tile_StageOp : Tile_AccessOp<"stage", [Pure, AttrSizedOperandSegments]> {
  let summary = "Makes a tile of a view an operand of tile.mma";
  let description = [{
    The staged tile runs along the last two dims of the view, from the indices
    on; `sizes` gives its `?` extents in order. Along the dims of the tile listed
    in `masked`, elements past the extent of the view are zero and not read; all
    others must be inside. Nothing may write to it while the staged tile is in
    use.

    Constraints:
    (C1) one index per dim of the view, which has rank 2 at least.
    (C2) one size per `?` extent of the tile.
    (C3) the element types are equal, or i8 of the view and f8E4M3FN of the tile, which the bytes
         then are.
    (C4) `masked` lists dims of the tile, increasing.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<Index>:$indices, Variadic<Index>:$sizes,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$masked);
  let results = (outs Tile_StagedType:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` (`sizes` `(` $sizes^ `)`)? (`masked` $masked^)? attr-dict
    `:` type($view) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$view, "::mlir::ValueRange":$indices,
                   "::mlir::ValueRange":$sizes), [{
      build($_builder, $_state, result, view, indices, sizes, ::llvm::ArrayRef<int64_t>{});
    }]>
  ];
}

def Tile_PrefetchOp : Tile_AccessOp<"prefetch"> {
  let summary = "Hints that the element at the indices will be read soon";
  let description = [{
    No effect on any value. The element may be outside the view. `locality` is 3
    for all caches, 2 for all but the nearest, 1 for the last level, and 0 for the nearest
    alone (non-temporal: it will be read once).

    Constraints: (C1) one index per dim of the view. (C2) locality is 0, 1, 2 or 3.
  }];
  let arguments = (ins Arg<Tile_ViewType, "", [MemWrite]>:$view, Variadic<Index>:$indices,
                       DefaultValuedAttr<I64Attr, "2">:$locality);
  let assemblyFormat = "$view `[` $indices `]` attr-dict `:` type($view)";
}

#endif // KILN_TILE_MEMORY_OPS_TD
