//===- StatePasses.td - Graph passes that make state -------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_STATEPASSES_TD
#define KILN_TRANSFORMS_GRAPH_STATEPASSES_TD

include "include/kiln/Analysis/GraphPass.td"

def FindStatePass : GraphPass<"kiln-find-state", "::mlir::ModuleOp"> {
  let summary = "Find pasts and presents that are one tensor";
  let description = [{
    An argument and a result of `@main` whose names differ by past and present
    (`past_key_values.0.key` and `present.0.key`), and whose types by the rows behind
    the past's, get `graph.past`; option `pairs` gives pairs that have other names. A cache
    that the model writes in place (`graph.cache`, from TensorScatter) is a past whose
    present is the result with its new rows, whatever their names. All must agree on the
    number of sequences, the past's length and the new rows.

    Inputs that follow from the past's length are computed from it and leave the
    interface, unless `keep-inputs` names them: `attention_mask` is 1 everywhere,
    `position_ids` and `cache_position` count on from the past, `seqlens_k`,
    `total_sequence_length` and `past_sequence_length` are lengths, and so is what says
    where a cache is written and how much of it counts. In a model with an encoder (part
    of an input's name is "encoder") no pairs are found by name.

    Before:
    ```mlir
    func.func @main(%ids: ... {graph.name = "position_ids"}, %past: !past {graph.name = "past_0"})
        -> (!present {graph.name = "present_0"}) {
    ```
    After:
    ```mlir
    func.func @main(%past: !past {graph.name = "past_0", graph.past = "past_0"})
        -> (!present {graph.name = "present_0", graph.past = "past_0"}) {
      %0 = graph.dims #graph.shape<[past] -> [past]> : tensor<i64>
      %1 = graph.broadcast %0 : ...
      %2 = graph.iota axis 1 : ...
      %ids = graph.binary add %1, %2 : ...
    ```
  }];
  let options = [ListOption<"pairs", "pairs", "std::string", "Pairs as input=output">,
                 ListOption<"keepInputs", "keep-inputs", "std::string",
                            "Inputs that stay, by name">];
  let statistics = [Statistic<"numPairs", "pairs", "Pasts with their presents">];
}

def MakeStatePass : GraphPass<"kiln-make-state", "::mlir::ModuleOp"> {
  let summary = "Make pasts and presents state, and their length data";
  let description = [{
    Every past that `kiln-find-state` found becomes an argument and a result with
    `graph.state`: a tensor of `capacity` rows per sequence, into which `graph.kv_write`
    writes new rows. How many rows each sequence has is the state `lengths`; how many of
    the new ones count, the input `counts`. Sequences are then `rows`, their new
    positions `sequence`.

    The past's length was a dim. What was computed from it (positions, masks, slices of
    tables) is computed per sequence from `lengths`; a dim of past and new rows together
    is `capacity`, and attention sees `lengths`. What depends on the length in another
    way is error KILN-E0207, each node with its reason. Softmax and matmul over past and new
    rows, of attention that is not raised, give the rows that a sequence has not written no
    weight; a warning says that they compute all of the capacity.

    A past and a present that are quantized and dequantized on their way are written twice:
    as this run reads the new rows, and behind the last reader as later runs do. Attention
    that is not causal gets a warning, and `sequence` = 1 in a decoder's merged branch for
    one row (`graph.step_branch`).

    Before:
    ```mlir
    func.func @main(%new: !new {graph.name = "new"}, %past: !past {graph.past = "past_0"})
        -> (!present {graph.past = "past_0"}) {
      %0 = graph.concat %past, %new axis 2 : (!past, !new) -> !present
      %1 = graph.attention %q, %0, %0 {causal, ...} : ...
    ```
    After:
    ```mlir
    func.func @main(%new: !new {graph.name = "new"}, %counts: !per_row {graph.name = "counts"},
                    %lengths: !per_row {graph.state = "lengths"}, %past: !state {graph.state = "past_0"})
        -> (!per_row {graph.state = "lengths"}, !state {graph.state = "past_0"}) {
      %0 = graph.kv_write %past, %new starts %lengths counts %counts axis 2 : ... -> !state
      %2 = graph.binary add %lengths, ... // the new positions
      %1 = graph.attention %q, %0, %0 lengths %2 {causal, from_length, ...} : ...
      %3 = graph.binary add %lengths, %counts : ...
    ```
  }];
  let options = [ListOption<"dims", "dims", "std::string",
                            "Ranges, such as rows=1..4; capacity is up to 2048, or to the "
                            "rows of the table of positions">];
  let statistics = [Statistic<"numStates", "states", "Tensors that became state">];
}

def MakeRingsPass : GraphPass<"kiln-make-rings", "::mlir::ModuleOp"> {
  let summary = "Make caches that only sliding windows read rings of their last rows";
  let description = [{
    A cache whose every reader is attention with a `window` of at most w keys needs its
    last rows alone. A run adds n positions at most, and all are written before the first
    is read, so the cache becomes a ring (rolling buffer) of R = w + max(n, 16) - 1 rows
    where that is less than `capacity` may be: position p lies in row p mod R. All rings of
    a model have the same R, of the largest window. With n alone in place of max(n, 16), a
    model of few new positions could not take back a draft of 16; a model that was exported
    for n positions has R = w + n - 1.

    A cache that some window reads and that stays whole gets a missed remark that says why:
    another reader, a mask, or a capacity that is never above R.

    Which keys a query sees becomes a mask: if e is the last position that was written,
    row j holds position e - (e - j) mod R.

    Before:
    ```mlir
    %0 = graph.kv_write %past, %new starts %lengths counts %counts axis 2 : ... -> tensor<?x2x?x64xf32, [rows, 2, capacity, 64]>
    %2 = graph.binary add %lengths, ... // the new positions
    %1 = graph.attention %q, %0, %0 lengths %2 {causal, from_length, window = 16, ...} : ...
    ```
    After, of up to 16 new positions:
    ```mlir
    %0 = graph.kv_write %past, %new starts %lengths counts %counts axis 2 {ring} : ... -> tensor<?x2x31x64xf32, [rows, 2, 31, 64]>
    %2 = graph.binary min ... // %lengths + %counts, at most 31
    %m = graph.select ... // 0 where the query sees the position of the row, -inf elsewhere
    %1 = graph.attention %q, %0, %0 mask %m lengths %2 {...} : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `ring` | passed | an attention that reads a ring, and its rows |
    | `ring` | missed | why a cache that a window reads stays whole |
  }];
  let statistics = [Statistic<"numRings", "rings", "Caches that became rings">];
}

def MakeProgramsPass : GraphPass<"kiln-make-programs", "::mlir::ModuleOp"> {
  let summary = "Make a decoder's one program two: prefill and decode";
  let description = [{
    A model with state and a symbolic number of new positions becomes two programs over
    the same weights and states. `@prefill` takes any number of new positions, and where
    a result has one row per position, it is that of each sequence's last position that
    counts: what only this result needs, such as the product with the vocabulary, is
    computed at that one position. `@decode` takes `tokens` of them, 1 to 16, and its
    results are those of all. A model whose number of new positions is a constant becomes
    `@decode` alone, and one without state stays `@main`.

    Before:
    ```mlir
    func.func @main(%x: !new {graph.name = "x"}, %counts: !per_row {graph.counts = {added = #sequence, ...}, ...}, ...)
        -> (!logits {graph.name = "logits"}, ...) {
      %1 = graph.matmul %0, %w : (tensor<?x?x64xf32, [rows, sequence, 64]>, ...) -> !logits
    ```
    After:
    ```mlir
    func.func @prefill(%x: !new {graph.name = "x"}, ...) -> (!last_logits {graph.name = "logits"}, ...) {
      %1 = graph.reshape %0 : ... -> tensor<?x64xf32, [rows * sequence, 64]>
      %2 = graph.gather %1, %places axis 0 : ... -> tensor<?x1x64xf32, [rows, 1, 64]>
      %3 = graph.matmul %2, %w : ... -> !last_logits
    func.func @decode(%x: !tokens {graph.name = "x"}, ...) -> (!logits_of_tokens {graph.name = "logits"}, ...) {
      %1 = graph.matmul %0, %w : (tensor<?x?x64xf32, [rows, tokens, 64]>, ...) -> !logits_of_tokens
    ```
  }];
  let options = [Option<"tokens", "tokens", "std::string", "\"\"",
                        "Range of the dim tokens, such as 1..4; 1..16 without it">];
  let statistics = [Statistic<"numPrograms", "programs", "Programs that were made">];
}

#endif // KILN_TRANSFORMS_GRAPH_STATEPASSES_TD
