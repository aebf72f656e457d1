//===- GraphContractionOps.td - Matmul and attention -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_CONTRACTION_OPS_TD
#define KILN_GRAPH_CONTRACTION_OPS_TD

include "dialects/Graph/GraphOpBase.td"

def Graph_MatmulOp : Graph_InferredOp<"matmul", [Graph_Indexing<>]> {
  let summary = "Matrix product over the last two dims, leading dims broadcast";
  let description = [{
    With `transpose_a` the left operand is stored [..., K, M], with
    `transpose_b` the right one [..., N, K]. Sums of f16 and bf16 are f32;
    `result_element` keeps them so instead of rounding them to the operands'
    type. `tf32` permits a target to round the operands to ten bits of mantissa.

    Constraints:
    (C1) both ranks are at least 2.
    (C2) the contracted dims are equal.
    (C3) leading dims broadcast.
    (C4) element types are equal.
    (C5) `result_element` is f32 and the operands are f16 or bf16.
    (C6) `tf32` is for operands of f32.
  }];
  let arguments = (ins Graph_Tensor:$lhs, Graph_Tensor:$rhs,
                       UnitAttr:$transpose_a, UnitAttr:$transpose_b,
                       OptionalAttr<TypeAttr>:$result_element, UnitAttr:$tf32);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                                 CArg<"bool", "false">:$transposeA,
                                 CArg<"bool", "false">:$transposeB), [{
    build($_builder, $_state, lhs, rhs, transposeA, transposeB,
          /*result_element=*/::mlir::TypeAttr(), /*tf32=*/false);
  }]>];
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
}

def Graph_AttentionOp : Graph_InferredOp<"attention", [AttrSizedOperandSegments, Graph_Indexing<>]> {
  let summary = "softmax(scale * Q K^T + mask) V";
  let description = [{
    Q [B, H, S, D], K [B, Hkv, T, D], V [B, Hkv, T, Dv] -> [B, H, S, Dv]; query
    head h reads key head h / (H / Hkv). With `softcap` c, c * tanh(scale * Q K^T / c)
    takes the place of the scaled scores, before the mask. `mask` is added to the scores and
    broadcasts to [B, H, S, T]. With `causal`, query i sees keys j <= i + T - S;
    others do not count. With `lengths`, sequence b has keys j < lengths[b] alone
    (none if that is negative, all of them if it is T or more); with `from_length`
    its queries are the last ones of so many positions: causal is then
    j <= i + lengths[b] - S, also where lengths[b] is more than T. With `window` w, keys that are w or more positions in front of
    the query's own do not count either: of the keys that causal lets it see it sees the
    last w. Keys and values that a query does not see do not matter to it, whatever they
    hold. A key that the mask sets to minus infinity is seen: its weight is 0, and 0 times
    NaN is NaN. With `mask_hides` it is not seen.

    With `keep`, an element of the mask is added to the score where `keep` is true, and takes the place
    of the score where it is false: a select of the scores by a finite number, beside a mask that is
    added, weighs what both remove by the numbers they have.

    `sinks` has one more score per query head, which has no value: head h divides by
    the sum of its exponentials and exp(sinks[h]) (a learned attention sink; smooth
    softmax is a sink of 0). Neither scale, softcap nor mask applies to it.

    With `scales` a, b [B, Hkv, T] keys and values are codes: key (b, h, t) is a[b, h, t] times what
    `key` holds there, and value (b, h, t) b[b, h, t] times what `value` holds. Both are multiplied
    where a row of scores is, and not element by element.

    A query that sees no key, or all of them at minus infinity, gives NaN, as
    0 / 0 does and a softmax written out; with `masked_zero` it gives 0, whatever
    the values hold, which is the rule of ONNX's Attention. With `nan_zero` the
    weights of such a query are 0, and those of one with a score of NaN or plus
    infinity, as PyTorch writes it out: it gives 0 where the values are finite.

    Constraints:
    (C1) q, k, v have rank 4; k and v have the element type of q, or with scales i8 or f8E4M3FN.
    (C2) batch dims equal; D of q and k equal; T of k and v equal; Hkv of k and v equal.
    (C3) H and Hkv are constants and Hkv divides H.
    (C4) mask broadcasts to [B, H, S, T] and has the element type of q, or f32.
    (C5) lengths is [B]; from_length stands only with causal and lengths.
    (C6) softcap is positive and finite.
    (C7) sinks is [H] and has the element type of q, or f32.
    (C8) window is from 1 to 2^30 and stands only with causal.
    (C9) mask_hides stands only with a mask.
    (C10) scales are two tensors [B, Hkv, T] of f32, and stand only beside codes.
    (C11) keep broadcasts to [B, H, S, T] and stands only with a mask, without mask_hides.
  }];
  let arguments = (ins Graph_FloatTensor:$query, Graph_Tensor:$key, Graph_Tensor:$value,
                       Optional<Graph_FloatTensor>:$mask, Optional<Graph_IndexTensor>:$lengths,
                       Optional<Graph_FloatTensor>:$sinks,
                       Optional<Graph_FloatTensor>:$key_scales, Optional<Graph_FloatTensor>:$value_scales,
                       Optional<Graph_BoolTensor>:$keep,
                       F64Attr:$scale, UnitAttr:$causal, UnitAttr:$from_length,
                       UnitAttr:$masked_zero, UnitAttr:$nan_zero,
                       OptionalAttr<F64Attr>:$softcap, OptionalAttr<I64Attr>:$window,
                       UnitAttr:$mask_hides);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`lengths` $lengths^)? (`sinks` $sinks^)?
    (`scales` $key_scales^ `,` $value_scales)? (`keep` $keep^)? attr-dict `:`
    functional-type(operands, $result)
  }];
}

def Graph_RopeOp : Graph_InferredOp<"rope", [Graph_Indexing<>]> {
  let summary = "Rotary position embedding: pairs of the last dim, rotated";
  let description = [{
    Of input [..., W] and cosines and sines [..., R], the first 2R elements of each row
    are R pairs: elements i and R + i, or with `interleaved` 2i and 2i + 1. Each pair
    (a, b) becomes (a cos - b sin, a sin + b cos) with the cosine and sine i; the other
    W - 2R elements stay. Su et al., RoFormer, 2021, section 3.2.2.

    ```mlir
    %1 = graph.rope %x, %cos, %sin : (tensor<2x4x8x16xf32>, tensor<2x1x8x8xf32>, tensor<2x1x8x8xf32>)
                                     -> tensor<2x4x8x16xf32>
    ```

    Constraints:
    (C1) one element type.
    (C2) W and R are constants, 1 <= R and 2R <= W.
    (C3) cosine and sine have the input's rank or less and broadcast to [..., R].
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$cosine,
                       Graph_FloatTensor:$sine, UnitAttr:$interleaved);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$input `,` $cosine `,` $sine attr-dict `:` functional-type(operands, $result)";
}

#endif // KILN_GRAPH_CONTRACTION_OPS_TD
