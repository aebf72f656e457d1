//===- ShardingPasses.td - Passes that divide a model ------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_SHARDINGPASSES_TD
#define KILN_TRANSFORMS_GRAPH_SHARDINGPASSES_TD

include "include/kiln/Analysis/GraphPass.td"

def ShardPass : GraphPass<"kiln-shard", "::mlir::ModuleOp"> {
  let summary = "Split a model among ranks (tensor parallelism)";
  let description = [{
    Products with weights are split in pairs (Shoeybi et al., Megatron-LM, 2019, section
    3): the first ones by columns of their weights, the last one by rows, with an all-reduce
    behind it. Each matmul with a weight is tried as a last one, in the order of the model:
    from its left operand, of which a rank has a part of the columns, the pass goes back
    through ops that can be computed from parts (elementwise ops, views, norms and softmax
    along other dims, attention by heads with its cache) to products that are split by
    columns. A slice of a joined product (Q, K and V; gate and up) is a part of its weight.

    A product stays whole where an op on the way needs all of a dim, where parts would cut
    heads or groups of scales, where the number of ranks does not divide a dim, or where what
    would be split is needed whole elsewhere. Of fewer key heads than ranks, several ranks
    have the same one. A past that is an input is whole on every rank, which reads its heads
    of it; where the past joined with new rows is an output, an all-gather makes the new rows
    whole. A head (a product that no other one follows, and wider than what it
    reads, as over a vocabulary) is split by columns with an all-gather behind it, from which
    a softmax, a largest logit or an output follow, unless its weight is a table that others
    read, too. Weights that are split become
    `graph.part`s; types are then those of one rank, and the module says `graph.ranks`. A
    model of which nothing is split is an error (KILN-E0209).

    A weight with `graph.shard_axis`, which the user annotates, is divided along that axis or
    (-1) not at all: a product that would divide it otherwise stays whole, and a weight that
    is not divided as its annotation says is an error (KILN-E0209). Lookups in a table that is
    annotated with axis 0 find zeros for rows of other ranks; an all-reduce adds them up.

    Before:
    ```mlir
    graph.weight @w1 : tensor<8x32xf32> {...}
    graph.weight @w2 : tensor<32x8xf32> {...}
    %0 = graph.matmul %x, %w1 : (tensor<4x8xf32>, tensor<8x32xf32>) -> tensor<4x32xf32>
    %1 = graph.unary gelu %0 : ...
    %2 = graph.matmul %1, %w2 : (tensor<4x32xf32>, tensor<32x8xf32>) -> tensor<4x8xf32>
    ```
    After (ranks=2):
    ```mlir
    graph.weight @w1_part : tensor<8x16xf32> {graph.part = {axis = 1, of = @w1}}
    graph.weight @w2_part : tensor<16x8xf32> {graph.part = {axis = 0, of = @w2}}
    %0 = graph.matmul %x, %w1_part : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %1 = graph.unary gelu %0 : ...
    %2 = graph.matmul %1, %w2_part : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %3 = graph.all_reduce sum %2 ranks 2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `shard` | passed | how a product or a table is split among the ranks |
    | `shard` | missed | why every rank computes all of a product |
  }];
  let options = [Option<"ranks", "ranks", "int64_t", "1", "How many run the model together">];
}

def ShardSequencePass : GraphPass<"kiln-shard-sequence", "::mlir::ModuleOp"> {
  let summary = "Divide the rows of a sequence among ranks between products";
  let description = [{
    Sequence parallelism (Korthikanti et al., Reducing Activation Recomputation in Large
    Transformer Models, 2022, section 4.2.2): an all-reduce of rows becomes a reduce-scatter,
    norms and elementwise ops behind it are computed on a rank's rows, and an all-gather
    follows where all rows are needed. Row r of a sequence of S rows belongs to rank
    r floordiv (S ceildiv ranks). The reduce-scatter's operand is padded with rows of zeros
    to a multiple of the ranks, and a slice behind the all-gather removes them. A value that
    every rank has whole (the embedding) is read at a rank's rows, which follow from a weight
    @rank_index, of which rank r has the part [r].

    An all-reduce stays if a sequence has at most 16 rows (decode) or no more than ranks, if
    rows are no dim of their own, or if nothing can be computed on a rank's rows behind it.
    Each program is decided on its own.

    Before:
    ```mlir
    %1 = graph.all_reduce sum %0 ranks 2 : (tensor<1x?x8xf32, [S]>) -> tensor<1x?x8xf32, [S]>
    %2 = graph.rms_norm %1, %scale : ...
    ```
    After:
    ```mlir
    %zeros = graph.fill 0.0 : tensor<1x?x8xf32, [2 * (S ceildiv 2) - S]>
    %padded = graph.concat %0, %zeros axis 1 : ...
    %1 = graph.reduce_scatter sum %padded axis 1 ranks 2 : ... -> tensor<1x?x8xf32, [S ceildiv 2]>
    %2 = graph.rms_norm %1, %scale : ...
    %3 = graph.all_gather %2 axis 1 ranks 2 : ...
    %4 = graph.slice %3 starts [0, 0, 0] : ... -> tensor<1x?x8xf32, [S]>
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `shard-sequence` | passed | a sum of which each rank has its rows |
    | `shard-sequence` | missed | why every rank has all rows of a sum |
  }];
}

def SplitMicroBatchesPass : GraphPass<"kiln-split-micro-batches", "::mlir::ModuleOp"> {
  let summary = "Split runs into parts that stages of a pipeline compute one behind the other";
  let description = [{
    While one stage of a pipeline computes, the others wait for it, unless a run is in parts
    of which each stage computes one while the next stage computes the one before it. This
    pass writes a program in `parts` parts, one after the other; which ops are of which stage is
    decided when the plan is built. Part i of S rows has (S + i) floordiv parts of them.

    Where attention is causal, parts are rows of a sequence: a part reads keys and values of the
    parts before it and its own, and a cache is written one part after the other. Else they are
    sequences of a batch, of which none needs another.

    A program stays as it is if a sequence has at most 16 * parts rows, or a batch fewer
    sequences than parts (decode), or if an op between two parts needs all rows. It is error KILN-E0209 if all
    programs do.

    Before:
    ```mlir
    %0 = graph.matmul %a, %w : (tensor<?x4x4xf32, [B]>, tensor<4x8xf32>) -> tensor<?x4x8xf32, [B]>
    ```
    After (parts=2):
    ```mlir
    %first = graph.slice %a starts [0, 0, 0] : ... -> tensor<?x4x4xf32, [B floordiv 2]>
    %0 = graph.matmul %first, %w : ... -> tensor<?x4x8xf32, [B floordiv 2]>
    %second = graph.slice %a starts [B floordiv 2, 0, 0] : ... -> tensor<?x4x4xf32, [(B + 1) floordiv 2]>
    %1 = graph.matmul %second, %w : ... -> tensor<?x4x8xf32, [(B + 1) floordiv 2]>
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `split-micro-batches` | passed | what is split in a program, and into how many parts |
    | `split-micro-batches` | missed | why a program stays in one part |
  }];
  let options = [
    Option<"parts", "parts", "int64_t", "2", "Of a run">,
  ];
}

def SplitRowsPass : GraphPass<"kiln-split-rows", "::mlir::ModuleOp"> {
  let summary = "Split rows of a sequence so that collectives overlap with products";
  let description = [{
    The collective of a layer follows its product and precedes the next one, so that nothing
    can run beside it. This pass computes the rows of a sequence in `parts` parts, one after
    the other: while ranks sum up one part, they compute products of another one. Part i of
    S rows has (S + i) floordiv parts of them.

    As kiln-shard-context it starts from the queries of attentions and takes in all ops of which
    row r depends on rows r alone, all-reduces among them. Parts are joined where all rows are
    needed: keys and values in front of attention and of writes to a cache. Causal attention gets
    `lengths` that say where a part's queries stand. Ops of one part follow each other up to
    the next place where parts are joined.

    A program stays as it is if it has no all-reduce of rows, or if a sequence has at most
    16 * parts rows (decode).

    Before:
    ```mlir
    %0 = graph.matmul %a, %w : (tensor<1x?x4xf32, [S]>, tensor<4x8xf32>) -> tensor<1x?x8xf32, [S]>
    %1 = graph.all_reduce sum %0 ranks 2 : ...
    ```
    After (parts=2):
    ```mlir
    %first = graph.slice %a starts [0, 0, 0] : ... -> tensor<1x?x4xf32, [S floordiv 2]>
    %0 = graph.matmul %first, %w : ... -> tensor<1x?x8xf32, [S floordiv 2]>
    %1 = graph.all_reduce sum %0 ranks 2 : ...
    %second = graph.slice %a starts [0, S floordiv 2, 0] : ... -> tensor<1x?x4xf32, [(S + 1) floordiv 2]>
    %2 = graph.matmul %second, %w : ... -> tensor<1x?x8xf32, [(S + 1) floordiv 2]>
    %3 = graph.all_reduce sum %2 ranks 2 : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `split-rows` | passed | a sum over the ranks whose rows are split, and into how many parts |
    | `split-rows` | missed | why a sum stays in one part |
  }];
  let options = [
    Option<"parts", "parts", "int64_t", "2", "Of the rows of a sequence">,
  ];
}

def ShardContextPass : GraphPass<"kiln-shard-context", "::mlir::ModuleOp"> {
  let summary = "Divide the rows of a sequence among ranks (context parallelism)";
  let description = [{
    Every rank has all weights and computes its rows of each sequence: norms, elementwise ops,
    products and the attention of its queries. Keys and values are gathered from all ranks in
    front of attention and of writes to a cache, of which every rank keeps all (context
    parallelism by all-gather: Grattafiori et al., The Llama 3 Herd of Models, 2024, section
    3.3.2). Row r of a sequence of S rows belongs to rank r floordiv (S ceildiv ranks). Causal
    attention gets `lengths` that say where a rank's queries stand. Sums are those of one rank
    in the same order.

    The pass goes back from the queries of each attention through ops of which row r depends on
    rows r alone, and from there on forward. What every rank has whole (token ids, positions) is
    read at a rank's rows, which follow from a weight @rank_index, of which rank r has the part
    [r]. A program stays whole if a sequence has at most 16 rows (decode) or no more than ranks.
    A model of which no attention is divided is an error (KILN-E0209).

    Ranks exchange rows for heads where that moves fewer bytes than gathering keys and values, or
    as many and the attention is causal (Jacobs et al., DeepSpeed Ulysses, 2023): rows of queries,
    keys and values become all rows of a rank's heads (graph.all_to_all), and the result's rows of
    these heads become a rank's rows of all heads. The heads of queries and keys are multiples of
    the ranks, and nothing else needs all rows of keys or values.

    With `divide-caches` the positions of caches are divided as well, in all programs: rank r has
    capacity ceildiv ranks of them from r times as many on, and writes the new rows that are
    there. Attention is then of a rank's keys: the results are merged by their log-sum-exps
    (graph.attention_lse), which are gathered, and an all-reduce adds them up, each times its
    share of the sum of all exponentials. Keys and values are gathered, as above, and so are the
    queries. A cache stays whole if it is a rolling buffer, or if an attention reads it that is
    not causal or has a mask or sinks. That no cache is divided is an error.

    Before:
    ```mlir
    %k = graph.matmul %x, %wk : (tensor<1x?x8xf32, [S]>, tensor<8x8xf32>) -> tensor<1x?x8xf32, [S]>
    ```
    After (ranks=2):
    ```mlir
    %mine = graph.gather %x, %places axis 1 : ... -> tensor<1x?x8xf32, [S ceildiv 2]>
    %part = graph.matmul %mine, %wk : ... -> tensor<1x?x8xf32, [S ceildiv 2]>
    %all = graph.all_gather %part axis 1 ranks 2 : ...
    %k = graph.slice %all starts [0, 0, 0] : ... -> tensor<1x?x8xf32, [S]>
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `shard-context` | passed | an attention of which each rank computes its queries |
    | `shard-context` | missed | why every rank computes all of an attention |
    | `divide-cache` | passed | a cache of which each rank has its positions |
    | `divide-cache` | missed | why every rank has all of a cache |
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "2", "How many run the model together">,
    Option<"dividesCaches", "divide-caches", "bool", "false", "Positions of caches, too">,
  ];
}

#endif // KILN_TRANSFORMS_GRAPH_SHARDINGPASSES_TD
