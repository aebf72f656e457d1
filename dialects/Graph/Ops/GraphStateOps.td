//===- GraphStateOps.td - Tensors that outlive a run -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A state is one tensor that is both an argument and a result of a program: both have the
// attribute `graph.state` with its name.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_STATE_OPS_TD
#define KILN_GRAPH_STATE_OPS_TD

include "dialects/Graph/GraphOpBase.td"

def Graph_KvWriteOp : Graph_InferredOp<"kv_write", [Graph_Indexing<>]> {
  let summary = "A cache with new rows at each sequence's own position";
  let description = [{
    Of state [b, ..., c, ...], with c at `axis`, and rows [b, ..., n, ...]: the result
    is the state, where for i = 0, 1, ..., counts[b] - 1 position starts[b] + i along
    the axis is row i. Rows are dropped whose position is negative, or c or more. With
    `ring`, position p is row p mod c instead, so that the last c positions are kept;
    counts[b] is then at most c, and no row is written of a sequence of negative start.

    The planner writes in place, so nobody may read the state itself behind it.

    ```mlir
    %1 = graph.kv_write %state, %rows starts %lengths counts %counts axis 2 : ...
    ```

    Constraints: (C1) 0 < axis < rank. (C2) the rows have the dims of the state but
    for the axis. (C3) one element type. (C4) starts and counts are [b].
  }];
  let arguments = (ins Graph_Tensor:$state, Graph_Tensor:$rows, Graph_IndexTensor:$starts,
                       Graph_IndexTensor:$counts, I64Attr:$axis, UnitAttr:$ring);
  let results = (outs Graph_Tensor:$result);
  let extraClassDeclaration = [{
    /// Whether the state is a ring, also called a rolling buffer.
    bool isRolling() { return getRing(); }
  }];
  let assemblyFormat = [{
    $state `,` $rows `starts` $starts `counts` $counts `axis` $axis attr-dict `:`
    functional-type(operands, $result)
  }];
}

#endif // KILN_GRAPH_STATE_OPS_TD
