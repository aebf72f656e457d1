// RUN: kiln-opt %s --split-input-file --kiln-make-rings --kiln-simplify-graph --cse --kiln-verify-graph --remarks-filter=kiln-make-rings 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not='[Missed]' < %t
// NOTE: checks by tools/update-lit-checks
// Caches of which only windows see the last rows become rings. No remark speaks of those that no window reads.
// REMARK-COUNT-7: [Passed] ring

// A window of 6 keys and at most 16 new rows: keys and values are rings of 6 + 16 - 1 rows.
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
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[seq] -> [seq]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths", ring = 21 : i64, window = 6 : i64}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x21x4xf32, #shape2> {graph.state = "k"},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x21x4xf32, #shape2> {graph.state = "v"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x21x4xf32, #shape2> {graph.state = "k"}, tensor<?x2x21x4xf32, #shape2> {graph.state = "v"}) {
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x21x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x21x4xf32, #shape2>
// CHECK-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x21x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x21x4xf32, #shape2>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[COUNTS]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<?x1x1x1xi64, #shape3>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[ADD_2]], %[[CONSTANT]] : (tensor<?x1x1x1xi64, #shape3>, tensor<i64>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x21xi64>
// CHECK-NEXT: %[[SUB_2:[^ ,:)]+]] = graph.binary sub %[[SUB]], %[[IOTA]] : (tensor<?x1x1x1xi64, #shape3>, tensor<1x1x1x21xi64>) -> tensor<?x1x1x21xi64, #shape4>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<21> : tensor<i64>
// CHECK-NEXT: %[[MOD:[^ ,:)]+]] = graph.binary mod %[[SUB_2]], %[[CONSTANT_2]] : (tensor<?x1x1x21xi64, #shape4>, tensor<i64>) -> tensor<?x1x1x21xi64, #shape4>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x?x1xi64, #shape5>
// CHECK-NEXT: %[[ADD_3:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[IOTA_2]] : (tensor<?x1x1x1xi64, #shape3>, tensor<1x1x?x1xi64, #shape5>) -> tensor<?x1x?x1xi64, #shape6>
// CHECK-NEXT: %[[SUB_3:[^ ,:)]+]] = graph.binary sub %[[ADD_3]], %[[SUB]] : (tensor<?x1x?x1xi64, #shape6>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x?x1xi64, #shape6>
// CHECK-NEXT: %[[ADD_4:[^ ,:)]+]] = graph.binary add %[[SUB_3]], %[[MOD]] : (tensor<?x1x?x1xi64, #shape6>, tensor<?x1x1x21xi64, #shape4>) -> tensor<?x1x?x21xi64, #shape7>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[GREATER_EQUAL:[^ ,:)]+]] = graph.compare greater_equal %[[ADD_4]], %[[CONSTANT_3]] : (tensor<?x1x?x21xi64, #shape7>, tensor<i64>) -> tensor<?x1x?x21xi1, #shape7>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<6> : tensor<i64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[ADD_4]], %[[CONSTANT_4]] : (tensor<?x1x?x21xi64, #shape7>, tensor<i64>) -> tensor<?x1x?x21xi1, #shape7>
// CHECK-NEXT: %[[LOGICAL_AND:[^ ,:)]+]] = graph.binary logical_and %[[GREATER_EQUAL]], %[[LESS]] : (tensor<?x1x?x21xi1, #shape7>, tensor<?x1x?x21xi1, #shape7>) -> tensor<?x1x?x21xi1, #shape7>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[MOD]], %[[SUB]] : (tensor<?x1x1x21xi64, #shape4>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x1x21xi1, #shape4>
// CHECK-NEXT: %[[LOGICAL_AND_2:[^ ,:)]+]] = graph.binary logical_and %[[LOGICAL_AND]], %[[LESS_EQUAL]] : (tensor<?x1x?x21xi1, #shape7>, tensor<?x1x1x21xi1, #shape4>) -> tensor<?x1x?x21xi1, #shape7>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LOGICAL_AND_2]], %[[CONSTANT_5]], %[[CONSTANT_6]] : (tensor<?x1x?x21xi1, #shape7>, tensor<f32>, tensor<f32>) -> tensor<?x1x?x21xf32, #shape7>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[ADD]], %[[CONSTANT_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE_2]] mask %[[SELECT]] lengths %[[MIN]] {mask_hides, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x21x4xf32, #shape2>, tensor<?x2x21x4xf32, #shape2>, tensor<?x1x?x21xf32, #shape7>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD]], %[[KV_WRITE]], %[[KV_WRITE_2]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x21x4xf32, #shape2>, tensor<?x2x21x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"}, %v: tensor<?x2x?x4xf32, #state> {graph.state = "v"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}, tensor<?x2x?x4xf32, #state> {graph.state = "v"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %vw = graph.kv_write %v, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %vw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw, %vw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>
}

// -----

// Two windows: both rings have room for the larger one, and each mask is of its own window. Keys are values in the second.
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
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[seq] -> [seq]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths", ring = 27 : i64, window = 12 : i64}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x27x4xf32, #shape2> {graph.state = "k"},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x27x4xf32, #shape2> {graph.state = "v"},
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<?x2x27x4xf32, #shape2> {graph.state = "kv"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?x2x?x4xf32, #shape> {graph.name = "y1"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x27x4xf32, #shape2> {graph.state = "k"}, tensor<?x2x27x4xf32, #shape2> {graph.state = "v"}, tensor<?x2x27x4xf32, #shape2> {graph.state = "kv"}) {
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x27x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x27x4xf32, #shape2>
// CHECK-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x27x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x27x4xf32, #shape2>
// CHECK-NEXT: %[[KV_WRITE_3:[^ ,:)]+]] = graph.kv_write %[[ARG_4]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x27x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x27x4xf32, #shape2>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[COUNTS]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<?x1x1x1xi64, #shape3>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[ADD_2]], %[[CONSTANT]] : (tensor<?x1x1x1xi64, #shape3>, tensor<i64>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x27xi64>
// CHECK-NEXT: %[[SUB_2:[^ ,:)]+]] = graph.binary sub %[[SUB]], %[[IOTA]] : (tensor<?x1x1x1xi64, #shape3>, tensor<1x1x1x27xi64>) -> tensor<?x1x1x27xi64, #shape4>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<27> : tensor<i64>
// CHECK-NEXT: %[[MOD:[^ ,:)]+]] = graph.binary mod %[[SUB_2]], %[[CONSTANT_2]] : (tensor<?x1x1x27xi64, #shape4>, tensor<i64>) -> tensor<?x1x1x27xi64, #shape4>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x?x1xi64, #shape5>
// CHECK-NEXT: %[[ADD_3:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[IOTA_2]] : (tensor<?x1x1x1xi64, #shape3>, tensor<1x1x?x1xi64, #shape5>) -> tensor<?x1x?x1xi64, #shape6>
// CHECK-NEXT: %[[SUB_3:[^ ,:)]+]] = graph.binary sub %[[ADD_3]], %[[SUB]] : (tensor<?x1x?x1xi64, #shape6>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x?x1xi64, #shape6>
// CHECK-NEXT: %[[ADD_4:[^ ,:)]+]] = graph.binary add %[[SUB_3]], %[[MOD]] : (tensor<?x1x?x1xi64, #shape6>, tensor<?x1x1x27xi64, #shape4>) -> tensor<?x1x?x27xi64, #shape7>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[GREATER_EQUAL:[^ ,:)]+]] = graph.compare greater_equal %[[ADD_4]], %[[CONSTANT_3]] : (tensor<?x1x?x27xi64, #shape7>, tensor<i64>) -> tensor<?x1x?x27xi1, #shape7>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5> : tensor<i64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[ADD_4]], %[[CONSTANT_4]] : (tensor<?x1x?x27xi64, #shape7>, tensor<i64>) -> tensor<?x1x?x27xi1, #shape7>
// CHECK-NEXT: %[[LOGICAL_AND:[^ ,:)]+]] = graph.binary logical_and %[[GREATER_EQUAL]], %[[LESS]] : (tensor<?x1x?x27xi1, #shape7>, tensor<?x1x?x27xi1, #shape7>) -> tensor<?x1x?x27xi1, #shape7>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[MOD]], %[[SUB]] : (tensor<?x1x1x27xi64, #shape4>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x1x27xi1, #shape4>
// CHECK-NEXT: %[[LOGICAL_AND_2:[^ ,:)]+]] = graph.binary logical_and %[[LOGICAL_AND]], %[[LESS_EQUAL]] : (tensor<?x1x?x27xi1, #shape7>, tensor<?x1x1x27xi1, #shape4>) -> tensor<?x1x?x27xi1, #shape7>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LOGICAL_AND_2]], %[[CONSTANT_5]], %[[CONSTANT_6]] : (tensor<?x1x?x27xi1, #shape7>, tensor<f32>, tensor<f32>) -> tensor<?x1x?x27xf32, #shape7>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[ADD]], %[[CONSTANT_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE_2]] mask %[[SELECT]] lengths %[[MIN]] {mask_hides, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x27x4xf32, #shape2>, tensor<?x2x27x4xf32, #shape2>, tensor<?x1x?x27xf32, #shape7>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<12> : tensor<i64>
// CHECK-NEXT: %[[LESS_2:[^ ,:)]+]] = graph.compare less %[[ADD_4]], %[[CONSTANT_7]] : (tensor<?x1x?x27xi64, #shape7>, tensor<i64>) -> tensor<?x1x?x27xi1, #shape7>
// CHECK-NEXT: %[[LOGICAL_AND_3:[^ ,:)]+]] = graph.binary logical_and %[[GREATER_EQUAL]], %[[LESS_2]] : (tensor<?x1x?x27xi1, #shape7>, tensor<?x1x?x27xi1, #shape7>) -> tensor<?x1x?x27xi1, #shape7>
// CHECK-NEXT: %[[LOGICAL_AND_4:[^ ,:)]+]] = graph.binary logical_and %[[LOGICAL_AND_3]], %[[LESS_EQUAL]] : (tensor<?x1x?x27xi1, #shape7>, tensor<?x1x1x27xi1, #shape4>) -> tensor<?x1x?x27xi1, #shape7>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[LOGICAL_AND_4]], %[[CONSTANT_5]], %[[CONSTANT_6]] : (tensor<?x1x?x27xi1, #shape7>, tensor<f32>, tensor<f32>) -> tensor<?x1x?x27xf32, #shape7>
// CHECK-NEXT: %[[ATTENTION_2:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE_3]], %[[KV_WRITE_3]] mask %[[SELECT_2]] lengths %[[MIN]] {mask_hides, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x27x4xf32, #shape2>, tensor<?x2x27x4xf32, #shape2>, tensor<?x1x?x27xf32, #shape7>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION]], %[[ATTENTION_2]], %[[ADD]], %[[KV_WRITE]], %[[KV_WRITE_2]], %[[KV_WRITE_3]] : tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x27x4xf32, #shape2>, tensor<?x2x27x4xf32, #shape2>, tensor<?x2x27x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"}, %v: tensor<?x2x?x4xf32, #state> {graph.state = "v"}, %kv: tensor<?x2x?x4xf32, #state> {graph.state = "kv"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?x2x?x4xf32, #new> {graph.name = "y1"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}, tensor<?x2x?x4xf32, #state> {graph.state = "v"}, tensor<?x2x?x4xf32, #state> {graph.state = "kv"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %vw = graph.kv_write %v, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %kvw = graph.kv_write %kv, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %vw lengths %end {causal, from_length, scale = 0.5 : f64, window = 5 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  %z = graph.attention %new, %kvw, %kvw lengths %end {causal, from_length, scale = 0.5 : f64, window = 12 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %z, %total, %kw, %vw, %kvw : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>
}

// -----

// At most 4 new rows: there is room for 16 all the same, so that as many can be taken back. The cap of the scores stays.
#new = #graph.shape<[rows, seq] -> [rows, 2, seq, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[seq] -> [seq]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 4]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[seq] -> [seq]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths", ring = 21 : i64, window = 6 : i64}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x21x4xf32, #shape2> {graph.state = "k"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x21x4xf32, #shape2> {graph.state = "k"}) {
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x21x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x21x4xf32, #shape2>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[COUNTS]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<?x1x1x1xi64, #shape3>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[ADD_2]], %[[CONSTANT]] : (tensor<?x1x1x1xi64, #shape3>, tensor<i64>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x21xi64>
// CHECK-NEXT: %[[SUB_2:[^ ,:)]+]] = graph.binary sub %[[SUB]], %[[IOTA]] : (tensor<?x1x1x1xi64, #shape3>, tensor<1x1x1x21xi64>) -> tensor<?x1x1x21xi64, #shape4>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<21> : tensor<i64>
// CHECK-NEXT: %[[MOD:[^ ,:)]+]] = graph.binary mod %[[SUB_2]], %[[CONSTANT_2]] : (tensor<?x1x1x21xi64, #shape4>, tensor<i64>) -> tensor<?x1x1x21xi64, #shape4>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x?x1xi64, #shape5>
// CHECK-NEXT: %[[ADD_3:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[IOTA_2]] : (tensor<?x1x1x1xi64, #shape3>, tensor<1x1x?x1xi64, #shape5>) -> tensor<?x1x?x1xi64, #shape6>
// CHECK-NEXT: %[[SUB_3:[^ ,:)]+]] = graph.binary sub %[[ADD_3]], %[[SUB]] : (tensor<?x1x?x1xi64, #shape6>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x?x1xi64, #shape6>
// CHECK-NEXT: %[[ADD_4:[^ ,:)]+]] = graph.binary add %[[SUB_3]], %[[MOD]] : (tensor<?x1x?x1xi64, #shape6>, tensor<?x1x1x21xi64, #shape4>) -> tensor<?x1x?x21xi64, #shape7>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[GREATER_EQUAL:[^ ,:)]+]] = graph.compare greater_equal %[[ADD_4]], %[[CONSTANT_3]] : (tensor<?x1x?x21xi64, #shape7>, tensor<i64>) -> tensor<?x1x?x21xi1, #shape7>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<6> : tensor<i64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[ADD_4]], %[[CONSTANT_4]] : (tensor<?x1x?x21xi64, #shape7>, tensor<i64>) -> tensor<?x1x?x21xi1, #shape7>
// CHECK-NEXT: %[[LOGICAL_AND:[^ ,:)]+]] = graph.binary logical_and %[[GREATER_EQUAL]], %[[LESS]] : (tensor<?x1x?x21xi1, #shape7>, tensor<?x1x?x21xi1, #shape7>) -> tensor<?x1x?x21xi1, #shape7>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[MOD]], %[[SUB]] : (tensor<?x1x1x21xi64, #shape4>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x1x21xi1, #shape4>
// CHECK-NEXT: %[[LOGICAL_AND_2:[^ ,:)]+]] = graph.binary logical_and %[[LOGICAL_AND]], %[[LESS_EQUAL]] : (tensor<?x1x?x21xi1, #shape7>, tensor<?x1x1x21xi1, #shape4>) -> tensor<?x1x?x21xi1, #shape7>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LOGICAL_AND_2]], %[[CONSTANT_5]], %[[CONSTANT_6]] : (tensor<?x1x?x21xi1, #shape7>, tensor<f32>, tensor<f32>) -> tensor<?x1x?x21xf32, #shape7>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[ADD]], %[[CONSTANT_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] mask %[[SELECT]] lengths %[[MIN]] {mask_hides, scale = 5.000000e-01 : f64, softcap = 2.000000e+00 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x21x4xf32, #shape2>, tensor<?x2x21x4xf32, #shape2>, tensor<?x1x?x21xf32, #shape7>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x21x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64, softcap = 2.0 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}

// -----

// One layer with a window and one without: the second keeps all rows.
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
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape4, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths", ring = 21 : i64, window = 6 : i64}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x21x4xf32, #shape2> {graph.state = "k"},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape3> {graph.state = "all"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?x2x?x4xf32, #shape> {graph.name = "y1"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x21x4xf32, #shape2> {graph.state = "k"}, tensor<?x2x?x4xf32, #shape3> {graph.state = "all"}) {
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x21x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x21x4xf32, #shape2>
// CHECK-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape3>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape3>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape5>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[COUNTS]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape5>
// CHECK-NEXT: %[[ADD_3:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<?x1x1x1xi64, #shape5>, tensor<?x1x1x1xi64, #shape5>) -> tensor<?x1x1x1xi64, #shape5>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[ADD_3]], %[[CONSTANT]] : (tensor<?x1x1x1xi64, #shape5>, tensor<i64>) -> tensor<?x1x1x1xi64, #shape5>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x21xi64>
// CHECK-NEXT: %[[SUB_2:[^ ,:)]+]] = graph.binary sub %[[SUB]], %[[IOTA]] : (tensor<?x1x1x1xi64, #shape5>, tensor<1x1x1x21xi64>) -> tensor<?x1x1x21xi64, #shape6>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<21> : tensor<i64>
// CHECK-NEXT: %[[MOD:[^ ,:)]+]] = graph.binary mod %[[SUB_2]], %[[CONSTANT_2]] : (tensor<?x1x1x21xi64, #shape6>, tensor<i64>) -> tensor<?x1x1x21xi64, #shape6>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x?x1xi64, #shape7>
// CHECK-NEXT: %[[ADD_4:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[IOTA_2]] : (tensor<?x1x1x1xi64, #shape5>, tensor<1x1x?x1xi64, #shape7>) -> tensor<?x1x?x1xi64, #shape8>
// CHECK-NEXT: %[[SUB_3:[^ ,:)]+]] = graph.binary sub %[[ADD_4]], %[[SUB]] : (tensor<?x1x?x1xi64, #shape8>, tensor<?x1x1x1xi64, #shape5>) -> tensor<?x1x?x1xi64, #shape8>
// CHECK-NEXT: %[[ADD_5:[^ ,:)]+]] = graph.binary add %[[SUB_3]], %[[MOD]] : (tensor<?x1x?x1xi64, #shape8>, tensor<?x1x1x21xi64, #shape6>) -> tensor<?x1x?x21xi64, #shape9>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[GREATER_EQUAL:[^ ,:)]+]] = graph.compare greater_equal %[[ADD_5]], %[[CONSTANT_3]] : (tensor<?x1x?x21xi64, #shape9>, tensor<i64>) -> tensor<?x1x?x21xi1, #shape9>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<6> : tensor<i64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[ADD_5]], %[[CONSTANT_4]] : (tensor<?x1x?x21xi64, #shape9>, tensor<i64>) -> tensor<?x1x?x21xi1, #shape9>
// CHECK-NEXT: %[[LOGICAL_AND:[^ ,:)]+]] = graph.binary logical_and %[[GREATER_EQUAL]], %[[LESS]] : (tensor<?x1x?x21xi1, #shape9>, tensor<?x1x?x21xi1, #shape9>) -> tensor<?x1x?x21xi1, #shape9>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[MOD]], %[[SUB]] : (tensor<?x1x1x21xi64, #shape6>, tensor<?x1x1x1xi64, #shape5>) -> tensor<?x1x1x21xi1, #shape6>
// CHECK-NEXT: %[[LOGICAL_AND_2:[^ ,:)]+]] = graph.binary logical_and %[[LOGICAL_AND]], %[[LESS_EQUAL]] : (tensor<?x1x?x21xi1, #shape9>, tensor<?x1x1x21xi1, #shape6>) -> tensor<?x1x?x21xi1, #shape9>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LOGICAL_AND_2]], %[[CONSTANT_5]], %[[CONSTANT_6]] : (tensor<?x1x?x21xi1, #shape9>, tensor<f32>, tensor<f32>) -> tensor<?x1x?x21xf32, #shape9>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[ADD_2]], %[[CONSTANT_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] mask %[[SELECT]] lengths %[[MIN]] {mask_hides, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x21x4xf32, #shape2>, tensor<?x2x21x4xf32, #shape2>, tensor<?x1x?x21xf32, #shape9>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[ATTENTION_2:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE_2]], %[[KV_WRITE_2]] lengths %[[ADD]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape3>, tensor<?x2x?x4xf32, #shape3>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION]], %[[ATTENTION_2]], %[[ADD_2]], %[[KV_WRITE]], %[[KV_WRITE_2]] : tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x21x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape3>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"}, %all: tensor<?x2x?x4xf32, #state> {graph.state = "all"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?x2x?x4xf32, #new> {graph.name = "y1"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}, tensor<?x2x?x4xf32, #state> {graph.state = "all"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %allw = graph.kv_write %all, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  %z = graph.attention %new, %allw, %allw lengths %end {causal, from_length, scale = 0.5 : f64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %z, %total, %kw, %allw : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>
}

// -----

// Nothing reads the second cache, which keeps all rows: they may be read out of the session.
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
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[seq] -> [seq]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths", ring = 21 : i64, window = 6 : i64}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x21x4xf32, #shape2> {graph.state = "k"},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape3> {graph.state = "unread"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x21x4xf32, #shape2> {graph.state = "k"}, tensor<?x2x?x4xf32, #shape3> {graph.state = "unread"}) {
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x21x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x21x4xf32, #shape2>
// CHECK-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape3>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape3>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape4>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[COUNTS]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape4>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<?x1x1x1xi64, #shape4>, tensor<?x1x1x1xi64, #shape4>) -> tensor<?x1x1x1xi64, #shape4>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[ADD_2]], %[[CONSTANT]] : (tensor<?x1x1x1xi64, #shape4>, tensor<i64>) -> tensor<?x1x1x1xi64, #shape4>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x21xi64>
// CHECK-NEXT: %[[SUB_2:[^ ,:)]+]] = graph.binary sub %[[SUB]], %[[IOTA]] : (tensor<?x1x1x1xi64, #shape4>, tensor<1x1x1x21xi64>) -> tensor<?x1x1x21xi64, #shape5>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<21> : tensor<i64>
// CHECK-NEXT: %[[MOD:[^ ,:)]+]] = graph.binary mod %[[SUB_2]], %[[CONSTANT_2]] : (tensor<?x1x1x21xi64, #shape5>, tensor<i64>) -> tensor<?x1x1x21xi64, #shape5>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x?x1xi64, #shape6>
// CHECK-NEXT: %[[ADD_3:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[IOTA_2]] : (tensor<?x1x1x1xi64, #shape4>, tensor<1x1x?x1xi64, #shape6>) -> tensor<?x1x?x1xi64, #shape7>
// CHECK-NEXT: %[[SUB_3:[^ ,:)]+]] = graph.binary sub %[[ADD_3]], %[[SUB]] : (tensor<?x1x?x1xi64, #shape7>, tensor<?x1x1x1xi64, #shape4>) -> tensor<?x1x?x1xi64, #shape7>
// CHECK-NEXT: %[[ADD_4:[^ ,:)]+]] = graph.binary add %[[SUB_3]], %[[MOD]] : (tensor<?x1x?x1xi64, #shape7>, tensor<?x1x1x21xi64, #shape5>) -> tensor<?x1x?x21xi64, #shape8>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[GREATER_EQUAL:[^ ,:)]+]] = graph.compare greater_equal %[[ADD_4]], %[[CONSTANT_3]] : (tensor<?x1x?x21xi64, #shape8>, tensor<i64>) -> tensor<?x1x?x21xi1, #shape8>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<6> : tensor<i64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[ADD_4]], %[[CONSTANT_4]] : (tensor<?x1x?x21xi64, #shape8>, tensor<i64>) -> tensor<?x1x?x21xi1, #shape8>
// CHECK-NEXT: %[[LOGICAL_AND:[^ ,:)]+]] = graph.binary logical_and %[[GREATER_EQUAL]], %[[LESS]] : (tensor<?x1x?x21xi1, #shape8>, tensor<?x1x?x21xi1, #shape8>) -> tensor<?x1x?x21xi1, #shape8>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[MOD]], %[[SUB]] : (tensor<?x1x1x21xi64, #shape5>, tensor<?x1x1x1xi64, #shape4>) -> tensor<?x1x1x21xi1, #shape5>
// CHECK-NEXT: %[[LOGICAL_AND_2:[^ ,:)]+]] = graph.binary logical_and %[[LOGICAL_AND]], %[[LESS_EQUAL]] : (tensor<?x1x?x21xi1, #shape8>, tensor<?x1x1x21xi1, #shape5>) -> tensor<?x1x?x21xi1, #shape8>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LOGICAL_AND_2]], %[[CONSTANT_5]], %[[CONSTANT_6]] : (tensor<?x1x?x21xi1, #shape8>, tensor<f32>, tensor<f32>) -> tensor<?x1x?x21xf32, #shape8>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[ADD]], %[[CONSTANT_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] mask %[[SELECT]] lengths %[[MIN]] {mask_hides, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x21x4xf32, #shape2>, tensor<?x2x21x4xf32, #shape2>, tensor<?x1x?x21xf32, #shape8>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD]], %[[KV_WRITE]], %[[KV_WRITE_2]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x21x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape3>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"}, %unread: tensor<?x2x?x4xf32, #state> {graph.state = "unread"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}, tensor<?x2x?x4xf32, #state> {graph.state = "unread"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %unreadw = graph.kv_write %unread, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #new>
  return %y, %total, %kw, %unreadw : tensor<?x2x?x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>
}

// -----

// One new row at a time: the ring has as many rows as the window has keys.
#new = #graph.shape<[rows] -> [rows, 2, 1, 4]>
#state = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 4]>
#row = #graph.shape<[rows] -> [rows]>
#seq = #graph.shape<[] -> [1]>
#capacity = #graph.shape<[capacity] -> [capacity]>

graph.symbol @rows in [1, 4]
graph.symbol @capacity in [1, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x1x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[] -> [1]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths", ring = 6 : i64, window = 6 : i64}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x6x4xf32, #shape2> {graph.state = "k"}
// CHECK-SAME: ) -> (tensor<?x2x1x4xf32, #shape> {graph.name = "y0"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x6x4xf32, #shape2> {graph.state = "k"}) {
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 {ring} : (tensor<?x2x6x4xf32, #shape2>, tensor<?x2x1x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x6x4xf32, #shape2>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[COUNTS]] : (tensor<?xi64, #shape1>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<?x1x1x1xi64, #shape3>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[ADD_2]], %[[CONSTANT]] : (tensor<?x1x1x1xi64, #shape3>, tensor<i64>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x6xi64>
// CHECK-NEXT: %[[SUB_2:[^ ,:)]+]] = graph.binary sub %[[SUB]], %[[IOTA]] : (tensor<?x1x1x1xi64, #shape3>, tensor<1x1x1x6xi64>) -> tensor<?x1x1x6xi64, #shape4>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<6> : tensor<i64>
// CHECK-NEXT: %[[MOD:[^ ,:)]+]] = graph.binary mod %[[SUB_2]], %[[CONSTANT_2]] : (tensor<?x1x1x6xi64, #shape4>, tensor<i64>) -> tensor<?x1x1x6xi64, #shape4>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[ADD_3:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[IOTA_2]] : (tensor<?x1x1x1xi64, #shape3>, tensor<1x1x1x1xi64>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[SUB_3:[^ ,:)]+]] = graph.binary sub %[[ADD_3]], %[[SUB]] : (tensor<?x1x1x1xi64, #shape3>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x1x1xi64, #shape3>
// CHECK-NEXT: %[[ADD_4:[^ ,:)]+]] = graph.binary add %[[SUB_3]], %[[MOD]] : (tensor<?x1x1x1xi64, #shape3>, tensor<?x1x1x6xi64, #shape4>) -> tensor<?x1x1x6xi64, #shape4>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[GREATER_EQUAL:[^ ,:)]+]] = graph.compare greater_equal %[[ADD_4]], %[[CONSTANT_3]] : (tensor<?x1x1x6xi64, #shape4>, tensor<i64>) -> tensor<?x1x1x6xi1, #shape4>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[ADD_4]], %[[CONSTANT_2]] : (tensor<?x1x1x6xi64, #shape4>, tensor<i64>) -> tensor<?x1x1x6xi1, #shape4>
// CHECK-NEXT: %[[LOGICAL_AND:[^ ,:)]+]] = graph.binary logical_and %[[GREATER_EQUAL]], %[[LESS]] : (tensor<?x1x1x6xi1, #shape4>, tensor<?x1x1x6xi1, #shape4>) -> tensor<?x1x1x6xi1, #shape4>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[MOD]], %[[SUB]] : (tensor<?x1x1x6xi64, #shape4>, tensor<?x1x1x1xi64, #shape3>) -> tensor<?x1x1x6xi1, #shape4>
// CHECK-NEXT: %[[LOGICAL_AND_2:[^ ,:)]+]] = graph.binary logical_and %[[LOGICAL_AND]], %[[LESS_EQUAL]] : (tensor<?x1x1x6xi1, #shape4>, tensor<?x1x1x6xi1, #shape4>) -> tensor<?x1x1x6xi1, #shape4>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LOGICAL_AND_2]], %[[CONSTANT_4]], %[[CONSTANT_5]] : (tensor<?x1x1x6xi1, #shape4>, tensor<f32>, tensor<f32>) -> tensor<?x1x1x6xf32, #shape4>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[ADD]], %[[CONSTANT_2]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] mask %[[SELECT]] lengths %[[MIN]] {mask_hides, scale = 5.000000e-01 : f64} : (tensor<?x2x1x4xf32, #shape>, tensor<?x2x6x4xf32, #shape2>, tensor<?x2x6x4xf32, #shape2>, tensor<?x1x1x6xf32, #shape4>, tensor<?xi64, #shape1>) -> tensor<?x2x1x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD]], %[[KV_WRITE]] : tensor<?x2x1x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x6x4xf32, #shape2>
func.func @main(%new: tensor<?x2x1x4xf32, #new> {graph.name = "new"}, %counts: tensor<?xi64, #row> {graph.counts = {added = #seq, capacity = #capacity, lengths = "lengths"}, graph.name = "counts"}, %lengths: tensor<?xi64, #row> {graph.state = "lengths"}, %k: tensor<?x2x?x4xf32, #state> {graph.state = "k"})
    -> (tensor<?x2x1x4xf32, #new> {graph.name = "y0"}, tensor<?xi64, #row> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #state> {graph.state = "k"}) {
  %n = graph.dims #seq : tensor<i64>
  %end = graph.binary add %lengths, %n : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %total = graph.binary add %lengths, %counts : (tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?xi64, #row>
  %kw = graph.kv_write %k, %new starts %lengths counts %counts axis 2 : (tensor<?x2x?x4xf32, #state>, tensor<?x2x1x4xf32, #new>, tensor<?xi64, #row>, tensor<?xi64, #row>) -> tensor<?x2x?x4xf32, #state>
  %y = graph.attention %new, %kw, %kw lengths %end {causal, from_length, scale = 0.5 : f64, window = 6 : i64} : (tensor<?x2x1x4xf32, #new>, tensor<?x2x?x4xf32, #state>, tensor<?x2x?x4xf32, #state>, tensor<?xi64, #row>) -> tensor<?x2x1x4xf32, #new>
  return %y, %total, %kw : tensor<?x2x1x4xf32, #new>, tensor<?xi64, #row>, tensor<?x2x?x4xf32, #state>
}
