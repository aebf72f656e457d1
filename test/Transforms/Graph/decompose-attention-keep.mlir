// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Attention written out computes what the op does: a mask in the place of scores.
// Heads are padded with zeros to 300, which no block of threads holds.
// NOTE: checks by tools/update-lit-checks

// A mask takes the place of what is not kept: the first query weighs -1.0 and 1.0 against a score.
// CHECK-LABEL: func.func @keep() -> tensor<1x1x2x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, 5.000000e-01], [1.500000e+00, 1.750000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00, -2.000000e+00], [-2.500000e-01, 1.250000e+00], [0.000000e+00, -1.250000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00, 1.000000e+00], [7.500000e-01, 0.000000e+00], [-1.000000e+00, 1.500000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.000000e+00, 5.000000e-01, 1.000000e+00]]]]> : tensor<1x1x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<{{\[\[}}false, true, false], [true, true, true]]> : tensor<2x3xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<1x1x2x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_6]] : (tensor<1x1x2x3xf32>, tensor<f32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[CONSTANT_4]] : (tensor<1x1x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[CONSTANT_5]], %[[ADD]], %[[CONSTANT_4]] : (tensor<2x3xi1>, tensor<1x1x2x3xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[CONCAT_3]] : (tensor<1x1x2x3xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1, 1] : (tensor<1x1x2x300xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x2x2xf32>
// VALUES-LABEL: func.func @keep
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-0.00616449071, 0.765844762], [0.46558249, 0.292813748]]]]> : tensor<1x1x2x2xf32>
func.func @keep() -> tensor<1x1x2x2xf32> {
  %q = graph.constant dense<[[[[-1.5, 0.5], [1.5, 1.75]]]]> : tensor<1x1x2x2xf32>
  %k = graph.constant dense<[[[[1.0, -2.0], [-0.25, 1.25], [0.0, -1.25]]]]> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[1.75, 1.0], [0.75, 0.0], [-1.0, 1.5]]]]> : tensor<1x1x3x2xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %5 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %m = graph.constant dense<[[[[-1.0, 0.5, 1.0]]]]> : tensor<1x1x1x3xf32>
  %c = graph.constant dense<[[false, true, false], [true, true, true]]> : tensor<2x3xi1>
  %10 = graph.attention %4, %6, %8 mask %m keep %c {scale = 0.5 : f64} : (tensor<1x1x2x300xf32>, tensor<1x1x3x300xf32>, tensor<1x1x3x300xf32>, tensor<1x1x1x3xf32>, tensor<2x3xi1>) -> tensor<1x1x2x300xf32>
  %11 = graph.slice %10 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x2x300xf32>) -> tensor<1x1x2x2xf32>
  return %11 : tensor<1x1x2x2xf32>
}
