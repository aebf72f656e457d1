// RUN: kiln-opt %s --split-input-file --kiln-make-state --kiln-simplify-graph --cse --kiln-verify-graph | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Caches of statically quantized decoders, whose past and present are rounded to grids of their own.

// A past that is rounded to a coarser grid: this run reads new rows as the present is, and later ones as the past rounds them.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape3, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1.250000e-01> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.875000e-01> : tensor<f32>
// CHECK-NEXT: %[[QUANTIZE:[^ ,:)]+]] = graph.quantize %[[NEW]], %[[CONSTANT]] : (tensor<?x2x?x4xf32, #shape>, tensor<f32>) -> tensor<?x2x?x4xi8, #shape>
// CHECK-NEXT: %[[DEQUANTIZE:[^ ,:)]+]] = graph.dequantize %[[QUANTIZE]], %[[CONSTANT]] : (tensor<?x2x?x4xi8, #shape>, tensor<f32>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[DEQUANTIZE]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[QUANTIZE_2:[^ ,:)]+]] = graph.quantize %[[DEQUANTIZE]], %[[CONSTANT_2]] : (tensor<?x2x?x4xf32, #shape>, tensor<f32>) -> tensor<?x2x?x4xi8, #shape>
// CHECK-NEXT: %[[DEQUANTIZE_2:[^ ,:)]+]] = graph.dequantize %[[QUANTIZE_2]], %[[CONSTANT_2]] : (tensor<?x2x?x4xi8, #shape>, tensor<f32>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[QUANTIZE_3:[^ ,:)]+]] = graph.quantize %[[DEQUANTIZE_2]], %[[CONSTANT]] : (tensor<?x2x?x4xf32, #shape>, tensor<f32>) -> tensor<?x2x?x4xi8, #shape>
// CHECK-NEXT: %[[DEQUANTIZE_3:[^ ,:)]+]] = graph.dequantize %[[QUANTIZE_3]], %[[CONSTANT]] : (tensor<?x2x?x4xi8, #shape>, tensor<f32>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape3 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] lengths %[[ADD]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape2>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[KV_WRITE]], %[[DEQUANTIZE_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD_2]], %[[KV_WRITE_2]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %fine = graph.constant dense<0.125> : tensor<f32>
  %coarse = graph.constant dense<0.1875> : tensor<f32>
  %p = graph.quantize %past, %coarse : (tensor<?x2x?x4xf32, #past>, tensor<f32>) -> tensor<?x2x?x4xi8, #past>
  %q = graph.dequantize %p, %coarse : (tensor<?x2x?x4xi8, #past>, tensor<f32>) -> tensor<?x2x?x4xf32, #past>
  %0 = graph.concat %q, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.quantize %0, %fine : (tensor<?x2x?x4xf32, #present>, tensor<f32>) -> tensor<?x2x?x4xi8, #present>
  %2 = graph.dequantize %1, %fine : (tensor<?x2x?x4xi8, #present>, tensor<f32>) -> tensor<?x2x?x4xf32, #present>
  %3 = graph.attention %new, %2, %2 {causal, scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  return %3, %2 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// One grid: rounding again changes nothing, and rows are written once.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape3, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1.250000e-01> : tensor<f32>
// CHECK-NEXT: %[[QUANTIZE:[^ ,:)]+]] = graph.quantize %[[NEW]], %[[CONSTANT]] : (tensor<?x2x?x4xf32, #shape>, tensor<f32>) -> tensor<?x2x?x4xi8, #shape>
// CHECK-NEXT: %[[DEQUANTIZE:[^ ,:)]+]] = graph.dequantize %[[QUANTIZE]], %[[CONSTANT]] : (tensor<?x2x?x4xi8, #shape>, tensor<f32>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[DEQUANTIZE]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape3 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] lengths %[[ADD]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape2>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD_2]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %fine = graph.constant dense<0.125> : tensor<f32>
  %p = graph.quantize %past, %fine : (tensor<?x2x?x4xf32, #past>, tensor<f32>) -> tensor<?x2x?x4xi8, #past>
  %q = graph.dequantize %p, %fine : (tensor<?x2x?x4xi8, #past>, tensor<f32>) -> tensor<?x2x?x4xf32, #past>
  %0 = graph.concat %q, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.quantize %0, %fine : (tensor<?x2x?x4xf32, #present>, tensor<f32>) -> tensor<?x2x?x4xi8, #present>
  %2 = graph.dequantize %1, %fine : (tensor<?x2x?x4xi8, #present>, tensor<f32>) -> tensor<?x2x?x4xf32, #present>
  %3 = graph.attention %new, %2, %2 {causal, scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  return %3, %2 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}
