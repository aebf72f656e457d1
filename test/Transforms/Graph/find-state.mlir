// RUN: kiln-opt %s --split-input-file --kiln-find-state | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Pasts and presents are found by their names, and inputs that follow from the length are computed.

#ids = #graph.shape<[batch, seq] -> [batch, seq]>
#mask = #graph.shape<[batch, total] -> [batch, total]>
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @total in [1, 64]
graph.symbol @past in [0, 64]

// The mask's length is that of past and new rows; positions count on from the past.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[PAST_KEY_VALUES_0_KEY:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape1> {graph.name = "past_key_values.0.key", graph.past = "past_key_values.0.key"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape2> {graph.name = "present.0.key", graph.past = "past_key_values.0.key"}, tensor<?x?xi64, #shape3> {graph.name = "ids"}, tensor<?x?xi64, #shape4> {graph.name = "m"}) {
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 1 : i64 : tensor<?x?xi64, #shape4>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape5 : tensor<i64>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[DIMS]] : (tensor<i64>) -> tensor<?x?xi64, #shape3>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 1 : tensor<?x?xi64, #shape3>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[BROADCAST]], %[[IOTA]] : (tensor<?x?xi64, #shape3>, tensor<?x?xi64, #shape3>) -> tensor<?x?xi64, #shape3>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[PAST_KEY_VALUES_0_KEY]], %[[NEW]] axis 2 : (tensor<?x2x?x4xf32, #shape1>, tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: return %[[CONCAT]], %[[ADD]], %[[FILL]] : tensor<?x2x?x4xf32, #shape2>, tensor<?x?xi64, #shape3>, tensor<?x?xi64, #shape4>
func.func @main(%mask: tensor<?x?xi64, #mask> {graph.name = "attention_mask"}, %ids: tensor<?x?xi64, #ids> {graph.name = "position_ids"}, %new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_key_values.0.key"})
    -> (tensor<?x2x?x4xf32, #present> {graph.name = "present.0.key"}, tensor<?x?xi64, #ids> {graph.name = "ids"}, tensor<?x?xi64, #mask> {graph.name = "m"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  return %0, %ids, %mask : tensor<?x2x?x4xf32, #present>, tensor<?x?xi64, #ids>, tensor<?x?xi64, #mask>
}

// -----

// Lengths as GroupQueryAttention takes them.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch] -> [batch, 2, 1, 4]>
#present = #graph.shape<[batch, past] -> [batch, 2, past + 1, 4]>
#row = #graph.shape<[batch] -> [batch]>

graph.symbol @batch in [1, 4]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x1x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[PAST_0:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape1> {graph.name = "past_0", graph.past = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape2> {graph.name = "present_0", graph.past = "past_0"}, tensor<?xi32, #shape3> {graph.name = "a"}, tensor<i32> {graph.name = "b"}, tensor<1xi64> {graph.name = "c"}) {
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[DIMS]] : (tensor<i64>) -> tensor<i32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[CAST]] : (tensor<i32>) -> tensor<?xi32, #shape3>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape5 : tensor<i64>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[DIMS_2]] : (tensor<i64>) -> tensor<i32>
// CHECK-NEXT: %[[DIMS_3:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = graph.broadcast %[[DIMS_3]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[PAST_0]], %[[NEW]] axis 2 : (tensor<?x2x?x4xf32, #shape1>, tensor<?x2x1x4xf32, #shape>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: return %[[CONCAT]], %[[BROADCAST]], %[[CAST_2]], %[[BROADCAST_2]] : tensor<?x2x?x4xf32, #shape2>, tensor<?xi32, #shape3>, tensor<i32>, tensor<1xi64>
func.func @main(%k: tensor<?xi32, #row> {graph.name = "seqlens_k"}, %t: tensor<i32> {graph.name = "total_sequence_length"}, %p: tensor<1xi64> {graph.name = "past_sequence_length"}, %new: tensor<?x2x1x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0"})
    -> (tensor<?x2x?x4xf32, #present> {graph.name = "present_0"}, tensor<?xi32, #row> {graph.name = "a"}, tensor<i32> {graph.name = "b"}, tensor<1xi64> {graph.name = "c"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x1x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  return %0, %k, %t, %p : tensor<?x2x?x4xf32, #present>, tensor<?xi32, #row>, tensor<i32>, tensor<1xi64>
}

// -----

// Not: other names, and a present that is as long as its past.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#ids = #graph.shape<[batch] -> [batch, 1]>

graph.symbol @batch in [1, 4]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[POSITION_IDS:[^ ,:)]+]]: tensor<?x1xi64, #shape> {graph.name = "position_ids"},
// CHECK-SAME: %[[CACHE:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape1> {graph.name = "cache"},
// CHECK-SAME: %[[PAST_0:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape1> {graph.name = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape1> {graph.name = "present_0"}, tensor<?x2x?x4xf32, #shape1> {graph.name = "new_cache"}, tensor<?x1xi64, #shape> {graph.name = "ids"}) {
// CHECK-NEXT: return %[[PAST_0]], %[[CACHE]], %[[POSITION_IDS]] : tensor<?x2x?x4xf32, #shape1>, tensor<?x2x?x4xf32, #shape1>, tensor<?x1xi64, #shape>
func.func @main(%ids: tensor<?x1xi64, #ids> {graph.name = "position_ids"}, %a: tensor<?x2x?x4xf32, #past> {graph.name = "cache"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0"})
    -> (tensor<?x2x?x4xf32, #past> {graph.name = "present_0"}, tensor<?x2x?x4xf32, #past> {graph.name = "new_cache"}, tensor<?x1xi64, #ids> {graph.name = "ids"}) {
  return %past, %a, %ids : tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #past>, tensor<?x1xi64, #ids>
}

// -----

// A cache that the model writes in place, whatever its name: where it is written and how much of it counts follow from the length.
#row = #graph.shape<[batch] -> [batch]>
#past = #graph.shape<[batch, past] -> [batch, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, past + seq, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[K:[^ ,:)]+]]: tensor<?x?x4xf32, #shape1> {graph.name = "k", graph.past = "k"}
// CHECK-SAME: ) -> (tensor<?x?x4xf32, #shape2> {graph.name = "after", graph.past = "k"}, tensor<?xi64, #shape3> {graph.name = "a"}, tensor<?xi64, #shape3> {graph.name = "u"}) {
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape4 : tensor<i64>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[DIMS]] : (tensor<i64>) -> tensor<?xi64, #shape3>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape5 : tensor<i64>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = graph.broadcast %[[DIMS_2]] : (tensor<i64>) -> tensor<?xi64, #shape3>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[K]], %[[NEW]] axis 1 : (tensor<?x?x4xf32, #shape1>, tensor<?x?x4xf32, #shape>) -> tensor<?x?x4xf32, #shape2>
// CHECK-NEXT: return %[[CONCAT]], %[[BROADCAST]], %[[BROADCAST_2]] : tensor<?x?x4xf32, #shape2>, tensor<?xi64, #shape3>, tensor<?xi64, #shape3>
func.func @main(%new: tensor<?x?x4xf32, #new> {graph.name = "new"}, %k: tensor<?x?x4xf32, #past> {graph.name = "k", graph.cache = "cache"}, %at: tensor<?xi64, #row> {graph.name = "at", graph.cache = "past"}, %until: tensor<?xi64, #row> {graph.name = "until", graph.cache = "total"})
    -> (tensor<?x?x4xf32, #present> {graph.name = "after"}, tensor<?xi64, #row> {graph.name = "a"}, tensor<?xi64, #row> {graph.name = "u"}) {
  %0 = graph.concat %k, %new axis 1 : (tensor<?x?x4xf32, #past>, tensor<?x?x4xf32, #new>) -> tensor<?x?x4xf32, #present>
  return %0, %at, %until : tensor<?x?x4xf32, #present>, tensor<?xi64, #row>, tensor<?xi64, #row>
}

// -----

// Beside an encoder nothing is found by name.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ENCODER_HIDDEN_STATES:[^ ,:)]+]]: tensor<4xf32> {graph.name = "encoder_hidden_states"},
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[PAST_KEY_VALUES_0_DECODER_KEY:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape1> {graph.name = "past_key_values.0.decoder.key"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape2> {graph.name = "present.0.decoder.key"}, tensor<4xf32> {graph.name = "s"}) {
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[PAST_KEY_VALUES_0_DECODER_KEY]], %[[NEW]] axis 2 : (tensor<?x2x?x4xf32, #shape1>, tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: return %[[CONCAT]], %[[ENCODER_HIDDEN_STATES]] : tensor<?x2x?x4xf32, #shape2>, tensor<4xf32>
func.func @main(%states: tensor<4xf32> {graph.name = "encoder_hidden_states"}, %new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_key_values.0.decoder.key"})
    -> (tensor<?x2x?x4xf32, #present> {graph.name = "present.0.decoder.key"}, tensor<4xf32> {graph.name = "s"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  return %0, %states : tensor<?x2x?x4xf32, #present>, tensor<4xf32>
}

// -----

// Positions that nobody reads, as beside biases by distance.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]
#ids = #graph.shape<[rows, count] -> [rows, count]>
graph.symbol @rows in [1, 4]
graph.symbol @count in [1, 16]

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[NEW:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape> {graph.name = "new"},
// CHECK-SAME: %[[PAST_0:[^ ,:)]+]]: tensor<?x2x?x4xf32, #shape1> {graph.name = "past_0", graph.past = "past_0"}
// CHECK-SAME: ) -> (tensor<?x2x?x4xf32, #shape2> {graph.name = "present_0", graph.past = "past_0"}) {
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[PAST_0]], %[[NEW]] axis 2 : (tensor<?x2x?x4xf32, #shape1>, tensor<?x2x?x4xf32, #shape>) -> tensor<?x2x?x4xf32, #shape2>
// CHECK-NEXT: return %[[CONCAT]] : tensor<?x2x?x4xf32, #shape2>
func.func @main(%ids: tensor<?x?xi64, #ids> {graph.name = "position_ids"}, %new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0"})
    -> (tensor<?x2x?x4xf32, #present> {graph.name = "present_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  return %0 : tensor<?x2x?x4xf32, #present>
}

// -----

// A mask without a name is no mask of the past.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#mask = #graph.shape<[batch, total] -> [batch, total]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]
graph.symbol @total in [1, 80]

func.func @main(%mask: tensor<?x?xi64, #mask>, %new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0"})
    -> (tensor<?x2x?x4xf32, #present> {graph.name = "present_0"}, tensor<?x?xi64, #mask> {graph.name = "m"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  return %0, %mask : tensor<?x2x?x4xf32, #present>, tensor<?x?xi64, #mask>
}
