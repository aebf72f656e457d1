//===- GraphReductionOps.td - Softmax, norms, reductions -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_REDUCTION_OPS_TD
#define KILN_GRAPH_REDUCTION_OPS_TD

include "dialects/Graph/GraphOpBase.td"

def Graph_SoftmaxOp : Graph_InferredOp<"softmax", [Graph_Indexing<>]> {
  let summary = "exp(x - max) / sum(exp(x - max)) along one axis";
  let description = [{ Constraints: (C1) 0 <= axis < rank. }];
  let arguments = (ins Graph_FloatTensor:$input, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$input `axis` $axis attr-dict `:` functional-type($input, $result)";
}

def Graph_LayerNormOp : Graph_InferredOp<"layer_norm", [AttrSizedOperandSegments, Graph_Indexing<>]> {
  let summary = "(x - mean) / sqrt(var + epsilon) * scale + bias over axes [axis, rank)";
  let description = [{
    Constraints: (C1) 0 <= axis < rank. (C2) scale and bias broadcast to the
    normalised dims and have the input's element type.
  }];
  let arguments = (ins Graph_FloatTensor:$input, Optional<Graph_FloatTensor>:$scale,
                       Optional<Graph_FloatTensor>:$bias, I64Attr:$axis, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`scale` $scale^)? (`bias` $bias^)? `axis` $axis attr-dict `:` functional-type(operands, $result)
  }];
}

def Graph_RmsNormOp : Graph_InferredOp<"rms_norm", [Graph_Indexing<>]> {
  let summary = "x / sqrt(mean(x^2) + epsilon) * scale over axes [axis, rank)";
  let description = [{
    Constraints: (C1) 0 <= axis < rank. (C2) scale broadcasts to the normalised
    dims and has the input's element type.
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$scale, I64Attr:$axis,
                       F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$input `scale` $scale `axis` $axis attr-dict `:` functional-type(operands, $result)";
}

def Graph_ReduceOp : Graph_InferredOp<"reduce", [Graph_Indexing<>]> {
  let summary = "Reduces axes of a tensor";
  let description = [{
    Empty reductions give the neutral element (mean: NaN).

    Constraints: (C1) axes are sorted, distinct, in [0, rank). (C2) max, min,
    sum, prod: any number; others: float.
  }];
  let arguments = (ins Graph_ReduceKindAttr:$kind, Graph_Tensor:$input,
                       DenseI64ArrayAttr:$axes, UnitAttr:$keep_dims);
  let results = (outs Graph_Tensor:$result);
  // Printing an enum adds a space, which the empty literal `` removes.
  let assemblyFormat = "`` $kind $input `axes` $axes attr-dict `:` functional-type($input, $result)";
}

#endif // KILN_GRAPH_REDUCTION_OPS_TD
