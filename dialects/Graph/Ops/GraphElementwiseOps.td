//===- GraphElementwiseOps.td - Elementwise ops -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_ELEMENTWISE_OPS_TD
#define KILN_GRAPH_ELEMENTWISE_OPS_TD

include "dialects/Graph/GraphOpBase.td"

// Each result element depends on one element of each operand, and operands broadcast by
// ONNX's (numpy's) rules. The trait implements the interface's method.
def Graph_ElementwiseTrait : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::kiln::graph";
}

def Graph_UnaryOp : Graph_InferredOp<"unary", [Graph_ElementwiseTrait, IndexingOpInterface]> {
  let summary = "A function of one tensor, element by element";
  let description = [{
    `gelu` is x * Phi(x) by erf, `gelu_tanh` its tanh approximation, `round`
    rounds half to even, `logical_not` takes booleans, `is_nan` returns booleans.

    Constraints: (C1) logical_not: boolean; abs, neg, sign, relu: any number;
    others: float. Narrow types (graph.cast has them) have no arithmetic.
  }];
  let arguments = (ins Graph_UnaryKindAttr:$kind, Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  // Printing an enum adds a space, which the empty literal `` removes.
  let assemblyFormat = "`` $kind $input attr-dict `:` functional-type($input, $result)";
}

def Graph_BinaryOp : Graph_InferredOp<"binary", [Graph_ElementwiseTrait, IndexingOpInterface]> {
  let summary = "A function of two tensors, element by element, with broadcast";
  let description = [{
    `mod` has the sign of the divisor, `fmod` that of the dividend. `min` and
    `max` propagate NaN. Integers wrap; their `div` truncates, and division and
    both remainders by 0 give 0. A shift by as many bits as the type has, or by
    more, leaves 0; `shift_right` fills with zeros.

    Constraints:
    (C1) element types are equal (pow: the exponent's may differ).
    (C2) shapes broadcast: dims equal, or one of them the constant 1.
    (C3) logical kinds: boolean; bit_and, bit_or, bit_xor, shift_left,
    shift_right: integers; others: numbers. No narrow types.
  }];
  let arguments = (ins Graph_BinaryKindAttr:$kind, Graph_Tensor:$lhs, Graph_Tensor:$rhs);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
}

def Graph_CompareOp : Graph_InferredOp<"compare", [Graph_ElementwiseTrait, IndexingOpInterface]> {
  let summary = "A comparison, element by element, with broadcast";
  let description = [{ Constraints: (C1) element types are equal, and not narrow. (C2) shapes broadcast. }];
  let arguments = (ins Graph_CompareKindAttr:$kind, Graph_Tensor:$lhs, Graph_Tensor:$rhs);
  let results = (outs Graph_BoolTensor:$result);
  let assemblyFormat = "`` $kind $lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
}

def Graph_SelectOp : Graph_InferredOp<"select", [Graph_ElementwiseTrait, IndexingOpInterface]> {
  let summary = "One of two values by a condition, with broadcast";
  let description = [{ Constraints: (C1) both values have one element type. (C2) shapes broadcast. }];
  let arguments = (ins Graph_BoolTensor:$condition, Graph_Tensor:$on_true, Graph_Tensor:$on_false);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$condition `,` $on_true `,` $on_false attr-dict `:` functional-type(operands, $result)";
}

def Graph_CastOp : Graph_ComputeOp<"cast", [Graph_ElementwiseTrait, IndexingOpInterface]> {
  let summary = "Converts the element type";
  let description = [{
    Float to float rounds to nearest even; float to integer truncates and
    saturates (NaN to 0); number to boolean is != 0; integer to narrower integer
    keeps the low bits.

    To a float of 8 bits and fewer the number is rounded once, and what is too
    large then becomes the largest number, infinity too; with `overflows` it
    becomes infinity where the type has it, else NaN where it has that. NaN is 0
    in the types without it. `f8E8M0FNU` has powers of two alone: the magnitude
    is rounded as `rounding` says (up where it is absent; `nearest` rounds halves
    up), and what is too small becomes the smallest number, NaN with `overflows`.
    docs/rationale/narrow-types.md has the tables.

    ```
    %y = graph.cast %x {overflows} : (tensor<8xf32>) -> tensor<8xf8E5M2>
    ```

    Constraints:
    (C1) the shape does not change.
    (C2) `overflows` is of casts to a float of 8 bits and fewer, `rounding` of
    casts to f8E8M0FNU.
  }];
  let arguments = (ins Graph_Tensor:$input, UnitAttr:$overflows,
                       OptionalAttr<Graph_ScaleRoundingAttr>:$rounding);
  let results = (outs Graph_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$input), [{
    build($_builder, $_state, type, input, /*overflows=*/false, {});
  }]>];
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
}

#endif // KILN_GRAPH_ELEMENTWISE_OPS_TD
