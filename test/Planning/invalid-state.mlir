// RUN: kiln-opt %s --split-input-file --kiln-build-plan --verify-diagnostics -o /dev/null
// State that is read when it has been overwritten, written twice, or that moves.

func.func @main(%n: tensor<2x1x4xf32> {graph.name = "n"}, %i: tensor<2xi64> {graph.name = "i"}, %s: tensor<2x8x4xf32> {graph.state = "past"})
    -> (tensor<2x8x4xf32> {graph.state = "past"}, tensor<2x8x4xf32> {graph.name = "y"}) {
  %0 = graph.kernel "kv_write" (%s0 = %s, %n0 = %n, %i0 = %i) : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>) -> tensor<2x8x4xf32> {
    %1 = graph.kv_write %s0, %n0 starts %i0 counts %i0 axis 1 : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8x4xf32>
    graph.yield %1 : tensor<2x8x4xf32>
  }
  // expected-error@below {{KILN-E0208: }}
  %2 = graph.kernel "pointwise" (%s0 = %s) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
    %3 = graph.unary neg %s0 : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    graph.yield %3 : tensor<2x8x4xf32>
  }
  return %0, %2 : tensor<2x8x4xf32>, tensor<2x8x4xf32>
}

// -----

func.func @main(%n: tensor<2x1x4xf32> {graph.name = "n"}, %i: tensor<2xi64> {graph.name = "i"}, %s: tensor<2x8x4xf32> {graph.state = "past"}) -> (tensor<2x8x4xf32> {graph.state = "past"}) {
  %0 = graph.kernel "kv_write" (%s0 = %s, %n0 = %n, %i0 = %i) : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>) -> tensor<2x8x4xf32> {
    %1 = graph.kv_write %s0, %n0 starts %i0 counts %i0 axis 1 : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8x4xf32>
    graph.yield %1 : tensor<2x8x4xf32>
  }
  // expected-error@below {{it reads state 'past' after}}
  %2 = graph.kernel "kv_write" (%s0 = %s, %n0 = %n, %i0 = %i) : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>) -> tensor<2x8x4xf32> {
    %3 = graph.kv_write %s0, %n0 starts %i0 counts %i0 axis 1 : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8x4xf32>
    graph.yield %3 : tensor<2x8x4xf32>
  }
  return %2 : tensor<2x8x4xf32>
}

// -----

#moving = #graph.shape<[sequence] -> [2, sequence, 4]>
#added = #graph.shape<[sequence] -> [sequence]>

graph.symbol @sequence in [1, 16]

// expected-error@below {{the size of state 'past' changes from run to run; expected dims fixed for a session, found dim sequence}}
func.func @main(%c: tensor<2xi64> {graph.name = "counts", graph.counts = {lengths = "lengths", added = #added, capacity = #added}}, %s: tensor<2x?x4xf32, #moving> {graph.state = "past"}) -> (tensor<2x?x4xf32, #moving> {graph.state = "past"}) {
  return %s : tensor<2x?x4xf32, #moving>
}
