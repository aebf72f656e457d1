// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Attention with sinks, and with a window.
// NOTE: checks by tools/update-lit-checks

// Scores of 0: three weights of exp(0), and sinks of exp(0) and nothing.
// CHECK-LABEL: func.func @sinks
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}3.000000e+00]], {{\[\[}}4.000000e+00]]]]> : tensor<1x2x1x1xf32>
func.func @sinks() -> tensor<1x2x1x1xf32> {
  %q = graph.constant dense<0.0> : tensor<1x2x1x2xf32>
  %k = graph.constant dense<1.0> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[1.0], [2.0], [9.0]]]]> : tensor<1x1x3x1xf32>
  %s = graph.constant dense<[0.0, 0xFF800000]> : tensor<2xf32>
  %0 = graph.attention %q, %k, %v sinks %s {scale = 1.0 : f64} : (tensor<1x2x1x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x1xf32>, tensor<2xf32>) -> tensor<1x2x1x1xf32>
  return %0 : tensor<1x2x1x1xf32>
}

// Without a key there is the sink alone, and its value is 0.
// CHECK-LABEL: func.func @no_keys
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00]]], {{\[\[}}[2.66666675]]]]> : tensor<2x1x1x1xf32>
func.func @no_keys() -> tensor<2x1x1x1xf32> {
  %q = graph.constant dense<1.0> : tensor<2x1x1x2xf32>
  %k = graph.constant dense<1.0> : tensor<2x1x2x2xf32>
  %v = graph.constant dense<4.0> : tensor<2x1x2x1xf32>
  %l = graph.constant dense<[0, 2]> : tensor<2xi64>
  %s = graph.constant dense<2.0> : tensor<1xf32>
  %0 = graph.attention %q, %k, %v lengths %l sinks %s {scale = 1.0 : f64} : (tensor<2x1x1x2xf32>, tensor<2x1x2x2xf32>, tensor<2x1x2x1xf32>, tensor<2xi64>, tensor<1xf32>) -> tensor<2x1x1x1xf32>
  return %0 : tensor<2x1x1x1xf32>
}

// A sink that is larger than all scores.
// CHECK-LABEL: func.func @large_sink
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<1x1x1x1xf32>
func.func @large_sink() -> tensor<1x1x1x1xf32> {
  %q = graph.constant dense<1.0> : tensor<1x1x1x2xf32>
  %k = graph.constant dense<1.0> : tensor<1x1x2x2xf32>
  %v = graph.constant dense<4.0> : tensor<1x1x2x1xf32>
  %s = graph.constant dense<200.0> : tensor<1xf32>
  %0 = graph.attention %q, %k, %v sinks %s {scale = 1.0 : f64} : (tensor<1x1x1x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x1xf32>, tensor<1xf32>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}

// Means of the last two values up to each query; the key in front of them may be NaN.
// CHECK-LABEL: func.func @window
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0x7FC00000], [4.000000e+00], [8.000000e+00]]]]> : tensor<1x1x3x1xf32>
func.func @window() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<0.0> : tensor<1x1x3x2xf32>
  %k = graph.constant dense<[[[[0x7FC00000, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]]]> : tensor<1x1x4x2xf32>
  %v = graph.constant dense<[[[[0x7FC00000], [2.0], [6.0], [10.0]]]]> : tensor<1x1x4x1xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 1.0 : f64, window = 2 : i64} : (tensor<1x1x3x2xf32>, tensor<1x1x4x2xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}

// The first sequence has three keys, the second all of them.
// CHECK-LABEL: func.func @window_of_lengths
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}2.000000e+00], [4.000000e+00]]], {{\[\[}}[6.000000e+00], [1.200000e+01]]]]> : tensor<2x1x2x1xf32>
func.func @window_of_lengths() -> tensor<2x1x2x1xf32> {
  %q = graph.constant dense<0.0> : tensor<2x1x2x2xf32>
  %k = graph.constant dense<1.0> : tensor<2x1x4x2xf32>
  %v = graph.constant dense<[[[[1.0], [3.0], [5.0], [0x7FC00000]]], [[[2.0], [4.0], [8.0], [16.0]]]]> : tensor<2x1x4x1xf32>
  %l = graph.constant dense<[3, 4]> : tensor<2xi64>
  %0 = graph.attention %q, %k, %v lengths %l {causal, from_length, scale = 1.0 : f64, window = 2 : i64} : (tensor<2x1x2x2xf32>, tensor<2x1x4x2xf32>, tensor<2x1x4x1xf32>, tensor<2xi64>) -> tensor<2x1x2x1xf32>
  return %0 : tensor<2x1x2x1xf32>
}

// Positions that are behind the keys: the first query, the third of five positions, sees all three.
// CHECK-LABEL: func.func @longer_than_keys
// CHECK-NEXT: #0 = dense<4.000000e+00> : tensor<1x1x3x1xf32>
func.func @longer_than_keys() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<0.0> : tensor<1x1x3x2xf32>
  %k = graph.constant dense<1.0> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[1.0], [2.0], [9.0]]]]> : tensor<1x1x3x1xf32>
  %l = graph.constant dense<5> : tensor<1xi64>
  %0 = graph.attention %q, %k, %v lengths %l {causal, from_length, scale = 1.0 : f64} : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x1xf32>, tensor<1xi64>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}
