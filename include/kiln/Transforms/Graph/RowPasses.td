//===- RowPasses.td - Passes that divide rows --------------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_ROWPASSES_TD
#define KILN_TRANSFORMS_GRAPH_ROWPASSES_TD

include "mlir/Pass/PassBase.td"

def ShardSequencePass : Pass<"kiln-shard-sequence", "::mlir::ModuleOp"> {
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
  }];
}

def SplitMicroBatchesPass : Pass<"kiln-split-micro-batches", "::mlir::ModuleOp"> {
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
  }];
  let options = [
    Option<"parts", "parts", "int64_t", "2", "Of a run">,
  ];
}

def SplitRowsPass : Pass<"kiln-split-rows", "::mlir::ModuleOp"> {
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
  }];
  let options = [
    Option<"parts", "parts", "int64_t", "2", "Of the rows of a sequence">,
  ];
}

def ShardContextPass : Pass<"kiln-shard-context", "::mlir::ModuleOp"> {
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
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "2", "How many run the model together">,
    Option<"dividesCaches", "divide-caches", "bool", "false", "Positions of caches, too">,
  ];
}

#endif // KILN_TRANSFORMS_GRAPH_ROWPASSES_TD
