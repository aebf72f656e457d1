// RUN: kiln-opt %s --split-input-file --kiln-make-programs --kiln-verify-graph | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// A decoder's one program becomes prefill, with the results of each sequence's last position, and decode.

// What only the logits need is computed at one position: the norm and the product. The residual that they read, and state, are not.
#ids = #graph.shape<[rows, sequence] -> [rows, sequence]>
#x = #graph.shape<[rows, sequence] -> [rows, sequence, 4]>
#y = #graph.shape<[rows, sequence] -> [rows, sequence, 6]>
#row = #graph.shape<[rows] -> [rows]>
#cache = #graph.shape<[rows, capacity] -> [rows, capacity, 4]>

// CHECK-LABEL: func.func @prefill(
// CHECK-SAME: %[[X:[^ ,:)]+]]: tensor<?x?x4xf32, #shape> {graph.name = "x"},
// CHECK-SAME: %[[SCALE:[^ ,:)]+]]: tensor<4xf32> {graph.name = "scale"},
// CHECK-SAME: %[[W:[^ ,:)]+]]: tensor<4x6xf32> {graph.name = "w"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape5, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x?x4xf32, #shape2> {graph.state = "cache"}
// CHECK-SAME: ) -> (tensor<?x1x6xf32, #shape3> {graph.name = "logits"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x?x4xf32, #shape2> {graph.state = "cache"}) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[COUNTS]], %[[CONSTANT]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.binary max %[[SUB]], %[[CONSTANT_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[MAX]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape1>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape5 : tensor<i64>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[IOTA]], %[[DIMS_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[MIN]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ADD]] : (tensor<?xi64, #shape1>) -> tensor<?x1xi64, #shape6>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[X]] : (tensor<?x?x4xf32, #shape>) -> tensor<?x?x4xf32, #shape>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[TANH]] : (tensor<?x?x4xf32, #shape>) -> tensor<?x4xf32, #shape7>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[RESHAPE_2]], %[[RESHAPE]] axis 0 : (tensor<?x4xf32, #shape7>, tensor<?x1xi64, #shape6>) -> tensor<?x1x4xf32, #shape8>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[TANH]] starts %[[ARG]] counts %[[COUNTS]] axis 1 : (tensor<?x?x4xf32, #shape2>, tensor<?x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x?x4xf32, #shape2>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[GATHER]] scale %[[SCALE]] axis 2 {epsilon = 1.000000e-05 : f64} : (tensor<?x1x4xf32, #shape8>, tensor<4xf32>) -> tensor<?x1x4xf32, #shape8>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[RMS_NORM]], %[[W]] : (tensor<?x1x4xf32, #shape8>, tensor<4x6xf32>) -> tensor<?x1x6xf32, #shape3>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[MATMUL]], %[[ADD_2]], %[[KV_WRITE]] : tensor<?x1x6xf32, #shape3>, tensor<?xi64, #shape1>, tensor<?x?x4xf32, #shape2>
// CHECK-LABEL: func.func @decode(
// CHECK-SAME: %[[X:[^ ,:)]+]]: tensor<?x?x4xf32, #shape9> {graph.name = "x"},
// CHECK-SAME: %[[SCALE:[^ ,:)]+]]: tensor<4xf32> {graph.name = "scale"},
// CHECK-SAME: %[[W:[^ ,:)]+]]: tensor<4x6xf32> {graph.name = "w"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[tokens] -> [tokens]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x?x4xf32, #shape2> {graph.state = "cache"}
// CHECK-SAME: ) -> (tensor<?x?x6xf32, #shape10> {graph.name = "logits"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x?x4xf32, #shape2> {graph.state = "cache"}) {
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[X]] : (tensor<?x?x4xf32, #shape9>) -> tensor<?x?x4xf32, #shape9>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[TANH]] starts %[[ARG]] counts %[[COUNTS]] axis 1 : (tensor<?x?x4xf32, #shape2>, tensor<?x?x4xf32, #shape9>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x?x4xf32, #shape2>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[TANH]] scale %[[SCALE]] axis 2 {epsilon = 1.000000e-05 : f64} : (tensor<?x?x4xf32, #shape9>, tensor<4xf32>) -> tensor<?x?x4xf32, #shape9>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[RMS_NORM]], %[[W]] : (tensor<?x?x4xf32, #shape9>, tensor<4x6xf32>) -> tensor<?x?x6xf32, #shape10>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[MATMUL]], %[[ADD]], %[[KV_WRITE]] : tensor<?x?x6xf32, #shape10>, tensor<?xi64, #shape1>, tensor<?x?x4xf32, #shape2>
graph.symbol @rows in [1, 4]
graph.symbol @sequence in [1, 64]
graph.symbol @capacity in [1, 128]

func.func @main(%x: tensor<?x?x4xf32, #x> {graph.name = "x"}, %scale: tensor<4xf32> {graph.name = "scale"}, %w: tensor<4x6xf32> {graph.name = "w"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #graph.shape<[sequence] -> [sequence]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %cache: tensor<?x?x4xf32, #cache> {graph.state = "cache"})
    -> (tensor<?x?x6xf32, #y> {graph.name = "logits"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x?x4xf32, #cache> {graph.state = "cache"}) {
  %0 = graph.unary tanh %x : (tensor<?x?x4xf32, #x>) -> tensor<?x?x4xf32, #x>
  %1 = graph.kv_write %cache, %0 starts %lengths counts %counts axis 1 : (tensor<?x?x4xf32, #cache>, tensor<?x?x4xf32, #x>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x?x4xf32, #cache>
  %2 = graph.rms_norm %0 scale %scale axis 2 {epsilon = 1.0e-05} : (tensor<?x?x4xf32, #x>, tensor<4xf32>) -> tensor<?x?x4xf32, #x>
  %3 = graph.matmul %2, %w : (tensor<?x?x4xf32, #x>, tensor<4x6xf32>) -> tensor<?x?x6xf32, #y>
  %4 = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  return %3, %4, %1 : tensor<?x?x6xf32, #y>, tensor<?xi64, #row>, tensor<?x?x4xf32, #cache>
}

// -----

// Nothing to move: a reduction along the positions is no result per position, an op across positions is computed at all of them.
#x = #graph.shape<[rows, sequence] -> [rows, sequence, 4]>
#sum = #graph.shape<[rows] -> [rows, 4]>
#row = #graph.shape<[rows] -> [rows]>

// CHECK-LABEL: func.func @prefill(
// CHECK-SAME: %[[X:[^ ,:)]+]]: tensor<?x?x4xf32, #shape> {graph.name = "x"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape5, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"}
// CHECK-SAME: ) -> (tensor<?x4xf32, #shape2> {graph.name = "sum"}, tensor<?x1x4xf32, #shape3> {graph.name = "shares"}, tensor<?xi64, #shape1> {graph.state = "lengths"}) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[COUNTS]], %[[CONSTANT]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.binary max %[[SUB]], %[[CONSTANT_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[MAX]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape1>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape5 : tensor<i64>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[IOTA]], %[[DIMS_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[MIN]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ADD]] : (tensor<?xi64, #shape1>) -> tensor<?x1xi64, #shape6>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[X]] axes [1] : (tensor<?x?x4xf32, #shape>) -> tensor<?x4xf32, #shape2>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[X]] axis 1 : (tensor<?x?x4xf32, #shape>) -> tensor<?x?x4xf32, #shape>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[SOFTMAX]] : (tensor<?x?x4xf32, #shape>) -> tensor<?x4xf32, #shape7>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[RESHAPE_2]], %[[RESHAPE]] axis 0 : (tensor<?x4xf32, #shape7>, tensor<?x1xi64, #shape6>) -> tensor<?x1x4xf32, #shape3>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[SUM]], %[[GATHER]], %[[ADD_2]] : tensor<?x4xf32, #shape2>, tensor<?x1x4xf32, #shape3>, tensor<?xi64, #shape1>
// CHECK-LABEL: func.func @decode(
// CHECK-SAME: %[[X:[^ ,:)]+]]: tensor<?x?x4xf32, #shape8> {graph.name = "x"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[tokens] -> [tokens]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"}
// CHECK-SAME: ) -> (tensor<?x4xf32, #shape2> {graph.name = "sum"}, tensor<?x?x4xf32, #shape8> {graph.name = "shares"}, tensor<?xi64, #shape1> {graph.state = "lengths"}) {
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[X]] axes [1] : (tensor<?x?x4xf32, #shape8>) -> tensor<?x4xf32, #shape2>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[X]] axis 1 : (tensor<?x?x4xf32, #shape8>) -> tensor<?x?x4xf32, #shape8>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[SUM]], %[[SOFTMAX]], %[[ADD]] : tensor<?x4xf32, #shape2>, tensor<?x?x4xf32, #shape8>, tensor<?xi64, #shape1>
graph.symbol @rows in [1, 4]
graph.symbol @sequence in [1, 8]
graph.symbol @capacity in [1, 128]

func.func @main(%x: tensor<?x?x4xf32, #x> {graph.name = "x"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #graph.shape<[sequence] -> [sequence]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"})
    -> (tensor<?x4xf32, #sum> {graph.name = "sum"}, tensor<?x?x4xf32, #x> {graph.name = "shares"}, tensor<?xi64, #row> {graph.state = "lengths"}) {
  %0 = graph.reduce sum %x axes [1] : (tensor<?x?x4xf32, #x>) -> tensor<?x4xf32, #sum>
  %1 = graph.softmax %x axis 1 : (tensor<?x?x4xf32, #x>) -> tensor<?x?x4xf32, #x>
  %2 = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  return %0, %1, %2 : tensor<?x4xf32, #sum>, tensor<?x?x4xf32, #x>, tensor<?xi64, #row>
}

// -----

// One token at a time: decode alone, as it is.
#x = #graph.shape<[rows] -> [rows, 1, 4]>
#row = #graph.shape<[rows] -> [rows]>

// CHECK-LABEL: func.func @decode(
// CHECK-SAME: %[[X:[^ ,:)]+]]: tensor<?x1x4xf32, #shape> {graph.name = "x"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[] -> [1]>, capacity = #graph.shape<[] -> [8]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"}
// CHECK-SAME: ) -> (tensor<?x1x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}) {
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[X]] : (tensor<?x1x4xf32, #shape>) -> tensor<?x1x4xf32, #shape>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[TANH]], %[[ADD]] : tensor<?x1x4xf32, #shape>, tensor<?xi64, #shape1>
graph.symbol @rows in [1, 4]

func.func @main(%x: tensor<?x1x4xf32, #x> {graph.name = "x"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #graph.shape<[] -> [1]>, capacity = #graph.shape<[] -> [8]>, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"})
    -> (tensor<?x1x4xf32, #x> {graph.name = "y"}, tensor<?xi64, #row> {graph.state = "lengths"}) {
  %0 = graph.unary tanh %x : (tensor<?x1x4xf32, #x>) -> tensor<?x1x4xf32, #x>
  %1 = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  return %0, %1 : tensor<?x1x4xf32, #x>, tensor<?xi64, #row>
}

// -----

// No state: main stays.
#x = #graph.shape<[rows, sequence] -> [rows, sequence, 4]>

graph.symbol @rows in [1, 4]
graph.symbol @sequence in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^ ,:)]+]]: tensor<?x?x4xf32, #shape> {graph.name = "x"}
// CHECK-SAME: ) -> (tensor<?x?x4xf32, #shape> {graph.name = "y"}) {
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[X]] : (tensor<?x?x4xf32, #shape>) -> tensor<?x?x4xf32, #shape>
// CHECK-NEXT: return %[[TANH]] : tensor<?x?x4xf32, #shape>
func.func @main(%x: tensor<?x?x4xf32, #x> {graph.name = "x"}) -> (tensor<?x?x4xf32, #x> {graph.name = "y"}) {
  %0 = graph.unary tanh %x : (tensor<?x?x4xf32, #x>) -> tensor<?x?x4xf32, #x>
  return %0 : tensor<?x?x4xf32, #x>
}
