// RUN: kiln-opt %s --split-input-file --kiln-verify-kernels --verify-diagnostics

// Kernels, weights and reshapes may stand in @main.
graph.weight @w : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %w = graph.get_weight @w : tensor<4xf32>
  %0 = graph.kernel "pointwise" (%a = %x, %b = %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    %1 = graph.binary add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  %2 = graph.reshape %0 : (tensor<4xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{KILN-E0301}}
  %0 = graph.unary exp %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@below {{'graph.unary' stands outside of a kernel}}
  %1 = graph.unary neg %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
