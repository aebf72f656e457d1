//===- GraphScaledOps.td - Products of quantized operands --*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_SCALED_OPS_TD
#define KILN_GRAPH_SCALED_OPS_TD

include "dialects/Graph/GraphOpBase.td"

def Graph_ScaledMatmulOp : Graph_InferredOp<"scaled_matmul", [Graph_Indexing<>]> {
  let summary = "Product of 8- or 16-bit activations and 4- or 8-bit weights with scales";
  let description = [{
    The left operand has signed codes with a scale per row and block of B columns, the right one
    unsigned codes with a scale, and perhaps a zero point, per block of B rows and column:

        y[m, n] = sum over blocks g of  s[m, g] * t[g, n] *
                  (sum over k in g of x[m, k] * w[k, n]  -  z[g, n] * totals[m, g])

    where the totals of codes are integers. Without `weight_zeros` every zero point is
    2^(bits - 1). With `e2m1` the codes are those of f4E2M1FN, w is 12 plus twice their number (0 to
    24), and every zero point is 12. `totals` holds the sum of the codes of each row and block, which the op does not
    compute again: only then is the result the product of what the codes stand for.

    Weights lie in panels of W columns whose steps of K are interleaved, so that 32 bits
    hold 32 / bits = c successive steps of K of one column: [ceil(N / W), K / c, W, 4] bytes. Byte
    j of a column holds step j; of 4-bit codes, step j in its low half and step j + 4 in its high half.
    Scales and zero points lie in the same panels, [ceil(N / W), K / B, W].

    Activations of f16 or bf16 are numbers and have neither scales nor totals. Both operands are then the input once more,
    and

        y[m, n] = sum over blocks g of  t[g, n] * (sum over k in g of x[m, k] * (w[k, n] - z[g, n]))

    Activations of f8E4M3FN have one scale s per row, no totals (`totals` is the input once more), and a weight of
    f8E4M3FN without zero points, or, with `e2m1`, codes of f4E2M1FN, whose w is twice their number:

        y[m, n] = s[m] * (sum over blocks g of  t[g, n] * (sum over k in g of x[m, k] * w[k, n]))

    A weight without scales is its own `weight_scales`; t is 1 then, and kernels choose the blocks: getBlock steps of K.
    They add up a block on its own and its sum to those of the blocks before it in f32 (two-level accumulation), as
    tensor cores may keep fewer bits of their sums. With `fast_accum`, which takes no scales of a weight, tensor
    cores add up all of K.

    Activations of ui8 are codes x of f4E2M1FN, one in the low half of each byte, with `e2m1`. Their scales a per
    block of B steps take the place of totals, of f8E4M3FN with B = 16 or of f8E8M0FNU with B = 32, and there is a
    scale s per row. Here w is the number itself:

        y[m, n] = s[m] * (sum over blocks g of  a[m, g] * t[g, n] * (sum over k in g of x[m, k] * w[k, n]))

    Scales of the weight lie in groups of 64 steps of K, as registers of instructions take them:
    [P, K / 64, W, 64 / B].

    Constraints:
    (C1) `input` is [..., M, K] of i8, `scales` and `totals` are [..., M, K / B] of f32 and i32; or
    `input` is of f16 or bf16, and these two are the same value; or `input` is of f8E4M3FN, `scales` is
    [..., M, 1] of f32, and `totals` is `input`; or `input` is of ui8, `scales` is [..., M, 1] of f32, and
    `totals` is [..., M, K / B] of f8E4M3FN or f8E8M0FNU.
    (C2) `weight` is [P, K / c, W, 4] of ui8 with `bits` 4 or 8; `e2m1` has 4. It is of f8E4M3FN, with 8 bits,
    where `input` is and there is no `e2m1`.
    (C3) `weight_scales` is [P, K / B, W] of f16, bf16, f32, f8E4M3FN or f8E8M0FNU, `weight_zeros` the
    same of ui8; `e2m1` and f8E4M3FN have none. Only weights of f8E4M3FN may be their own scales, and must be with
    `fast_accum`. Beside an `input` of ui8 they are [P, K / 64, W, 64 / B], of the type of `totals`, there is
    `e2m1`, and K is a multiple of 64.
    (C4) `columns` is in (W * (P - 1), W * P].
    (C5) K is known and not 0, and B a multiple of c.
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$scales, Graph_Tensor:$totals,
                       Graph_Tensor:$weight, Graph_Tensor:$weight_scales,
                       Optional<Graph_Tensor>:$weight_zeros, I64Attr:$bits, I64Attr:$columns,
                       UnitAttr:$e2m1, UnitAttr:$fast_accum);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `scales` $scales `totals` $totals `by` $weight `scales` $weight_scales
    (`zeros` $weight_zeros^)? `bits` $bits `columns` $columns attr-dict `:`
    functional-type(operands, $result)
  }];
  let extraClassDeclaration = [{
    /// Steps of K that 32 bits of the weight hold; that have a scale; columns of a panel.
    int64_t getStepsPerWord() { return 32 / getBits(); }
    int64_t getBlock();
    int64_t getPanelWidth();
    /// The input is of f8E4M3FN, and so is the weight without `e2m1`; the weight has scales per block.
    bool isFloat8();
    bool hasBlockScales();
    /// Zero point of every block where the op has no `weight_zeros`.
    int64_t getDefaultZero();
  }];
}

def Graph_QuantizeWeightOp : Graph_InferredOp<"quantize_weight", [AttrSizedOperandSegments, Graph_Indexing<>]> {
  let summary = "Codes, scales or zero points of a weight";
  let description = [{
    A weight [K, N] as graph.scaled_matmul reads it, in blocks of `block` steps of K and panels of 16
    columns; columns that fill up the last panel are zeros. Ops that differ in `part` only make the
    operands: `codes`, `scales`, `zeros`.

    Let a block have the range [l, h], with zero in it. Integers of b bits have the scale
    (h - l) / (2^b - 1), rounded to `scale_type`, and the zero point round(-l / scale); the code of w is
    round(w / scale) + zero, clamped. `e2m1` has the scale max |w| / 12, as its codes count in halves, and
    the nearest code, halves to the even one; of a scale type without mantissa, the power of two with the
    smaller squared error of the two around it. `e2m3` makes numbers of f6E2M3FN in eighths, integers up to 60 and
    128 above them, whose scale is an eighth of that of the block and otherwise found in the same way.

    Scales count in `unit`s (default 1). Part `unit` makes one for a whole weight (NVFP4): the number with
    which the largest scale is the largest that the scale type holds.

    `clip` tries 0.5 to 1 times the range and keeps what has the smallest squared error in each block; it
    changes nothing for a scale type without mantissa. An element that is no finite number is an error.

    With `factor`, the upper Cholesky factor U of the inverse of the damped Hessian X^T X of the
    activations, rows are rounded in the order of K and the following ones make up for the error:
    w[j] -= (w[k] - q[k]) / U[k, k] * U[k, j] for j > k (GPTQ, Frantar et al., 2022). The scales of a
    block are found from its weights as they are when it is reached.

    Part `multipliers` makes [K] of f32: numbers s by which rows of the weight are multiplied, and
    activations divided, before either is quantized, so that channels with large activations lose less
    (AWQ, Lin et al., 2023). Its `factor` is the Hessian H = X^T X itself. With a = sqrt(H[k, k]), s is a^alpha
    over the geometric mean of its extremes, with the alpha of 0, 0.05, ... 0.95 that has the least squared error of the
    product on the samples: tr(E^T H E), where W + E is the weight rounded to nearest and divided by s again, and what
    codes of 8 bits of the activations add, estimated from H's diagonal.

    ```
    %c = graph.quantize_weight codes of %w bits 4 block 32 as bf16
         : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
    ```

    Constraints:
    (C1) `weight` is a static [K, N] of floats and not empty, `unit` a scalar.
    (C2) `factor` is [K, K].
    (C3) bits is 4 or 8; `e2m1` has 4 and no zeros, `e2m3` has 8 and no zeros.
    (C4) `block` is a multiple of 32 / bits that divides K, but for part `unit`, which is of no block.
    (C5) `scale_type` is f16, bf16, f32, f8E4M3FN or f8E8M0FNU; part `unit` is of f8E4M3FN.
    (C6) Part `multipliers` has a `factor` and no `unit`, part `unit` has neither.
  }];
  let arguments = (ins Graph_QuantizedPartAttr:$part, Graph_FloatTensor:$weight,
                       Optional<Graph_FloatTensor>:$factor, Optional<Graph_FloatTensor>:$unit,
                       I64Attr:$bits, I64Attr:$block, TypeAttr:$scale_type, UnitAttr:$e2m1,
                       UnitAttr:$clip, UnitAttr:$e2m3);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    `` $part `of` $weight (`factor` $factor^)? (`unit` $unit^)? `bits` $bits `block` $block `as`
    $scale_type attr-dict `:` functional-type(operands, $result)
  }];
  let extraClassDeclaration = [{
    /// Columns of a panel.
    static constexpr int64_t kWidth = 16;
    int64_t getK();
    int64_t getColumns();
  }];
}

#endif // KILN_GRAPH_SCALED_OPS_TD
