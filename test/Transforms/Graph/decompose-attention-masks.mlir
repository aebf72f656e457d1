// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Attention written out computes what the op does: masks and caps.
// Heads are padded with zeros to 300, which no block of threads holds.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @mask() -> tensor<1x2x1x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, 5.000000e-01]], {{\[\[}}1.500000e+00, 1.750000e+00]]]]> : tensor<1x2x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00, -2.000000e+00], [-2.500000e-01, 1.250000e+00], [0.000000e+00, -1.250000e+00]], {{\[\[}}7.500000e-01, -1.750000e+00], [7.500000e-01, -2.000000e+00], [-5.000000e-01, -1.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, 1.000000e+00], [7.500000e-01, 0.000000e+00], [-1.000000e+00, 1.500000e+00]], {{\[\[}}2.000000e+00, -1.250000e+00], [-1.000000e+00, -7.500000e-01], [0.000000e+00, -1.000000e+00]]]]> : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x2x1x298xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x2x1x2xf32>, tensor<1x2x1x298xf32>) -> tensor<1x2x1x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x2x3x298xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x2x3x2xf32>, tensor<1x2x3x298xf32>) -> tensor<1x2x3x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x2x3x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x2x3x2xf32>, tensor<1x2x3x298xf32>) -> tensor<1x2x3x300xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, 0xFF800000, 1.000000e+00]]]]> : tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<1x2x1x300xf32>, tensor<1x2x3x300xf32>) -> tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_5]] : (tensor<1x2x1x3xf32>, tensor<f32>) -> tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[CONSTANT_4]] : (tensor<1x2x1x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[ADD]] axis 3 : (tensor<1x2x1x3xf32>) -> tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONCAT_3]] : (tensor<1x2x1x3xf32>, tensor<1x2x3x300xf32>) -> tensor<1x2x1x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x2x1x300xf32>) -> tensor<1x2x1x2xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x2x1x2xf32>
// VALUES-LABEL: func.func @mask
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.653712392, 1.43703866]], {{\[\[}}0.655336618, -1.08191705]]]]> : tensor<1x2x1x2xf32>
func.func @mask() -> tensor<1x2x1x2xf32> {
  %q = graph.constant dense<[[[[-1.5, 0.5]], [[1.5, 1.75]]]]> : tensor<1x2x1x2xf32>
  %k = graph.constant dense<[[[[1.0, -2.0], [-0.25, 1.25], [0.0, -1.25]], [[0.75, -1.75], [0.75, -2.0], [-0.5, -1.0]]]]> : tensor<1x2x3x2xf32>
  %v = graph.constant dense<[[[[1.75, 1.0], [0.75, 0.0], [-1.0, 1.5]], [[2.0, -1.25], [-1.0, -0.75], [0.0, -1.0]]]]> : tensor<1x2x3x2xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x2x1x298xf32>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x2x1x2xf32>, tensor<1x2x1x298xf32>) -> tensor<1x2x1x300xf32>
  %5 = graph.fill 0.0 : f32 : tensor<1x2x3x298xf32>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x2x3x2xf32>, tensor<1x2x3x298xf32>) -> tensor<1x2x3x300xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x2x3x298xf32>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x2x3x2xf32>, tensor<1x2x3x298xf32>) -> tensor<1x2x3x300xf32>
  %m = graph.constant dense<[[[[0.0, 0xFF800000, 1.0]]]]> : tensor<1x1x1x3xf32>
  %10 = graph.attention %4, %6, %8 mask %m {scale = 0.5 : f64} : (tensor<1x2x1x300xf32>, tensor<1x2x3x300xf32>, tensor<1x2x3x300xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x1x300xf32>
  %11 = graph.slice %10 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x2x1x300xf32>) -> tensor<1x2x1x2xf32>
  return %11 : tensor<1x2x1x2xf32>
}

// CHECK-LABEL: func.func @mask_of_f32() -> tensor<1x1x1x2xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 2.000000e+00]]]]> : tensor<1x1x1x2xf16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01, 1.750000e+00], [0.000000e+00, -7.500000e-01]]]]> : tensor<1x1x2x2xf16>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, -2.500000e-01], [1.250000e+00, -7.500000e-01]]]]> : tensor<1x1x2x2xf16>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f16 : tensor<1x1x1x298xf16>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x1x2xf16>, tensor<1x1x1x298xf16>) -> tensor<1x1x1x300xf16>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f16 : tensor<1x1x2x298xf16>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x2x2xf16>, tensor<1x1x2x298xf16>) -> tensor<1x1x2x300xf16>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f16 : tensor<1x1x2x298xf16>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x2x2xf16>, tensor<1x1x2x298xf16>) -> tensor<1x1x2x300xf16>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, -1.000000e+30]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {result_element = f32, transpose_b} : (tensor<1x1x1x300xf16>, tensor<1x1x2x300xf16>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_5]] : (tensor<1x1x1x2xf32>, tensor<f32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[CONSTANT_4]] : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[ADD]] axis 3 : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[SOFTMAX]] : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf16>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[CAST]], %[[CONCAT_3]] : (tensor<1x1x1x2xf16>, tensor<1x1x2x300xf16>) -> tensor<1x1x1x300xf16>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x1x300xf16>) -> tensor<1x1x1x2xf16>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x1x2xf16>
// VALUES-LABEL: func.func @mask_of_f32
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.750000e+00, -2.500000e-01]]]]> : tensor<1x1x1x2xf16>
func.func @mask_of_f32() -> tensor<1x1x1x2xf16> {
  %q = graph.constant dense<[[[[-0.5, 2.0]]]]> : tensor<1x1x1x2xf16>
  %k = graph.constant dense<[[[[-0.5, 1.75], [0.0, -0.75]]]]> : tensor<1x1x2x2xf16>
  %v = graph.constant dense<[[[[1.75, -0.25], [1.25, -0.75]]]]> : tensor<1x1x2x2xf16>
  %3 = graph.fill 0.0 : f16 : tensor<1x1x1x298xf16>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x1x2xf16>, tensor<1x1x1x298xf16>) -> tensor<1x1x1x300xf16>
  %5 = graph.fill 0.0 : f16 : tensor<1x1x2x298xf16>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x2x2xf16>, tensor<1x1x2x298xf16>) -> tensor<1x1x2x300xf16>
  %7 = graph.fill 0.0 : f16 : tensor<1x1x2x298xf16>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x2x2xf16>, tensor<1x1x2x298xf16>) -> tensor<1x1x2x300xf16>
  %m = graph.constant dense<[[[[0.5, -1.0e+30]]]]> : tensor<1x1x1x2xf32>
  %10 = graph.attention %4, %6, %8 mask %m {scale = 0.5 : f64} : (tensor<1x1x1x300xf16>, tensor<1x1x2x300xf16>, tensor<1x1x2x300xf16>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x300xf16>
  %11 = graph.slice %10 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x1x300xf16>) -> tensor<1x1x1x2xf16>
  return %11 : tensor<1x1x1x2xf16>
}

// CHECK-LABEL: func.func @softcap() -> tensor<1x1x1x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, 1.000000e+00]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00, -2.000000e+00], [-1.750000e+00, -1.750000e+00], [2.500000e-01, -5.000000e-01]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, -1.000000e+00], [-1.500000e+00, 1.500000e+00], [-7.500000e-01, 1.000000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x1x298xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x1x2xf32>, tensor<1x1x1x298xf32>) -> tensor<1x1x1x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<1x1x1x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.333333343> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_4]] : (tensor<1x1x1x3xf32>, tensor<f32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[MUL]] : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<1.500000e+00> : tensor<f32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[TANH]], %[[CONSTANT_5]] : (tensor<1x1x1x3xf32>, tensor<f32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[MUL_2]] axis 3 : (tensor<1x1x1x3xf32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONCAT_3]] : (tensor<1x1x1x3xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x1x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x1x300xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x1x2xf32>
// VALUES-LABEL: func.func @softcap
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.741790115, -8.880590e-02]]]]> : tensor<1x1x1x2xf32>
func.func @softcap() -> tensor<1x1x1x2xf32> {
  %q = graph.constant dense<[[[[2.0, 1.0]]]]> : tensor<1x1x1x2xf32>
  %k = graph.constant dense<[[[[1.5, -2.0], [-1.75, -1.75], [0.25, -0.5]]]]> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[2.0, -1.0], [-1.5, 1.5], [-0.75, 1.0]]]]> : tensor<1x1x3x2xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x1x1x298xf32>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x1x2xf32>, tensor<1x1x1x298xf32>) -> tensor<1x1x1x300xf32>
  %5 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %9 = graph.attention %4, %6, %8 {scale = 0.5 : f64, softcap = 1.5 : f64} : (tensor<1x1x1x300xf32>, tensor<1x1x3x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x1x300xf32>
  %10 = graph.slice %9 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x1x300xf32>) -> tensor<1x1x1x2xf32>
  return %10 : tensor<1x1x1x2xf32>
}

// The mask comes behind the cap.
// CHECK-LABEL: func.func @softcap_and_mask() -> tensor<1x1x1x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.000000e+00, 2.500000e-01]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.750000e+00, 7.500000e-01], [1.750000e+00, 7.500000e-01]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00, 1.250000e+00], [2.500000e-01, 1.750000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x1x298xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x1x2xf32>, tensor<1x1x1x298xf32>) -> tensor<1x1x1x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, -3.000000e+00]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<1x1x1x300xf32>, tensor<1x1x2x300xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.333333343> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_5]] : (tensor<1x1x1x2xf32>, tensor<f32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[MUL]] : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<1.500000e+00> : tensor<f32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[TANH]], %[[CONSTANT_6]] : (tensor<1x1x1x2xf32>, tensor<f32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL_2]], %[[CONSTANT_4]] : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[ADD]] axis 3 : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONCAT_3]] : (tensor<1x1x1x2xf32>, tensor<1x1x2x300xf32>) -> tensor<1x1x1x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x1x300xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x1x2xf32>
// VALUES-LABEL: func.func @softcap_and_mask
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.48719549, 1.25512183]]]]> : tensor<1x1x1x2xf32>
func.func @softcap_and_mask() -> tensor<1x1x1x2xf32> {
  %q = graph.constant dense<[[[[-1.0, 0.25]]]]> : tensor<1x1x1x2xf32>
  %k = graph.constant dense<[[[[-1.75, 0.75], [1.75, 0.75]]]]> : tensor<1x1x2x2xf32>
  %v = graph.constant dense<[[[[1.5, 1.25], [0.25, 1.75]]]]> : tensor<1x1x2x2xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x1x1x298xf32>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x1x2xf32>, tensor<1x1x1x298xf32>) -> tensor<1x1x1x300xf32>
  %5 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %m = graph.constant dense<[[[[0.0, -3.0]]]]> : tensor<1x1x1x2xf32>
  %10 = graph.attention %4, %6, %8 mask %m {scale = 0.5 : f64, softcap = 1.5 : f64} : (tensor<1x1x1x300xf32>, tensor<1x1x2x300xf32>, tensor<1x1x2x300xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x300xf32>
  %11 = graph.slice %10 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x1x300xf32>) -> tensor<1x1x1x2xf32>
  return %11 : tensor<1x1x1x2xf32>
}

// A query without keys gives zeros.
// CHECK-LABEL: func.func @masked_zero() -> tensor<1x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [-1.500000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01], [5.000000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<-1.500000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_4]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_5]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONCAT]], %[[FILL]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_4:[^ ,:)]+]] = graph.concat %[[CONCAT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_5:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT_3]], %[[CONCAT_4]] {transpose_b} : (tensor<1x1x2x300xf32>, tensor<1x1x2x300xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_7]] : (tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[CONSTANT_6]] : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[ADD]] axis 3 : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONCAT_5]] : (tensor<1x1x2x2xf32>, tensor<1x1x2x299xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[ADD]] axes [3] {keep_dims} : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[MAX]], %[[CONSTANT_8]] : (tensor<1x1x2x1xf32>, tensor<f32>) -> tensor<1x1x2x1xi1>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[CONSTANT_9]], %[[MATMUL_2]] : (tensor<1x1x2x1xi1>, tensor<f32>, tensor<1x1x2x299xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[SELECT]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x2x299xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x2x1xf32>
// VALUES-LABEL: func.func @masked_zero
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [-1.500000e+00]]]]> : tensor<1x1x2x1xf32>
func.func @masked_zero() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.0], [-1.5]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[0.25], [0.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-1.5], [-1.5]]]]> : tensor<1x1x2x1xf32>
  %c3 = graph.constant dense<[[[[0.0], [0.0]]]]> : tensor<1x1x2x1xf32>
  %4 = graph.concat %q, %c3 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
  %c5 = graph.constant dense<[[[[0.0], [0.0]]]]> : tensor<1x1x2x1xf32>
  %6 = graph.concat %k, %c5 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %9 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %10 = graph.concat %6, %9 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %11 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %12 = graph.concat %v, %11 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
  %m = graph.constant dense<[[[[0xFF800000, 0xFF800000], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %14 = graph.attention %8, %10, %12 mask %m {masked_zero, scale = 0.5 : f64} : (tensor<1x1x2x300xf32>, tensor<1x1x2x300xf32>, tensor<1x1x2x299xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x299xf32>
  %15 = graph.slice %14 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x2x299xf32>) -> tensor<1x1x2x1xf32>
  return %15 : tensor<1x1x2x1xf32>
}

// Weights that are NaN become 0.
// CHECK-LABEL: func.func @nan_zero() -> tensor<1x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [-2.500000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [1.250000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [1.750000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_4]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_5]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONCAT]], %[[FILL]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_4:[^ ,:)]+]] = graph.concat %[[CONCAT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_5:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT_3]], %[[CONCAT_4]] {transpose_b} : (tensor<1x1x2x300xf32>, tensor<1x1x2x300xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_7]] : (tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[CONSTANT_6]] : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[ADD]] axis 3 : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[IS_NAN:[^ ,:)]+]] = graph.unary is_nan %[[SOFTMAX]] : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xi1>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[IS_NAN]], %[[CONSTANT_8]], %[[SOFTMAX]] : (tensor<1x1x2x2xi1>, tensor<f32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SELECT]], %[[CONCAT_5]] : (tensor<1x1x2x2xf32>, tensor<1x1x2x299xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x2x299xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x2x1xf32>
// VALUES-LABEL: func.func @nan_zero
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [1.21101677]]]]> : tensor<1x1x2x1xf32>
func.func @nan_zero() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.75], [-0.25]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[0.0], [1.25]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[0.75], [1.75]]]]> : tensor<1x1x2x1xf32>
  %c3 = graph.constant dense<[[[[0.0], [0.0]]]]> : tensor<1x1x2x1xf32>
  %4 = graph.concat %q, %c3 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
  %c5 = graph.constant dense<[[[[0.0], [0.0]]]]> : tensor<1x1x2x1xf32>
  %6 = graph.concat %k, %c5 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %9 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %10 = graph.concat %6, %9 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %11 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %12 = graph.concat %v, %11 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
  %m = graph.constant dense<[[[[0xFF800000, 0xFF800000], [0.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %14 = graph.attention %8, %10, %12 mask %m {nan_zero, scale = 0.5 : f64} : (tensor<1x1x2x300xf32>, tensor<1x1x2x300xf32>, tensor<1x1x2x299xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x299xf32>
  %15 = graph.slice %14 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x2x299xf32>) -> tensor<1x1x2x1xf32>
  return %15 : tensor<1x1x2x1xf32>
}

// What a mask hides is no key, whatever it holds: the second query sees the NaN.
// CHECK-LABEL: func.func @mask_hides() -> tensor<1x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [-2.500000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [1.250000e+00], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [1.750000e+00], [0x7F800000]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x299xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x299xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x299xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_2]] axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x299xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONSTANT_4]] : (tensor<2x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[GREATER:[^ ,:)]+]] = graph.compare greater %[[RESHAPE]], %[[CONSTANT_5]] : (tensor<1x1x2x3xf32>, tensor<f32>) -> tensor<1x1x2x3xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<1x1x2x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_6]] : (tensor<1x1x2x3xf32>, tensor<f32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[CONSTANT_4]] : (tensor<1x1x2x3xf32>, tensor<2x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[GREATER]], %[[ADD]], %[[CONSTANT_7]] : (tensor<1x1x2x3xi1>, tensor<1x1x2x3xf32>, tensor<f32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[SOFTMAX]] : (tensor<1x1x2x3xf32>) -> tensor<1x1x1x2x3x1xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[CONCAT_3]] : (tensor<1x1x3x300xf32>) -> tensor<1x1x1x1x3x300xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[GREATER]] : (tensor<1x1x2x3xi1>) -> tensor<1x1x1x2x3x1xi1>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE_2]], %[[RESHAPE_3]] : (tensor<1x1x1x2x3x1xf32>, tensor<1x1x1x1x3x300xf32>) -> tensor<1x1x1x2x3x300xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_4]], %[[MUL_2]], %[[CONSTANT_8]] : (tensor<1x1x1x2x3x1xi1>, tensor<1x1x1x2x3x300xf32>, tensor<f32>) -> tensor<1x1x1x2x3x300xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT_2]] axes [4] : (tensor<1x1x1x2x3x300xf32>) -> tensor<1x1x1x2x300xf32>
// CHECK-NEXT: %[[RESHAPE_5:[^ ,:)]+]] = graph.reshape %[[SUM]] : (tensor<1x1x1x2x300xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[SELECT]] axes [3] {keep_dims} : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[MAX]], %[[CONSTANT_9]] : (tensor<1x1x2x1xf32>, tensor<f32>) -> tensor<1x1x2x1xi1>
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = graph.constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[CONSTANT_10]], %[[RESHAPE_5]] : (tensor<1x1x2x1xi1>, tensor<f32>, tensor<1x1x2x300xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[SELECT_3]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x2x300xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x2x1xf32>
// VALUES-LABEL: func.func @mask_hides
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.36508787], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
func.func @mask_hides() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[0.75], [-0.25]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[0.0], [1.25], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[0.75], [1.75], [0x7F800000]]]]> : tensor<1x1x3x1xf32>
  %1 = graph.fill 0.0 : f32 : tensor<1x1x2x299xf32>
  %2 = graph.concat %q, %1 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x299xf32>) -> tensor<1x1x2x300xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x1x3x299xf32>
  %4 = graph.concat %k, %3 axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x299xf32>) -> tensor<1x1x3x300xf32>
  %5 = graph.concat %v, %3 axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x299xf32>) -> tensor<1x1x3x300xf32>
  %m = graph.constant dense<[[0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %7 = graph.attention %2, %4, %5 mask %m {mask_hides, scale = 0.5 : f64} : (tensor<1x1x2x300xf32>, tensor<1x1x3x300xf32>, tensor<1x1x3x300xf32>, tensor<2x3xf32>) -> tensor<1x1x2x300xf32>
  %8 = graph.slice %7 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x2x300xf32>) -> tensor<1x1x2x1xf32>
  return %8 : tensor<1x1x2x1xf32>
}

// A mask per query head, two of which have one key head.
// CHECK-LABEL: func.func @mask_hides_per_head() -> tensor<1x2x1x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01]], {{\[\[}}-2.500000e-01]]]]> : tensor<1x2x1x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [0x7FC00000], [1.250000e+00]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [0x7FC00000], [1.750000e+00]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x2x1x299xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x2x1x1xf32>, tensor<1x2x1x299xf32>) -> tensor<1x2x1x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x299xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x299xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_2]] axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x299xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00, 0xFF800000, 0.000000e+00]], {{\[\[}}0.000000e+00, 0xFF800000, 0xFF800000]]]]> : tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[GREATER:[^ ,:)]+]] = graph.compare greater %[[CONSTANT_4]], %[[CONSTANT_5]] : (tensor<1x2x1x3xf32>, tensor<f32>) -> tensor<1x2x1x3xi1>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONCAT]] : (tensor<1x2x1x300xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[RESHAPE]], %[[CONCAT_2]] {transpose_b} : (tensor<1x1x2x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[MATMUL]] : (tensor<1x1x2x3xf32>) -> tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[RESHAPE_2]], %[[CONSTANT_6]] : (tensor<1x2x1x3xf32>, tensor<f32>) -> tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[CONSTANT_4]] : (tensor<1x2x1x3xf32>, tensor<1x2x1x3xf32>) -> tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[GREATER]], %[[ADD]], %[[CONSTANT_7]] : (tensor<1x2x1x3xi1>, tensor<1x2x1x3xf32>, tensor<f32>) -> tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<1x2x1x3xf32>) -> tensor<1x2x1x3xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[SOFTMAX]] : (tensor<1x2x1x3xf32>) -> tensor<1x1x2x1x3x1xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[CONCAT_3]] : (tensor<1x1x3x300xf32>) -> tensor<1x1x1x1x3x300xf32>
// CHECK-NEXT: %[[RESHAPE_5:[^ ,:)]+]] = graph.reshape %[[GREATER]] : (tensor<1x2x1x3xi1>) -> tensor<1x1x2x1x3x1xi1>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE_3]], %[[RESHAPE_4]] : (tensor<1x1x2x1x3x1xf32>, tensor<1x1x1x1x3x300xf32>) -> tensor<1x1x2x1x3x300xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_5]], %[[MUL_2]], %[[CONSTANT_8]] : (tensor<1x1x2x1x3x1xi1>, tensor<1x1x2x1x3x300xf32>, tensor<f32>) -> tensor<1x1x2x1x3x300xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT_2]] axes [4] : (tensor<1x1x2x1x3x300xf32>) -> tensor<1x1x2x1x300xf32>
// CHECK-NEXT: %[[RESHAPE_6:[^ ,:)]+]] = graph.reshape %[[SUM]] : (tensor<1x1x2x1x300xf32>) -> tensor<1x2x1x300xf32>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[SELECT]] axes [3] {keep_dims} : (tensor<1x2x1x3xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[MAX]], %[[CONSTANT_9]] : (tensor<1x2x1x1xf32>, tensor<f32>) -> tensor<1x2x1x1xi1>
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = graph.constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[CONSTANT_10]], %[[RESHAPE_6]] : (tensor<1x2x1x1xi1>, tensor<f32>, tensor<1x2x1x300xf32>) -> tensor<1x2x1x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[SELECT_3]] starts #shape steps [1, 1, 1, 1] : (tensor<1x2x1x300xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x2x1x1xf32>
// VALUES-LABEL: func.func @mask_hides_per_head
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.36508787]], {{\[\[}}7.500000e-01]]]]> : tensor<1x2x1x1xf32>
func.func @mask_hides_per_head() -> tensor<1x2x1x1xf32> {
  %q = graph.constant dense<[[[[0.75]], [[-0.25]]]]> : tensor<1x2x1x1xf32>
  %k = graph.constant dense<[[[[0.0], [0x7FC00000], [1.25]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[0.75], [0x7FC00000], [1.75]]]]> : tensor<1x1x3x1xf32>
  %1 = graph.fill 0.0 : f32 : tensor<1x2x1x299xf32>
  %2 = graph.concat %q, %1 axis 3 : (tensor<1x2x1x1xf32>, tensor<1x2x1x299xf32>) -> tensor<1x2x1x300xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x1x3x299xf32>
  %4 = graph.concat %k, %3 axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x299xf32>) -> tensor<1x1x3x300xf32>
  %5 = graph.concat %v, %3 axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x299xf32>) -> tensor<1x1x3x300xf32>
  %m = graph.constant dense<[[[[0.0, 0xFF800000, 0.0]], [[0.0, 0xFF800000, 0xFF800000]]]]> : tensor<1x2x1x3xf32>
  %7 = graph.attention %2, %4, %5 mask %m {mask_hides, scale = 0.5 : f64} : (tensor<1x2x1x300xf32>, tensor<1x1x3x300xf32>, tensor<1x1x3x300xf32>, tensor<1x2x1x3xf32>) -> tensor<1x2x1x300xf32>
  %8 = graph.slice %7 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x2x1x300xf32>) -> tensor<1x2x1x1xf32>
  return %8 : tensor<1x2x1x1xf32>
}
