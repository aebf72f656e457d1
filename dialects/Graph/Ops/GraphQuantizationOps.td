//===- GraphQuantizationOps.td - Quantized tensors, scales -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_QUANTIZATION_OPS_TD
#define KILN_GRAPH_QUANTIZATION_OPS_TD

include "dialects/Graph/GraphOpBase.td"

def Graph_QuantizeOp : Graph_ComputeOp<"quantize", [Graph_Indexing<>]> {
  let summary = "Divides by a scale and rounds to a narrow type";
  let description = [{
    As ONNX's QuantizeLinear: the quotient is rounded to the operands' type. For
    a type of integers it is then rounded to a whole number, halves to even, the
    zero point is added, and what the type does not hold becomes the nearest
    number that it does (NaN: 0). For a type of floats the zero point is added in
    f32, and the sum is rounded as graph.cast does; `overflows` is that of
    graph.cast.

    One scale is for all elements (rank 0), for those of one index along `axis`
    (rank 1), or for `block` contiguous ones along `axis` (the input's rank; the
    last block may be shorter).

    ```
    %q = graph.quantize %x, %s zero_point %z {axis = 1, block = 32}
         : (tensor<8x64xf32>, tensor<8x2xf32>, tensor<8x2xui4>) -> tensor<8x64xui4>
    ```

    Constraints:
    (C1) input and scale have one element type.
    (C2) the scale's shape is one of the three.
    (C3) the zero point has the scale's shape and the result's element type.
    (C4) the result's elements are integers of 2 to 16 bits or narrow floats
    other than f8E8M0FNU.
    (C5) the shape does not change.
    (C6) `overflows` is of results that are floats.
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$scale,
                       Optional<Graph_Tensor>:$zero_point, OptionalAttr<I64Attr>:$axis,
                       OptionalAttr<I64Attr>:$block, UnitAttr:$overflows);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $scale (`zero_point` $zero_point^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Graph_DequantizeOp : Graph_ComputeOp<"dequantize", [Graph_Indexing<>]> {
  let summary = "Multiplies numbers of a narrow type by a scale";
  let description = [{
    As ONNX's DequantizeLinear: (input - zero point) * scale in f32, rounded to
    the result's type. Scales and blocks are those of graph.quantize.

    ```
    %y = graph.dequantize %q, %s {axis = 0}
         : (tensor<8x64xi8>, tensor<8xf32>) -> tensor<8x64xf16>
    ```

    Constraints:
    (C1) the scale's shape is one of the three.
    (C2) the zero point has the scale's shape and the input's element type.
    (C3) the input's elements are integers of 2 to 16 bits, i32, or narrow floats
    other than f8E8M0FNU.
    (C4) the shape does not change.
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_FloatTensor:$scale,
                       Optional<Graph_Tensor>:$zero_point, OptionalAttr<I64Attr>:$axis,
                       OptionalAttr<I64Attr>:$block);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale (`zero_point` $zero_point^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

#endif // KILN_GRAPH_QUANTIZATION_OPS_TD
