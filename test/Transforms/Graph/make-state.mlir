// RUN: kiln-opt %s --split-input-file --kiln-make-state --kiln-simplify-graph --cse --kiln-verify-graph | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Pasts and presents become state, and what is computed from the past's length is computed per sequence.

// Causal attention over past and new rows: each sequence sees its own length.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape3, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}) {
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape3 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] lengths %[[ADD]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape2>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD_2]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.attention %new, %0, %0 {causal, scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  return %1, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// One query sees all rows: those that count. A bias of positions is computed for all rows of the state.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch] -> [batch, 2, 1, 4]>
#present = #graph.shape<[batch, past] -> [batch, 2, past + 1, 4]>
#row = #graph.shape<[past] -> [past + 1]>
#length = #graph.shape<[past] -> [past]>
#bias = #graph.shape<[past] -> [1, 1, 1, past + 1]>

graph.symbol @batch in [1, 4]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x1x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #graph.shape<[] -> [1]>, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x1x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}) {
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x1x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 1 : tensor<1x?xf32, #shape3>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<?xi64, #shape1>) -> tensor<?xf32, #shape1>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CAST]] : (tensor<?xf32, #shape1>) -> tensor<?x1xf32, #shape4>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[IOTA]], %[[RESHAPE]] : (tensor<1x?xf32, #shape3>, tensor<?x1xf32, #shape4>) -> tensor<?x?xf32, #shape5>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[SUB]] : (tensor<?x?xf32, #shape5>) -> tensor<?x1x1x?xf32, #shape6>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] mask %[[RESHAPE_2]] lengths %[[ADD]] {scale = 5.000000e-01 : f64} : (tensor<?x2x1x4xf32, #shape>, tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape2>, tensor<?x1x1x?xf32, #shape6>, tensor<?xi64, #shape1>) -> tensor<?x2x1x4xf32, #shape>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD]], %[[KV_WRITE]] : tensor<?x2x1x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x1x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x1x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x1x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.iota axis 0 : tensor<?xf32, #row>
  %2 = graph.dims #length : tensor<i64>
  %3 = graph.cast %2 : (tensor<i64>) -> tensor<f32>
  %4 = graph.binary sub %1, %3 : (tensor<?xf32, #row>, tensor<f32>) -> tensor<?xf32, #row>
  %5 = graph.reshape %4 : (tensor<?xf32, #row>) -> tensor<1x1x1x?xf32, #bias>
  %6 = graph.attention %new, %0, %0 mask %5 {scale = 0.5} : (tensor<?x2x1x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>, tensor<1x1x1x?xf32, #bias>) -> tensor<?x2x1x4xf32, #new>
  return %6, %0 : tensor<?x2x1x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// Keys and values in one tensor, rows of a table of positions by a slice and by a gather, which limits the capacity.
#past = #graph.shape<[batch, past] -> [2, batch, 2, past, 4]>
#part = #graph.shape<[batch, past] -> [1, batch, 2, past, 4]>
#flat = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#one = #graph.shape<[batch, past, seq] -> [1, batch, 2, past + seq, 4]>
#both = #graph.shape<[batch, past, seq] -> [2, batch, 2, past + seq, 4]>
#row = #graph.shape<[seq] -> [seq]>
#length = #graph.shape<[past] -> [past]>
#rows = #graph.shape<[seq] -> [seq, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[TABLE:[^ ,:)]+]]: tensor<40x4xf32> {graph.name = "table"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape3, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0.key"},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0.value"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0.key"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0.value"}) {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape3>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[IOTA]] : (tensor<?xi64, #shape3>) -> tensor<1x?xi64, #shape4>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<?xi64, #shape1>) -> tensor<?x1xi64, #shape5>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<1x?xi64, #shape4>, tensor<?x1xi64, #shape5>) -> tensor<?x?xi64, #shape6>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<39> : tensor<1x1xi64>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.binary min %[[ADD]], %[[CONSTANT]] : (tensor<?x?xi64, #shape6>, tensor<1x1xi64>) -> tensor<?x?xi64, #shape6>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<0> : tensor<1x1xi64>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.binary max %[[MIN]], %[[CONSTANT_2]] : (tensor<?x?xi64, #shape6>, tensor<1x1xi64>) -> tensor<?x?xi64, #shape6>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[TABLE]], %[[MAX]] axis 0 : (tensor<40x4xf32>, tensor<?x?xi64, #shape6>) -> tensor<?x?x4xf32, #shape7>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 1 : tensor<1x?xi64, #shape4>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[RESHAPE_2]], %[[IOTA_2]] : (tensor<?x1xi64, #shape5>, tensor<1x?xi64, #shape4>) -> tensor<?x?xi64, #shape6>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<39> : tensor<i64>
// CHECK-NEXT: %[[MIN_2:[^ ,:)]+]] = graph.binary min %[[ADD_2]], %[[CONSTANT_3]] : (tensor<?x?xi64, #shape6>, tensor<i64>) -> tensor<?x?xi64, #shape6>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.binary max %[[MIN_2]], %[[CONSTANT_4]] : (tensor<?x?xi64, #shape6>, tensor<i64>) -> tensor<?x?xi64, #shape6>
// CHECK-NEXT: %[[GATHER_2:[^ ,:)]+]] = graph.gather %[[TABLE]], %[[MAX_2]] axis 0 : (tensor<40x4xf32>, tensor<?x?xi64, #shape6>) -> tensor<?x?x4xf32, #shape7>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[GATHER]] : (tensor<?x?x4xf32, #shape7>) -> tensor<?x1x?x4xf32, #shape8>
// CHECK-NEXT: %[[ADD_3:[^ ,:)]+]] = graph.binary add %[[NEW]], %[[RESHAPE_3]] : (tensor<?x2x?x4xf32, #shape>, tensor<?x1x?x4xf32, #shape8>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[GATHER_2]] : (tensor<?x?x4xf32, #shape7>) -> tensor<?x1x?x4xf32, #shape8>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[NEW]], %[[RESHAPE_4]] : (tensor<?x2x?x4xf32, #shape>, tensor<?x1x?x4xf32, #shape8>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[ADD_3]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[KV_WRITE_2:[^ ,:)]+]] = graph.kv_write %[[ARG_3]], %[[MUL]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape3 : tensor<i64>
// CHECK-NEXT: %[[ADD_4:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE_2]] lengths %[[ADD_4]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape2>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[ADD_5:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD_5]], %[[KV_WRITE]], %[[KV_WRITE_2]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %table: tensor<40x4xf32> {graph.name = "table"}, %past: tensor<2x?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<2x?x2x?x4xf32, #both> {graph.name = "present_0", graph.past = "past_0"}) {
  %k = graph.slice %past starts #graph.shape<[] -> [0, 0, 0, 0, 0]> steps [1, 1, 1, 1, 1] : (tensor<2x?x2x?x4xf32, #past>) -> tensor<1x?x2x?x4xf32, #part>
  %k0 = graph.reshape %k : (tensor<1x?x2x?x4xf32, #part>) -> tensor<?x2x?x4xf32, #flat>
  %v = graph.slice %past starts #graph.shape<[] -> [1, 0, 0, 0, 0]> steps [1, 1, 1, 1, 1] : (tensor<2x?x2x?x4xf32, #past>) -> tensor<1x?x2x?x4xf32, #part>
  %v0 = graph.reshape %v : (tensor<1x?x2x?x4xf32, #part>) -> tensor<?x2x?x4xf32, #flat>
  %i = graph.iota axis 0 : tensor<?xi64, #row>
  %p = graph.dims #length : tensor<i64>
  %ip = graph.binary add %i, %p : (tensor<?xi64, #row>, tensor<i64>) -> tensor<?xi64, #row>
  %g = graph.gather %table, %ip axis 0 : (tensor<40x4xf32>, tensor<?xi64, #row>) -> tensor<?x4xf32, #rows>
  %s = graph.slice %table starts #graph.shape<[past] -> [past, 0]> steps [1, 1] : (tensor<40x4xf32>) -> tensor<?x4xf32, #rows>
  %kn = graph.binary add %new, %g : (tensor<?x2x?x4xf32, #new>, tensor<?x4xf32, #rows>) -> tensor<?x2x?x4xf32, #new>
  %vn = graph.binary mul %new, %s : (tensor<?x2x?x4xf32, #new>, tensor<?x4xf32, #rows>) -> tensor<?x2x?x4xf32, #new>
  %k1 = graph.concat %k0, %kn axis 2 : (tensor<?x2x?x4xf32, #flat>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %v1 = graph.concat %v0, %vn axis 2 : (tensor<?x2x?x4xf32, #flat>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %k2 = graph.reshape %k1 : (tensor<?x2x?x4xf32, #present>) -> tensor<1x?x2x?x4xf32, #one>
  %v2 = graph.reshape %v1 : (tensor<?x2x?x4xf32, #present>) -> tensor<1x?x2x?x4xf32, #one>
  %b = graph.concat %k2, %v2 axis 0 : (tensor<1x?x2x?x4xf32, #one>, tensor<1x?x2x?x4xf32, #one>) -> tensor<2x?x2x?x4xf32, #both>
  %y = graph.attention %new, %k1, %v1 {causal, scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  return %y, %b : tensor<?x2x?x4xf32, #new>, tensor<2x?x2x?x4xf32, #both>
}

// -----

// Not: no past was found.
#ids = #graph.shape<[batch] -> [batch, 3]>

graph.symbol @batch in [1, 4]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[PAST_0:[^ ,:)]+]]: tensor<?x3xf32, #shape> {graph.name = "past_0"}
// CHECK-SAME: ) -> (tensor<?x3xf32, #shape> {graph.name = "present_0"}) {
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[PAST_0]] : (tensor<?x3xf32, #shape>) -> tensor<?x3xf32, #shape>
// CHECK-NEXT: return %[[RELU]] : tensor<?x3xf32, #shape>
func.func @main(%x: tensor<?x3xf32, #ids> {graph.name = "past_0"}) -> (tensor<?x3xf32, #ids> {graph.name = "present_0"}) {
  %0 = graph.unary relu %x : (tensor<?x3xf32, #ids>) -> tensor<?x3xf32, #ids>
  return %0 : tensor<?x3xf32, #ids>
}

// -----

// A length that is compared with a number is that of the rows that count, for each sequence by itself; one that is compared with
// positions counts all new rows.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#total = #graph.shape<[past, seq] -> [past + seq]>
#places = #graph.shape<[seq] -> [seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape3, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xf32, #shape2> {graph.state = "past_0"}) {
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape3 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[NEW]], %[[KV_WRITE]], %[[KV_WRITE]] lengths %[[ADD]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape2>, tensor<?x2x?x4xf32, #shape2>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<12> : tensor<1xi64>
// CHECK-NEXT: %[[GREATER:[^ ,:)]+]] = graph.compare greater %[[ADD_2]], %[[CONSTANT]] : (tensor<?xi64, #shape1>, tensor<1xi64>) -> tensor<?xi1, #shape1>
// CHECK-NEXT: %[[NEG:[^ ,:)]+]] = graph.unary neg %[[ATTENTION]] : (tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[GREATER]] : (tensor<?xi1, #shape1>) -> tensor<?x1x1x1xi1, #shape4>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[RESHAPE]], %[[NEG]], %[[ATTENTION]] : (tensor<?x1x1x1xi1, #shape4>, tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<?xi64, #shape3>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[IOTA]] : (tensor<?xi64, #shape3>) -> tensor<1x?xi64, #shape5>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[ADD]] : (tensor<?xi64, #shape1>) -> tensor<?x1xi64, #shape6>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[RESHAPE_2]], %[[RESHAPE_3]] : (tensor<1x?xi64, #shape5>, tensor<?x1xi64, #shape6>) -> tensor<?x?xi1, #shape7>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[LESS]] : (tensor<?x?xi1, #shape7>) -> tensor<?x1x?x1xi1, #shape8>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_4]], %[[SELECT]], %[[NEG]] : (tensor<?x1x?x1xi1, #shape8>, tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: return %[[SELECT_2]], %[[ADD_2]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.attention %new, %0, %0 {causal, scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  %2 = graph.dims #total : tensor<i64>
  %3 = graph.constant dense<12> : tensor<i64>
  %4 = graph.compare greater %2, %3 : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %5 = graph.unary neg %1 : (tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #new>
  %6 = graph.select %4, %5, %1 : (tensor<i1>, tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #new>
  %7 = graph.iota axis 0 : tensor<?xi64, #places>
  %8 = graph.compare less %7, %2 : (tensor<?xi64, #places>, tensor<i64>) -> tensor<?xi1, #places>
  %9 = graph.reshape %8 : (tensor<?xi1, #places>) -> tensor<?x1xi1, #graph.shape<[seq] -> [seq, 1]>>
  %10 = graph.select %9, %6, %5 : (tensor<?x1xi1, #graph.shape<[seq] -> [seq, 1]>>, tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #new>
  return %10, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// A cache that nothing reads is written all the same.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>

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
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[NEW]], %[[ADD]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xf32, #shape2>
func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  return %new, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// Codes with a scale for each key: a scale per row of the state.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#keys = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[Q:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "q"},
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xi8, #shape> {graph.name = "new"},
// CHECK-SAME: %[[COUNTS:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.counts = {added = #shape4, capacity = #graph.shape<[capacity] -> [capacity]>, lengths = "lengths"}, graph.name = "counts"},
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<?xi64, #shape1> {graph.state = "lengths"},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<?x2x?x4xi8, #shape2> {graph.state = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape> {graph.name = "y"}, tensor<?xi64, #shape1> {graph.state = "lengths"}, tensor<?x2x?x4xi8, #shape2> {graph.state = "past_0"}) {
// CHECK-NEXT: %[[KV_WRITE:[^ ,:)]+]] = graph.kv_write %[[ARG_2]], %[[NEW]] starts %[[ARG]] counts %[[COUNTS]] axis 2 : (tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape>, tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?x2x?x4xi8, #shape2>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 5.000000e-01 : f32 : tensor<1x1x2x?xf32, #shape3>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[DIMS]] : (tensor<?xi64, #shape1>, tensor<i64>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[FILL]] : (tensor<1x1x2x?xf32, #shape3>) -> tensor<?x1x2x?xf32, #shape5>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[BROADCAST]] : (tensor<?x1x2x?xf32, #shape5>) -> tensor<?x2x?xf32, #shape6>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[Q]], %[[KV_WRITE]], %[[KV_WRITE]] lengths %[[ADD]] scales %[[RESHAPE]], %[[RESHAPE]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<?x2x?x4xf32, #shape>, tensor<?x2x?x4xi8, #shape2>, tensor<?x2x?x4xi8, #shape2>, tensor<?xi64, #shape1>, tensor<?x2x?xf32, #shape6>, tensor<?x2x?xf32, #shape6>) -> tensor<?x2x?x4xf32, #shape>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[COUNTS]] : (tensor<?xi64, #shape1>, tensor<?xi64, #shape1>) -> tensor<?xi64, #shape1>
// CHECK-NEXT: return %[[ATTENTION]], %[[ADD_2]], %[[KV_WRITE]] : tensor<?x2x?x4xf32, #shape>, tensor<?xi64, #shape1>, tensor<?x2x?x4xi8, #shape2>
func.func @main(%q: tensor<?x2x?x4xf32, #new> {graph.name = "q"}, %new: tensor<?x2x?x4xi8, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xi8, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xi8, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xi8, #past>, tensor<?x2x?x4xi8, #new>) -> tensor<?x2x?x4xi8, #present>
  %s = graph.fill 0.5 : f32 : tensor<?x2x?xf32, #keys>
  %1 = graph.attention %q, %0, %0 scales %s, %s {causal, scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xi8, #present>, tensor<?x2x?x4xi8, #present>, tensor<?x2x?xf32, #keys>, tensor<?x2x?xf32, #keys>) -> tensor<?x2x?x4xf32, #new>
  return %1, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xi8, #present>
}
