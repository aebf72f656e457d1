//===- GraphMovementOps.td - Data movement and creation ----*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_MOVEMENT_OPS_TD
#define KILN_GRAPH_MOVEMENT_OPS_TD

include "dialects/Graph/GraphOpBase.td"

def Graph_ReshapeOp : Graph_ComputeOp<"reshape", [Graph_Indexing<>]> {
  let summary = "The same elements in row-major order under another shape";
  let description = [{
    Constraints: (C1) equal element types. (C2) equal element counts, as
    expressions; where they cannot be shown equal, the counts are compared at
    run time when the shape is bound.
  }];
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Graph_TransposeOp : Graph_InferredOp<"transpose", [Graph_Indexing<>]> {
  let summary = "Permutes dims: result dim i is input dim permutation[i]";
  let description = [{ Constraints: (C1) permutation is a permutation of [0, rank). }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input $permutation attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Graph_BroadcastOp : Graph_ComputeOp<"broadcast", [Graph_Indexing<>]> {
  let summary = "Repeats dims of size 1 and adds leading dims";
  let description = [{ Constraints: (C1) equal element types. (C2) the input's shape broadcasts to the result's. }];
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Graph_SliceOp : Graph_ComputeOp<"slice", [Graph_Indexing<>]> {
  let summary = "Elements start + i * step of each dim";
  let description = [{
    `starts` holds one expression per dim, `steps` one nonzero integer per dim;
    the sizes are the result's.

    Constraints: (C1) starts and steps have one entry per dim. (C2) no step is
    0. (C3) where everything is constant, every element is inside the input.
    (C4) equal rank and element type.
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_ShapeAttr:$starts, DenseI64ArrayAttr:$steps);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `starts` $starts `steps` $steps attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Graph_ConcatOp : Graph_InferredOp<"concat", [Graph_Indexing<>]> {
  let summary = "Joins tensors along one axis";
  let description = [{
    Constraints: (C1) at least one input. (C2) 0 <= axis < rank. (C3) equal
    element types and equal dims but for the axis.
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$inputs `axis` $axis attr-dict `:` functional-type($inputs, $result)";
}

def Graph_GatherOp : Graph_InferredOp<"gather", [Graph_Indexing<>]> {
  let summary = "Slices of `data` along one axis, chosen by indices";
  let description = [{
    result[p, i, q] = data[p, indices[i], q]. A negative index counts from the
    end. An index out of range is clamped to the ends: it reads no memory
    outside the data and gives a defined result.

    Constraints: (C1) 0 <= axis < rank of data.
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_IndexTensor:$indices, I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$data `,` $indices `axis` $axis attr-dict `:` functional-type(operands, $result)";
}

def Graph_ScatterOp : Graph_InferredOp<"scatter", [Graph_Indexing<>]> {
  let summary = "`data` with rows replaced by updates, or combined with them";
  let description = [{
    Of data [b, n, s], indices [b, m, s] or [b, m, 1] and updates [b, m, s]: the
    result is the data, and then, for m = 0, 1, ..., element
    [b, indices[b, m, s], s] becomes updates[b, m, s], or what `combine` makes of
    it and the update. So a later update of one place replaces an earlier one, and
    sums have one order. A negative index counts from the end. An update whose
    index is out of range is dropped: it writes no memory outside the result.

    Constraints: (C1) data, indices and updates have rank 3. (C2) equal first dims;
    updates have the dims of the indices and the last dim of the data; the last dim
    of the indices is that or 1. (C3) data and updates have one element type.
    (C4) combine: sum, prod, max or min, of numbers.
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_IndexTensor:$indices, Graph_Tensor:$updates,
                       OptionalAttr<Graph_ReduceKindAttr>:$combine);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $data `,` $indices `,` $updates (`combine` $combine^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Graph_FillOp : Graph_ComputeOp<"fill", [Graph_Indexing<>]> {
  let summary = "Every element the same value";
  let description = [{ Constraints: (C1) the value has the result's element type. }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Graph_IotaOp : Graph_ComputeOp<"iota", [Graph_Indexing<>]> {
  let summary = "start + step * (index along axis)";
  let description = [{ Constraints: (C1) 0 <= axis < rank. }];
  let arguments = (ins I64Attr:$axis, DefaultValuedAttr<F64Attr, "0.0">:$start,
                       DefaultValuedAttr<F64Attr, "1.0">:$step);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "`axis` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Graph_PackOp : Graph_InferredOp<"pack", [Graph_Indexing<>]> {
  let summary = "A [K, N] matrix as panels [ceil(N / width), K, width], zero padded";
  let description = [{ Constraints: (C1) rank 2. (C2) width > 0. }];
  let arguments = (ins Graph_Tensor:$input, I64Attr:$width);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `width` $width attr-dict `:` functional-type($input, $result)";
}

def Graph_UnpackOp : Graph_ComputeOp<"unpack", [Graph_Indexing<>]> {
  let summary = "The [K, N] matrix that panels [P, K, width] hold";
  let description = [{ Constraints: (C1) ranks 3 and 2. (C2) K equal and P = ceil(N / width). }];
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
}

#endif // KILN_GRAPH_MOVEMENT_OPS_TD
