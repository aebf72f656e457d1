//===- GraphPartialOps.td - Partial attention --------------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that merge attentions over parts of the keys. They are not in GraphOps.td because
// few files need them: include dialects/Graph/PartialAttention.h.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_PARTIAL_OPS_TD
#define KILN_GRAPH_PARTIAL_OPS_TD

include "dialects/Graph/GraphOpBase.td"

def Graph_AttentionLseOp : Graph_InferredOp<"attention_lse", [AttrSizedOperandSegments, Graph_Indexing<>]> {
  let summary = "The log-sum-exp of attention's scores, per query";
  let description = [{
    Of Q [B, H, S, D] and K [B, Hkv, T, D]: for each query of each head the logarithm of the
    sum of the exponentials of its scores with the keys that it sees, [B, H, S], which is
    minus infinity where it sees none. Scores, `lengths`, `scales`, `causal`, `from_length`,
    `softcap` and `window` are those of graph.attention.

    With it attentions over parts of the keys are merged (Dao et al., Flash-Decoding, 2023):
    the result of all keys is the sum of the parts' results, each times
    exp(lse - max) / sum(exp(lse - max)), where maximum and sum are over the parts.

    It has no kernel of its own: it stands beside a graph.attention of the same operands and
    attributes, in whose pass over the keys it is computed.

    ```mlir
    %o = graph.attention %q, %k, %v {scale = 0.125 : f64} : ...
    %l = graph.attention_lse %q, %k {scale = 0.125 : f64} :
         (tensor<1x8x1x64xf32>, tensor<1x2x96x64xf32>) -> tensor<1x8x1xf32>
    ```

    Constraints: (C1) to (C3), (C5), (C6), (C8) and (C10) of graph.attention, with the keys'
    scales alone. The result is f32, or f64 of a query of f64.
  }];
  let arguments = (ins Graph_FloatTensor:$query, Graph_Tensor:$key,
                       Optional<Graph_IndexTensor>:$lengths,
                       Optional<Graph_FloatTensor>:$key_scales,
                       F64Attr:$scale, UnitAttr:$causal, UnitAttr:$from_length,
                       OptionalAttr<F64Attr>:$softcap, OptionalAttr<I64Attr>:$window);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key (`lengths` $lengths^)? (`scales` $key_scales^)? attr-dict `:`
    functional-type(operands, $result)
  }];
}

#endif // KILN_GRAPH_PARTIAL_OPS_TD
