// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | FileCheck %s
// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=OP
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Attention written out computes what the op does: a window. No block of threads holds heads of 300.
// NOTE: checks by tools/update-lit-checks

// Keys 0 and 1, 1 and 2, 2 and 3; the NaN reaches the first query alone.
// CHECK-LABEL: func.func @window() -> tensor<1x1x3x1xf32> {
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 1.000000e+00 : f32 : tensor<1x1x4x300xf32>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0x7FC00000], [2.000000e+00], [6.000000e+00], [1.000000e+01]]]]> : tensor<1x1x4x1xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[FILL]], %[[FILL_2]], %[[CONSTANT]] {causal, scale = 1.000000e+00 : f64, window = 2 : i64} : (tensor<1x1x3x300xf32>, tensor<1x1x4x300xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x3x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x3x1xf32>
// OP-LABEL: func.func @window
// OP-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0x7FC00000], [4.000000e+00], [8.000000e+00]]]]> : tensor<1x1x3x1xf32>
// VALUES-LABEL: func.func @window
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0x7FC00000], [4.000000e+00], [8.000000e+00]]]]> : tensor<1x1x3x1xf32>
func.func @window() -> tensor<1x1x3x1xf32> {
  %q = graph.fill 0.0 : f32 : tensor<1x1x3x300xf32>
  %k = graph.fill 1.0 : f32 : tensor<1x1x4x300xf32>
  %v = graph.constant dense<[[[[0x7FC00000], [2.0], [6.0], [10.0]]]]> : tensor<1x1x4x1xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 1.0 : f64, window = 2 : i64} : (tensor<1x1x3x300xf32>, tensor<1x1x4x300xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}

// Queries of the second sequence are at positions 4 and 5 of 3 keys: one sees the last key, the other none.
// CHECK-LABEL: func.func @from_length() -> tensor<2x1x2x1xf32> {
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 1.000000e+00 : f32 : tensor<2x1x3x300xf32>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00], [3.000000e+00], [0x7FC00000]]], {{\[\[}}[2.000000e+00], [4.000000e+00], [8.000000e+00]]]]> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[2, 6]> : tensor<2xi64>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[FILL]], %[[FILL_2]], %[[CONSTANT]] lengths %[[CONSTANT_2]] {causal, from_length, masked_zero, scale = 1.000000e+00 : f64, window = 3 : i64} : (tensor<2x1x2x300xf32>, tensor<2x1x3x300xf32>, tensor<2x1x3x1xf32>, tensor<2xi64>) -> tensor<2x1x2x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<2x1x2x1xf32>
// OP-LABEL: func.func @from_length
// OP-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.000000e+00], [2.000000e+00]]], {{\[\[}}[8.000000e+00], [0.000000e+00]]]]> : tensor<2x1x2x1xf32>
// VALUES-LABEL: func.func @from_length
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.000000e+00], [2.000000e+00]]], {{\[\[}}[8.000000e+00], [0.000000e+00]]]]> : tensor<2x1x2x1xf32>
func.func @from_length() -> tensor<2x1x2x1xf32> {
  %q = graph.fill 0.0 : f32 : tensor<2x1x2x300xf32>
  %k = graph.fill 1.0 : f32 : tensor<2x1x3x300xf32>
  %v = graph.constant dense<[[[[1.0], [3.0], [0x7FC00000]]], [[[2.0], [4.0], [8.0]]]]> : tensor<2x1x3x1xf32>
  %n = graph.constant dense<[2, 6]> : tensor<2xi64>
  %0 = graph.attention %q, %k, %v lengths %n {causal, from_length, masked_zero, scale = 1.0 : f64, window = 3 : i64} : (tensor<2x1x2x300xf32>, tensor<2x1x3x300xf32>, tensor<2x1x3x1xf32>, tensor<2xi64>) -> tensor<2x1x2x1xf32>
  return %0 : tensor<2x1x2x1xf32>
}
