// RUN: kiln-opt %s --split-input-file --kiln-quantize-caches=format=int8 --cse --kiln-verify-graph --remarks-filter=kiln-quantize-caches 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not='[Missed]' < %t
// RUN: kiln-opt %s --split-input-file --kiln-quantize-caches=format=fp8 --cse --kiln-verify-graph | FileCheck %s --check-prefix=FP8
// NOTE: checks by tools/update-lit-checks
// Caches that attention alone reads become codes of 8 bits with a scale per head and position.
// REMARK-COUNT-4: [Passed] quantize

// Keys and values.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape4, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xi8, #shape2> {graph.state = "k"},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x?x4xi8, #shape2> {graph.state = "v"},
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<?x2x?xf32, #shape3> {graph.state = "k.scales"},
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<?x2x?xf32, #shape3> {graph.state = "v.scales"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xi8, #shape2> {graph.state = "k"}, tensor<?x2x?x4xi8, #shape2> {graph.state = "v"}, tensor<?x2x?xf32, #shape3> {graph.state = "k.scales"}, tensor<?x2x?xf32, #shape3> {graph.state = "v.scales"}) {
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[NEW]] : (tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[ABS:[^ ,:)]+]] = graph.unary abs %[[RESHAPE]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[ABS]] axes [4] {keep_dims} : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0.00787401571> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MAX]], %[[CONSTANT]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.270000e+02> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<1.000000e-36> : tensor<f32>
// CHECK-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.binary max %[[MAX]], %[[CONSTANT_3]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT_2]], %[[MAX_2]] : (tensor<f32>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[DIV]] : (tensor<?x2x?x1x4xf32, #shape5>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[ROUND:[^ ,:)]+]] = graph.unary round %[[MUL_2]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ROUND]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xi8, #shape5>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CAST]] : (tensor<?x2x?x1x4xi8, #shape5>) -> tensor<?x2x?x4xi8, #shape>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[MUL]] : (tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?xf32, #shape7>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_4]], %[[RESHAPE_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape7>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?xf32, #shape3>
// CHECK-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[RESHAPE_2]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xi8, #shape2>
// CHECK-NEXT: %[[KV_WRITE_3:[^ ,:)]+]] = graph.kv_write %[[ARG_5]], %[[RESHAPE_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape7>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?xf32, #shape3>
// CHECK-NEXT: %[[KV_WRITE_4:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[RESHAPE_2]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xi8, #shape2>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE_2]], %[[KV_WRITE_4]] lengths %[[ADD]] scales %[[KV_WRITE]], %[[KV_WRITE_3]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape2>, tensor<?xi64, #shape1>, tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape3>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD_2]], %[[KV_WRITE_2]], %[[KV_WRITE_4]], %[[KV_WRITE]], %[[KV_WRITE_3]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape3>
// FP8-LABEL: func.func @main(
// FP8-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// FP8-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape4, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// FP8-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// FP8-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf8E4M3FN, #shape2> {graph.state = "k"},
// FP8-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x?x4xf8E4M3FN, #shape2> {graph.state = "v"},
// FP8-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<?x2x?xf32, #shape3> {graph.state = "k.scales"},
// FP8-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<?x2x?xf32, #shape3> {graph.state = "v.scales"}
// FP8-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf8E4M3FN, #shape2> {graph.state = "k"}, tensor<?x2x?x4xf8E4M3FN, #shape2> {graph.state = "v"}, tensor<?x2x?xf32, #shape3> {graph.state = "k.scales"}, tensor<?x2x?xf32, #shape3> {graph.state = "v.scales"}) {
// FP8-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// FP8-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// FP8-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// FP8-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[NEW]] : (tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x1x4xf32, #shape5>
// FP8-NEXT: %[[ABS:[^ ,:)]+]] = graph.unary abs %[[RESHAPE]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf32, #shape5>
// FP8-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[ABS]] axes [4] {keep_dims} : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0.00223214296> : tensor<f32>
// FP8-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MAX]], %[[CONSTANT]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<4.480000e+02> : tensor<f32>
// FP8-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<2.000000e-36> : tensor<f32>
// FP8-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.binary max %[[MAX]], %[[CONSTANT_3]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT_2]], %[[MAX_2]] : (tensor<f32>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[DIV]] : (tensor<?x2x?x1x4xf32, #shape5>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x4xf32, #shape5>
// FP8-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[MUL_2]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf8E4M3FN, #shape5>
// FP8-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CAST]] : (tensor<?x2x?x1x4xf8E4M3FN, #shape5>) -> tensor<?x2x?x4xf8E4M3FN, #shape>
// FP8-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[MUL]] : (tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?xf32, #shape7>
// FP8-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_4]], %[[RESHAPE_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape7>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?xf32, #shape3>
// FP8-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[RESHAPE_2]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?x2x?x4xf8E4M3FN, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf8E4M3FN, #shape2>
// FP8-NEXT: %[[KV_WRITE_3:[^ ,:)]+]] = graph.kv_write %[[ARG_5]], %[[RESHAPE_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape7>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?xf32, #shape3>
// FP8-NEXT: %[[KV_WRITE_4:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[RESHAPE_2]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?x2x?x4xf8E4M3FN, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf8E4M3FN, #shape2>
// FP8-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE_2]], %[[KV_WRITE_4]] lengths %[[ADD]] scales %[[KV_WRITE]], %[[KV_WRITE_3]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?xi64, #shape1>, tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape3>) -> tensor<?x2x?x4xf32, #shape>
// FP8-NEXT: return %[[ATTENTION]], %[[ADD_2]], %[[KV_WRITE_2]], %[[KV_WRITE_4]], %[[KV_WRITE]], %[[KV_WRITE_3]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape3>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"}, %v: tensor<?x2x?x4xf32, #state> {graph.state = "v"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}, tensor<?x2x?x4xf32, #state> {graph.state = "v"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %vw = graph.kv_write %v, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %vw lengths %end {causal, from_length, scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw, %vw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>
}

// -----

// Two attentions read the same cache as keys and values, which is quantized once.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape4, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xi8, #shape2> {graph.state = "k"},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x?xf32, #shape3> {graph.state = "k.scales"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xi8, #shape2> {graph.state = "k"}, tensor<?x2x?xf32, #shape3> {graph.state = "k.scales"}) {
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[NEW]] : (tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[ABS:[^ ,:)]+]] = graph.unary abs %[[RESHAPE]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[ABS]] axes [4] {keep_dims} : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0.00787401571> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MAX]], %[[CONSTANT]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.270000e+02> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<1.000000e-36> : tensor<f32>
// CHECK-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.binary max %[[MAX]], %[[CONSTANT_3]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT_2]], %[[MAX_2]] : (tensor<f32>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[DIV]] : (tensor<?x2x?x1x4xf32, #shape5>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[ROUND:[^ ,:)]+]] = graph.unary round %[[MUL_2]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ROUND]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xi8, #shape5>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CAST]] : (tensor<?x2x?x1x4xi8, #shape5>) -> tensor<?x2x?x4xi8, #shape>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[MUL]] : (tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?xf32, #shape7>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[RESHAPE_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape7>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?xf32, #shape3>
// CHECK-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[RESHAPE_2]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xi8, #shape2>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE_2]], %[[KV_WRITE_2]] lengths %[[ADD]] scales %[[KV_WRITE]], %[[KV_WRITE]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape2>, tensor<?xi64, #shape1>, tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape3>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[ATTENTION_2:[^ ,:)]+]] = graph.attention %[[ATTENTION]], %[[KV_WRITE_2]], %[[KV_WRITE_2]] lengths %[[ADD]] scales %[[KV_WRITE]], %[[KV_WRITE]] {causal, from_length, scale = 2.500000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape2>, tensor<?xi64, #shape1>, tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape3>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION_2]], %[[ADD_2]], %[[KV_WRITE_2]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?xf32, #shape3>
// FP8-LABEL: func.func @main(
// FP8-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// FP8-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape4, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// FP8-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// FP8-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf8E4M3FN, #shape2> {graph.state = "k"},
// FP8-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x?xf32, #shape3> {graph.state = "k.scales"}
// FP8-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf8E4M3FN, #shape2> {graph.state = "k"}, tensor<?x2x?xf32, #shape3> {graph.state = "k.scales"}) {
// FP8-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// FP8-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// FP8-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// FP8-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[NEW]] : (tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x1x4xf32, #shape5>
// FP8-NEXT: %[[ABS:[^ ,:)]+]] = graph.unary abs %[[RESHAPE]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf32, #shape5>
// FP8-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[ABS]] axes [4] {keep_dims} : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0.00223214296> : tensor<f32>
// FP8-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MAX]], %[[CONSTANT]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<4.480000e+02> : tensor<f32>
// FP8-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<2.000000e-36> : tensor<f32>
// FP8-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.binary max %[[MAX]], %[[CONSTANT_3]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT_2]], %[[MAX_2]] : (tensor<f32>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[DIV]] : (tensor<?x2x?x1x4xf32, #shape5>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x4xf32, #shape5>
// FP8-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[MUL_2]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf8E4M3FN, #shape5>
// FP8-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CAST]] : (tensor<?x2x?x1x4xf8E4M3FN, #shape5>) -> tensor<?x2x?x4xf8E4M3FN, #shape>
// FP8-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[MUL]] : (tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?xf32, #shape7>
// FP8-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[RESHAPE_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape7>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?xf32, #shape3>
// FP8-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[RESHAPE_2]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?x2x?x4xf8E4M3FN, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf8E4M3FN, #shape2>
// FP8-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE_2]], %[[KV_WRITE_2]] lengths %[[ADD]] scales %[[KV_WRITE]], %[[KV_WRITE]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?xi64, #shape1>, tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape3>) -> tensor<?x2x?x4xf32, #shape>
// FP8-NEXT: %[[ATTENTION_2:[^ ,:)]+]] = graph.attention %[[ATTENTION]], %[[KV_WRITE_2]], %[[KV_WRITE_2]] lengths %[[ADD]] scales %[[KV_WRITE]], %[[KV_WRITE]] {causal, from_length, scale = 2.500000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?xi64, #shape1>, tensor<?x2x?xf32, #shape3>, tensor<?x2x?xf32, #shape3>) -> tensor<?x2x?x4xf32, #shape>
// FP8-NEXT: return %[[ATTENTION_2]], %[[ADD_2]], %[[KV_WRITE_2]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf8E4M3FN, #shape2>, tensor<?x2x?xf32, #shape3>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %x = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  %y = graph.attention %x, %kw, %kw lengths %end {causal, from_length, scale = 0.25 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// A ring stays one, and its scales are a ring.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>
#ring = #graph.shape<[rows] -> [rows, 2, 21, 4]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape4, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x21x4xi8, #shape2> {graph.state = "k"},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x21xf32, #shape3> {graph.state = "k.scales"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x21x4xi8, #shape2> {graph.state = "k"}, tensor<?x2x21xf32, #shape3> {graph.state = "k.scales"}) {
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[NEW]] : (tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[ABS:[^ ,:)]+]] = graph.unary abs %[[RESHAPE]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[ABS]] axes [4] {keep_dims} : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0.00787401571> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MAX]], %[[CONSTANT]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.270000e+02> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<1.000000e-36> : tensor<f32>
// CHECK-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.binary max %[[MAX]], %[[CONSTANT_3]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT_2]], %[[MAX_2]] : (tensor<f32>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x1xf32, #shape6>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[DIV]] : (tensor<?x2x?x1x4xf32, #shape5>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[ROUND:[^ ,:)]+]] = graph.unary round %[[MUL_2]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf32, #shape5>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ROUND]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xi8, #shape5>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CAST]] : (tensor<?x2x?x1x4xi8, #shape5>) -> tensor<?x2x?x4xi8, #shape>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[MUL]] : (tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?xf32, #shape7>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[RESHAPE_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x21xf32, #shape3>, tensor<?x2x?xf32, #shape7>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x21xf32, #shape3>
// CHECK-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[RESHAPE_2]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x21x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x21x4xi8, #shape2>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE_2]], %[[KV_WRITE_2]] lengths %[[ADD]] scales %[[KV_WRITE]], %[[KV_WRITE]] {scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x21x4xi8, #shape2>, tensor<?x2x21x4xi8, #shape2>, tensor<?xi64, #shape1>, tensor<?x2x21xf32, #shape3>, tensor<?x2x21xf32, #shape3>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD_2]], %[[KV_WRITE_2]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x21x4xi8, #shape2>, tensor<?x2x21xf32, #shape3>
// FP8-LABEL: func.func @main(
// FP8-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// FP8-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape4, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// FP8-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// FP8-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x21x4xf8E4M3FN, #shape2> {graph.state = "k"},
// FP8-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x21xf32, #shape3> {graph.state = "k.scales"}
// FP8-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x21x4xf8E4M3FN, #shape2> {graph.state = "k"}, tensor<?x2x21xf32, #shape3> {graph.state = "k.scales"}) {
// FP8-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// FP8-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// FP8-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// FP8-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[NEW]] : (tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x1x4xf32, #shape5>
// FP8-NEXT: %[[ABS:[^ ,:)]+]] = graph.unary abs %[[RESHAPE]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf32, #shape5>
// FP8-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[ABS]] axes [4] {keep_dims} : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0.00223214296> : tensor<f32>
// FP8-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MAX]], %[[CONSTANT]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<4.480000e+02> : tensor<f32>
// FP8-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<2.000000e-36> : tensor<f32>
// FP8-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.binary max %[[MAX]], %[[CONSTANT_3]] : (tensor<?x2x?x1x1xf32, #shape6>, tensor<f32>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT_2]], %[[MAX_2]] : (tensor<f32>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x1xf32, #shape6>
// FP8-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[DIV]] : (tensor<?x2x?x1x4xf32, #shape5>, tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?x1x4xf32, #shape5>
// FP8-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[MUL_2]] : (tensor<?x2x?x1x4xf32, #shape5>) -> tensor<?x2x?x1x4xf8E4M3FN, #shape5>
// FP8-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CAST]] : (tensor<?x2x?x1x4xf8E4M3FN, #shape5>) -> tensor<?x2x?x4xf8E4M3FN, #shape>
// FP8-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[MUL]] : (tensor<?x2x?x1x1xf32, #shape6>) -> tensor<?x2x?xf32, #shape7>
// FP8-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[RESHAPE_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x21xf32, #shape3>, tensor<?x2x?xf32, #shape7>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x21xf32, #shape3>
// FP8-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[RESHAPE_2]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x21x4xf8E4M3FN, #shape2>, tensor<?x2x?x4xf8E4M3FN, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x21x4xf8E4M3FN, #shape2>
// FP8-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE_2]], %[[KV_WRITE_2]] lengths %[[ADD]] scales %[[KV_WRITE]], %[[KV_WRITE]] {scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x21x4xf8E4M3FN, #shape2>, tensor<?x2x21x4xf8E4M3FN, #shape2>, tensor<?xi64, #shape1>, tensor<?x2x21xf32, #shape3>, tensor<?x2x21xf32, #shape3>) -> tensor<?x2x?x4xf32, #shape>
// FP8-NEXT: return %[[ATTENTION]], %[[ADD_2]], %[[KV_WRITE_2]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x21x4xf8E4M3FN, #shape2>, tensor<?x2x21xf32, #shape3>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x21x4xf32, #ring> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x21x4xf32, #ring> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 {ring} : (tensor<?x2x21x4xf32, #ring>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x21x4xf32, #ring>
  %y = graph.attention %new, %kw, %kw lengths %end {scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x21x4xf32, #ring>, tensor<?x2x21x4xf32, #ring>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x21x4xf32, #ring>
}
