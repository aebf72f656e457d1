//===- TileFragOps.td - Ops on fragments -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_FRAG_OPS_TD
#define KILN_TILE_FRAG_OPS_TD

include "dialects/Tile/TileAttrs.td"
include "dialects/Tile/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_FillOp : Tile_Op<"fill", [Pure]> {
  let summary = "Every element the same scalar";
  let description = [{ Constraints: (C1) the scalar has the fragment's element type. }];
  let arguments = (ins Tile_Element:$value);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_MapOp : Tile_Op<"map", [Pure, SingleBlock]> {
  let summary = "A scalar function of each element";
  let description = [{
    The region computes one element of every result from the elements of the
    inputs at the same place. Scalars from outside may be used in it.

    ```mlir
    %y = tile.map %x, %b : !tile.frag<6x16xf32>, !tile.frag<6x16xf32> -> !tile.frag<6x16xf32> {
    ^bb0(%0: f32, %1: f32):
      %2 = arith.addf %0, %1 : f32
      tile.yield %2 : f32
    }
    ```

    Constraints:
    (C1) all inputs and results have one shape; at least one result.
    (C2) the region takes the inputs' element types and yields the results'.
    (C3) the region holds `arith` and `math` ops without regions, on scalars.
  }];
  let arguments = (ins Variadic<Tile_FragType>:$inputs);
  let results = (outs Variadic<Tile_FragType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($inputs^ `:` type($inputs))? `->` type($results) custom<Body>($body, attr-dict)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$inputs,
                   "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>(::mlir::OpBuilder &, "
                   "::mlir::Location, ::mlir::ValueRange)>":$body)>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
  }];
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "Combines the elements along one axis in a fixed tree";
  let description = [{
    A fragment of rank 2 gives one of rank 1, a fragment of rank 1 a scalar. The
    n elements along the axis are padded with neutral elements to a power of two
    p; then x[i] = combine(x[i], x[i + p/2]) for i < p/2, and so on with p
    halved, until one is left. The tree depends on n only, so bits never depend
    on a partition. Neutral elements are never combined: x[i] stays as it is
    where i + p/2 is padding. `max` and `min` of floats give NaN if one is NaN;
    of integers they are signed.

    Constraints:
    (C1) 0 <= axis < rank.
    (C2) the result has the input's element type and the shape without the axis.
    (C3) umax, umin, and, or: integers only.
  }];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_FragType:$input, I64Attr:$axis);
  let results = (outs Tile_FragOrScalar:$result);
  // Printing an enum adds a space, which the empty literal `` removes.
  let assemblyFormat = "`` $kind $input `axis` $axis attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "Repeats a fragment of rank 1 along a new axis";
  let description = [{
    With axis 0 the input is a row: result[r, c] = input[c]. With axis 1 it is a
    column: result[r, c] = input[r].

    Constraints:
    (C1) rank 1 to rank 2, one element type.
    (C2) axis is 0 or 1, and the other extent of the result is the input's.
  }];
  let arguments = (ins Tile_FragType:$input, I64Attr:$axis);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = "$input `axis` $axis attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ConvertOp : Tile_Op<"convert", [Pure]> {
  let summary = "Another float type, rounded to nearest even";
  let description = [{
    Only between floats; every other conversion is an op of a tile.map.

    Constraints: (C1) one shape. (C2) both elements are floats.
  }];
  let arguments = (ins Tile_FragType:$input);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
  let summary = "The same elements in other registers or threads";
  let description = [{
    On a GPU, where the threads that use a fragment are not those that hold it, or hold
    it otherwise. No effect on any element.

    Constraints: (C1) one shape and element. (C2) both say their layouts.
  }];
  let arguments = (ins Tile_FragType:$input);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "start + coordinate along an axis";
  let description = [{
    Constraints: (C1) 0 <= axis < rank. (C2) start has the element type, an
    integer or index.
  }];
  let arguments = (ins Tile_Element:$start, I64Attr:$axis);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = "$start `axis` $axis attr-dict `:` type($start) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SelectRangeOp : Tile_Op<"select_range", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "Keeps what lies in a range of coordinates, replaces the rest";
  let description = [{
    result[.., c, ..] = low <= c < high ? input[.., c, ..] : otherwise, where c
    is the coordinate along the axis and low and high are signed.

    Constraints: (C1) 0 <= axis < rank. (C2) otherwise has the element type.
  }];
  let arguments = (ins Tile_FragType:$input, Index:$low, Index:$high, Tile_Element:$otherwise,
                       I64Attr:$axis);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = [{
    $input `in` `[` $low `,` $high `)` `else` $otherwise `:` type($otherwise) `axis` $axis
    attr-dict `:` type($input)
  }];
  let hasVerifier = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure]> {
  let summary = "result[c, r] = input[r, c]";
  let description = [{ Constraints: (C1) rank 2, extents swapped, one element type. }];
  let arguments = (ins Tile_FragType:$input);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ExtractOp : Tile_Op<"extract", [Pure]> {
  let summary = "One row of a fragment, or one element";
  let description = [{
    `position` holds leading coordinates: [r] of rank 2 is the row r, [r, c] or
    [c] of rank 1 an element.

    Constraints: (C1) the position is not empty and inside. (C2) the result is
    what remains.
  }];
  let arguments = (ins Tile_FragType:$input, DenseI64ArrayAttr:$position);
  let results = (outs Tile_FragOrScalar:$result);
  let assemblyFormat = "$input $position attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_StackOp : Tile_Op<"stack", [Pure]> {
  let summary = "A fragment of rank 2 from its rows";
  let description = [{ Constraints: (C1) rows of rank 1 and one type, as many as the result has. }];
  let arguments = (ins Variadic<Tile_FragType>:$rows);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = "$rows attr-dict `:` type($rows) `->` type($result)";
  let hasVerifier = 1;
}

#endif // KILN_TILE_FRAG_OPS_TD
