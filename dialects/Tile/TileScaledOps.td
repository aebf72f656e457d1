//===- TileScaledOps.td - Products of quantized operands ---*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_SCALED_OPS_TD
#define KILN_TILE_SCALED_OPS_TD

include "dialects/Tile/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ScaledMmaOp : Tile_Op<"scaled_mma", [Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "accumulator + scales * (codes * codes), one block of K";
  let description = [{
    With the codes w of the right operand unpacked from `bits` bits as graph.scaled_matmul
    says, also for `e2m1`, z the zero points or 2^(bits - 1) or 12, u the totals of lhs (lhs_totals), and integers of 32 bits,

        i[m, n]      = sum over k of lhs[m, k] * w[k, n]  -  z[n] * u[m]
        result[m, n] = fma(lhs_scales[m] * rhs_scales[n], i[m, n], accumulator[m, n])

    in f32: the product of the scales is rounded, and then the sum once. lhs is signed, w and z
    are not. i[m, n] is exact in f32 where the block has at most 2^24 / 255 / 128 = 514 steps.

    Where lhs is of f16 or bf16 it has neither scales nor totals. Both operands are then lhs once more, and

        result[m, n] = fma(rhs_scales[n], sum over k of lhs[m, k] * (w[k, n] - z[n]), accumulator[m, n])

    with the sum in f32, in any order: w - z is exact in both types.

    With `e4m3` both operands are bytes of f8E4M3FN, but rhs has codes of f4E2M1FN with `e2m1`, whose w is twice their
    number; lhs_scales and lhs_totals are lhs once more, and there are no zeros:

        result[m, n] = fma(rhs_scales[n], sum over k of lhs[m, k] * w[k, n], accumulator[m, n])

    If rhs_scales is rhs once more, there are none, and the sum itself is added; with `fast_accum` tensor cores add the
    products to the accumulator.

    With `e2m1` and lhs_scales of i8, both operands are codes of f4E2M1FN, x in the low halves of bytes, with scales of
    `scale_type` per block of 16 (f8E4M3FN) or 32 steps (f8E8M0FNU); w is the number itself, and lhs_totals is lhs once
    more. Block by block,

        result[m, n] = fma(lhs_scales[m, g] * rhs_scales[n, g], sum over k in g of lhs[m, k] * w[k, n], accumulator[m, n])

    or, by an instruction that takes scales, all 64 steps at once, with the bits that its sums have.

    ```
    %r = tile.scaled_mma %x scales(%s, %u) by %w scales(%t) into %acc bits 4
        : !tile.staged<2x32xi8>, !tile.staged<2x1xf32>, !tile.staged<2x1xi32>,
          !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<2x16xf32>
    ```

    Constraints:
    (C1) lhs is MxB of i8, lhs_scales and lhs_totals are Mx1 of f32 and i32, all static; or
    lhs is of f16 or bf16, or there is `e4m3`, and these two have its type; or it is Mx64 of i8, with lhs_scales Mx4
    (f8E4M3FN) or Mx2 (f8E8M0FNU) of i8.
    (C2) rhs is B/(32/bits) x 4N of i8, its scales are 1xN of f16, bf16 or f32, or of i8 that are
    `scale_type`s, f8E4M3FN or f8E8M0FNU, or, with `e4m3` and no `e2m1`, rhs once more; its zeros are 1xN of i8. Beside
    lhs_scales of i8, those of rhs are 1x4N or 1x2N.
    (C3) the accumulator is MxN of f32.
    (C4) bits is 4 or 8, and B a multiple of 32/bits; `e2m1` has 4 bits and no zeros, `e4m3` without it 8 and no zeros.
    (C5) `fast_accum` has `e4m3` and no scales.
  }];
  let arguments = (ins Tile_StagedType:$lhs, Tile_StagedType:$lhs_scales,
                       Tile_StagedType:$lhs_totals, Tile_StagedType:$rhs,
                       Tile_StagedType:$rhs_scales, Optional<Tile_StagedType>:$rhs_zeros,
                       Tile_FragType:$accumulator, I64Attr:$bits, UnitAttr:$e2m1,
                       UnitAttr:$e4m3, UnitAttr:$fast_accum,
                       OptionalAttr<TypeAttr>:$scale_type);
  let results = (outs Tile_FragType:$result);
  let extraClassDeclaration = [{
    /// The right operand has scales, which are not itself.
    bool hasScales() { return getRhsScales() != getRhs(); }
  }];
  let assemblyFormat = [{
    $lhs `scales` `(` $lhs_scales `,` $lhs_totals `)` `by` $rhs `scales` `(` $rhs_scales `)`
    (`zeros` `(` $rhs_zeros^ `:` type($rhs_zeros) `)`)? `into` $accumulator `bits` $bits attr-dict `:`
    type($lhs) `,` type($lhs_scales) `,` type($lhs_totals) `,` type($rhs) `,` type($rhs_scales) `,`
    type($accumulator)
  }];
  let hasVerifier = 1;
}

#endif // KILN_TILE_SCALED_OPS_TD
