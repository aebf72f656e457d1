// RUN: kiln-opt %s --split-input-file --kiln-fold-constants | FileCheck %s

// A whole tree in one sweep: 1 / sqrt(64), and a cast of the exponent.
// CHECK-LABEL: func.func @tree
// CHECK-NEXT: %[[S:.*]] = graph.constant dense<1.250000e-01> : tensor<f32>
// CHECK-NEXT: %[[E:.*]] = graph.constant dense<2.000000e+00> : tensor<f16>
// CHECK-NEXT: return %[[S]], %[[E]]
func.func @tree() -> (tensor<f32>, tensor<f16>) {
  %one = graph.constant dense<1.0> : tensor<f32>
  %d = graph.constant dense<64> : tensor<i64>
  %0 = graph.cast %d : (tensor<i64>) -> tensor<f32>
  %1 = graph.unary sqrt %0 : (tensor<f32>) -> tensor<f32>
  %2 = graph.binary div %one, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %two = graph.constant dense<2.0> : tensor<f32>
  %3 = graph.cast %two : (tensor<f32>) -> tensor<f16>
  return %2, %3 : tensor<f32>, tensor<f16>
}

// -----

// Movement of small integers.
// CHECK-LABEL: func.func @movement
// CHECK-NEXT: graph.constant dense<{{\[}}[3, 1], [4, 2]]> : tensor<2x2xi64>
// CHECK-NEXT: return
func.func @movement() -> tensor<2x2xi64> {
  %a = graph.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %b = graph.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %0 = graph.concat %b, %a axis 0 : (tensor<1x2xi64>, tensor<1x2xi64>) -> tensor<2x2xi64>
  %1 = graph.transpose %0 [1, 0] : (tensor<2x2xi64>) -> tensor<2x2xi64>
  return %1 : tensor<2x2xi64>
}

// -----

// Not: an input takes part.
// CHECK-LABEL: func.func @input
// CHECK: graph.binary add
func.func @input(%x: tensor<f32>) -> tensor<f32> {
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.binary add %x, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Not: a weight takes part; its bytes are not in the IR.
// CHECK-LABEL: func.func @weight
// CHECK: graph.binary add
graph.weight @w : tensor<f32> {file = "w", hash = "0", length = 4 : i64, offset = 0 : i64}
func.func @weight() -> tensor<f32> {
  %one = graph.constant dense<1.0> : tensor<f32>
  %w = graph.get_weight @w : tensor<f32>
  %0 = graph.binary add %w, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Not: the result would be over 1 KiB; the op says it shorter.
// CHECK-LABEL: func.func @large
// CHECK: graph.broadcast
// CHECK: graph.iota
func.func @large() -> (tensor<257xf32>, tensor<8xi64>) {
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.broadcast %one : (tensor<f32>) -> tensor<257xf32>
  %1 = graph.iota axis 0 : tensor<8xi64>
  return %0, %1 : tensor<257xf32>, tensor<8xi64>
}
