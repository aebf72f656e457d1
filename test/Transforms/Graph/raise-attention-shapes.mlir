// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-attention))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-attention))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Spellings of attention: what is recognised computes what the model did. Ranks, heads, and what is none.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @rank_3() -> tensor<2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[-7.500000e-01, 5.000000e-01], [1.500000e+00, 1.750000e+00]], {{\[\[}}0.000000e+00, -1.750000e+00], [2.000000e+00, 1.500000e+00]]]> : tensor<2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[1.000000e+00, -5.000000e-01], [-1.500000e+00, 1.250000e+00], [-1.250000e+00, -7.500000e-01]], {{\[\[}}1.500000e+00, 5.000000e-01], [-7.500000e-01, 0.000000e+00], [5.000000e-01, -1.750000e+00]]]> : tensor<2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[-1.000000e+00, 1.000000e+00], [5.000000e-01, 1.250000e+00], [1.000000e+00, 0.000000e+00]], {{\[\[}}-7.500000e-01, -5.000000e-01], [-1.250000e+00, 2.000000e+00], [-2.000000e+00, -5.000000e-01]]]> : tensor<2x3x2xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONSTANT]] : (tensor<2x2x2xf32>) -> tensor<2x1x2x2xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CONSTANT_2]] : (tensor<2x3x2xf32>) -> tensor<2x1x3x2xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[CONSTANT_3]] : (tensor<2x3x2xf32>) -> tensor<2x1x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[RESHAPE]], %[[RESHAPE_2]], %[[RESHAPE_3]] {scale = 1.000000e+00 : f64} : (tensor<2x1x2x2xf32>, tensor<2x1x3x2xf32>, tensor<2x1x3x2xf32>) -> tensor<2x1x2x2xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[ATTENTION]] : (tensor<2x1x2x2xf32>) -> tensor<2x2x2xf32>
// CHECK-NEXT: return %[[RESHAPE_4]] : tensor<2x2x2xf32>
// VALUES-LABEL: func.func @rank_3
// VALUES-NEXT: #0 = dense<{{\[\[}}[0.541346431, 0.959834635], [-0.476411372, 1.06794763]], {{\[\[}}-1.94424558, -0.390340328], [-0.758330107, -0.487009525]]]> : tensor<2x2x2xf32>
func.func @rank_3() -> tensor<2x2x2xf32> {
  %q = graph.constant dense<[[[-0.75, 0.5], [1.5, 1.75]], [[0.0, -1.75], [2.0, 1.5]]]> : tensor<2x2x2xf32>
  %k = graph.constant dense<[[[1.0, -0.5], [-1.5, 1.25], [-1.25, -0.75]], [[1.5, 0.5], [-0.75, 0.0], [0.5, -1.75]]]> : tensor<2x3x2xf32>
  %v = graph.constant dense<[[[-1.0, 1.0], [0.5, 1.25], [1.0, 0.0]], [[-0.75, -0.5], [-1.25, 2.0], [-2.0, -0.5]]]> : tensor<2x3x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<2x2x2xf32>, tensor<2x3x2xf32>) -> tensor<2x2x3xf32>
  %4 = graph.softmax %3 axis 2 : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %5 = graph.matmul %4, %v : (tensor<2x2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x2x2xf32>
  return %5 : tensor<2x2x2xf32>
}

// CHECK-LABEL: func.func @rank_2() -> tensor<2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}-1.750000e+00, 1.500000e+00], [7.500000e-01, -2.500000e-01]]> : tensor<2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.250000e+00, -5.000000e-01], [-2.500000e-01, -5.000000e-01], [1.000000e+00, -1.750000e+00]]> : tensor<3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}2.500000e-01, -1.000000e+00], [2.000000e+00, -1.250000e+00], [-5.000000e-01, -1.750000e+00]]> : tensor<3x2xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONSTANT]] : (tensor<2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CONSTANT_2]] : (tensor<3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[CONSTANT_3]] : (tensor<3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[RESHAPE]], %[[RESHAPE_2]], %[[RESHAPE_3]] {scale = 1.000000e+00 : f64} : (tensor<1x1x2x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[ATTENTION]] : (tensor<1x1x2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %[[RESHAPE_4]] : tensor<2x2xf32>
// VALUES-LABEL: func.func @rank_2
// VALUES-NEXT: #0 = dense<{{\[\[}}1.8441838, -1.24127519], [0.135377407, -1.37880385]]> : tensor<2x2xf32>
func.func @rank_2() -> tensor<2x2xf32> {
  %q = graph.constant dense<[[-1.75, 1.5], [0.75, -0.25]]> : tensor<2x2xf32>
  %k = graph.constant dense<[[1.25, -0.5], [-0.25, -0.5], [1.0, -1.75]]> : tensor<3x2xf32>
  %v = graph.constant dense<[[0.25, -1.0], [2.0, -1.25], [-0.5, -1.75]]> : tensor<3x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  %4 = graph.softmax %3 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = graph.matmul %4, %v : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %5 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @f16() -> tensor<1x2x2x2xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, 2.500000e-01], [1.000000e+00, -2.500000e-01]], {{\[\[}}-1.000000e+00, -2.000000e+00], [1.750000e+00, -1.500000e+00]]]]> : tensor<1x2x2x2xf16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00, 1.750000e+00], [-7.500000e-01, -1.500000e+00], [7.500000e-01, -5.000000e-01]], {{\[\[}}-2.000000e+00, 2.000000e+00], [1.750000e+00, -1.750000e+00], [1.000000e+00, -5.000000e-01]]]]> : tensor<1x2x3x2xf16>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.750000e+00, 1.250000e+00], [1.500000e+00, -2.000000e+00], [-1.750000e+00, -1.750000e+00]], {{\[\[}}2.000000e+00, 1.750000e+00], [1.500000e+00, 7.500000e-01], [-1.750000e+00, -1.000000e+00]]]]> : tensor<1x2x3x2xf16>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 5.000000e-01 : f64} : (tensor<1x2x2x2xf16>, tensor<1x2x3x2xf16>, tensor<1x2x3x2xf16>) -> tensor<1x2x2x2xf16>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf16>
// VALUES-LABEL: func.func @f16
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-8.559570e-01, -5.795900e-01], [-1.055660e+00, -6.425780e-01]], {{\[\[}}6.860350e-01, 3.830570e-01], [9.531250e-01, 4.570310e-01]]]]> : tensor<1x2x2x2xf16>
func.func @f16() -> tensor<1x2x2x2xf16> {
  %q = graph.constant dense<[[[[0.0, 0.25], [1.0, -0.25]], [[-1.0, -2.0], [1.75, -1.5]]]]> : tensor<1x2x2x2xf16>
  %k = graph.constant dense<[[[[1.25, 1.75], [-0.75, -1.5], [0.75, -0.5]], [[-2.0, 2.0], [1.75, -1.75], [1.0, -0.5]]]]> : tensor<1x2x3x2xf16>
  %v = graph.constant dense<[[[[-1.75, 1.25], [1.5, -2.0], [-1.75, -1.75]], [[2.0, 1.75], [1.5, 0.75], [-1.75, -1.0]]]]> : tensor<1x2x3x2xf16>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf16>, tensor<1x2x3x2xf16>) -> tensor<1x2x2x3xf16>
  %c4 = graph.constant dense<2.0> : tensor<f16>
  %5 = graph.binary div %3, %c4 : (tensor<1x2x2x3xf16>, tensor<f16>) -> tensor<1x2x2x3xf16>
  %6 = graph.softmax %5 axis 3 : (tensor<1x2x2x3xf16>) -> tensor<1x2x2x3xf16>
  %7 = graph.matmul %6, %v : (tensor<1x2x2x3xf16>, tensor<1x2x3x2xf16>) -> tensor<1x2x2x2xf16>
  return %7 : tensor<1x2x2x2xf16>
}

// Casts around the softmax.
// CHECK-LABEL: func.func @softmax_in_f32() -> tensor<1x2x2x2xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, 0.000000e+00], [-1.750000e+00, -1.000000e+00]], {{\[\[}}7.500000e-01, 1.750000e+00], [-1.750000e+00, 2.000000e+00]]]]> : tensor<1x2x2x2xf16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, -1.750000e+00], [1.750000e+00, 0.000000e+00], [7.500000e-01, -1.250000e+00]], {{\[\[}}1.750000e+00, -5.000000e-01], [-5.000000e-01, 1.000000e+00], [1.000000e+00, 1.000000e+00]]]]> : tensor<1x2x3x2xf16>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.250000e+00, -1.250000e+00], [2.500000e-01, -7.500000e-01], [-2.000000e+00, -2.500000e-01]], {{\[\[}}1.250000e+00, -5.000000e-01], [-2.500000e-01, 7.500000e-01], [2.000000e+00, 1.250000e+00]]]]> : tensor<1x2x3x2xf16>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 1.000000e+00 : f64} : (tensor<1x2x2x2xf16>, tensor<1x2x3x2xf16>, tensor<1x2x3x2xf16>) -> tensor<1x2x2x2xf16>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf16>
// VALUES-LABEL: func.func @softmax_in_f32
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.000000e+00, -7.500000e-01], [-1.278320e+00, -1.207030e+00]], {{\[\[}}1.431640e+00, 9.848630e-01], [-9.680170e-02, 7.827140e-01]]]]> : tensor<1x2x2x2xf16>
func.func @softmax_in_f32() -> tensor<1x2x2x2xf16> {
  %q = graph.constant dense<[[[[0.0, 0.0], [-1.75, -1.0]], [[0.75, 1.75], [-1.75, 2.0]]]]> : tensor<1x2x2x2xf16>
  %k = graph.constant dense<[[[[-0.75, -1.75], [1.75, 0.0], [0.75, -1.25]], [[1.75, -0.5], [-0.5, 1.0], [1.0, 1.0]]]]> : tensor<1x2x3x2xf16>
  %v = graph.constant dense<[[[[-1.25, -1.25], [0.25, -0.75], [-2.0, -0.25]], [[1.25, -0.5], [-0.25, 0.75], [2.0, 1.25]]]]> : tensor<1x2x3x2xf16>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf16>, tensor<1x2x3x2xf16>) -> tensor<1x2x2x3xf16>
  %4 = graph.cast %3 : (tensor<1x2x2x3xf16>) -> tensor<1x2x2x3xf32>
  %5 = graph.softmax %4 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %6 = graph.cast %5 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf16>
  %7 = graph.matmul %6, %v : (tensor<1x2x2x3xf16>, tensor<1x2x3x2xf16>) -> tensor<1x2x2x2xf16>
  return %7 : tensor<1x2x2x2xf16>
}

// A key head for two query heads is read once.
// CHECK-LABEL: func.func @repeated_heads() -> tensor<1x4x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, -7.500000e-01], [2.500000e-01, -2.500000e-01]], {{\[\[}}-1.250000e+00, -1.750000e+00], [7.500000e-01, -5.000000e-01]], {{\[\[}}-7.500000e-01, 2.000000e+00], [1.500000e+00, 0.000000e+00]], {{\[\[}}1.750000e+00, 2.500000e-01], [1.750000e+00, 5.000000e-01]]]]> : tensor<1x4x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 2.500000e-01], [7.500000e-01, 1.250000e+00], [2.000000e+00, -1.000000e+00]], {{\[\[}}-1.750000e+00, -7.500000e-01], [2.500000e-01, 1.750000e+00], [1.750000e+00, 0.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, 2.000000e+00], [-1.250000e+00, -1.500000e+00], [-1.250000e+00, 1.250000e+00]], {{\[\[}}2.500000e-01, 0.000000e+00], [-7.500000e-01, 0.000000e+00], [1.000000e+00, 1.500000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 1.000000e+00 : f64} : (tensor<1x4x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x4x2x2xf32>
// VALUES-LABEL: func.func @repeated_heads
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.91225493, 1.73635173], [-1.41240501, 0.778514444]], {{\[\[}}-1.77519882, 1.70505416], [-1.3009119, 1.01178086]], {{\[\[}}-0.704467594, 0.014139873], [0.830383241, 1.35056448]], {{\[\[}}0.822528898, 1.34648657], [0.74028939, 1.27629447]]]]> : tensor<1x4x2x2xf32>
func.func @repeated_heads() -> tensor<1x4x2x2xf32> {
  %q = graph.constant dense<[[[[-1.5, -0.75], [0.25, -0.25]], [[-1.25, -1.75], [0.75, -0.5]], [[-0.75, 2.0], [1.5, 0.0]], [[1.75, 0.25], [1.75, 0.5]]]]> : tensor<1x4x2x2xf32>
  %k = graph.constant dense<[[[[-0.5, 0.25], [0.75, 1.25], [2.0, -1.0]], [[-1.75, -0.75], [0.25, 1.75], [1.75, 0.0]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-2.0, 2.0], [-1.25, -1.5], [-1.25, 1.25]], [[0.25, 0.0], [-0.75, 0.0], [1.0, 1.5]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.reshape %k : (tensor<1x2x3x2xf32>) -> tensor<1x2x1x3x2xf32>
  %4 = graph.broadcast %3 : (tensor<1x2x1x3x2xf32>) -> tensor<1x2x2x3x2xf32>
  %5 = graph.reshape %4 : (tensor<1x2x2x3x2xf32>) -> tensor<1x4x3x2xf32>
  %6 = graph.matmul %q, %5 {transpose_b} : (tensor<1x4x2x2xf32>, tensor<1x4x3x2xf32>) -> tensor<1x4x2x3xf32>
  %7 = graph.softmax %6 axis 3 : (tensor<1x4x2x3xf32>) -> tensor<1x4x2x3xf32>
  %8 = graph.reshape %v : (tensor<1x2x3x2xf32>) -> tensor<1x2x1x3x2xf32>
  %9 = graph.broadcast %8 : (tensor<1x2x1x3x2xf32>) -> tensor<1x2x2x3x2xf32>
  %10 = graph.reshape %9 : (tensor<1x2x2x3x2xf32>) -> tensor<1x4x3x2xf32>
  %11 = graph.matmul %7, %10 : (tensor<1x4x2x3xf32>, tensor<1x4x3x2xf32>) -> tensor<1x4x2x2xf32>
  return %11 : tensor<1x4x2x2xf32>
}

// Batches and heads merged around the products.
// CHECK-LABEL: func.func @merged_batches() -> tensor<4x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, -1.500000e+00], [1.000000e+00, 0.000000e+00]], {{\[\[}}-5.000000e-01, -1.000000e+00], [-1.750000e+00, -7.500000e-01]]], {{\[\[}}[-1.250000e+00, 1.250000e+00], [1.750000e+00, -5.000000e-01]], {{\[\[}}-5.000000e-01, 1.250000e+00], [-1.500000e+00, -2.000000e+00]]]]> : tensor<2x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.250000e+00, 2.000000e+00], [-2.500000e-01, 2.000000e+00], [-2.000000e+00, 7.500000e-01]], {{\[\[}}-1.000000e+00, -1.250000e+00], [5.000000e-01, 7.500000e-01], [1.250000e+00, -1.250000e+00]]], {{\[\[}}[1.500000e+00, -5.000000e-01], [-1.750000e+00, -2.000000e+00], [-1.750000e+00, -1.750000e+00]], {{\[\[}}7.500000e-01, -1.500000e+00], [2.500000e-01, -1.250000e+00], [1.000000e+00, 1.500000e+00]]]]> : tensor<2x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00, -1.000000e+00], [-2.500000e-01, 1.500000e+00], [1.250000e+00, -2.000000e+00]], {{\[\[}}7.500000e-01, -2.000000e+00], [5.000000e-01, -1.750000e+00], [2.500000e-01, 1.750000e+00]]], {{\[\[}}[-5.000000e-01, 1.250000e+00], [-7.500000e-01, -2.000000e+00], [0.000000e+00, 1.750000e+00]], {{\[\[}}1.000000e+00, -1.250000e+00], [-1.000000e+00, -1.000000e+00], [2.500000e-01, 2.500000e-01]]]]> : tensor<2x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 1.000000e+00 : f64} : (tensor<2x2x2x2xf32>, tensor<2x2x3x2xf32>, tensor<2x2x3x2xf32>) -> tensor<2x2x2x2xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ATTENTION]] : (tensor<2x2x2x2xf32>) -> tensor<4x2x2xf32>
// CHECK-NEXT: return %[[RESHAPE]] : tensor<4x2x2xf32>
// VALUES-LABEL: func.func @merged_batches
// VALUES-NEXT: #0 = dense<{{\[\[}}[0.149478689, 0.728724777], [0.336675286, 0.508916378]], {{\[\[}}0.621589541, -1.11173403], [0.736685454, -1.92550242]], {{\[\[}}-0.325166255, 0.214685366], [-0.498646557, 1.23012257]], {{\[\[}}0.214155257, 0.158295959], [-0.124073982, -1.10844266]]]> : tensor<4x2x2xf32>
func.func @merged_batches() -> tensor<4x2x2xf32> {
  %q = graph.constant dense<[[[[2.0, -1.5], [1.0, 0.0]], [[-0.5, -1.0], [-1.75, -0.75]]], [[[-1.25, 1.25], [1.75, -0.5]], [[-0.5, 1.25], [-1.5, -2.0]]]]> : tensor<2x2x2x2xf32>
  %k = graph.constant dense<[[[[-1.25, 2.0], [-0.25, 2.0], [-2.0, 0.75]], [[-1.0, -1.25], [0.5, 0.75], [1.25, -1.25]]], [[[1.5, -0.5], [-1.75, -2.0], [-1.75, -1.75]], [[0.75, -1.5], [0.25, -1.25], [1.0, 1.5]]]]> : tensor<2x2x3x2xf32>
  %v = graph.constant dense<[[[[1.5, -1.0], [-0.25, 1.5], [1.25, -2.0]], [[0.75, -2.0], [0.5, -1.75], [0.25, 1.75]]], [[[-0.5, 1.25], [-0.75, -2.0], [0.0, 1.75]], [[1.0, -1.25], [-1.0, -1.0], [0.25, 0.25]]]]> : tensor<2x2x3x2xf32>
  %3 = graph.reshape %q : (tensor<2x2x2x2xf32>) -> tensor<4x2x2xf32>
  %4 = graph.reshape %k : (tensor<2x2x3x2xf32>) -> tensor<4x3x2xf32>
  %5 = graph.matmul %3, %4 {transpose_b} : (tensor<4x2x2xf32>, tensor<4x3x2xf32>) -> tensor<4x2x3xf32>
  %6 = graph.reshape %5 : (tensor<4x2x3xf32>) -> tensor<2x2x2x3xf32>
  %7 = graph.softmax %6 axis 3 : (tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
  %8 = graph.reshape %7 : (tensor<2x2x2x3xf32>) -> tensor<4x2x3xf32>
  %9 = graph.reshape %v : (tensor<2x2x3x2xf32>) -> tensor<4x3x2xf32>
  %10 = graph.matmul %8, %9 : (tensor<4x2x3xf32>, tensor<4x3x2xf32>) -> tensor<4x2x2xf32>
  return %10 : tensor<4x2x2xf32>
}

// Not: the scores are used elsewhere.
// CHECK-LABEL: func.func @scores_used() -> (tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, -1.250000e+00], [1.000000e+00, 2.000000e+00]], {{\[\[}}-1.250000e+00, -5.000000e-01], [-2.500000e-01, 2.500000e-01]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, 2.500000e-01], [2.000000e+00, -1.000000e+00], [7.500000e-01, 1.000000e+00]], {{\[\[}}1.500000e+00, 2.000000e+00], [0.000000e+00, 5.000000e-01], [1.000000e+00, -1.750000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00, 1.250000e+00], [2.500000e-01, 7.500000e-01], [1.250000e+00, 0.000000e+00]], {{\[\[}}-1.750000e+00, 7.500000e-01], [5.000000e-01, -1.000000e+00], [-2.500000e-01, -7.500000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONSTANT]], %[[CONSTANT_2]] {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MATMUL]] axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONSTANT_3]] : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[MATMUL_2]], %[[MATMUL]] : tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>
// VALUES-LABEL: func.func @scores_used
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.398645341, 0.798447489], [1.12095726, 0.482567638]], {{\[\[}}0.078061968, -0.822299182], [-0.556905687, -0.238490492]]]]> : tensor<1x2x2x2xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}{{\[\[}}5.625000e-01, 2.250000e+00, -8.750000e-01], [2.250000e+00, 0.000000e+00, 2.750000e+00]], {{\[\[}}-2.875000e+00, -2.500000e-01, -3.750000e-01], [1.250000e-01, 1.250000e-01, -6.875000e-01]]]]> : tensor<1x2x2x3xf32>
func.func @scores_used() -> (tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>) {
  %q = graph.constant dense<[[[[0.5, -1.25], [1.0, 2.0]], [[-1.25, -0.5], [-0.25, 0.25]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[1.75, 0.25], [2.0, -1.0], [0.75, 1.0]], [[1.5, 2.0], [0.0, 0.5], [1.0, -1.75]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[1.0, 1.25], [0.25, 0.75], [1.25, 0.0]], [[-1.75, 0.75], [0.5, -1.0], [-0.25, -0.75]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %4 = graph.softmax %3 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %5 = graph.matmul %4, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %5, %3 : tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>
}

// Not: the weights are.
// CHECK-LABEL: func.func @weights_used() -> (tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, 0.000000e+00], [-2.500000e-01, -1.750000e+00]], {{\[\[}}-1.000000e+00, 2.500000e-01], [-2.000000e+00, -1.250000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.000000e+00, -1.000000e+00], [2.000000e+00, 1.750000e+00], [-7.500000e-01, 2.500000e-01]], {{\[\[}}-2.500000e-01, -1.000000e+00], [-1.500000e+00, 7.500000e-01], [1.000000e+00, 2.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, 1.750000e+00], [1.750000e+00, 1.250000e+00], [1.250000e+00, -7.500000e-01]], {{\[\[}}5.000000e-01, 2.500000e-01], [-2.500000e-01, 2.500000e-01], [-2.500000e-01, -1.750000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONSTANT]], %[[CONSTANT_2]] {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MATMUL]] axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONSTANT_3]] : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[MATMUL_2]], %[[SOFTMAX]] : tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>
// VALUES-LABEL: func.func @weights_used
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.0756903365, 0.735056877], [-0.551308393, 1.51072085]], {{\[\[}}-0.14304781, 0.0770139247], [0.0666202307, 0.248370081]]]]> : tensor<1x2x2x2xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}{{\[\[}}0.588790059, 0.00654086656, 0.404669076], [0.901519477, 0.0034610834, 0.0950194522]], {{\[\[}}0.142602906, 0.770904064, 0.0864930376], [0.422160298, 0.577024758, 8.14961095E-4]]]]> : tensor<1x2x2x3xf32>
func.func @weights_used() -> (tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>) {
  %q = graph.constant dense<[[[[-1.5, 0.0], [-0.25, -1.75]], [[-1.0, 0.25], [-2.0, -1.25]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-1.0, -1.0], [2.0, 1.75], [-0.75, 0.25]], [[-0.25, -1.0], [-1.5, 0.75], [1.0, 2.0]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-0.75, 1.75], [1.75, 1.25], [1.25, -0.75]], [[0.5, 0.25], [-0.25, 0.25], [-0.25, -1.75]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %4 = graph.softmax %3 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %5 = graph.matmul %4, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %5, %4 : tensor<1x2x2x2xf32>, tensor<1x2x2x3xf32>
}

// Not: softmax along queries.
// CHECK-LABEL: func.func @other_axis() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.500000e-01, 7.500000e-01], [1.500000e+00, 0.000000e+00]], {{\[\[}}-2.000000e+00, 0.000000e+00], [-5.000000e-01, 1.000000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01, -1.750000e+00], [1.750000e+00, -1.250000e+00], [2.500000e-01, 2.000000e+00]], {{\[\[}}-1.750000e+00, -7.500000e-01], [1.250000e+00, -1.000000e+00], [5.000000e-01, -1.750000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, -7.500000e-01], [0.000000e+00, 2.500000e-01], [-2.500000e-01, -2.000000e+00]], {{\[\[}}2.500000e-01, -1.000000e+00], [-2.500000e-01, -1.000000e+00], [-2.000000e+00, -1.500000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONSTANT]], %[[CONSTANT_2]] {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MATMUL]] axis 2 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONSTANT_3]] : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[MATMUL_2]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @other_axis
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.287112027, -1.53249943], [-1.462888, -0.967500507]], {{\[\[}}-1.29394245, -2.3577168], [-0.706057608, -1.14228308]]]]> : tensor<1x2x2x2xf32>
func.func @other_axis() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[-0.25, 0.75], [1.5, 0.0]], [[-2.0, 0.0], [-0.5, 1.0]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[0.75, -1.75], [1.75, -1.25], [0.25, 2.0]], [[-1.75, -0.75], [1.25, -1.0], [0.5, -1.75]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-1.5, -0.75], [0.0, 0.25], [-0.25, -2.0]], [[0.25, -1.0], [-0.25, -1.0], [-2.0, -1.5]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %4 = graph.softmax %3 axis 2 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %5 = graph.matmul %4, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %5 : tensor<1x2x2x2xf32>
}

// Not: the scores are no product.
// CHECK-LABEL: func.func @no_product_below() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 1.250000e+00, 1.250000e+00], [2.000000e+00, -1.000000e+00, 1.750000e+00]], {{\[\[}}-2.500000e-01, -2.500000e-01, -1.250000e+00], [-1.750000e+00, 1.250000e+00, -7.500000e-01]]]]> : tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01, 0.000000e+00], [-2.500000e-01, -5.000000e-01], [-1.500000e+00, 1.000000e+00]], {{\[\[}}1.750000e+00, 1.000000e+00], [0.000000e+00, 1.750000e+00], [2.000000e+00, -2.500000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[CONSTANT]] axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONSTANT_2]] : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[MATMUL]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @no_product_below
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.74509567, 0.230014712], [-0.235508472, 0.412289321]], {{\[\[}}1.04978275, 1.12253606], [0.301908016, 1.49010205]]]]> : tensor<1x2x2x2xf32>
func.func @no_product_below() -> tensor<1x2x2x2xf32> {
  %s = graph.constant dense<[[[[-0.5, 1.25, 1.25], [2.0, -1.0, 1.75]], [[-0.25, -0.25, -1.25], [-1.75, 1.25, -0.75]]]]> : tensor<1x2x2x3xf32>
  %v = graph.constant dense<[[[[0.75, 0.0], [-0.25, -0.5], [-1.5, 1.0]], [[1.75, 1.0], [0.0, 1.75], [2.0, -0.25]]]]> : tensor<1x2x3x2xf32>
  %2 = graph.softmax %s axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %3 = graph.matmul %2, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %3 : tensor<1x2x2x2xf32>
}

// Not: values times weights.
// CHECK-LABEL: func.func @weights_on_the_right() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, -1.000000e+00], [7.500000e-01, 1.750000e+00]], {{\[\[}}-2.500000e-01, 1.750000e+00], [-1.750000e+00, -1.500000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.500000e-01, -1.250000e+00], [-7.500000e-01, 7.500000e-01]], {{\[\[}}1.750000e+00, 1.250000e+00], [-1.000000e+00, 2.000000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, -2.000000e+00], [1.500000e+00, -1.250000e+00]], {{\[\[}}1.250000e+00, -2.500000e-01], [2.500000e-01, 2.500000e-01]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONSTANT]], %[[CONSTANT_2]] {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MATMUL]] axis 3 : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[CONSTANT_3]], %[[SOFTMAX]] : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[MATMUL_2]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @weights_on_the_right
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.63877523, -2.36122489], [1.11334014, -0.863340139]], {{\[\[}}0.142897874, 0.857102096], [0.0359065048, 0.464093506]]]]> : tensor<1x2x2x2xf32>
func.func @weights_on_the_right() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[-1.5, -1.0], [0.75, 1.75]], [[-0.25, 1.75], [-1.75, -1.5]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-0.25, -1.25], [-0.75, 0.75]], [[1.75, 1.25], [-1.0, 2.0]]]]> : tensor<1x2x2x2xf32>
  %v = graph.constant dense<[[[[-2.0, -2.0], [1.5, -1.25]], [[1.25, -0.25], [0.25, 0.25]]]]> : tensor<1x2x2x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %4 = graph.softmax %3 axis 3 : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %5 = graph.matmul %v, %4 : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %5 : tensor<1x2x2x2xf32>
}

// Not: a function of the scores.
// CHECK-LABEL: func.func @exp_between() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01, 1.250000e+00], [1.000000e+00, 2.500000e-01]], {{\[\[}}1.500000e+00, 0.000000e+00], [-1.750000e+00, -1.000000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, 7.500000e-01], [-1.000000e+00, 2.500000e-01], [-1.750000e+00, 2.000000e+00]], {{\[\[}}1.500000e+00, -1.250000e+00], [2.500000e-01, -1.500000e+00], [7.500000e-01, -5.000000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01, -7.500000e-01], [0.000000e+00, -2.500000e-01], [-5.000000e-01, -1.500000e+00]], {{\[\[}}-1.250000e+00, 1.000000e+00], [1.750000e+00, 1.250000e+00], [5.000000e-01, -2.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONSTANT]], %[[CONSTANT_2]] {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[MATMUL]] : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[EXP]] axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONSTANT_3]] : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[MATMUL_2]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @exp_between
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.498094976, -1.49726295], [-0.0931568295, -0.814974308]], {{\[\[}}-1.24614763, 0.995143413], [1.4720099, 0.992294549]]]]> : tensor<1x2x2x2xf32>
func.func @exp_between() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[0.25, 1.25], [1.0, 0.25]], [[1.5, 0.0], [-1.75, -1.0]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-2.0, 0.75], [-1.0, 0.25], [-1.75, 2.0]], [[1.5, -1.25], [0.25, -1.5], [0.75, -0.5]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[0.25, -0.75], [0.0, -0.25], [-0.5, -1.5]], [[-1.25, 1.0], [1.75, 1.25], [0.5, -2.0]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %4 = graph.unary exp %3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %5 = graph.softmax %4 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %6 = graph.matmul %5, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %6 : tensor<1x2x2x2xf32>
}

// Not: a scale that is no one number.
// CHECK-LABEL: func.func @scale_per_head() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00, 1.750000e+00], [-7.500000e-01, -1.750000e+00]], {{\[\[}}-1.250000e+00, -7.500000e-01], [-5.000000e-01, 0.000000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, -2.500000e-01], [-5.000000e-01, -1.250000e+00], [5.000000e-01, 1.000000e+00]], {{\[\[}}5.000000e-01, 1.500000e+00], [-1.500000e+00, -1.250000e+00], [-1.500000e+00, -1.500000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.000000e+00, 0.000000e+00], [-1.250000e+00, -1.500000e+00], [-2.000000e+00, 1.750000e+00]], {{\[\[}}-7.500000e-01, 1.500000e+00], [5.000000e-01, 1.500000e+00], [-2.000000e+00, -5.000000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[1.000000e+00]], {{\[\[}}5.000000e-01]]]> : tensor<2x1x1xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[CONSTANT_4]] : (tensor<1x2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[MUL]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 1.000000e+00 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @scale_per_head
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.97307634, 1.69236696], [-1.21267247, -1.2174741]], {{\[\[}}-0.805832624, 0.50175935], [-7.500000e-01, 0.732696533]]]]> : tensor<1x2x2x2xf32>
func.func @scale_per_head() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[1.25, 1.75], [-0.75, -1.75]], [[-1.25, -0.75], [-0.5, 0.0]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[-0.75, -0.25], [-0.5, -1.25], [0.5, 1.0]], [[0.5, 1.5], [-1.5, -1.25], [-1.5, -1.5]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-1.0, 0.0], [-1.25, -1.5], [-2.0, 1.75]], [[-0.75, 1.5], [0.5, 1.5], [-2.0, -0.5]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %c4 = graph.constant dense<[[[1.0]], [[0.5]]]> : tensor<2x1x1xf32>
  %5 = graph.binary mul %3, %c4 : (tensor<1x2x2x3xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x3xf32>
  %6 = graph.softmax %5 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %7 = graph.matmul %6, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %7 : tensor<1x2x2x2xf32>
}

// Not: -1 does not remove a key.
// CHECK-LABEL: func.func @small_mask_value() -> tensor<1x2x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00, 1.250000e+00], [-1.250000e+00, -5.000000e-01]], {{\[\[}}2.000000e+00, -2.500000e-01], [1.250000e+00, -1.750000e+00]]]]> : tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01, -2.000000e+00], [7.500000e-01, 7.500000e-01], [-1.250000e+00, -1.250000e+00]], {{\[\[}}-1.000000e+00, 2.000000e+00], [1.750000e+00, 2.500000e-01], [1.750000e+00, 2.500000e-01]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, 1.750000e+00], [-7.500000e-01, -7.500000e-01], [5.000000e-01, -2.000000e+00]], {{\[\[}}-7.500000e-01, -1.250000e+00], [-2.000000e+00, -2.500000e-01], [2.500000e-01, -1.500000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}true, false, true], [true, true, false]]> : tensor<2x3xi1>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<-1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[CONSTANT_4]], %[[CONSTANT_5]], %[[CONSTANT_6]] : (tensor<2x3xi1>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[SELECT]] keep %[[CONSTANT_4]] {scale = 1.000000e+00 : f64} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<2x3xf32>, tensor<2x3xi1>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x2xf32>
// VALUES-LABEL: func.func @small_mask_value
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.239988342, 0.00488629518], [0.302275091, 0.543776453]], {{\[\[}}0.221171066, -1.48477864], [-1.8632319, -0.326413423]]]]> : tensor<1x2x2x2xf32>
func.func @small_mask_value() -> tensor<1x2x2x2xf32> {
  %q = graph.constant dense<[[[[1.25, 1.25], [-1.25, -0.5]], [[2.0, -0.25], [1.25, -1.75]]]]> : tensor<1x2x2x2xf32>
  %k = graph.constant dense<[[[[0.75, -2.0], [0.75, 0.75], [-1.25, -1.25]], [[-1.0, 2.0], [1.75, 0.25], [1.75, 0.25]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[0.5, 1.75], [-0.75, -0.75], [0.5, -2.0]], [[-0.75, -1.25], [-2.0, -0.25], [0.25, -1.5]]]]> : tensor<1x2x3x2xf32>
  %c = graph.constant dense<[[true, false, true], [true, true, false]]> : tensor<2x3xi1>
  %4 = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x3xf32>
  %low = graph.constant dense<-1.0> : tensor<f32>
  %6 = graph.select %c, %4, %low : (tensor<2x3xi1>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
  %7 = graph.softmax %6 axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  %8 = graph.matmul %7, %v : (tensor<1x2x2x3xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %8 : tensor<1x2x2x2xf32>
}

// Windows of heads are heads.
// CHECK-LABEL: func.func @windows(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x2x2x2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x2x2x4xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<1x2x2x2x1xf32>
// CHECK-SAME: ) -> tensor<1x2x2x2x1xf32> {
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG]] : (tensor<1x2x2x2x4xf32>) -> tensor<1x4x2x4xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[ARG_2]] : (tensor<1x2x2x2x4xf32>) -> tensor<1x4x2x4xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[ARG_3]] : (tensor<1x2x2x2x1xf32>) -> tensor<1x4x2x1xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[RESHAPE]], %[[RESHAPE_2]], %[[RESHAPE_3]] {scale = 2.500000e-01 : f64} : (tensor<1x4x2x4xf32>, tensor<1x4x2x4xf32>, tensor<1x4x2x1xf32>) -> tensor<1x4x2x1xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[ATTENTION]] : (tensor<1x4x2x1xf32>) -> tensor<1x2x2x2x1xf32>
// CHECK-NEXT: return %[[RESHAPE_4]] : tensor<1x2x2x2x1xf32>
// VALUES-LABEL: func.func @windows
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}[2.99752736], [3.000000e+00]], {{\[\[}}5.000000e+00], [5.000000e+00]]], {{\[\[}}[7.000000e+00], [7.000000e+00]], {{\[\[}}9.000000e+00], [9.000000e+00]]]]]> : tensor<1x2x2x2x1xf32>
func.func @windows(%q: tensor<1x2x2x2x4xf32>, %k: tensor<1x2x2x2x4xf32>, %v: tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32> {
  %c = graph.constant dense<0.25> : tensor<1xf32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2x4xf32>, tensor<1x2x2x2x4xf32>) -> tensor<1x2x2x2x2xf32>
  %w = graph.binary mul %s, %c : (tensor<1x2x2x2x2xf32>, tensor<1xf32>) -> tensor<1x2x2x2x2xf32>
  %p = graph.softmax %w axis 4 : (tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %o = graph.matmul %p, %v : (tensor<1x2x2x2x2xf32>, tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32>
  return %o : tensor<1x2x2x2x1xf32>
}

// Not: a mask of five dims.
// CHECK-LABEL: func.func @mask_of_windows(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x2x2x2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x2x2x4xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<1x2x2x2x1xf32>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<1x1x2x2x2xf32>
// CHECK-SAME: ) -> tensor<1x2x2x2x1xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {transpose_b} : (tensor<1x2x2x2x4xf32>, tensor<1x2x2x2x4xf32>) -> tensor<1x2x2x2x2xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MATMUL]], %[[ARG_4]] : (tensor<1x2x2x2x2xf32>, tensor<1x1x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[ADD]] axis 4 : (tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[ARG_3]] : (tensor<1x2x2x2x2xf32>, tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32>
// CHECK-NEXT: return %[[MATMUL_2]] : tensor<1x2x2x2x1xf32>
// VALUES-LABEL: func.func @mask_of_windows
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}[3.000000e+00], [3.000000e+00]], {{\[\[}}5.000000e+00], [5.000000e+00]]], {{\[\[}}[7.000000e+00], [7.000000e+00]], {{\[\[}}9.000000e+00], [9.000000e+00]]]]]> : tensor<1x2x2x2x1xf32>
func.func @mask_of_windows(%q: tensor<1x2x2x2x4xf32>, %k: tensor<1x2x2x2x4xf32>, %v: tensor<1x2x2x2x1xf32>, %m: tensor<1x1x2x2x2xf32>) -> tensor<1x2x2x2x1xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2x4xf32>, tensor<1x2x2x2x4xf32>) -> tensor<1x2x2x2x2xf32>
  %w = graph.binary add %s, %m : (tensor<1x2x2x2x2xf32>, tensor<1x1x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %p = graph.softmax %w axis 4 : (tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %o = graph.matmul %p, %v : (tensor<1x2x2x2x2xf32>, tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32>
  return %o : tensor<1x2x2x2x1xf32>
}

// Not: keys that all windows share.
// CHECK-LABEL: func.func @keys_of_all_windows(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x2x2x2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x1x2x4xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<1x2x2x2x1xf32>
// CHECK-SAME: ) -> tensor<1x2x2x2x1xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[ARG_2]] {transpose_b} : (tensor<1x2x2x2x4xf32>, tensor<1x2x1x2x4xf32>) -> tensor<1x2x2x2x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MATMUL]] axis 4 : (tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[ARG_3]] : (tensor<1x2x2x2x2xf32>, tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32>
// CHECK-NEXT: return %[[MATMUL_2]] : tensor<1x2x2x2x1xf32>
// VALUES-LABEL: func.func @keys_of_all_windows
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}[3.000000e+00], [3.000000e+00]], {{\[\[}}5.000000e+00], [5.000000e+00]]], {{\[\[}}[7.000000e+00], [7.000000e+00]], {{\[\[}}9.000000e+00], [9.000000e+00]]]]]> : tensor<1x2x2x2x1xf32>
func.func @keys_of_all_windows(%q: tensor<1x2x2x2x4xf32>, %k: tensor<1x2x1x2x4xf32>, %v: tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<1x2x2x2x4xf32>, tensor<1x2x1x2x4xf32>) -> tensor<1x2x2x2x2xf32>
  %p = graph.softmax %s axis 4 : (tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %o = graph.matmul %p, %v : (tensor<1x2x2x2x2xf32>, tensor<1x2x2x2x1xf32>) -> tensor<1x2x2x2x1xf32>
  return %o : tensor<1x2x2x2x1xf32>
}
