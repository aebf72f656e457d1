// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Attention written out computes what the op does: causal.
// Heads are padded with zeros to 300, which no block of threads holds.
// NOTE: checks by tools/update-lit-checks

// Queries see different keys: a sum over those.
// CHECK-LABEL: func.func @causal() -> tensor<1x1x3x2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00, 1.000000e+00], [2.500000e-01, -2.000000e+00], [-1.750000e+00, -5.000000e-01]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01, -1.500000e+00], [2.500000e-01, 2.000000e+00], [-1.500000e+00, -1.500000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00, -1.000000e+00], [1.500000e+00, -5.000000e-01], [1.000000e+00, -1.750000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[FILL]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x3xi64>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape : tensor<i64>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[DIMS]], %[[DIMS_2]] : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x3x1xi64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[IOTA_2]], %[[SUB]] : (tensor<1x1x3x1xi64>, tensor<i64>) -> tensor<1x1x3x1xi64>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[IOTA]], %[[ADD]] : (tensor<1x1x1x3xi64>, tensor<1x1x3x1xi64>) -> tensor<1x1x3x3xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT]], %[[CONCAT_2]] {transpose_b} : (tensor<1x1x3x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x3x3xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_4]] : (tensor<1x1x3x3xf32>, tensor<f32>) -> tensor<1x1x3x3xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS_EQUAL]], %[[MUL]], %[[CONSTANT_5]] : (tensor<1x1x3x3xi1>, tensor<1x1x3x3xf32>, tensor<f32>) -> tensor<1x1x3x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[SOFTMAX]] : (tensor<1x1x3x3xf32>) -> tensor<1x1x1x3x3x1xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CONCAT_3]] : (tensor<1x1x3x300xf32>) -> tensor<1x1x1x1x3x300xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[LESS_EQUAL]] : (tensor<1x1x3x3xi1>) -> tensor<1x1x1x3x3x1xi1>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<1x1x1x3x3x1xf32>, tensor<1x1x1x1x3x300xf32>) -> tensor<1x1x1x3x3x300xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_3]], %[[MUL_2]], %[[CONSTANT_6]] : (tensor<1x1x1x3x3x1xi1>, tensor<1x1x1x3x3x300xf32>, tensor<f32>) -> tensor<1x1x1x3x3x300xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT_2]] axes [4] : (tensor<1x1x1x3x3x300xf32>) -> tensor<1x1x1x3x300xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[SUM]] : (tensor<1x1x1x3x300xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[SELECT]] axes [3] {keep_dims} : (tensor<1x1x3x3xf32>) -> tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[MAX]], %[[CONSTANT_7]] : (tensor<1x1x3x1xf32>, tensor<f32>) -> tensor<1x1x3x1xi1>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[CONSTANT_8]], %[[RESHAPE_4]] : (tensor<1x1x3x1xi1>, tensor<f32>, tensor<1x1x3x300xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[SELECT_3]] starts #shape1 steps [1, 1, 1, 1] : (tensor<1x1x3x300xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x3x2xf32>
// VALUES-LABEL: func.func @causal
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}2.000000e+00, -1.000000e+00], [1.98578203, -0.985781967], [1.17315114, -1.55772507]]]]> : tensor<1x1x3x2xf32>
func.func @causal() -> tensor<1x1x3x2xf32> {
  %q = graph.constant dense<[[[[-1.5, 1.0], [0.25, -2.0], [-1.75, -0.5]]]]> : tensor<1x1x3x2xf32>
  %k = graph.constant dense<[[[[0.5, -1.5], [0.25, 2.0], [-1.5, -1.5]]]]> : tensor<1x1x3x2xf32>
  %v = graph.constant dense<[[[[2.0, -1.0], [1.5, -0.5], [1.0, -1.75]]]]> : tensor<1x1x3x2xf32>
  %3 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %4 = graph.concat %q, %3 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %5 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %6 = graph.concat %k, %5 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %8 = graph.concat %v, %7 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %9 = graph.attention %4, %6, %8 {causal, scale = 0.5 : f64} : (tensor<1x1x3x300xf32>, tensor<1x1x3x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x3x300xf32>
  %10 = graph.slice %9 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x3x300xf32>) -> tensor<1x1x3x2xf32>
  return %10 : tensor<1x1x3x2xf32>
}

// What a query does not see does not reach it.
// CHECK-LABEL: func.func @causal_hides_nan() -> tensor<1x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00], [5.000000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.000000e+00], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}3.000000e+00], [0x7F800000]]]]> : tensor<1x1x2x1xf32>
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
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x2xi64>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape2 : tensor<i64>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape2 : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[DIMS]], %[[DIMS_2]] : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x2x1xi64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[IOTA_2]], %[[SUB]] : (tensor<1x1x2x1xi64>, tensor<i64>) -> tensor<1x1x2x1xi64>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[IOTA]], %[[ADD]] : (tensor<1x1x1x2xi64>, tensor<1x1x2x1xi64>) -> tensor<1x1x2x2xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT_3]], %[[CONCAT_4]] {transpose_b} : (tensor<1x1x2x300xf32>, tensor<1x1x2x300xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_6]] : (tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS_EQUAL]], %[[MUL]], %[[CONSTANT_7]] : (tensor<1x1x2x2xi1>, tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[SOFTMAX]] : (tensor<1x1x2x2xf32>) -> tensor<1x1x1x2x2x1xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CONCAT_5]] : (tensor<1x1x2x299xf32>) -> tensor<1x1x1x1x2x299xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[LESS_EQUAL]] : (tensor<1x1x2x2xi1>) -> tensor<1x1x1x2x2x1xi1>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<1x1x1x2x2x1xf32>, tensor<1x1x1x1x2x299xf32>) -> tensor<1x1x1x2x2x299xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_3]], %[[MUL_2]], %[[CONSTANT_8]] : (tensor<1x1x1x2x2x1xi1>, tensor<1x1x1x2x2x299xf32>, tensor<f32>) -> tensor<1x1x1x2x2x299xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT_2]] axes [4] : (tensor<1x1x1x2x2x299xf32>) -> tensor<1x1x1x2x299xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[SUM]] : (tensor<1x1x1x2x299xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[SELECT]] axes [3] {keep_dims} : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[MAX]], %[[CONSTANT_9]] : (tensor<1x1x2x1xf32>, tensor<f32>) -> tensor<1x1x2x1xi1>
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = graph.constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[CONSTANT_10]], %[[RESHAPE_4]] : (tensor<1x1x2x1xi1>, tensor<f32>, tensor<1x1x2x299xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[SELECT_3]] starts #shape1 steps [1, 1, 1, 1] : (tensor<1x1x2x299xf32>) -> tensor<1x1x2x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x2x1xf32>
// VALUES-LABEL: func.func @causal_hides_nan
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}3.000000e+00], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
func.func @causal_hides_nan() -> tensor<1x1x2x1xf32> {
  %q = graph.constant dense<[[[[1.0], [0.5]]]]> : tensor<1x1x2x1xf32>
  %k = graph.constant dense<[[[[1.0], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[3.0], [0x7F800000]]]]> : tensor<1x1x2x1xf32>
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
  %13 = graph.attention %8, %10, %12 {causal, scale = 0.5 : f64} : (tensor<1x1x2x300xf32>, tensor<1x1x2x300xf32>, tensor<1x1x2x299xf32>) -> tensor<1x1x2x299xf32>
  %14 = graph.slice %13 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x2x299xf32>) -> tensor<1x1x2x1xf32>
  return %14 : tensor<1x1x2x1xf32>
}

// The first query sees no key: NaN, though a sum of nothing is 0.
// CHECK-LABEL: func.func @causal_more_queries() -> tensor<1x1x3x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01], [1.500000e+00], [-7.500000e-01]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01], [-1.250000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00], [-2.000000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_4]] axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_5]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONCAT]], %[[FILL]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_4:[^ ,:)]+]] = graph.concat %[[CONCAT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_5:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x2xi64>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape2 : tensor<i64>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[DIMS]], %[[DIMS_2]] : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x3x1xi64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[IOTA_2]], %[[SUB]] : (tensor<1x1x3x1xi64>, tensor<i64>) -> tensor<1x1x3x1xi64>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[IOTA]], %[[ADD]] : (tensor<1x1x1x2xi64>, tensor<1x1x3x1xi64>) -> tensor<1x1x3x2xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT_3]], %[[CONCAT_4]] {transpose_b} : (tensor<1x1x3x300xf32>, tensor<1x1x2x300xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_6]] : (tensor<1x1x3x2xf32>, tensor<f32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS_EQUAL]], %[[MUL]], %[[CONSTANT_7]] : (tensor<1x1x3x2xi1>, tensor<1x1x3x2xf32>, tensor<f32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<1x1x3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[SOFTMAX]] : (tensor<1x1x3x2xf32>) -> tensor<1x1x1x3x2x1xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CONCAT_5]] : (tensor<1x1x2x299xf32>) -> tensor<1x1x1x1x2x299xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[LESS_EQUAL]] : (tensor<1x1x3x2xi1>) -> tensor<1x1x1x3x2x1xi1>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<1x1x1x3x2x1xf32>, tensor<1x1x1x1x2x299xf32>) -> tensor<1x1x1x3x2x299xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_3]], %[[MUL_2]], %[[CONSTANT_8]] : (tensor<1x1x1x3x2x1xi1>, tensor<1x1x1x3x2x299xf32>, tensor<f32>) -> tensor<1x1x1x3x2x299xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT_2]] axes [4] : (tensor<1x1x1x3x2x299xf32>) -> tensor<1x1x1x3x299xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[SUM]] : (tensor<1x1x1x3x299xf32>) -> tensor<1x1x3x299xf32>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[SELECT]] axes [3] {keep_dims} : (tensor<1x1x3x2xf32>) -> tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[MAX]], %[[CONSTANT_9]] : (tensor<1x1x3x1xf32>, tensor<f32>) -> tensor<1x1x3x1xi1>
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = graph.constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[CONSTANT_10]], %[[RESHAPE_4]] : (tensor<1x1x3x1xi1>, tensor<f32>, tensor<1x1x3x299xf32>) -> tensor<1x1x3x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[SELECT_3]] starts #shape1 steps [1, 1, 1, 1] : (tensor<1x1x3x299xf32>) -> tensor<1x1x3x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x3x1xf32>
// VALUES-LABEL: func.func @causal_more_queries
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0x7FC00000], [-1.500000e+00], [-1.82920873]]]]> : tensor<1x1x3x1xf32>
func.func @causal_more_queries() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<[[[[0.5], [1.5], [-0.75]]]]> : tensor<1x1x3x1xf32>
  %k = graph.constant dense<[[[[0.5], [-1.25]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-1.5], [-2.0]]]]> : tensor<1x1x2x1xf32>
  %c3 = graph.constant dense<[[[[0.0], [0.0], [0.0]]]]> : tensor<1x1x3x1xf32>
  %4 = graph.concat %q, %c3 axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x3x2xf32>
  %c5 = graph.constant dense<[[[[0.0], [0.0]]]]> : tensor<1x1x2x1xf32>
  %6 = graph.concat %k, %c5 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %9 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %10 = graph.concat %6, %9 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %11 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %12 = graph.concat %v, %11 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
  %13 = graph.attention %8, %10, %12 {causal, scale = 0.5 : f64} : (tensor<1x1x3x300xf32>, tensor<1x1x2x300xf32>, tensor<1x1x2x299xf32>) -> tensor<1x1x3x299xf32>
  %14 = graph.slice %13 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x3x299xf32>) -> tensor<1x1x3x1xf32>
  return %14 : tensor<1x1x3x1xf32>
}

// CHECK-LABEL: func.func @causal_nan_zero() -> tensor<1x1x3x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [0.000000e+00], [-1.750000e+00]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.250000e+00], [5.000000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-5.000000e-01], [-1.250000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_4]] axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_5]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONCAT]], %[[FILL]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_4:[^ ,:)]+]] = graph.concat %[[CONCAT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_5:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x2xi64>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape2 : tensor<i64>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[DIMS]], %[[DIMS_2]] : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x3x1xi64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[IOTA_2]], %[[SUB]] : (tensor<1x1x3x1xi64>, tensor<i64>) -> tensor<1x1x3x1xi64>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[IOTA]], %[[ADD]] : (tensor<1x1x1x2xi64>, tensor<1x1x3x1xi64>) -> tensor<1x1x3x2xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT_3]], %[[CONCAT_4]] {transpose_b} : (tensor<1x1x3x300xf32>, tensor<1x1x2x300xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_6]] : (tensor<1x1x3x2xf32>, tensor<f32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS_EQUAL]], %[[MUL]], %[[CONSTANT_7]] : (tensor<1x1x3x2xi1>, tensor<1x1x3x2xf32>, tensor<f32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<1x1x3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[IS_NAN:[^ ,:)]+]] = graph.unary is_nan %[[SOFTMAX]] : (tensor<1x1x3x2xf32>) -> tensor<1x1x3x2xi1>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[IS_NAN]], %[[CONSTANT_8]], %[[SOFTMAX]] : (tensor<1x1x3x2xi1>, tensor<f32>, tensor<1x1x3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[SELECT_2]] : (tensor<1x1x3x2xf32>) -> tensor<1x1x1x3x2x1xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[CONCAT_5]] : (tensor<1x1x2x299xf32>) -> tensor<1x1x1x1x2x299xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[LESS_EQUAL]] : (tensor<1x1x3x2xi1>) -> tensor<1x1x1x3x2x1xi1>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE]], %[[RESHAPE_2]] : (tensor<1x1x1x3x2x1xf32>, tensor<1x1x1x1x2x299xf32>) -> tensor<1x1x1x3x2x299xf32>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[RESHAPE_3]], %[[MUL_2]], %[[CONSTANT_9]] : (tensor<1x1x1x3x2x1xi1>, tensor<1x1x1x3x2x299xf32>, tensor<f32>) -> tensor<1x1x1x3x2x299xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT_3]] axes [4] : (tensor<1x1x1x3x2x299xf32>) -> tensor<1x1x1x3x299xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[SUM]] : (tensor<1x1x1x3x299xf32>) -> tensor<1x1x3x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[RESHAPE_4]] starts #shape1 steps [1, 1, 1, 1] : (tensor<1x1x3x299xf32>) -> tensor<1x1x3x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x3x1xf32>
// VALUES-LABEL: func.func @causal_nan_zero
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00], [-5.000000e-01], [-0.63335818]]]]> : tensor<1x1x3x1xf32>
func.func @causal_nan_zero() -> tensor<1x1x3x1xf32> {
  %q = graph.constant dense<[[[[0.0], [0.0], [-1.75]]]]> : tensor<1x1x3x1xf32>
  %k = graph.constant dense<[[[[-1.25], [0.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[-0.5], [-1.25]]]]> : tensor<1x1x2x1xf32>
  %c3 = graph.constant dense<[[[[0.0], [0.0], [0.0]]]]> : tensor<1x1x3x1xf32>
  %4 = graph.concat %q, %c3 axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x3x2xf32>
  %c5 = graph.constant dense<[[[[0.0], [0.0]]]]> : tensor<1x1x2x1xf32>
  %6 = graph.concat %k, %c5 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %9 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %10 = graph.concat %6, %9 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %11 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %12 = graph.concat %v, %11 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
  %13 = graph.attention %8, %10, %12 {causal, nan_zero, scale = 0.5 : f64} : (tensor<1x1x3x300xf32>, tensor<1x1x2x300xf32>, tensor<1x1x2x299xf32>) -> tensor<1x1x3x299xf32>
  %14 = graph.slice %13 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x3x299xf32>) -> tensor<1x1x3x1xf32>
  return %14 : tensor<1x1x3x1xf32>
}

// CHECK-LABEL: func.func @causal_shared_heads() -> tensor<1x2x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-2.000000e+00], [-2.000000e+00]], {{\[\[}}5.000000e-01], [-1.750000e+00]]]]> : tensor<1x2x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00], [2.500000e-01], [-1.000000e+00]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}5.000000e-01], [-1.500000e+00], [-7.500000e-01]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x2x2x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_4]] axis 3 : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x3x1xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_5]] axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x2x2x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONCAT]], %[[FILL]] axis 3 : (tensor<1x2x2x2xf32>, tensor<1x2x2x298xf32>) -> tensor<1x2x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_4:[^ ,:)]+]] = graph.concat %[[CONCAT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_5:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x299xf32>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x3xi64>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape : tensor<i64>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape2 : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[DIMS]], %[[DIMS_2]] : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x2x1xi64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[IOTA_2]], %[[SUB]] : (tensor<1x1x2x1xi64>, tensor<i64>) -> tensor<1x1x2x1xi64>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[IOTA]], %[[ADD]] : (tensor<1x1x1x3xi64>, tensor<1x1x2x1xi64>) -> tensor<1x1x2x3xi1>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONCAT_3]] : (tensor<1x2x2x300xf32>) -> tensor<1x1x4x300xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[RESHAPE]], %[[CONCAT_4]] {transpose_b} : (tensor<1x1x4x300xf32>, tensor<1x1x3x300xf32>) -> tensor<1x1x4x3xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[MATMUL]] : (tensor<1x1x4x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[RESHAPE_2]], %[[CONSTANT_6]] : (tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS_EQUAL]], %[[MUL]], %[[CONSTANT_7]] : (tensor<1x1x2x3xi1>, tensor<1x2x2x3xf32>, tensor<f32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[SOFTMAX]] : (tensor<1x2x2x3xf32>) -> tensor<1x1x2x2x3x1xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[CONCAT_5]] : (tensor<1x1x3x299xf32>) -> tensor<1x1x1x1x3x299xf32>
// CHECK-NEXT: %[[RESHAPE_5:[^ ,:)]+]] = graph.reshape %[[LESS_EQUAL]] : (tensor<1x1x2x3xi1>) -> tensor<1x1x1x2x3x1xi1>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE_3]], %[[RESHAPE_4]] : (tensor<1x1x2x2x3x1xf32>, tensor<1x1x1x1x3x299xf32>) -> tensor<1x1x2x2x3x299xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_5]], %[[MUL_2]], %[[CONSTANT_8]] : (tensor<1x1x1x2x3x1xi1>, tensor<1x1x2x2x3x299xf32>, tensor<f32>) -> tensor<1x1x2x2x3x299xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT_2]] axes [4] : (tensor<1x1x2x2x3x299xf32>) -> tensor<1x1x2x2x299xf32>
// CHECK-NEXT: %[[RESHAPE_6:[^ ,:)]+]] = graph.reshape %[[SUM]] : (tensor<1x1x2x2x299xf32>) -> tensor<1x2x2x299xf32>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[SELECT]] axes [3] {keep_dims} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[MAX]], %[[CONSTANT_9]] : (tensor<1x2x2x1xf32>, tensor<f32>) -> tensor<1x2x2x1xi1>
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = graph.constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[CONSTANT_10]], %[[RESHAPE_6]] : (tensor<1x2x2x1xi1>, tensor<f32>, tensor<1x2x2x299xf32>) -> tensor<1x2x2x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[SELECT_3]] starts #shape1 steps [1, 1, 1, 1] : (tensor<1x2x2x299xf32>) -> tensor<1x2x2x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x2x2x1xf32>
// VALUES-LABEL: func.func @causal_shared_heads
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.05459976], [-0.832035064]], {{\[\[}}-0.345009267], [-0.826683163]]]]> : tensor<1x2x2x1xf32>
func.func @causal_shared_heads() -> tensor<1x2x2x1xf32> {
  %q = graph.constant dense<[[[[-2.0], [-2.0]], [[0.5], [-1.75]]]]> : tensor<1x2x2x1xf32>
  %k = graph.constant dense<[[[[1.5], [0.25], [-1.0]]]]> : tensor<1x1x3x1xf32>
  %v = graph.constant dense<[[[[0.5], [-1.5], [-0.75]]]]> : tensor<1x1x3x1xf32>
  %c3 = graph.constant dense<[[[[0.0], [0.0]], [[0.0], [0.0]]]]> : tensor<1x2x2x1xf32>
  %4 = graph.concat %q, %c3 axis 3 : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x2x2x2xf32>
  %c5 = graph.constant dense<[[[[0.0], [0.0], [0.0]]]]> : tensor<1x1x3x1xf32>
  %6 = graph.concat %k, %c5 axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x3x2xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x2x2x298xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<1x2x2x2xf32>, tensor<1x2x2x298xf32>) -> tensor<1x2x2x300xf32>
  %9 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %10 = graph.concat %6, %9 axis 3 : (tensor<1x1x3x2xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x300xf32>
  %11 = graph.fill 0.0 : f32 : tensor<1x1x3x298xf32>
  %12 = graph.concat %v, %11 axis 3 : (tensor<1x1x3x1xf32>, tensor<1x1x3x298xf32>) -> tensor<1x1x3x299xf32>
  %13 = graph.attention %8, %10, %12 {causal, scale = 0.5 : f64} : (tensor<1x2x2x300xf32>, tensor<1x1x3x300xf32>, tensor<1x1x3x299xf32>) -> tensor<1x2x2x299xf32>
  %14 = graph.slice %13 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x2x2x299xf32>) -> tensor<1x2x2x1xf32>
  return %14 : tensor<1x2x2x1xf32>
}
