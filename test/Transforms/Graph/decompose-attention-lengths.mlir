// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Attention written out computes what the op does: lengths of sequences.
// NOTE: checks by tools/update-lit-checks

// Values behind the length become zero.
// CHECK-LABEL: func.func @lengths() -> tensor<2x1x1x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00]]], {{\[\[}}[5.000000e-01]]]]> : tensor<2x1x1x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00], [-7.500000e-01], [-1.750000e+00]]], {{\[\[}}[-1.500000e+00], [-1.250000e+00], [-7.500000e-01]]]]> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00], [-5.000000e-01], [-1.750000e+00]]], {{\[\[}}[1.750000e+00], [2.500000e-01], [-1.750000e+00]]]]> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<[2, 3]> : tensor<2xi32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] lengths %[[CONSTANT_4]] {scale = 5.000000e-01 : f64} : (tensor<2x1x1x1xf32>, tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>, tensor<2xi32>) -> tensor<2x1x1x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<2x1x1x1xf32>
// VALUES-LABEL: func.func @lengths
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}6.250000e-01]]], {{\[\[}}[-0.0289780796]]]]> : tensor<2x1x1x1xf32>
func.func @lengths() -> tensor<2x1x1x1xf32> {
  %q = graph.constant dense<[[[[0.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>
  %k = graph.constant dense<[[[[-1.5], [-0.75], [-1.75]]], [[[-1.5], [-1.25], [-0.75]]]]> : tensor<2x1x3x1xf32>
  %v = graph.constant dense<[[[[1.75], [-0.5], [-1.75]]], [[[1.75], [0.25], [-1.75]]]]> : tensor<2x1x3x1xf32>
  %n = graph.constant dense<[2, 3]> : tensor<2xi32>
  %0 = graph.attention %q, %k, %v lengths %n {scale = 0.5 : f64} : (tensor<2x1x1x1xf32>, tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>, tensor<2xi32>) -> tensor<2x1x1x1xf32>
  return %0 : tensor<2x1x1x1xf32>
}

// Held within [0, T].
// CHECK-LABEL: func.func @lengths_outside() -> tensor<3x1x1x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.750000e+00]]], {{\[\[}}[-1.750000e+00]]], {{\[\[}}[1.750000e+00]]]]> : tensor<3x1x1x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01], [7.500000e-01]]], {{\[\[}}[2.000000e+00], [-5.000000e-01]]], {{\[\[}}[1.750000e+00], [-5.000000e-01]]]]> : tensor<3x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [1.500000e+00]]], {{\[\[}}[-1.750000e+00], [1.000000e+00]]], {{\[\[}}[1.250000e+00], [2.000000e+00]]]]> : tensor<3x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<[-1, 0, 9]> : tensor<3xi64>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] lengths %[[CONSTANT_4]] {masked_zero, scale = 5.000000e-01 : f64} : (tensor<3x1x1x1xf32>, tensor<3x1x2x1xf32>, tensor<3x1x2x1xf32>, tensor<3xi64>) -> tensor<3x1x1x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<3x1x1x1xf32>
// VALUES-LABEL: func.func @lengths_outside
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00]]], {{\[\[}}[0.000000e+00]]], {{\[\[}}[1.34189236]]]]> : tensor<3x1x1x1xf32>
func.func @lengths_outside() -> tensor<3x1x1x1xf32> {
  %q = graph.constant dense<[[[[-1.75]]], [[[-1.75]]], [[[1.75]]]]> : tensor<3x1x1x1xf32>
  %k = graph.constant dense<[[[[0.25], [0.75]]], [[[2.0], [-0.5]]], [[[1.75], [-0.5]]]]> : tensor<3x1x2x1xf32>
  %v = graph.constant dense<[[[[0.75], [1.5]]], [[[-1.75], [1.0]]], [[[1.25], [2.0]]]]> : tensor<3x1x2x1xf32>
  %n = graph.constant dense<[-1, 0, 9]> : tensor<3xi64>
  %0 = graph.attention %q, %k, %v lengths %n {masked_zero, scale = 0.5 : f64} : (tensor<3x1x1x1xf32>, tensor<3x1x2x1xf32>, tensor<3x1x2x1xf32>, tensor<3xi64>) -> tensor<3x1x1x1xf32>
  return %0 : tensor<3x1x1x1xf32>
}

// CHECK-LABEL: func.func @lengths_hide_nan() -> tensor<1x1x1x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<7.500000e-01> : tensor<1x1x1x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [-1.500000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<1> : tensor<1xi64>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] lengths %[[CONSTANT_4]] {scale = 5.000000e-01 : f64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x1x1xf32>
// VALUES-LABEL: func.func @lengths_hide_nan
// VALUES-NEXT: #0 = dense<2.000000e+00> : tensor<1x1x1x1xf32>
func.func @lengths_hide_nan() -> tensor<1x1x1x1xf32> {
  %q = graph.constant dense<[[[[0.75]]]]> : tensor<1x1x1x1xf32>
  %k = graph.constant dense<[[[[0.0], [-1.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[2.0], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
  %n = graph.constant dense<[1]> : tensor<1xi64>
  %0 = graph.attention %q, %k, %v lengths %n {scale = 0.5 : f64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %0 : tensor<1x1x1x1xf32>
}

// CHECK-LABEL: func.func @causal_lengths() -> tensor<2x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00], [-2.500000e-01]]], {{\[\[}}[1.250000e+00], [-2.000000e+00]]]]> : tensor<2x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01], [1.250000e+00], [5.000000e-01]]], {{\[\[}}[1.000000e+00], [5.000000e-01], [1.250000e+00]]]]> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00], [1.000000e+00], [7.500000e-01]]], {{\[\[}}[-1.000000e+00], [-1.750000e+00], [1.250000e+00]]]]> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<[1, 3]> : tensor<2xi64>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] lengths %[[CONSTANT_4]] {causal, scale = 5.000000e-01 : f64} : (tensor<2x1x2x1xf32>, tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>, tensor<2xi64>) -> tensor<2x1x2x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<2x1x2x1xf32>
// VALUES-LABEL: func.func @causal_lengths
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.500000e+00], [1.500000e+00]]], {{\[\[}}[-1.31687844], [-0.849523723]]]]> : tensor<2x1x2x1xf32>
func.func @causal_lengths() -> tensor<2x1x2x1xf32> {
  %q = graph.constant dense<[[[[1.25], [-0.25]]], [[[1.25], [-2.0]]]]> : tensor<2x1x2x1xf32>
  %k = graph.constant dense<[[[[-0.75], [1.25], [0.5]]], [[[1.0], [0.5], [1.25]]]]> : tensor<2x1x3x1xf32>
  %v = graph.constant dense<[[[[1.5], [1.0], [0.75]]], [[[-1.0], [-1.75], [1.25]]]]> : tensor<2x1x3x1xf32>
  %n = graph.constant dense<[1, 3]> : tensor<2xi64>
  %0 = graph.attention %q, %k, %v lengths %n {causal, scale = 0.5 : f64} : (tensor<2x1x2x1xf32>, tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>, tensor<2xi64>) -> tensor<2x1x2x1xf32>
  return %0 : tensor<2x1x2x1xf32>
}

// The last positions of each sequence.
// CHECK-LABEL: func.func @from_length() -> tensor<2x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01], [-1.000000e+00]]], {{\[\[}}[-2.000000e+00], [-1.500000e+00]]]]> : tensor<2x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00], [-5.000000e-01], [-7.500000e-01], [0.000000e+00]]], {{\[\[}}[2.500000e-01], [-1.000000e+00], [2.500000e-01], [5.000000e-01]]]]> : tensor<2x1x4x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [5.000000e-01], [-2.000000e+00], [-1.000000e+00]]], {{\[\[}}[1.250000e+00], [5.000000e-01], [-7.500000e-01], [-5.000000e-01]]]]> : tensor<2x1x4x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<[2, 4]> : tensor<2xi64>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] lengths %[[CONSTANT_4]] {causal, from_length, scale = 5.000000e-01 : f64} : (tensor<2x1x2x1xf32>, tensor<2x1x4x1xf32>, tensor<2x1x4x1xf32>, tensor<2xi64>) -> tensor<2x1x2x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<2x1x2x1xf32>
// VALUES-LABEL: func.func @from_length
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}7.500000e-01], [0.669794679]]], {{\[\[}}[0.408931017], [0.253088742]]]]> : tensor<2x1x2x1xf32>
func.func @from_length() -> tensor<2x1x2x1xf32> {
  %q = graph.constant dense<[[[[-0.75], [-1.0]]], [[[-2.0], [-1.5]]]]> : tensor<2x1x2x1xf32>
  %k = graph.constant dense<[[[[-2.0], [-0.5], [-0.75], [0.0]]], [[[0.25], [-1.0], [0.25], [0.5]]]]> : tensor<2x1x4x1xf32>
  %v = graph.constant dense<[[[[0.75], [0.5], [-2.0], [-1.0]]], [[[1.25], [0.5], [-0.75], [-0.5]]]]> : tensor<2x1x4x1xf32>
  %n = graph.constant dense<[2, 4]> : tensor<2xi64>
  %0 = graph.attention %q, %k, %v lengths %n {causal, from_length, scale = 0.5 : f64} : (tensor<2x1x2x1xf32>, tensor<2x1x4x1xf32>, tensor<2x1x4x1xf32>, tensor<2xi64>) -> tensor<2x1x2x1xf32>
  return %0 : tensor<2x1x2x1xf32>
}

// CHECK-LABEL: func.func @all_together() -> tensor<1x2x2x1xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00], [1.000000e+00]], {{\[\[}}-5.000000e-01], [-1.000000e+00]]]]> : tensor<1x2x2x1xf16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00], [1.250000e+00], [5.000000e-01]]]]> : tensor<1x1x3x1xf16>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.500000e-01], [7.500000e-01], [2.500000e-01]]]]> : tensor<1x1x3x1xf16>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, 1.000000e+00, 0.000000e+00]]]]> : tensor<1x1x1x3xf16>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<2> : tensor<1xi64>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[CONSTANT_4]] lengths %[[CONSTANT_5]] {causal, from_length, masked_zero, scale = 5.000000e-01 : f64, softcap = 2.000000e+00 : f64} : (tensor<1x2x2x1xf16>, tensor<1x1x3x1xf16>, tensor<1x1x3x1xf16>, tensor<1x1x1x3xf16>, tensor<1xi64>) -> tensor<1x2x2x1xf16>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x1xf16>
// VALUES-LABEL: func.func @all_together
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-2.500000e-01], [6.606450e-01]], {{\[\[}}-2.500000e-01], [1.701660e-01]]]]> : tensor<1x2x2x1xf16>
func.func @all_together() -> tensor<1x2x2x1xf16> {
  %q = graph.constant dense<[[[[1.75], [1.0]], [[-0.5], [-1.0]]]]> : tensor<1x2x2x1xf16>
  %k = graph.constant dense<[[[[-1.5], [1.25], [0.5]]]]> : tensor<1x1x3x1xf16>
  %v = graph.constant dense<[[[[-0.25], [0.75], [0.25]]]]> : tensor<1x1x3x1xf16>
  %m = graph.constant dense<[[[[0.0, 1.0, 0.0]]]]> : tensor<1x1x1x3xf16>
  %n = graph.constant dense<[2]> : tensor<1xi64>
  %0 = graph.attention %q, %k, %v mask %m lengths %n {causal, from_length, masked_zero, scale = 0.5 : f64, softcap = 2.0 : f64} : (tensor<1x2x2x1xf16>, tensor<1x1x3x1xf16>, tensor<1x1x3x1xf16>, tensor<1x1x1x3xf16>, tensor<1xi64>) -> tensor<1x2x2x1xf16>
  return %0 : tensor<1x2x2x1xf16>
}
