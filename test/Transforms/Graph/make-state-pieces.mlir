// RUN: kiln-opt %s --split-input-file --kiln-make-state --kiln-simplify-graph --cse --kiln-verify-graph | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Attention that is not raised, on all rows of a state: those that a sequence has not written have no weight and are read as 0.

// A quantization between the scores and the softmax.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[sequence] -> [sequence]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}) {
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[KV_WRITE]] : (tensor<?x2x?x4xf32, #shape2>) -> tensor<?x1x2x?x4xf32, #shape3>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[NEW]] : (tensor<?x2x?x4xf32, #shape>) -> tensor<?x1x2x?x4xf32, #shape4>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[RESHAPE_2]], %[[RESHAPE]] {transpose_b} : (tensor<?x1x2x?x4xf32, #shape4>, tensor<?x1x2x?x4xf32, #shape3>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1.250000e-01> : tensor<f32>
// CHECK-NEXT: %[[QUANTIZE:[^ ,:)]+]] = graph.quantize %[[MATMUL]], %[[CONSTANT]] : (tensor<?x1x2x?x?xf32, #shape5>, tensor<f32>) -> tensor<?x1x2x?x?xi8, #shape5>
// CHECK-NEXT: %[[DEQUANTIZE:[^ ,:)]+]] = graph.dequantize %[[QUANTIZE]], %[[CONSTANT]] : (tensor<?x1x2x?x?xi8, #shape5>, tensor<f32>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 4 : tensor<1x1x1x1x?xi64, #shape6>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[ADD]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1x1xi64, #shape7>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[IOTA]], %[[RESHAPE_3]] : (tensor<1x1x1x1x?xi64, #shape6>, tensor<?x1x1x1x1xi64, #shape7>) -> tensor<?x1x1x1x?xi1, #shape8>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS]], %[[DEQUANTIZE]], %[[CONSTANT_2]] : (tensor<?x1x1x1x?xi1, #shape8>, tensor<?x1x2x?x?xf32, #shape5>, tensor<f32>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 4 : (tensor<?x1x2x?x?xf32, #shape5>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[LESS]], %[[SOFTMAX]], %[[CONSTANT_3]] : (tensor<?x1x1x1x?xi1, #shape8>, tensor<?x1x2x?x?xf32, #shape5>, tensor<f32>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x?x1xi64, #shape9>
// CHECK-NEXT: %[[LESS_2:[^ ,:)]+]] = graph.compare less %[[IOTA_2]], %[[RESHAPE_3]] : (tensor<1x1x1x?x1xi64, #shape9>, tensor<?x1x1x1x1xi64, #shape7>) -> tensor<?x1x1x?x1xi1, #shape10>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[LESS_2]], %[[RESHAPE]], %[[CONSTANT_3]] : (tensor<?x1x1x?x1xi1, #shape10>, tensor<?x1x2x?x4xf32, #shape3>, tensor<f32>) -> tensor<?x1x2x?x4xf32, #shape3>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SELECT_2]], %[[SELECT_3]] : (tensor<?x1x2x?x?xf32, #shape5>, tensor<?x1x2x?x4xf32, #shape3>) -> tensor<?x1x2x?x4xf32, #shape4>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[MATMUL_2]] : (tensor<?x1x2x?x4xf32, #shape4>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[RESHAPE_4]], %[[ADD]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.matmul %new, %0 {transpose_b} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x?xf32, #scores>
  %scale = graph.constant dense<0.125> : tensor<f32>
  %2 = graph.quantize %1, %scale : (tensor<?x2x?x?xf32, #scores>, tensor<f32>) -> tensor<?x2x?x?xi8, #scores>
  %3 = graph.dequantize %2, %scale : (tensor<?x2x?x?xi8, #scores>, tensor<f32>) -> tensor<?x2x?x?xf32, #scores>
  %4 = graph.softmax %3 axis 3 : (tensor<?x2x?x?xf32, #scores>) -> tensor<?x2x?x?xf32, #scores>
  %5 = graph.matmul %4, %0 : (tensor<?x2x?x?xf32, #scores>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  return %5, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// Scales along the heads, which are one dim further on.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[sequence] -> [sequence]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}) {
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[KV_WRITE]] : (tensor<?x2x?x4xf32, #shape2>) -> tensor<?x1x2x?x4xf32, #shape3>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[NEW]] : (tensor<?x2x?x4xf32, #shape>) -> tensor<?x1x2x?x4xf32, #shape4>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[RESHAPE_2]], %[[RESHAPE]] {transpose_b} : (tensor<?x1x2x?x4xf32, #shape4>, tensor<?x1x2x?x4xf32, #shape3>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[1.250000e-01, 2.500000e-01]> : tensor<2xf32>
// CHECK-NEXT: %[[QUANTIZE:[^ ,:)]+]] = graph.quantize %[[MATMUL]], %[[CONSTANT]] {axis = 2 : i64} : (tensor<?x1x2x?x?xf32, #shape5>, tensor<2xf32>) -> tensor<?x1x2x?x?xi8, #shape5>
// CHECK-NEXT: %[[DEQUANTIZE:[^ ,:)]+]] = graph.dequantize %[[QUANTIZE]], %[[CONSTANT]] {axis = 2 : i64} : (tensor<?x1x2x?x?xi8, #shape5>, tensor<2xf32>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 4 : tensor<1x1x1x1x?xi64, #shape6>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[ADD]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1x1xi64, #shape7>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[IOTA]], %[[RESHAPE_3]] : (tensor<1x1x1x1x?xi64, #shape6>, tensor<?x1x1x1x1xi64, #shape7>) -> tensor<?x1x1x1x?xi1, #shape8>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS]], %[[DEQUANTIZE]], %[[CONSTANT_2]] : (tensor<?x1x1x1x?xi1, #shape8>, tensor<?x1x2x?x?xf32, #shape5>, tensor<f32>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 4 : (tensor<?x1x2x?x?xf32, #shape5>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[LESS]], %[[SOFTMAX]], %[[CONSTANT_3]] : (tensor<?x1x1x1x?xi1, #shape8>, tensor<?x1x2x?x?xf32, #shape5>, tensor<f32>) -> tensor<?x1x2x?x?xf32, #shape5>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x?x1xi64, #shape9>
// CHECK-NEXT: %[[LESS_2:[^ ,:)]+]] = graph.compare less %[[IOTA_2]], %[[RESHAPE_3]] : (tensor<1x1x1x?x1xi64, #shape9>, tensor<?x1x1x1x1xi64, #shape7>) -> tensor<?x1x1x?x1xi1, #shape10>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[LESS_2]], %[[RESHAPE]], %[[CONSTANT_3]] : (tensor<?x1x1x?x1xi1, #shape10>, tensor<?x1x2x?x4xf32, #shape3>, tensor<f32>) -> tensor<?x1x2x?x4xf32, #shape3>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SELECT_2]], %[[SELECT_3]] : (tensor<?x1x2x?x?xf32, #shape5>, tensor<?x1x2x?x4xf32, #shape3>) -> tensor<?x1x2x?x4xf32, #shape4>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[MATMUL_2]] : (tensor<?x1x2x?x4xf32, #shape4>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[RESHAPE_4]], %[[ADD]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.matmul %new, %0 {transpose_b} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x?xf32, #scores>
  %scale = graph.constant dense<[0.125, 0.25]> : tensor<2xf32>
  %2 = graph.quantize %1, %scale {axis = 1} : (tensor<?x2x?x?xf32, #scores>, tensor<2xf32>) -> tensor<?x2x?x?xi8, #scores>
  %3 = graph.dequantize %2, %scale {axis = 1} : (tensor<?x2x?x?xi8, #scores>, tensor<2xf32>) -> tensor<?x2x?x?xf32, #scores>
  %4 = graph.softmax %3 axis 3 : (tensor<?x2x?x?xf32, #scores>) -> tensor<?x2x?x?xf32, #scores>
  %5 = graph.matmul %4, %0 : (tensor<?x2x?x?xf32, #scores>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  return %5, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// Biases by distance, which end with their table whatever the length is: it limits the capacity.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

#table = #graph.shape<[past, seq] -> [0, 0, 0, 32 - past - seq]>
#bias = #graph.shape<[past, seq] -> [1, 2, 1, past + seq]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape10, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}) {
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<1x2x1x32xf32>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 1 : tensor<1x?xi64, #shape3>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<?xi64, #shape1>) -> tensor<?x1xi64, #shape4>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[IOTA]], %[[RESHAPE]] : (tensor<1x?xi64, #shape3>, tensor<?x1xi64, #shape4>) -> tensor<?x?xi64, #shape5>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape6 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[SUB]], %[[DIMS]] : (tensor<?x?xi64, #shape5>, tensor<i64>) -> tensor<?x?xi64, #shape5>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<31> : tensor<i64>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[ADD]], %[[CONSTANT_2]] : (tensor<?x?xi64, #shape5>, tensor<i64>) -> tensor<?x?xi64, #shape5>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.binary max %[[MIN]], %[[CONSTANT_3]] : (tensor<?x?xi64, #shape5>, tensor<i64>) -> tensor<?x?xi64, #shape5>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[CONSTANT]], %[[MAX]] axis 3 : (tensor<1x2x1x32xf32>, tensor<?x?xi64, #shape5>) -> tensor<1x2x1x?x?xf32, #shape7>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[GATHER]] [3, 0, 1, 2, 4] : (tensor<1x2x1x?x?xf32, #shape7>) -> tensor<?x1x2x1x?xf32, #shape8>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE]] : (tensor<?x1x2x1x?xf32, #shape8>) -> tensor<?x2x1x?xf32, #shape9>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape10 : tensor<i64>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] mask %[[RESHAPE_2]] lengths %[[ADD_2]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape2>, tensor<?x2x1x?xf32, #shape9>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[ADD_3:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD_3]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %w = graph.constant dense<1.0> : tensor<1x2x1x32xf32>
  %1 = graph.slice %w starts #table steps [1, 1, 1, 1] : (tensor<1x2x1x32xf32>) -> tensor<1x2x1x?xf32, #bias>
  %2 = graph.attention %new, %0, %0 mask %1 {causal, scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>, tensor<1x2x1x?xf32, #bias>) -> tensor<?x2x?x4xf32, #new>
  return %2, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}
