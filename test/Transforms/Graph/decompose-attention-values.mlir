// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Attention written out computes what the op does: heads and types.
// Heads are padded with zeros to 300, which no block of threads holds.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @plain() -> tensor<1x1x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, -1.500000e+00], [1.250000e+00, 0.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, 5.000000e-01], [1.000000e+00, -2.000000e+00], [0.000000e+00, -1.500000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 1.750000e+00], [2.500000e-01, -1.750000e+00], [2.500000e-01, -1.500000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<1x1x2x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_4]] : (tensor<1x1x2x3xf32>, tensor<f32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MUL]] axis 3 : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONCAT_3]] : (tensor<1x1x2x3xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x2x300xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x2x2xf32>
// VALUES-LABEL: func.func @plain
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.187513053, -1.32257223], [0.00794376712, -0.561373532]]]]> : tensor<1x1x2x2xf32>
func.func @plain() -> tensor<1x1x2x2xf32> {
  %q = graph.constant dense<[[[[-1.5, -1.5], [1.25, 0.0]]]]> : tensor<1x1x2x2xf32>
  %k = graph.constant dense<[[[[0.5, 0.5], [1.0, -2.0], [0.0, -1.5]]]]> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[-0.5, 1.75], [0.25, -1.75], [0.25, -1.5]]]]> : tensor<1x1x3x2xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %5 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %9 = graph.attention %4, %6, %8 {scale = 0.5 : f64} : (tensor<1x1x2x300xf32>, tensor<1x1x3x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x2x300xf32>
  %10 = graph.slice %9 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x2x300xf32>) -> tensor<1x1x2x2xf32>
  return %10 : tensor<1x1x2x2xf32>
}

// Query heads of a key head are rows of one product.
// CHECK-LABEL: func.func @shared_heads() -> tensor<1x4x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00, 2.000000e+00], [2.000000e+00, 5.000000e-01]], {{\[\[}}1.500000e+00, -5.000000e-01], [-1.500000e+00, 0.000000e+00]], {{\[\[}}-2.500000e-01, 7.500000e-01], [2.000000e+00, -1.000000e+00]], {{\[\[}}1.500000e+00, -1.500000e+00], [-7.500000e-01, 1.250000e+00]]]]> : tensor<1x4x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.000000e+00, 7.500000e-01], [-2.500000e-01, 0.000000e+00], [2.000000e+00, 1.250000e+00]], {{\[\[}}1.500000e+00, 2.500000e-01], [2.000000e+00, 2.000000e+00], [-1.500000e+00, -1.250000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, 2.500000e-01], [1.500000e+00, 0.000000e+00], [2.000000e+00, -5.000000e-01]], {{\[\[}}1.750000e+00, 5.000000e-01], [1.000000e+00, -1.000000e+00], [5.000000e-01, 1.250000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x4x2x298xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x4x2x2xf32>, tensor<1x4x2x298xf32>) -> tensor<1x4x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x2x3x298xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x2x3x2xf32>, tensor<1x2x3x298xf32>) -> tensor<1x2x3x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x2x3x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x2x3x2xf32>, tensor<1x2x3x298xf32>) -> tensor<1x2x3x300xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONCAT]] : (tensor<1x4x2x300xf32>) -> tensor<1x2x4x300xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[RESHAPE]], %[[CONCAT_2]] {transpose_b} : (tensor<1x2x4x300xf32>, tensor<1x2x3x300xf32>) -> tensor<1x2x4x3xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[MATMUL]] : (tensor<1x2x4x3xf32>) -> tensor<1x4x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[RESHAPE_2]], %[[CONSTANT_4]] : (tensor<1x4x2x3xf32>, tensor<f32>) -> tensor<1x4x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MUL]] axis 3 : (tensor<1x4x2x3xf32>) -> tensor<1x4x2x3xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[SOFTMAX]] : (tensor<1x4x2x3xf32>) -> tensor<1x2x4x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RESHAPE_3]], %[[CONCAT_3]] : (tensor<1x2x4x3xf32>, tensor<1x2x3x300xf32>) -> tensor<1x2x4x300xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[MATMUL_2]] : (tensor<1x2x4x300xf32>) -> tensor<1x4x2x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[RESHAPE_4]] starts #shape steps [1, 1, 1, 1] : (tensor<1x4x2x300xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x4x2x2xf32>
// VALUES-LABEL: func.func @shared_heads
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.6591531, -0.379506052], [1.85782743, -0.436212808]], {{\[\[}}1.66853487, -0.342600852], [0.188321441, 0.117778473]], {{\[\[}}1.09217155, -0.075410746], [1.38896906, -0.0309815388]], {{\[\[}}1.34241569, 0.299611092], [1.0313772, -0.0998099967]]]]> : tensor<1x4x2x2xf32>
func.func @shared_heads() -> tensor<1x4x2x2xf32> {
  %q = graph.constant dense<[[[[1.0, 2.0], [2.0, 0.5]], [[1.5, -0.5], [-1.5, 0.0]], [[-0.25, 0.75], [2.0, -1.0]], [[1.5, -1.5], [-0.75, 1.25]]]]> : tensor<1x4x2x2xf32>
  %k = graph.constant dense<[[[[-1.0, 0.75], [-0.25, 0.0], [2.0, 1.25]], [[1.5, 0.25], [2.0, 2.0], [-1.5, -1.25]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[-0.75, 0.25], [1.5, 0.0], [2.0, -0.5]], [[1.75, 0.5], [1.0, -1.0], [0.5, 1.25]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x4x2x298xf32>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x4x2x2xf32>, tensor<1x4x2x298xf32>) -> tensor<1x4x2x300xf32>
  %5 = graph.fill 0.0 : f32 : tensor<1x2x3x298xf32>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x2x3x2xf32>, tensor<1x2x3x298xf32>) -> tensor<1x2x3x300xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x2x3x298xf32>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x2x3x2xf32>, tensor<1x2x3x298xf32>) -> tensor<1x2x3x300xf32>
  %9 = graph.attention %4, %6, %8 {scale = 0.5 : f64} : (tensor<1x4x2x300xf32>, tensor<1x2x3x300xf32>, tensor<1x2x3x300xf32>) -> tensor<1x4x2x300xf32>
  %10 = graph.slice %9 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x4x2x300xf32>) -> tensor<1x4x2x2xf32>
  return %10 : tensor<1x4x2x2xf32>
}

// CHECK-LABEL: func.func @batches() -> tensor<2x1x1x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, 1.500000e+00]]], {{\[\[}}[2.000000e+00, -1.500000e+00]]]]> : tensor<2x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00, -2.500000e-01], [7.500000e-01, -1.000000e+00]]], {{\[\[}}[-2.000000e+00, -1.750000e+00], [2.000000e+00, 1.750000e+00]]]]> : tensor<2x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01, -2.500000e-01], [-1.000000e+00, -1.500000e+00]]], {{\[\[}}[1.500000e+00, 7.500000e-01], [-1.750000e+00, -1.250000e+00]]]]> : tensor<2x1x2x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x1x298xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<2x1x1x2xf32>, tensor<2x1x1x298xf32>) -> tensor<2x1x1x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<2x1x2x2xf32>, tensor<2x1x2x298xf32>) -> tensor<2x1x2x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<2x1x2x2xf32>, tensor<2x1x2x298xf32>) -> tensor<2x1x2x300xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<2x1x1x300xf32>, tensor<2x1x2x300xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_4]] : (tensor<2x1x1x2xf32>, tensor<f32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MUL]] axis 3 : (tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONCAT_3]] : (tensor<2x1x1x2xf32>, tensor<2x1x2x300xf32>) -> tensor<2x1x1x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<2x1x1x300xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<2x1x1x2xf32>
// VALUES-LABEL: func.func @batches
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.81723535, -0.586176753]]], {{\[\[}}[-1.09410703, -0.846373558]]]]> : tensor<2x1x1x2xf32>
func.func @batches() -> tensor<2x1x1x2xf32> {
  %q = graph.constant dense<[[[[1.75, 1.5]]], [[[2.0, -1.5]]]]> : tensor<2x1x1x2xf32>
  %k = graph.constant dense<[[[[1.25, -0.25], [0.75, -1.0]]], [[[-2.0, -1.75], [2.0, 1.75]]]]> : tensor<2x1x2x2xf32>
  %v = graph.constant dense<[[[[-0.75, -0.25], [-1.0, -1.5]]], [[[1.5, 0.75], [-1.75, -1.25]]]]> : tensor<2x1x2x2xf32>
  %3 = graph.fill 0.0 : f32 : tensor<2x1x1x298xf32>
  %4 = graph.concat %q, %3 axis 3 : (tensor<2x1x1x2xf32>, tensor<2x1x1x298xf32>) -> tensor<2x1x1x300xf32>
  %5 = graph.fill 0.0 : f32 : tensor<2x1x2x298xf32>
  %6 = graph.concat %k, %5 axis 3 : (tensor<2x1x2x2xf32>, tensor<2x1x2x298xf32>) -> tensor<2x1x2x300xf32>
  %7 = graph.fill 0.0 : f32 : tensor<2x1x2x298xf32>
  %8 = graph.concat %v, %7 axis 3 : (tensor<2x1x2x2xf32>, tensor<2x1x2x298xf32>) -> tensor<2x1x2x300xf32>
  %9 = graph.attention %4, %6, %8 {scale = 0.5 : f64} : (tensor<2x1x1x300xf32>, tensor<2x1x2x300xf32>, tensor<2x1x2x300xf32>) -> tensor<2x1x1x300xf32>
  %10 = graph.slice %9 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x1x1x300xf32>) -> tensor<2x1x1x2xf32>
  return %10 : tensor<2x1x1x2xf32>
}

// CHECK-LABEL: func.func @wide_values() -> tensor<1x1x2x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01, 1.750000e+00], [2.000000e+00, -1.250000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, -2.000000e+00], [-1.500000e+00, -1.250000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.500000e-01, -7.500000e-01, 1.000000e+00], [-2.500000e-01, -7.500000e-01, 1.750000e+00]]]]> : tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x2x3xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x301xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<1x1x2x300xf32>, tensor<1x1x2x300xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_4]] : (tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MUL]] axis 3 : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONCAT_3]] : (tensor<1x1x2x2xf32>, tensor<1x1x2x301xf32>) -> tensor<1x1x2x301xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x2x301xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x2x3xf32>
// VALUES-LABEL: func.func @wide_values
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-2.500000e-01, -7.500000e-01, 1.45014131], [-2.500000e-01, -7.500000e-01, 1.05855858]]]]> : tensor<1x1x2x3xf32>
func.func @wide_values() -> tensor<1x1x2x3xf32> {
  %q = graph.constant dense<[[[[0.25, 1.75], [2.0, -1.25]]]]> : tensor<1x1x2x2xf32>
  %k = graph.constant dense<[[[[0.5, -2.0], [-1.5, -1.25]]]]> : tensor<1x1x2x2xf32>
  %v = graph.constant dense<[[[[-0.25, -0.75, 1.0], [-0.25, -0.75, 1.75]]]]> : tensor<1x1x2x3xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %5 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x2x3xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x301xf32>
  %9 = graph.attention %4, %6, %8 {scale = 0.5 : f64} : (tensor<1x1x2x300xf32>, tensor<1x1x2x300xf32>, tensor<1x1x2x301xf32>) -> tensor<1x1x2x301xf32>
  %10 = graph.slice %9 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x2x301xf32>) -> tensor<1x1x2x3xf32>
  return %10 : tensor<1x1x2x3xf32>
}

// Scores and softmax in f32.
// CHECK-LABEL: func.func @half() -> tensor<1x1x2x2xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, 7.500000e-01], [1.000000e+00, -7.500000e-01]]]]> : tensor<1x1x2x2xf16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, -2.000000e+00], [-7.500000e-01, -1.500000e+00], [-2.000000e+00, 2.000000e+00]]]]> : tensor<1x1x3x2xf16>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.750000e+00, -2.500000e-01], [1.250000e+00, 7.500000e-01], [1.500000e+00, -2.000000e+00]]]]> : tensor<1x1x3x2xf16>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f16 : tensor<1x1x2x298xf16>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x2x2xf16>, tensor<1x1x2x298xf16>) -> tensor<1x1x2x300xf16>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f16 : tensor<1x1x3x298xf16>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x2xf16>, tensor<1x1x3x298xf16>) -> tensor<1x1x3x300xf16>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f16 : tensor<1x1x3x298xf16>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x3x2xf16>, tensor<1x1x3x298xf16>) -> tensor<1x1x3x300xf16>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {result_element = f32, transpose_b} : (tensor<1x1x2x300xf16>, tensor<1x1x3x300xf16>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_4]] : (tensor<1x1x2x3xf32>, tensor<f32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MUL]] axis 3 : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[SOFTMAX]] : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf16>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[CAST]], %[[CONCAT_3]] : (tensor<1x1x2x3xf16>, tensor<1x1x3x300xf16>) -> tensor<1x1x2x300xf16>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x2x300xf16>) -> tensor<1x1x2x2xf16>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x2x2xf16>
// VALUES-LABEL: func.func @half
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}4.970700e-01, -9.633780e-01], [-1.101560e+00, -1.102290e-01]]]]> : tensor<1x1x2x2xf16>
func.func @half() -> tensor<1x1x2x2xf16> {
  %q = graph.constant dense<[[[[0.5, 0.75], [1.0, -0.75]]]]> : tensor<1x1x2x2xf16>
  %k = graph.constant dense<[[[[1.75, -2.0], [-0.75, -1.5], [-2.0, 2.0]]]]> : tensor<1x1x3x2xf16>
  %v = graph.constant dense<[[[[-1.75, -0.25], [1.25, 0.75], [1.5, -2.0]]]]> : tensor<1x1x3x2xf16>
  %3 = graph.fill 0.0 : f16 : tensor<1x1x2x298xf16>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x2x2xf16>, tensor<1x1x2x298xf16>) -> tensor<1x1x2x300xf16>
  %5 = graph.fill 0.0 : f16 : tensor<1x1x3x298xf16>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x3x2xf16>, tensor<1x1x3x298xf16>) -> tensor<1x1x3x300xf16>
  %7 = graph.fill 0.0 : f16 : tensor<1x1x3x298xf16>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x3x2xf16>, tensor<1x1x3x298xf16>) -> tensor<1x1x3x300xf16>
  %9 = graph.attention %4, %6, %8 {scale = 0.5 : f64} : (tensor<1x1x2x300xf16>, tensor<1x1x3x300xf16>, tensor<1x1x3x300xf16>) -> tensor<1x1x2x300xf16>
  %10 = graph.slice %9 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x2x300xf16>) -> tensor<1x1x2x2xf16>
  return %10 : tensor<1x1x2x2xf16>
}

// CHECK-LABEL: func.func @brain() -> tensor<1x1x1x2xbf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, -2.000000e+00]]]]> : tensor<1x1x1x2xbf16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.250000e+00, 1.500000e+00], [-1.750000e+00, 2.500000e-01], [-2.000000e+00, -7.500000e-01]]]]> : tensor<1x1x3x2xbf16>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, -7.500000e-01], [-7.500000e-01, -1.750000e+00], [1.250000e+00, -1.500000e+00]]]]> : tensor<1x1x3x2xbf16>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : bf16 : tensor<1x1x1x298xbf16>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x1x2xbf16>, tensor<1x1x1x298xbf16>) -> tensor<1x1x1x300xbf16>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : bf16 : tensor<1x1x3x298xbf16>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x2xbf16>, tensor<1x1x3x298xbf16>) -> tensor<1x1x3x300xbf16>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : bf16 : tensor<1x1x3x298xbf16>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x3x2xbf16>, tensor<1x1x3x298xbf16>) -> tensor<1x1x3x300xbf16>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {result_element = f32, transpose_b} : (tensor<1x1x1x300xbf16>, tensor<1x1x3x300xbf16>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_4]] : (tensor<1x1x1x3xf32>, tensor<f32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MUL]] axis 3 : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[SOFTMAX]] : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xbf16>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[CAST]], %[[CONCAT_3]] : (tensor<1x1x1x3xbf16>, tensor<1x1x3x300xbf16>) -> tensor<1x1x1x300xbf16>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x1x300xbf16>) -> tensor<1x1x1x2xbf16>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x1x2xbf16>
// VALUES-LABEL: func.func @brain
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}7.890630e-01, -1.507810e+00]]]]> : tensor<1x1x1x2xbf16>
func.func @brain() -> tensor<1x1x1x2xbf16> {
  %q = graph.constant dense<[[[[0.0, -2.0]]]]> : tensor<1x1x1x2xbf16>
  %k = graph.constant dense<[[[[-1.25, 1.5], [-1.75, 0.25], [-2.0, -0.75]]]]> : tensor<1x1x3x2xbf16>
  %v = graph.constant dense<[[[[1.75, -0.75], [-0.75, -1.75], [1.25, -1.5]]]]> : tensor<1x1x3x2xbf16>
  %3 = graph.fill 0.0 : bf16 : tensor<1x1x1x298xbf16>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x1x2xbf16>, tensor<1x1x1x298xbf16>) -> tensor<1x1x1x300xbf16>
  %5 = graph.fill 0.0 : bf16 : tensor<1x1x3x298xbf16>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x3x2xbf16>, tensor<1x1x3x298xbf16>) -> tensor<1x1x3x300xbf16>
  %7 = graph.fill 0.0 : bf16 : tensor<1x1x3x298xbf16>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x3x2xbf16>, tensor<1x1x3x298xbf16>) -> tensor<1x1x3x300xbf16>
  %9 = graph.attention %4, %6, %8 {scale = 0.5 : f64} : (tensor<1x1x1x300xbf16>, tensor<1x1x3x300xbf16>, tensor<1x1x3x300xbf16>) -> tensor<1x1x1x300xbf16>
  %10 = graph.slice %9 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x1x300xbf16>) -> tensor<1x1x1x2xbf16>
  return %10 : tensor<1x1x1x2xbf16>
}

// f64 stays.
// CHECK-LABEL: func.func @double() -> tensor<1x1x1x2xf64> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, -2.000000e+00]]]]> : tensor<1x1x1x2xf64>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00, 1.500000e+00], [-2.000000e+00, -2.500000e-01], [-2.500000e-01, -1.500000e+00]]]]> : tensor<1x1x3x2xf64>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, 1.000000e+00], [2.000000e+00, -1.250000e+00], [1.750000e+00, -1.750000e+00]]]]> : tensor<1x1x3x2xf64>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f64 : tensor<1x1x1x298xf64>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x1x2xf64>, tensor<1x1x1x298xf64>) -> tensor<1x1x1x300xf64>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f64 : tensor<1x1x3x298xf64>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x2xf64>, tensor<1x1x3x298xf64>) -> tensor<1x1x3x300xf64>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f64 : tensor<1x1x3x298xf64>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x3x2xf64>, tensor<1x1x3x298xf64>) -> tensor<1x1x3x300xf64>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<1x1x1x300xf64>, tensor<1x1x3x300xf64>) -> tensor<1x1x1x3xf64>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f64>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_4]] : (tensor<1x1x1x3xf64>, tensor<f64>) -> tensor<1x1x1x3xf64>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MUL]] axis 3 : (tensor<1x1x1x3xf64>) -> tensor<1x1x1x3xf64>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONCAT_3]] : (tensor<1x1x1x3xf64>, tensor<1x1x3x300xf64>) -> tensor<1x1x1x300xf64>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x1x300xf64>) -> tensor<1x1x1x2xf64>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x1x2xf64>
// VALUES-LABEL: func.func @double
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.4166666666666665, -0.66666666666666652]]]]> : tensor<1x1x1x2xf64>
func.func @double() -> tensor<1x1x1x2xf64> {
  %q = graph.constant dense<[[[[0.0, -2.0]]]]> : tensor<1x1x1x2xf64>
  %k = graph.constant dense<[[[[-2.0, 1.5], [-2.0, -0.25], [-0.25, -1.5]]]]> : tensor<1x1x3x2xf64>
  %v = graph.constant dense<[[[[0.5, 1.0], [2.0, -1.25], [1.75, -1.75]]]]> : tensor<1x1x3x2xf64>
  %3 = graph.fill 0.0 : f64 : tensor<1x1x1x298xf64>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x1x2xf64>, tensor<1x1x1x298xf64>) -> tensor<1x1x1x300xf64>
  %5 = graph.fill 0.0 : f64 : tensor<1x1x3x298xf64>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x3x2xf64>, tensor<1x1x3x298xf64>) -> tensor<1x1x3x300xf64>
  %7 = graph.fill 0.0 : f64 : tensor<1x1x3x298xf64>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x3x2xf64>, tensor<1x1x3x298xf64>) -> tensor<1x1x3x300xf64>
  %9 = graph.attention %4, %6, %8 {scale = 0.0 : f64} : (tensor<1x1x1x300xf64>, tensor<1x1x3x300xf64>, tensor<1x1x3x300xf64>) -> tensor<1x1x1x300xf64>
  %10 = graph.slice %9 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x1x300xf64>) -> tensor<1x1x1x2xf64>
  return %10 : tensor<1x1x1x2xf64>
}
