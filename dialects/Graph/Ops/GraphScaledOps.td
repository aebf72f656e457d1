//===- GraphScaledOps.td - Matmuls of quantized operands ---*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_SCALED_OPS_TD
#define KILN_GRAPH_SCALED_OPS_TD

include "dialects/Graph/GraphOpBase.td"

def Graph_ScaledMatmulOp : Graph_InferredOp<"scaled_matmul", [AttrSizedOperandSegments, Graph_Indexing<>]> {
  let summary = "Matmul of quantized operands, with the format of each";
  let description = [{
    The matmul of what the operands stand for. With `input_format` and `weight_format` (#graph.format), blocks g of B
    steps of K, and a factor of 1 wherever a scale is absent,

        y[m, n] = r[m] * sum over blocks g of  s[m, g] * t[g, n] *
                  (sum over k in g of x[m, k] * (w[k, n] - z[g, n]))

    - x is the input, r its `row_scales`, s its `scales`.
    - w is the weight, t its `weight_scales`, z its `weight_zeros`, without which all are those of the format
      (getDefaultZero). Codes of integers and of f6E2M3FN are unsigned integers, those of f6E2M3FN eighths of a number
      with 128 added. Beside activations of 4 bits, codes of f4E2M1FN are numbers; else w is 12 plus twice their number
      (0 to 24), and every z is 12, so that t counts in halves.
    - `totals` of an input of i8 are the sums of x over each row and block, as i32. The op does not compute them again,
      and subtracts z * totals from the sum of x * w: only then is the result the matmul of what the codes stand for.

    An input and a weight are of a pair of formats that some kernel multiplies:

        input      weight                             its scales             accumulation
        i8         ui4, ui8, f4E2M1FN or f6E2M3FN     one s per row, block   wide: integers of a block are exact
        f16, bf16  ui4, ui8, f4E2M1FN or f6E2M3FN     none                   wide: f32
        f8E4M3FN   f8E4M3FN or f4E2M1FN               r                      two_level or fast
        f4E2M1FN   f4E2M1FN                           s per block, and r     wide

    With `two_level` accumulation the products of a block are added up on their own, and their sum to those of the blocks
    before it in f32, as tensor cores may keep fewer bits of their sums. With `fast` accumulation, which takes no scales of a
    weight, tensor cores add up all of K. A weight of f8E4M3FN without scales has no blocks, and kernels choose them:
    getAccumulatedSteps.

    Where codes lie: the weight in panels of W columns whose steps of K are interleaved, so that 32 bits hold
    32 / bits = c successive steps of K of one column: [ceil(N / W), K / c, W, 4] bytes. Byte j of a column holds step
    j; of codes of 4 bits, step j in its low half and step j + 4 in its high half. Scales and zero points lie in the same
    panels, [ceil(N / W), K / B, W]; beside an input of f4E2M1FN in groups of 64 steps of K, as registers of
    instructions take them: [P, K / 64, W, 64 / B]. An input of f4E2M1FN has a code in the low half of each byte.

    ```
    %y = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u
         by %w <ui4, block 32, scale bf16> scales %t columns 40 accumulate wide
         : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>)
         -> tensor<2x40xf32>
    ```

    Constraints:
    (C1) the formats are a pair that some kernel multiplies, and the accumulation is theirs.
    (C2) `input` is [..., M, K] of the format's elements, or of ui8 for f4E2M1FN. `scales` are there where the format has
    blocks, [..., M, K / B] of its scale type, `row_scales` where it has a scale per row, [..., M, 1], and `totals`
    [..., M, K / B] of i32 where elements are i8.
    (C3) `weight` is [P, K / c, W, 4] of ui8, or of f8E4M3FN for that format; `weight_scales` are there where the format
    has blocks, [P, K / B, W] of its scale type, or [P, K / 64, W, 64 / B], and `weight_zeros`, as many and of ui8,
    where it has zero points.
    (C4) `columns` is in (W * (P - 1), W * P].
    (C5) K is known and not 0, B divides it and is a multiple of c, and scales of both operands have one B. Beside an input
    of f4E2M1FN, K is a multiple of 64, and B is 16 with scales of f8E4M3FN or 32 with f8E8M0FNU.
  }];
  let arguments = (ins Graph_Tensor:$input, Optional<Graph_Tensor>:$row_scales, Optional<Graph_Tensor>:$scales,
                       Optional<Graph_Tensor>:$totals, Graph_Tensor:$weight, Optional<Graph_Tensor>:$weight_scales,
                       Optional<Graph_Tensor>:$weight_zeros, Graph_FormatAttr:$input_format,
                       Graph_FormatAttr:$weight_format, I64Attr:$columns, Graph_AccumulationAttr:$accumulation);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input $input_format (`row_scales` $row_scales^)? (`scales` $scales^)? (`totals` $totals^)? `by`
    $weight $weight_format (`scales` $weight_scales^)? (`zeros` $weight_zeros^)? `columns` $columns
    `accumulate` $accumulation attr-dict `:` functional-type(operands, $result)
  }];
  let extraClassDeclaration = [{
    /// Elements along K whose scales are contiguous in memory if both operands are f4E2M1FN.
    static constexpr int64_t kGroup = 64;
    /// Returns true if both operands are f4E2M1FN.
    bool isFourByFour() { return getInputFormat().isFloat4(); }
    /// Returns the number of elements along K in 32 bits of the weight.
    int64_t getStepsPerWord() { return 32 / getWeightFormat().getBits(); }
    /// Returns the columns of a panel.
    int64_t getPanelWidth();
    /// Returns the elements along K that kernels accumulate before they multiply with scales: a block of the weight;
    /// without blocks, the largest multiple of 16, or else of 4, up to 128 that divides K.
    int64_t getAccumulatedSteps();
  }];
}

def Graph_QuantizeWeightOp : Graph_InferredOp<"quantize_weight", [AttrSizedOperandSegments, Graph_Indexing<>]> {
  let summary = "Codes, scales or zero points of a weight";
  let description = [{
    A weight [K, N] as graph.scaled_matmul reads it, in `format` and panels of 16 columns; columns that fill up the last
    panel are zeros. Ops that differ in `part` only make the operands: `codes`, `scales`, `zeros`.

    Let a block have the range [l, h], with zero in it. Integers of b bits have the scale
    (h - l) / (2^b - 1), rounded to the format's scale type, and the zero point round(-l / scale); the code of w is
    round(w / scale) + zero, clamped. f4E2M1FN has the scale max |w| / 12, as its codes count in halves, and
    the nearest code, halves to the even one; of a scale type without mantissa, the power of two with the
    smaller squared error of the two around it. f6E2M3FN is written in eighths, integers up to 60 and
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
    %c = graph.quantize_weight codes of %w as <ui4, block 32, scale bf16, zero_point>
         : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
    ```

    Constraints:
    (C1) `weight` is a static [K, N] of floats and not empty, `unit` a scalar.
    (C2) `factor` is [K, K].
    (C3) `format` has blocks and is of f4E2M1FN, f6E2M3FN, or ui4 or ui8 with zero points, which part `zeros` is of.
    (C4) the format's block is a multiple of 32 / bits that divides K, but for part `unit`, which is of no block.
    (C5) part `unit` is of a format with scales of f8E4M3FN, and `unit` of one with a scale per tensor.
    (C6) Part `multipliers` has a `factor` and no `unit`, part `unit` has neither.
  }];
  let arguments = (ins Graph_QuantizedPartAttr:$part, Graph_FloatTensor:$weight,
                       Optional<Graph_FloatTensor>:$factor, Optional<Graph_FloatTensor>:$unit,
                       Graph_FormatAttr:$format, UnitAttr:$clip);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    `` $part `of` $weight (`factor` $factor^)? (`unit` $unit^)? `as` $format attr-dict `:`
    functional-type(operands, $result)
  }];
  let extraClassDeclaration = [{
    /// Columns of a panel.
    static constexpr int64_t kWidth = 16;
    int64_t getK();
    int64_t getColumns();
  }];
}

#endif // KILN_GRAPH_SCALED_OPS_TD
