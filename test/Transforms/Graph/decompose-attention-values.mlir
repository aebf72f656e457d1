// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Attention written out computes what the op does: types, masks, caps.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @plain() -> tensor<1x1x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, -1.500000e+00], [1.250000e+00, 0.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, 5.000000e-01], [1.000000e+00, -2.000000e+00], [0.000000e+00, -1.500000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 1.750000e+00], [2.500000e-01, -1.750000e+00], [2.500000e-01, -1.500000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 5.000000e-01 : f64} : (tensor<1x1x2x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x2x2xf32>
// VALUES-LABEL: func.func @plain
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.187513053, -1.32257223], [0.00794376712, -0.561373532]]]]> : tensor<1x1x2x2xf32>
func.func @plain() -> tensor<1x1x2x2xf32> {
  %q = graph.constant dense<[[[[-1.5, -1.5], [1.25, 0.0]]]]> : tensor<1x1x2x2xf32>
  %k = graph.constant dense<[[[[0.5, 0.5], [1.0, -2.0], [0.0, -1.5]]]]> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[-0.5, 1.75], [0.25, -1.75], [0.25, -1.5]]]]> : tensor<1x1x3x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x1x2x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}

// Query heads of a key head are rows of one product.
// CHECK-LABEL: func.func @shared_heads() -> tensor<1x4x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00, 2.000000e+00], [2.000000e+00, 5.000000e-01]], {{\[\[}}1.500000e+00, -5.000000e-01], [-1.500000e+00, 0.000000e+00]], {{\[\[}}-2.500000e-01, 7.500000e-01], [2.000000e+00, -1.000000e+00]], {{\[\[}}1.500000e+00, -1.500000e+00], [-7.500000e-01, 1.250000e+00]]]]> : tensor<1x4x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.000000e+00, 7.500000e-01], [-2.500000e-01, 0.000000e+00], [2.000000e+00, 1.250000e+00]], {{\[\[}}1.500000e+00, 2.500000e-01], [2.000000e+00, 2.000000e+00], [-1.500000e+00, -1.250000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, 2.500000e-01], [1.500000e+00, 0.000000e+00], [2.000000e+00, -5.000000e-01]], {{\[\[}}1.750000e+00, 5.000000e-01], [1.000000e+00, -1.000000e+00], [5.000000e-01, 1.250000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 5.000000e-01 : f64} : (tensor<1x4x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x4x2x2xf32>
// VALUES-LABEL: func.func @shared_heads
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.6591531, -0.379506052], [1.85782743, -0.436212808]], {{\[\[}}1.66853487, -0.342600852], [0.188321441, 0.117778473]], {{\[\[}}1.09217155, -0.075410746], [1.38896906, -0.0309815388]], {{\[\[}}1.34241569, 0.299611092], [1.0313772, -0.0998099967]]]]> : tensor<1x4x2x2xf32>
func.func @shared_heads() -> tensor<1x4x2x2xf32> {
  %q = graph.constant dense<[[[[1.0, 2.0], [2.0, 0.5]], [[1.5, -0.5], [-1.5, 0.0]], [[-0.25, 0.75], [2.0, -1.0]], [[1.5, -1.5], [-0.75, 1.25]]]]> : tensor<1x4x2x2xf32>
  %k = graph.constant dense<[[[[-1.0, 0.75], [-0.25, 0.0], [2.0, 1.25]], [[1.5, 0.25], [2.0, 2.0], [-1.5, -1.25]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-0.75, 0.25], [1.5, 0.0], [2.0, -0.5]], [[1.75, 0.5], [1.0, -1.0], [0.5, 1.25]]]]> : tensor<1x2x3x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x4x2x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x4x2x2xf32>
  return %0 : tensor<1x4x2x2xf32>
}

// CHECK-LABEL: func.func @batches() -> tensor<2x1x1x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, 1.500000e+00]]], {{\[\[}}[2.000000e+00, -1.500000e+00]]]]> : tensor<2x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00, -2.500000e-01], [7.500000e-01, -1.000000e+00]]], {{\[\[}}[-2.000000e+00, -1.750000e+00], [2.000000e+00, 1.750000e+00]]]]> : tensor<2x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, -2.500000e-01], [-1.000000e+00, -1.500000e+00]]], {{\[\[}}[1.500000e+00, 7.500000e-01], [-1.750000e+00, -1.250000e+00]]]]> : tensor<2x1x2x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 5.000000e-01 : f64} : (tensor<2x1x1x2xf32>, tensor<2x1x2x2xf32>, tensor<2x1x2x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<2x1x1x2xf32>
// VALUES-LABEL: func.func @batches
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.81723535, -0.586176753]]], {{\[\[}}[-1.09410703, -0.846373558]]]]> : tensor<2x1x1x2xf32>
func.func @batches() -> tensor<2x1x1x2xf32> {
  %q = graph.constant dense<[[[[1.75, 1.5]]], [[[2.0, -1.5]]]]> : tensor<2x1x1x2xf32>
  %k = graph.constant dense<[[[[1.25, -0.25], [0.75, -1.0]]], [[[-2.0, -1.75], [2.0, 1.75]]]]> : tensor<2x1x2x2xf32>
  %v = graph.constant dense<[[[[-0.75, -0.25], [-1.0, -1.5]]], [[[1.5, 0.75], [-1.75, -1.25]]]]> : tensor<2x1x2x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<2x1x1x2xf32>, tensor<2x1x2x2xf32>, tensor<2x1x2x2xf32>) -> tensor<2x1x1x2xf32>
  return %0 : tensor<2x1x1x2xf32>
}

// CHECK-LABEL: func.func @wide_values() -> tensor<1x1x2x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01, 1.750000e+00], [2.000000e+00, -1.250000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, -2.000000e+00], [-1.500000e+00, -1.250000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.500000e-01, -7.500000e-01, 1.000000e+00], [-2.500000e-01, -7.500000e-01, 1.750000e+00]]]]> : tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 5.000000e-01 : f64} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x2x3xf32>
// VALUES-LABEL: func.func @wide_values
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-2.500000e-01, -7.500000e-01, 1.45014131], [-2.500000e-01, -7.500000e-01, 1.05855858]]]]> : tensor<1x1x2x3xf32>
func.func @wide_values() -> tensor<1x1x2x3xf32> {
  %q = graph.constant dense<[[[[0.25, 1.75], [2.0, -1.25]]]]> : tensor<1x1x2x2xf32>
  %k = graph.constant dense<[[[[0.5, -2.0], [-1.5, -1.25]]]]> : tensor<1x1x2x2xf32>
  %v = graph.constant dense<[[[[-0.25, -0.75, 1.0], [-0.25, -0.75, 1.75]]]]> : tensor<1x1x2x3xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
  return %0 : tensor<1x1x2x3xf32>
}

// Scores and softmax in f32.
// CHECK-LABEL: func.func @half() -> tensor<1x1x2x2xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, 7.500000e-01], [1.000000e+00, -7.500000e-01]]]]> : tensor<1x1x2x2xf16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, -2.000000e+00], [-7.500000e-01, -1.500000e+00], [-2.000000e+00, 2.000000e+00]]]]> : tensor<1x1x3x2xf16>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.750000e+00, -2.500000e-01], [1.250000e+00, 7.500000e-01], [1.500000e+00, -2.000000e+00]]]]> : tensor<1x1x3x2xf16>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 5.000000e-01 : f64} : (tensor<1x1x2x2xf16>, tensor<1x1x3x2xf16>, tensor<1x1x3x2xf16>) -> tensor<1x1x2x2xf16>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x2x2xf16>
// VALUES-LABEL: func.func @half
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}4.968260e-01, -9.633780e-01], [-1.102540e+00, -1.102910e-01]]]]> : tensor<1x1x2x2xf16>
func.func @half() -> tensor<1x1x2x2xf16> {
  %q = graph.constant dense<[[[[0.5, 0.75], [1.0, -0.75]]]]> : tensor<1x1x2x2xf16>
  %k = graph.constant dense<[[[[1.75, -2.0], [-0.75, -1.5], [-2.0, 2.0]]]]> : tensor<1x1x3x2xf16>
  %v = graph.constant dense<[[[[-1.75, -0.25], [1.25, 0.75], [1.5, -2.0]]]]> : tensor<1x1x3x2xf16>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x1x2x2xf16>, tensor<1x1x3x2xf16>, tensor<1x1x3x2xf16>) -> tensor<1x1x2x2xf16>
  return %0 : tensor<1x1x2x2xf16>
}

// CHECK-LABEL: func.func @brain() -> tensor<1x1x1x2xbf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, -2.000000e+00]]]]> : tensor<1x1x1x2xbf16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.250000e+00, 1.500000e+00], [-1.750000e+00, 2.500000e-01], [-2.000000e+00, -7.500000e-01]]]]> : tensor<1x1x3x2xbf16>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, -7.500000e-01], [-7.500000e-01, -1.750000e+00], [1.250000e+00, -1.500000e+00]]]]> : tensor<1x1x3x2xbf16>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 5.000000e-01 : f64} : (tensor<1x1x1x2xbf16>, tensor<1x1x3x2xbf16>, tensor<1x1x3x2xbf16>) -> tensor<1x1x1x2xbf16>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x1x2xbf16>
// VALUES-LABEL: func.func @brain
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}7.851560e-01, -1.507810e+00]]]]> : tensor<1x1x1x2xbf16>
func.func @brain() -> tensor<1x1x1x2xbf16> {
  %q = graph.constant dense<[[[[0.0, -2.0]]]]> : tensor<1x1x1x2xbf16>
  %k = graph.constant dense<[[[[-1.25, 1.5], [-1.75, 0.25], [-2.0, -0.75]]]]> : tensor<1x1x3x2xbf16>
  %v = graph.constant dense<[[[[1.75, -0.75], [-0.75, -1.75], [1.25, -1.5]]]]> : tensor<1x1x3x2xbf16>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64} : (tensor<1x1x1x2xbf16>, tensor<1x1x3x2xbf16>, tensor<1x1x3x2xbf16>) -> tensor<1x1x1x2xbf16>
  return %0 : tensor<1x1x1x2xbf16>
}

// f64 stays.
// CHECK-LABEL: func.func @double() -> tensor<1x1x1x2xf64> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, -2.000000e+00]]]]> : tensor<1x1x1x2xf64>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, 1.500000e+00], [-2.000000e+00, -2.500000e-01], [-2.500000e-01, -1.500000e+00]]]]> : tensor<1x1x3x2xf64>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, 1.000000e+00], [2.000000e+00, -1.250000e+00], [1.750000e+00, -1.750000e+00]]]]> : tensor<1x1x3x2xf64>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 0.000000e+00 : f64} : (tensor<1x1x1x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>) -> tensor<1x1x1x2xf64>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x1x2xf64>
// VALUES-LABEL: func.func @double
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.4166666666666667, -0.66666666666666663]]]]> : tensor<1x1x1x2xf64>
func.func @double() -> tensor<1x1x1x2xf64> {
  %q = graph.constant dense<[[[[0.0, -2.0]]]]> : tensor<1x1x1x2xf64>
  %k = graph.constant dense<[[[[-2.0, 1.5], [-2.0, -0.25], [-0.25, -1.5]]]]> : tensor<1x1x3x2xf64>
  %v = graph.constant dense<[[[[0.5, 1.0], [2.0, -1.25], [1.75, -1.75]]]]> : tensor<1x1x3x2xf64>
  %0 = graph.attention %q, %k, %v {scale = 0.0 : f64} : (tensor<1x1x1x2xf64>, tensor<1x1x3x2xf64>, tensor<1x1x3x2xf64>) -> tensor<1x1x1x2xf64>
  return %0 : tensor<1x1x1x2xf64>
}

// CHECK-LABEL: func.func @mask() -> tensor<1x2x1x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, 5.000000e-01]], {{\[\[}}1.500000e+00, 1.750000e+00]]]]> : tensor<1x2x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00, -2.000000e+00], [-2.500000e-01, 1.250000e+00], [0.000000e+00, -1.250000e+00]], {{\[\[}}7.500000e-01, -1.750000e+00], [7.500000e-01, -2.000000e+00], [-5.000000e-01, -1.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, 1.000000e+00], [7.500000e-01, 0.000000e+00], [-1.000000e+00, 1.500000e+00]], {{\[\[}}2.000000e+00, -1.250000e+00], [-1.000000e+00, -7.500000e-01], [0.000000e+00, -1.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, 0xFF800000, 1.000000e+00]]]]> : tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[CONSTANT_4]] {scale = 5.000000e-01 : f64} : (tensor<1x2x1x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x1x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x2x1x2xf32>
// VALUES-LABEL: func.func @mask
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.653712392, 1.43703866]], {{\[\[}}0.655336618, -1.08191705]]]]> : tensor<1x2x1x2xf32>
func.func @mask() -> tensor<1x2x1x2xf32> {
  %q = graph.constant dense<[[[[-1.5, 0.5]], [[1.5, 1.75]]]]> : tensor<1x2x1x2xf32>
  %k = graph.constant dense<[[[[1.0, -2.0], [-0.25, 1.25], [0.0, -1.25]], [[0.75, -1.75], [0.75, -2.0], [-0.5, -1.0]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[1.75, 1.0], [0.75, 0.0], [-1.0, 1.5]], [[2.0, -1.25], [-1.0, -0.75], [0.0, -1.0]]]]> : tensor<1x2x3x2xf32>
  %m = graph.constant dense<[[[[0.0, 0xFF800000, 1.0]]]]> : tensor<1x1x1x3xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x2x1x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x1x2xf32>
  return %0 : tensor<1x2x1x2xf32>
}

// CHECK-LABEL: func.func @mask_of_f32() -> tensor<1x1x1x2xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 2.000000e+00]]]]> : tensor<1x1x1x2xf16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 1.750000e+00], [0.000000e+00, -7.500000e-01]]]]> : tensor<1x1x2x2xf16>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, -2.500000e-01], [1.250000e+00, -7.500000e-01]]]]> : tensor<1x1x2x2xf16>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, -1.000000e+30]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[CONSTANT_4]] {scale = 5.000000e-01 : f64} : (tensor<1x1x1x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf16>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x1x2xf16>
// VALUES-LABEL: func.func @mask_of_f32
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.750000e+00, -2.500000e-01]]]]> : tensor<1x1x1x2xf16>
func.func @mask_of_f32() -> tensor<1x1x1x2xf16> {
  %q = graph.constant dense<[[[[-0.5, 2.0]]]]> : tensor<1x1x1x2xf16>
  %k = graph.constant dense<[[[[-0.5, 1.75], [0.0, -0.75]]]]> : tensor<1x1x2x2xf16>
  %v = graph.constant dense<[[[[1.75, -0.25], [1.25, -0.75]]]]> : tensor<1x1x2x2xf16>
  %m = graph.constant dense<[[[[0.5, -1.0e+30]]]]> : tensor<1x1x1x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64} : (tensor<1x1x1x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf16>
  return %0 : tensor<1x1x1x2xf16>
}

// CHECK-LABEL: func.func @softcap() -> tensor<1x1x1x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, 1.000000e+00]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00, -2.000000e+00], [-1.750000e+00, -1.750000e+00], [2.500000e-01, -5.000000e-01]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, -1.000000e+00], [-1.500000e+00, 1.500000e+00], [-7.500000e-01, 1.000000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] {scale = 5.000000e-01 : f64, softcap = 1.500000e+00 : f64} : (tensor<1x1x1x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x1x2xf32>
// VALUES-LABEL: func.func @softcap
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.741790115, -0.0888058915]]]]> : tensor<1x1x1x2xf32>
func.func @softcap() -> tensor<1x1x1x2xf32> {
  %q = graph.constant dense<[[[[2.0, 1.0]]]]> : tensor<1x1x1x2xf32>
  %k = graph.constant dense<[[[[1.5, -2.0], [-1.75, -1.75], [0.25, -0.5]]]]> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[2.0, -1.0], [-1.5, 1.5], [-0.75, 1.0]]]]> : tensor<1x1x3x2xf32>
  %0 = graph.attention %q, %k, %v {scale = 0.5 : f64, softcap = 1.5 : f64} : (tensor<1x1x1x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// The mask comes behind the cap.
// CHECK-LABEL: func.func @softcap_and_mask() -> tensor<1x1x1x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.000000e+00, 2.500000e-01]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.750000e+00, 7.500000e-01], [1.750000e+00, 7.500000e-01]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00, 1.250000e+00], [2.500000e-01, 1.750000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, -3.000000e+00]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] mask %[[CONSTANT_4]] {scale = 5.000000e-01 : f64, softcap = 1.500000e+00 : f64} : (tensor<1x1x1x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: return %[[ATTENTION]] : tensor<1x1x1x2xf32>
// VALUES-LABEL: func.func @softcap_and_mask
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.48719549, 1.25512183]]]]> : tensor<1x1x1x2xf32>
func.func @softcap_and_mask() -> tensor<1x1x1x2xf32> {
  %q = graph.constant dense<[[[[-1.0, 0.25]]]]> : tensor<1x1x1x2xf32>
  %k = graph.constant dense<[[[[-1.75, 0.75], [1.75, 0.75]]]]> : tensor<1x1x2x2xf32>
  %v = graph.constant dense<[[[[1.5, 1.25], [0.25, 1.75]]]]> : tensor<1x1x2x2xf32>
  %m = graph.constant dense<[[[[0.0, -3.0]]]]> : tensor<1x1x1x2xf32>
  %0 = graph.attention %q, %k, %v mask %m {scale = 0.5 : f64, softcap = 1.5 : f64} : (tensor<1x1x1x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}
