//===- TileScaledOps.td - Matmuls of quantized operands ---*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_SCALED_OPS_TD
#define KILN_TILE_SCALED_OPS_TD

include "dialects/Tile/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ScaledMmaOp : Tile_Op<"scaled_mma",
    [Pure, AttrSizedOperandSegments, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "accumulator + scales * (lhs * rhs), one block of K";
  let description = [{
    One block of steps of K of graph.scaled_matmul. `lhs_type` and `rhs_type` are the types of the numbers, which are one
    of its pairs; staged tiles hold bytes of them, or f16 and bf16 themselves. In f32, with a factor of 1 where there are
    no scales,

        result[m, n] = fma(lhs_scales[m] * rhs_scales[n], sum over k of lhs[m, k] * (w[k, n] - z[n]), accumulator[m, n])

    - i8 by ui4, ui8 or f4E2M1FN: w are codes, for f4E2M1FN 12 plus twice their number, z the zero points, or 2^(bits - 1)
      or 12. The sum is that of integers of 32 bits, lhs * w less z * lhs_totals, exact in f32 where the block has
      at most 2^24 / 255 / 128 = 514 steps; the product of the scales is rounded, and then the result once.
    - f16 or bf16 by ui4, ui8 or f4E2M1FN: the same w - z, which both types hold exactly, without scales of lhs. The sum is
      of f32, in any order.
    - f8E4M3FN by f8E4M3FN or f4E2M1FN, whose w is twice its number: the same, without z. With `fast_accum` tensor cores
      add the products to the accumulator.
    - f4E2M1FN by f4E2M1FN, 64 steps with scales of `scale_type` per 16 (f8E4M3FN) or 32 (f8E8M0FNU); w is the number
      itself. The accumulator takes one block after the other, or, by an instruction that takes scales, all 64
      steps at once, with the bits that its sums have. Codes of lhs lie in the low halves of bytes.

    ```
    %r = tile.scaled_mma %x of i8 scales(%s) totals(%u) by %w of ui4 scales(%t) into %acc
        : (!tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>,
           !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>) -> !tile.frag<2x16xf32>
    ```

    Constraints:
    (C1) lhs is MxB of f16 or bf16 as `lhs_type` says, or of i8; lhs_scales and lhs_totals of i8 are Mx1 of f32 and i32, and
    no other type has them, but that lhs_scales of f4E2M1FN are M x 64 / block of i8. All are static.
    (C2) rhs is B/(32/bits) x 4N of i8. Its scales are 1xN of f16, bf16 or f32, or of i8 that are
    `scale_type`s, f8E4M3FN or f8E8M0FNU; those of f4E2M1FN by f4E2M1FN are 1 x N * 64 / block. Only f8E4M3FN may have
    none. Zeros are 1xN of i8, of ui4 and ui8 alone.
    (C3) the accumulator is MxN of f32.
    (C4) the types are a pair of the list, and B is a multiple of 32/bits, of f4E2M1FN by f4E2M1FN 64.
    (C5) `fast_accum` is of f8E4M3FN by f8E4M3FN without scales.
  }];
  let arguments = (ins Tile_StagedType:$lhs, Optional<Tile_StagedType>:$lhs_scales,
                       Optional<Tile_StagedType>:$lhs_totals, Tile_StagedType:$rhs,
                       Optional<Tile_StagedType>:$rhs_scales, Optional<Tile_StagedType>:$rhs_zeros,
                       Tile_FragType:$accumulator, TypeAttr:$lhs_type, TypeAttr:$rhs_type,
                       OptionalAttr<TypeAttr>:$scale_type, UnitAttr:$fast_accum);
  let results = (outs Tile_FragType:$result);
  let extraClassDeclaration = [{
    /// Kind of the multiplication: integers of 8 bits, f16 or bf16, f8E4M3FN, or f4E2M1FN by itself.
    enum class Multiplier { Integers, Halves, Float8, Float4 };
    Multiplier getMultiplier();
    /// Returns true if rhs is f4E2M1FN, whose 16 codes a table maps to the integers or floats that are multiplied.
    bool looksUpCodes();
    /// Returns true if the bytes of rhs are multiplied as they are, as f8E4M3FN without zero points.
    bool multipliesBytes();
    /// Returns the zero point of rhs if there is no operand `zeros`.
    int64_t getDefaultZero();
    /// Returns the bits of an element of rhs.
    int64_t getBits() { return getRhsType().getIntOrFloatBitWidth(); }
  }];
  let assemblyFormat = [{
    $lhs `of` $lhs_type (`scales` `(` $lhs_scales^ `)`)? (`totals` `(` $lhs_totals^ `)`)? `by`
    $rhs `of` $rhs_type (`scales` `(` $rhs_scales^ `)`)? (`zeros` `(` $rhs_zeros^ `)`)?
    `into` $accumulator attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

#endif // KILN_TILE_SCALED_OPS_TD
