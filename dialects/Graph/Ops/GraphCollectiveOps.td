//===- GraphCollectiveOps.td - Collectives -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_COLLECTIVE_OPS_TD
#define KILN_GRAPH_COLLECTIVE_OPS_TD

include "dialects/Graph/GraphOpBase.td"

// A collective over `ranks` ranks; every rank issues the same sequence.
class Graph_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Graph_Op<mnemonic, !listconcat(traits,
        [DeclareOpInterfaceMethods<Graph_CostOpInterface>, Graph_Indexing<>])>;

def Graph_AllReduceOp : Graph_CollectiveOp<"all_reduce", [InferTypeOpAdaptor]> {
  let summary = "The reduction of all ranks' tensors, on every rank";
  let description = [{ Constraints: (C1) ranks >= 1. (C2) kind is sum, mean, max, min or prod. }];
  let arguments = (ins Graph_ReduceKindAttr:$kind, Graph_Tensor:$input, I64Attr:$ranks);
  let results = (outs Graph_Tensor:$result);
  // Printing an enum adds a space, which the empty literal `` removes.
  let assemblyFormat = "`` $kind $input `ranks` $ranks attr-dict `:` functional-type($input, $result)";
  let hasVerifier = 1;
}

def Graph_AllGatherOp : Graph_CollectiveOp<"all_gather", [InferTypeOpAdaptor]> {
  let summary = "All ranks' tensors joined along an axis, on every rank";
  let description = [{ Constraints: (C1) ranks >= 1. (C2) 0 <= axis < rank of the tensor. }];
  let arguments = (ins Graph_Tensor:$input, I64Attr:$axis, I64Attr:$ranks);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `axis` $axis `ranks` $ranks attr-dict `:` functional-type($input, $result)";
}

def Graph_ReduceScatterOp : Graph_CollectiveOp<"reduce_scatter", [InferTypeOpAdaptor]> {
  let summary = "This rank's part, along an axis, of the reduction of all ranks' tensors";
  let description = [{
    Constraints: (C1) ranks >= 1. (C2) 0 <= axis < rank of the tensor. (C3) ranks
    divides the axis.
  }];
  let arguments = (ins Graph_ReduceKindAttr:$kind, Graph_Tensor:$input, I64Attr:$axis, I64Attr:$ranks);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "`` $kind $input `axis` $axis `ranks` $ranks attr-dict `:` functional-type($input, $result)";
}

def Graph_AllToAllOp : Graph_CollectiveOp<"all_to_all", [InferTypeOpAdaptor]> {
  let summary = "What all ranks have for this rank: part r, along an axis, of each of them";
  let description = [{
    Part j of the result is part r of rank j's tensor, on rank r; parts are equal. To
    exchange rows for heads, transpose so that the axis of heads is divided in front of it
    and the axis of rows behind it.

    ```mlir
    %0 = graph.all_to_all %a axis 0 ranks 2 : (tensor<2x?x4xf32, [S]>) -> tensor<2x?x4xf32, [S]>
    ```

    Constraints: (C1) ranks >= 1. (C2) 0 <= axis < rank of the tensor. (C3) ranks
    divides the axis.
  }];
  let arguments = (ins Graph_Tensor:$input, I64Attr:$axis, I64Attr:$ranks);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `axis` $axis `ranks` $ranks attr-dict `:` functional-type($input, $result)";
}

#endif // KILN_GRAPH_COLLECTIVE_OPS_TD
