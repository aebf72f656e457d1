// RUN: kiln-opt %s --split-input-file --kiln-build-plan=stages=2 --verify-diagnostics

// A stage has a weight at least.
graph.weight @w : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
// expected-error@below {{the model cannot be a pipeline of 2 stages; expected a product with weights for each stage, found 1 large weights; fix: choose fewer stages, or compile without --shard pp}}
func.func @main(%x: tensor<64xf32> {graph.name = "x"}) -> (tensor<64xf32> {graph.name = "y"}) {
  %w = graph.get_weight @w : tensor<64xf32>
  %0 = graph.kernel "pointwise" (%a = %x, %b = %w) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %1 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %1 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// Of two weights that one step reads, no step is left for the first stage.
graph.weight @w0 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
// expected-error@below {{found no step of stage 0}}
func.func @main(%x: tensor<64xf32> {graph.name = "x"}) -> (tensor<64xf32> {graph.name = "y"}) {
  %w0 = graph.get_weight @w0 : tensor<64xf32>
  %w1 = graph.get_weight @w1 : tensor<64xf32>
  %0 = graph.kernel "pointwise" (%a = %x, %b = %w0, %c = %w1) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %1 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %2 = graph.binary add %1, %c : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %2 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// A stage that the pipeline does not have.
graph.weight @w0 : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<64xf32> {file = "w", graph.stage = 2 : i64, hash = "0", length = 256 : i64, offset = 0 : i64}
// expected-error@below {{the model cannot be a pipeline of 2 stages; expected a product with weights for each stage, found a weight on stage 2}}
func.func @main(%x: tensor<64xf32> {graph.name = "x"}) -> (tensor<64xf32> {graph.name = "y"}) {
  %w0 = graph.get_weight @w0 : tensor<64xf32>
  %w1 = graph.get_weight @w1 : tensor<64xf32>
  %0 = graph.kernel "pointwise" (%a = %x, %b = %w0) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %1 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %1 : tensor<64xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %0, %b = %w1) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    %3 = graph.binary mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    graph.yield %3 : tensor<64xf32>
  }
  return %2 : tensor<64xf32>
}
