// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Attention written out computes what the op does: which keys a query sees.
// NOTE: checks by tools/update-lit-checks

// A query without keys gives zeros.
// CHECK-LABEL: func.func @masked_zero() -> tensor<1x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [-1.500000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01], [5.000000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<-1.500000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[CONSTANT_4]] {masked_zero, scale = 5.000000e-01 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x2x1xf32>
// VALUES-LABEL: func.func @masked_zero
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [-1.500000e+00]]]]> : tensor<1x1x2x1xf32>
func.func @masked_zero() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.0], [-1.5]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[0.25], [0.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-1.5], [-1.5]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<[[[[0xFF800000, 0xFF800000], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {masked_zero, scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// Weights that are NaN become 0.
// CHECK-LABEL: func.func @nan_zero() -> tensor<1x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [-2.500000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [1.250000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [1.750000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[CONSTANT_4]] {nan_zero, scale = 5.000000e-01 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x2x1xf32>
// VALUES-LABEL: func.func @nan_zero
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [1.21101677]]]]> : tensor<1x1x2x1xf32>
func.func @nan_zero() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.75], [-0.25]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[0.0], [1.25]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[0.75], [1.75]]]]> : tensor<1x1x2x1xf32>
  %m = graph.constant dense<[[[[0xFF800000, 0xFF800000], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {nan_zero, scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// Queries see different keys: a sum over those.
// CHECK-LABEL: func.func @causal() -> tensor<1x1x3x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, 1.000000e+00], [2.500000e-01, -2.000000e+00], [-1.750000e+00, -5.000000e-01]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, -1.500000e+00], [2.500000e-01, 2.000000e+00], [-1.500000e+00, -1.500000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, -1.000000e+00], [1.500000e+00, -5.000000e-01], [1.000000e+00, -1.750000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {causal, scale = 5.000000e-01 : f64} : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x3x2xf32>
// VALUES-LABEL: func.func @causal
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}2.000000e+00, -1.000000e+00], [1.98578203, -0.985781967], [1.17315114, -1.55772507]]]]> : tensor<1x1x3x2xf32>
func.func @causal() -> tensor<1x1x3x2xf32> {
  %q = graph.constant dense<[[[[-1.5, 1.0], [0.25, -2.0], [-1.75, -0.5]]]]> : tensor<1x1x3x2xf32>
  %k = graph.constant dense<[[[[0.5, -1.5], [0.25, 2.0], [-1.5, -1.5]]]]> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[2.0, -1.0], [1.5, -0.5], [1.0, -1.75]]]]> : tensor<1x1x3x2xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 0.5 : f64} : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x3x2xf32>
  return %0 : tensor<1x1x3x2xf32>
}

// What a query does not see does not reach it.
// CHECK-LABEL: func.func @causal_hides_nan() -> tensor<1x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00], [5.000000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}3.000000e+00], [0x7F800000]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {causal, scale = 5.000000e-01 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x2x1xf32>
// VALUES-LABEL: func.func @causal_hides_nan
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}3.000000e+00], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
func.func @causal_hides_nan() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[1.0], [0.5]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[1.0], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[3.0], [0x7F800000]]]]> : tensor<1x1x2x1xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 0.5 : f64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  return %0 : tensor<1x1x2x1xf32>
}

// The first query sees no key: NaN, though a sum of nothing is 0.
// CHECK-LABEL: func.func @causal_more_queries() -> tensor<1x1x3x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01], [1.500000e+00], [-7.500000e-01]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01], [-1.250000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00], [-2.000000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {causal, scale = 5.000000e-01 : f64} : (tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x3x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x3x1xf32>
// VALUES-LABEL: func.func @causal_more_queries
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0xFFC00000], [-1.500000e+00], [-1.82920873]]]]> : tensor<1x1x3x1xf32>
func.func @causal_more_queries() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<[[[[0.5], [1.5], [-0.75]]]]> : tensor<1x1x3x1xf32>
  %k = graph.constant dense<[[[[0.5], [-1.25]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-1.5], [-2.0]]]]> : tensor<1x1x2x1xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 0.5 : f64} : (tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}

// CHECK-LABEL: func.func @causal_nan_zero() -> tensor<1x1x3x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [0.000000e+00], [-1.750000e+00]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.250000e+00], [5.000000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01], [-1.250000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {causal, nan_zero, scale = 5.000000e-01 : f64} : (tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x3x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x3x1xf32>
// VALUES-LABEL: func.func @causal_nan_zero
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [-5.000000e-01], [-0.63335818]]]]> : tensor<1x1x3x1xf32>
func.func @causal_nan_zero() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<[[[[0.0], [0.0], [-1.75]]]]> : tensor<1x1x3x1xf32>
  %k = graph.constant dense<[[[[-1.25], [0.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-0.5], [-1.25]]]]> : tensor<1x1x2x1xf32>
  %0 = graph.attention %q, %k, %v {causal, nan_zero, scale = 0.5 : f64} : (tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x3x1xf32>
  return %0 : tensor<1x1x3x1xf32>
}

// CHECK-LABEL: func.func @causal_shared_heads() -> tensor<1x2x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00], [-2.000000e+00]], {{\[\[}}5.000000e-01], [-1.750000e+00]]]]> : tensor<1x2x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00], [2.500000e-01], [-1.000000e+00]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01], [-1.500000e+00], [-7.500000e-01]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {causal, scale = 5.000000e-01 : f64} : (tensor<1x2x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x2x2x1xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x2x1xf32>
// VALUES-LABEL: func.func @causal_shared_heads
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.05459976], [-0.832035064]], {{\[\[}}-0.345009267], [-0.826683163]]]]> : tensor<1x2x2x1xf32>
func.func @causal_shared_heads() -> tensor<1x2x2x1xf32> {
  %q = graph.constant dense<[[[[-2.0], [-2.0]], [[0.5], [-1.75]]]]> : tensor<1x2x2x1xf32>
  %k = graph.constant dense<[[[[1.5], [0.25], [-1.0]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[0.5], [-1.5], [-0.75]]]]> : tensor<1x1x3x1xf32>
  %0 = graph.attention %q, %k, %v {causal, scale = 0.5 : f64} : (tensor<1x2x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x2x2x1xf32>
  return %0 : tensor<1x2x2x1xf32>
}
