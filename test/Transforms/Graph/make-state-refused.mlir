// RUN: kiln-opt %s --split-input-file --kiln-make-state --verify-diagnostics -o /dev/null
// What depends on the past's length in another way than positions do.

// A reduction of past and new rows.
#past = #graph.shape<[batch, past] -> [batch, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, past + seq, 4]>
#sum = #graph.shape<[batch] -> [batch, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

func.func @main(%new: tensor<?x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x4xf32, #sum> {graph.name = "y"}, tensor<?x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 1 : (tensor<?x?x4xf32, #past>, tensor<?x?x4xf32, #new>) -> tensor<?x?x4xf32, #present>
  // expected-error@below {{KILN-E0207: }}
  %1 = graph.reduce sum %0 axes [1] : (tensor<?x?x4xf32, #present>) -> tensor<?x4xf32, #sum>
  return %1, %0 : tensor<?x4xf32, #sum>, tensor<?x?x4xf32, #present>
}

// -----

// Sequences and rows change places without a transpose: elements of one sequence become those of others.
#past = #graph.shape<[batch, past] -> [batch, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, past + seq, 4]>
#swapped = #graph.shape<[batch, past, seq] -> [past + seq, batch, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

func.func @main(%new: tensor<?x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x?x4xf32, #swapped> {graph.name = "y"}, tensor<?x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 1 : (tensor<?x?x4xf32, #past>, tensor<?x?x4xf32, #new>) -> tensor<?x?x4xf32, #present>
  // expected-error@below {{a reshape joins past and new rows with another dim}}
  %1 = graph.reshape %0 : (tensor<?x?x4xf32, #present>) -> tensor<?x?x4xf32, #swapped>
  return %1, %0 : tensor<?x?x4xf32, #swapped>, tensor<?x?x4xf32, #present>
}

// -----

// A dim that past and new rows are joined with another one to.
#past = #graph.shape<[batch, past] -> [batch, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, past + seq, 4]>
#flat = #graph.shape<[batch, past, seq] -> [batch * past + batch * seq, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

func.func @main(%new: tensor<?x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x4xf32, #flat> {graph.name = "y"}, tensor<?x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 1 : (tensor<?x?x4xf32, #past>, tensor<?x?x4xf32, #new>) -> tensor<?x?x4xf32, #present>
  // expected-error@below {{a dim depends on the past's length in another way than past and new rows do; expected past + seq}}
  %1 = graph.reshape %0 : (tensor<?x?x4xf32, #present>) -> tensor<?x4xf32, #flat>
  return %1, %0 : tensor<?x4xf32, #flat>, tensor<?x?x4xf32, #present>
}

// -----

// The square of the length.
#past = #graph.shape<[batch, past] -> [batch, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, past + seq, 4]>
#square = #graph.shape<[past] -> [past * past]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

func.func @main(%new: tensor<?x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x?x4xf32, #new> {graph.name = "y"}, tensor<?x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 1 : (tensor<?x?x4xf32, #past>, tensor<?x?x4xf32, #new>) -> tensor<?x?x4xf32, #present>
  // expected-error@below {{a number is no multiple of the past's length and a sum}}
  %1 = graph.dims #square : tensor<i64>
  %2 = graph.cast %1 : (tensor<i64>) -> tensor<f32>
  %3 = graph.binary mul %new, %2 : (tensor<?x?x4xf32, #new>, tensor<f32>) -> tensor<?x?x4xf32, #new>
  return %3, %0 : tensor<?x?x4xf32, #new>, tensor<?x?x4xf32, #present>
}

// -----

// A present with the new rows in front.
#past = #graph.shape<[batch, past] -> [batch, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, past + seq, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

func.func @main(%new: tensor<?x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  // expected-error@below {{KILN-E0206: }}
  %0 = graph.concat %new, %past axis 1 : (tensor<?x?x4xf32, #new>, tensor<?x?x4xf32, #past>) -> tensor<?x?x4xf32, #present>
  return %0 : tensor<?x?x4xf32, #present>
}

// -----

// The past by itself.
#past = #graph.shape<[batch, past] -> [batch, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, past + seq, 4]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

func.func @main(%new: tensor<?x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x?x4xf32, #past> {graph.name = "y"}, tensor<?x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 1 : (tensor<?x?x4xf32, #past>, tensor<?x?x4xf32, #new>) -> tensor<?x?x4xf32, #present>
  // expected-error@below {{a dim depends on the past's length in another way than past and new rows do}}
  %1 = graph.unary neg %past : (tensor<?x?x4xf32, #past>) -> tensor<?x?x4xf32, #past>
  return %1, %0 : tensor<?x?x4xf32, #past>, tensor<?x?x4xf32, #present>
}

// -----

// A rounded cache that something reads without the rounding.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %fine = graph.constant dense<0.125> : tensor<f32>
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %1 = graph.quantize %0, %fine : (tensor<?x2x?x4xf32, #present>, tensor<f32>) -> tensor<?x2x?x4xi8, #present>
  // expected-error@below {{a present is not its past and new rows}}
  %2 = graph.dequantize %1, %fine : (tensor<?x2x?x4xi8, #present>, tensor<f32>) -> tensor<?x2x?x4xf32, #present>
  %3 = graph.attention %new, %0, %2 {causal, scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>) -> tensor<?x2x?x4xf32, #new>
  return %3, %2 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}

// -----

// A slice of a table that ends in front of its end.
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch, seq] -> [batch, 2, seq, 4]>
#present = #graph.shape<[batch, past, seq] -> [batch, 2, past + seq, 4]>
#scores = #graph.shape<[batch, past, seq] -> [batch, 2, seq, past + seq]>

graph.symbol @batch in [1, 4]
graph.symbol @seq in [1, 16]
graph.symbol @past in [0, 64]

#table = #graph.shape<[past] -> [0, 0, 0, 32 - past]>
#bias = #graph.shape<[past, seq] -> [1, 2, 1, past + seq]>

func.func @main(%new: tensor<?x2x?x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "past_0", graph.past = "past_0"})
    -> (tensor<?x2x?x4xf32, #new> {graph.name = "y"}, tensor<?x2x?x4xf32, #present> {graph.name = "present_0", graph.past = "past_0"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x?x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  %w = graph.constant dense<1.0> : tensor<1x2x1x64xf32>
  // expected-error@below {{a slice begins at places that cannot be per sequence}}
  %1 = graph.slice %w starts #table steps [1, 1, 1, 1] : (tensor<1x2x1x64xf32>) -> tensor<1x2x1x?xf32, #bias>
  %2 = graph.attention %new, %0, %0 mask %1 {causal, scale = 0.5} : (tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>, tensor<?x2x?x4xf32, #present>, tensor<1x2x1x?xf32, #bias>) -> tensor<?x2x?x4xf32, #new>
  return %2, %0 : tensor<?x2x?x4xf32, #new>, tensor<?x2x?x4xf32, #present>
}
