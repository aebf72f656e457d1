//===- GraphScaledOps.td - Products of quantized operands --*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_SCALED_OPS_TD
#define KILN_GRAPH_SCALED_OPS_TD

include "dialects/Graph/GraphOpBase.td"

def Graph_ScaledMatmulOp : Graph_InferredOp<"scaled_matmul"> {
  let summary = "Product of 8-bit activations and 4- or 8-bit weights, both with scales";
  let description = [{
    The left operand has signed codes with a scale per row and block of B columns, the right one
    unsigned codes with a scale, and perhaps a zero point, per block of B rows and column:

        y[m, n] = sum over blocks g of  s[m, g] * t[g, n] *
                  (sum over k in g of x[m, k] * w[k, n]  -  z[g, n] * totals[m, g])

    where the totals of codes are integers. Without `weight_zeros` every zero point is
    2^(bits - 1). `totals` holds the sum of the codes of each row and block, which the op does not
    compute again: only then is the result the product of what the codes stand for.

    Weights lie in panels of W columns whose steps of K are interleaved, so that 32 bits
    hold 32 / bits = c successive steps of K of one column: [ceil(N / W), K / c, W, 4] bytes. Byte
    j of a column holds step j; of 4-bit codes, step j in its low half and step j + 4 in its high half.
    Scales and zero points lie in the same panels, [ceil(N / W), K / B, W].

    Constraints:
    (C1) `input` is [..., M, K] of i8, `scales` and `totals` are [..., M, K / B] of f32 and i32.
    (C2) `weight` is [P, K / c, W, 4] of ui8 with `bits` 4 or 8.
    (C3) `weight_scales` is [P, K / B, W] of f16, bf16 or f32, `weight_zeros` the same of ui8.
    (C4) `columns` is in (W * (P - 1), W * P].
    (C5) K is known and not 0, and B a multiple of c.
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$scales, Graph_Tensor:$totals,
                       Graph_Tensor:$weight, Graph_Tensor:$weight_scales,
                       Optional<Graph_Tensor>:$weight_zeros, I64Attr:$bits, I64Attr:$columns);
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
    /// Of every block without `weight_zeros`.
    int64_t getDefaultZero() { return int64_t(1) << (getBits() - 1); }
  }];
}

#endif // KILN_GRAPH_SCALED_OPS_TD
