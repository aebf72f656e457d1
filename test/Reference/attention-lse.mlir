// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// The log-sum-exp of attention's scores.
// NOTE: checks by tools/update-lit-checks

// Scores of 0 and 0, of 1 and 2: log(2) and 2 + log(1 + exp(-1)).
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.693147182, 2.31326175]]]> : tensor<1x1x2xf32>
func.func @plain() -> tensor<1x1x2xf32> {
  %q = graph.constant dense<[[[[0.0], [2.0]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32>
  %0 = graph.attention_lse %q, %k {scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
}

// The first query sees no key, the second its own alone.
// CHECK-LABEL: func.func @causal
// CHECK-NEXT: #0 = dense<{{\[\[}}[0xFF800000, 6.000000e+00]]]> : tensor<1x1x2xf32>
func.func @causal() -> tensor<1x1x2xf32> {
  %q = graph.constant dense<[[[[0.5], [2.0]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[3.0]]]]> : tensor<1x1x1x1xf32>
  %0 = graph.attention_lse %q, %k {causal, scale = 1.0 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2xf32>
  return %0 : tensor<1x1x2xf32>
}

// Two heads of one key head. Lengths of one, of none, and of less than none; keys behind them may be NaN.
// CHECK-LABEL: func.func @lengths
// CHECK-NEXT: #0 = dense<{{\[\[}}[4.000000e+00], [4.000000e+00]], {{\[\[}}0xFF800000], [0xFF800000]], {{\[\[}}0xFF800000], [0xFF800000]]]> : tensor<3x2x1xf32>
func.func @lengths() -> tensor<3x2x1xf32> {
  %q = graph.constant dense<1.0> : tensor<3x2x1x1xf32>
  %k = graph.constant dense<[[[[4.0], [0x7FC00000]]], [[[0x7FC00000], [0x7FC00000]]], [[[0x7FC00000], [0x7FC00000]]]]> : tensor<3x1x2x1xf32>
  %l = graph.constant dense<[1, 0, -3]> : tensor<3xi64>
  %0 = graph.attention_lse %q, %k lengths %l {causal, from_length, scale = 1.0 : f64} : (tensor<3x2x1x1xf32>, tensor<3x1x2x1xf32>, tensor<3xi64>) -> tensor<3x2x1xf32>
  return %0 : tensor<3x2x1xf32>
}

// Scores are 3 tanh(x / 3); codes are times their scales.
// CHECK-LABEL: func.func @codes
// CHECK-NEXT: #0 = dense<2.74525976> : tensor<1x1x1xf32>
func.func @codes() -> tensor<1x1x1xf32> {
  %q = graph.constant dense<1.0> : tensor<1x1x1x1xf32>
  %k = graph.constant dense<[[[[3], [4]]]]> : tensor<1x1x2x1xi8>
  %s = graph.constant dense<[[[1.0, 0.5]]]> : tensor<1x1x2xf32>
  %0 = graph.attention_lse %q, %k scales %s {softcap = 3.0 : f64, scale = 1.0 : f64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xi8>, tensor<1x1x2xf32>) -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// CHECK-LABEL: func.func @f64
// CHECK-NEXT: #0 = dense<710.00004539889926> : tensor<1x1x1xf64>
func.func @f64() -> tensor<1x1x1xf64> {
  %q = graph.constant dense<1.0> : tensor<1x1x1x1xf64>
  %k = graph.constant dense<[[[[700.0], [710.0]]]]> : tensor<1x1x2x1xf64>
  %0 = graph.attention_lse %q, %k {scale = 1.0 : f64} : (tensor<1x1x1x1xf64>, tensor<1x1x2x1xf64>) -> tensor<1x1x1xf64>
  return %0 : tensor<1x1x1xf64>
}
