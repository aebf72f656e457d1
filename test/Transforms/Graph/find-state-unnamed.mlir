// RUN: kiln-opt %s --split-input-file --kiln-find-state --verify-diagnostics
// A cache that has no name is refused, whether its rows are an output or not; positions of a type without arithmetic stay an input.

#past = #graph.shape<[past] -> [2, past, 4]>
#new = #graph.shape<[seq] -> [2, seq, 4]>
#present = #graph.shape<[past, seq] -> [2, past + seq, 4]>
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]
// expected-error @+1 {{a cache has no name; expected graph.name, found none}}
func.func @main(%new: tensor<2x?x4xf32, #new> {graph.name = "new"}, %k: tensor<2x?x4xf32, #past> {graph.cache = "cache"})
    -> (tensor<2x?x4xf32, #present> {graph.name = "after"}) {
  %0 = graph.concat %k, %new axis 1 : (tensor<2x?x4xf32, #past>, tensor<2x?x4xf32, #new>) -> tensor<2x?x4xf32, #present>
  return %0 : tensor<2x?x4xf32, #present>
}

// -----

graph.symbol @past in [0, 64]
// expected-error @+1 {{a cache has no name; expected graph.name, found none}}
func.func @main(%k: tensor<2x?x4xf32, #graph.shape<[past] -> [2, past, 4]>> {graph.cache = "cache"}) {
  return
}

// -----

#past = #graph.shape<[past] -> [2, past, 4]>
#new = #graph.shape<[seq] -> [2, seq, 4]>
#present = #graph.shape<[past, seq] -> [2, past + seq, 4]>
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]
func.func @main(%ids: tensor<?xi2, #graph.shape<[seq] -> [seq]>> {graph.name = "position_ids"}, %new: tensor<2x?x4xf32, #new> {graph.name = "new"}, %k: tensor<2x?x4xf32, #past> {graph.name = "past_key_values.0.key"})
    -> (tensor<2x?x4xf32, #present> {graph.name = "present.0.key"}, tensor<?xi2, #graph.shape<[seq] -> [seq]>> {graph.name = "ids"}) {
  %0 = graph.concat %k, %new axis 1 : (tensor<2x?x4xf32, #past>, tensor<2x?x4xf32, #new>) -> tensor<2x?x4xf32, #present>
  return %0, %ids : tensor<2x?x4xf32, #present>, tensor<?xi2, #graph.shape<[seq] -> [seq]>>
}
