// RUN: kiln-opt %s --split-input-file --kiln-make-state 2> /dev/null | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-make-state -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN --implicit-check-not=warning
// RUN: not kiln-opt %s --split-input-file --kiln-make-state=dims=sequence=1..4 2> %t | FileCheck %s --check-prefix=RANGE
// RUN: FileCheck %s --check-prefix=ERROR < %t
// New rows of a run that would see each other.

// A merged decoder's branch for one row, without causality: a run takes one row of each sequence.
// WARN: warning: {{.*}}attention is not causal, as exporters trace it for one row
// CHECK: graph.symbol @sequence in [1, 1]
// ERROR: KILN-E0123: {{.*}}expected sequence=1: attention of {{.*}} is not causal, as exporters trace it for one row, found sequence=1..4
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) attributes {graph.step_branch} {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.attention %new, %0, %0 {scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  return %1, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// Not: an attention that says itself that it is not causal.
// WARN: warning: {{.*}}attention is not causal: new rows of one run see each other
// CHECK: graph.symbol @sequence in [1, 16]
// RANGE: graph.symbol @sequence in [1, 4]
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.attention %new, %0, %0 {scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  return %1, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// Not: a mask that tells queries apart may be causal.
// CHECK: graph.symbol @sequence in [1, 16]
// RANGE: graph.symbol @sequence in [1, 4]
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

#square = #graph.shape<[past, seq] -> [seq, past + seq]>
#keys = #graph.shape<[past, seq] -> [past + seq]>
#queries = #graph.shape<[seq] -> [seq, 1]>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) attributes {graph.step_branch} {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.iota axis 0 : tensor<?xf32, #keys>
  %2 = graph.iota axis 0 : tensor<?x1xf32, #queries>
  %3 = graph.binary sub %1, %2 : (tensor<?xf32, #keys>, tensor<?x1xf32, #queries>) -> tensor<?x?xf32, #square>
  %4 = graph.attention %new, %0, %0 mask %3 {scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>, tensor<?x?xf32, #square>) -> tensor<?x2x?x4xf32, #new>
  return %4, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}
