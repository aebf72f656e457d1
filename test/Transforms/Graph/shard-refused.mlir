// RUN: kiln-opt %s --split-input-file --kiln-shard=ranks=2 --verify-diagnostics -o /dev/null
// What is not split among two ranks, and why; none of these models has anything else.

// A softmax adds up what ranks would have parts of.
graph.weight @w1 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// expected-error @+1 {{a softmax needs all elements along the dim}}
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x4xf32>
  %w2 = graph.get_weight @w2 : tensor<4x4xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = graph.softmax %0 axis 1 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = graph.matmul %1, %w2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// A norm.
graph.weight @w1 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// expected-error @+1 {{a norm needs all elements along the dim}}
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x4xf32>
  %w2 = graph.get_weight @w2 : tensor<4x4xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = graph.layer_norm %0 axis 1 {epsilon = 1.0e-05 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = graph.matmul %1, %w2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// An input, of which every rank has all.
graph.weight @w1 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// expected-error @+1 {{no other product with a weight leads to it}}
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x4xf32>
  %y = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// A number of columns that two ranks do not divide.
graph.weight @w1 : tensor<4x3xf32> {file = "w", hash = "0", length = 48 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<3x4xf32> {file = "w", hash = "0", length = 48 : i64, offset = 0 : i64}
// expected-error @+1 {{2 ranks do not divide the 3 rows of its weight}}
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x3xf32>
  %w2 = graph.get_weight @w2 : tensor<3x4xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = graph.unary relu %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = graph.matmul %1, %w2 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// What lies between the products is an output, too.
graph.weight @w1 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// expected-error @+1 {{is needed by an output}}
func.func @main(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %w1 = graph.get_weight @w1 : tensor<4x4xf32>
  %w2 = graph.get_weight @w2 : tensor<4x4xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = graph.unary relu %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %y = graph.matmul %1, %w2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// One head is not cut.
graph.weight @w1 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// expected-error @+1 {{attention is split by whole heads alone}}
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x4xf32>
  %w2 = graph.get_weight @w2 : tensor<4x4xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %r = graph.reshape %0 : (tensor<2x4xf32>) -> tensor<1x2x1x4xf32>
  %t = graph.transpose %r [0, 2, 1, 3] : (tensor<1x2x1x4xf32>) -> tensor<1x1x2x4xf32>
  %a = graph.attention %t, %t, %t {scale = 1.0 : f64} : (tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1x2x4xf32>
  %u = graph.transpose %a [0, 2, 1, 3] : (tensor<1x1x2x4xf32>) -> tensor<1x2x1x4xf32>
  %v = graph.reshape %u : (tensor<1x2x1x4xf32>) -> tensor<2x4xf32>
  %y = graph.matmul %v, %w2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// A product of a value with itself, of which it would need some rows as the left operand and all as the right one.
graph.weight @w1 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// expected-error @+1 {{it multiplies a value by itself, and needs a part of it and all of it}}
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x4xf32>
  %w2 = graph.get_weight @w2 : tensor<4x4xf32>
  %0 = graph.matmul %x, %w1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %h = graph.transpose %0 [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = graph.matmul %h, %h : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = graph.transpose %p [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = graph.matmul %t, %w2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// A maximum over the dim, which needs all of it.
graph.weight @w1 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// expected-error @+1 {{is needed by}}
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x4xf32>
  %w2 = graph.get_weight @w2 : tensor<4x4xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %s = graph.reduce max %0 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %1 = graph.binary div %0, %s : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %y = graph.matmul %1, %w2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
