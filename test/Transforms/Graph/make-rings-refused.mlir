// RUN: kiln-opt %s --split-input-file --kiln-make-rings --kiln-verify-graph -mlir-print-local-scope --remarks-filter=kiln-make-rings 2> %t | FileCheck %s --implicit-check-not=ring --implicit-check-not=mask
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not='[Missed]' --implicit-check-not='[Passed]' < %t
// Caches that stay as they are, each with what a ring would not have kept. Those that are read through a window say why.

// Not: a layer without a window sees all rows.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}{{[{]}}causal, from_length, scale = 5.000000e-01 : f64}
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: the capacity is never more than the 21 rows of the ring.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 21]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}window = 6 : i64}
// REMARK: [Missed] ring {{.*}}Reason="a ring of 21 rows, for a window of 6 and as many new rows as a run adds, is no smaller than the capacity of 21"
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: two layers read one cache, and one of them has no window.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}window = 6 : i64}
// CHECK: graph.attention {{.*}}{{[{]}}causal, from_length, scale = 5.000000e-01 : f64}
// REMARK: [Missed] ring {{.*}}Reason="an attention without a window reads it, too"
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?x2x?x4xf32, #new> {graph.name = "y1"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  %z = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %z, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: the values are read by a layer without a window, so the keys stay as they are, too.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}window = 6 : i64}
// CHECK: graph.attention {{.*}}{{[{]}}causal, from_length, scale = 5.000000e-01 : f64}
// REMARK: [Missed] ring {{.*}}Reason="an attention without a window reads it, too"
// REMARK: [Missed] ring {{.*}}Reason="an attention reads it beside a cache that is no ring"
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"}, %v: tensor<?x2x?x4xf32, #state> {graph.state = "v"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?x2x?x4xf32, #new> {graph.name = "y1"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}, tensor<?x2x?x4xf32, #state> {graph.state = "v"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %vw = graph.kv_write %v, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %vw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  %z = graph.attention %new, %vw, %vw lengths %end {causal, from_length, scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %z, %total, %kw, %vw : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: a mask of its own says by position what is seen.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#mask = #graph.shape<[capacity] -> [1, 1, 1, capacity]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}mask {{.*}}window = 6 : i64}
// REMARK: [Missed] ring {{.*}}Reason="a mask says for each position whether it is seen"
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %m: tensor<1x1x1x?xf32, #mask> {graph.name = "m"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw mask %m lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<1x1x1x?xf32, #mask>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: something else reads the cache, row by row.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}window = 6 : i64}
// REMARK: [Missed] ring {{.*}}Reason="graph.unary reads all of its rows"
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?x2x?x4xf32, #state> {graph.name = "y1"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  %z = graph.unary neg %kw : (tensor<?x2x?x4xf32, #state>) -> tensor<?x2x?x4xf32, #state>
  return %y, %z, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: the last query is at the end of the rows that count, not of the new rows.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}window = 6 : i64}
// REMARK: [Missed] ring {{.*}}Reason="the last query is not at the last of the new rows"
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %total {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: queries are other rows than the new ones.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#q = #graph.shape<[rows] -> [rows, 2, 1, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}window = 6 : i64}
// REMARK: [Missed] ring {{.*}}Reason="the queries are not as many as the new rows"
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %q: tensor<?x2x1x4xf32, #q> {graph.name = "q"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x1x4xf32, #q> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %q, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x1x4xf32, #q>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x1x4xf32, #q>
  return %y, %total, %kw : tensor<?x2x1x4xf32, #q>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: the cache is no state, its caller has it.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}window = 6 : i64}
// REMARK: [Missed] ring {{.*}}Reason="it is no state"
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.name = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.name = "k1"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: rows of before the write are read, too.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK: graph.kv_write {{.*}} axis 2 : (tensor<?x2x?x4xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>>
// CHECK: graph.attention {{.*}}window = 6 : i64}
// REMARK: [Missed] ring {{.*}}Reason="the state before the write has other readers"
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?x2x?x4xf32, #state> {graph.name = "y1"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %z = graph.unary neg %k : (tensor<?x2x?x4xf32, #state>) -> tensor<?x2x?x4xf32, #state>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %z, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}
