// RUN: kiln-opt %s --split-input-file --kiln-quantize-caches=format=int8 --kiln-verify-graph --remarks-filter=kiln-quantize-caches 2> %t | FileCheck %s --implicit-check-not=i8 --implicit-check-not=scales
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not='[Passed]' < %t
// RUN: not kiln-opt %s --split-input-file --kiln-quantize-caches=format=int4 2>&1 | FileCheck %s --check-prefix=FORMAT
// Caches that stay as they are, each with the reason.
// FORMAT: error: KILN-E0001: --kv: caches have no such format; expected int8 or fp8, found int4

// Not: all of the cache is a result of the model, too.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// REMARK: [Missed] quantize {{.*}}unary reads it beside attention
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %x = graph.unary exp %kw : (tensor<?x2x?x4xf32, #state>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %x lengths %end {causal, from_length, scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: values beside these keys are computed of the cache.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// REMARK-DAG: [Missed] quantize {{.*}}an attention reads it beside one that is no cache of 8 bits
// REMARK-DAG: [Missed] quantize {{.*}}unary reads it beside attention
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"}, %v: tensor<?x2x?x4xf32, #state> {graph.state = "v"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}, tensor<?x2x?x4xf32, #state> {graph.state = "v"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %vw = graph.kv_write %v, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %x = graph.unary exp %vw : (tensor<?x2x?x4xf32, #state>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %x lengths %end {causal, from_length, scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw, %vw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>
}

// -----

// Not: codes already.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// REMARK: [Missed] quantize {{.*}}it is of 8 bits already
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf8E4M3FN, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf8E4M3FN, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %c = graph.cast %new : (tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf8E4M3FN, #new>
  %kw = graph.kv_write %k, %c starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf8E4M3FN, #state>, tensor<?x2x?x4xf8E4M3FN, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf8E4M3FN, #state>
  %w = graph.cast %kw : (tensor<?x2x?x4xf8E4M3FN, #state>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %w, %w lengths %end {causal, from_length, scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf8E4M3FN, #state>
}
