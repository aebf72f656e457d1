// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-decompose-attention{targets=sm_86}))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Attention written out computes what the op does: lengths of sequences.
// Heads are padded with zeros to 300, which no block of threads holds.
// NOTE: checks by tools/update-lit-checks

// Values behind the length become zero.
// CHECK-LABEL: func.func @lengths() -> tensor<2x1x1x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00]]], {{\[\[}}[5.000000e-01]]]]> : tensor<2x1x1x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.500000e+00], [-7.500000e-01], [-1.750000e+00]]], {{\[\[}}[-1.500000e+00], [-1.250000e+00], [-7.500000e-01]]]]> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.750000e+00], [-5.000000e-01], [-1.750000e+00]]], {{\[\[}}[1.750000e+00], [2.500000e-01], [-1.750000e+00]]]]> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<2x1x1x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_4]] axis 3 : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_5]] axis 3 : (tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>) -> tensor<2x1x3x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x1x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONCAT]], %[[FILL]] axis 3 : (tensor<2x1x1x2xf32>, tensor<2x1x1x298xf32>) -> tensor<2x1x1x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_4:[^ ,:)]+]] = graph.concat %[[CONCAT_2]], %[[FILL_2]] axis 3 : (tensor<2x1x3x2xf32>, tensor<2x1x3x298xf32>) -> tensor<2x1x3x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_5:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<2x1x3x1xf32>, tensor<2x1x3x298xf32>) -> tensor<2x1x3x299xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<[2, 3]> : tensor<2xi32>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x3xi64>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape : tensor<i64>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[CONSTANT_6]] : (tensor<2xi32>) -> tensor<2xi64>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CAST]] : (tensor<2xi64>) -> tensor<2x1x1x1xi64>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape1 : tensor<i64>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.binary max %[[RESHAPE]], %[[DIMS_2]] : (tensor<2x1x1x1xi64>, tensor<i64>) -> tensor<2x1x1x1xi64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[IOTA]], %[[MAX]] : (tensor<1x1x1x3xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x1x3xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT_3]], %[[CONCAT_4]] {transpose_b} : (tensor<2x1x1x300xf32>, tensor<2x1x3x300xf32>) -> tensor<2x1x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_7]] : (tensor<2x1x1x3xf32>, tensor<f32>) -> tensor<2x1x1x3xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS]], %[[MUL]], %[[CONSTANT_8]] : (tensor<2x1x1x3xi1>, tensor<2x1x1x3xf32>, tensor<f32>) -> tensor<2x1x1x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<2x1x1x3xf32>) -> tensor<2x1x1x3xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[LESS]] : (tensor<2x1x1x3xi1>) -> tensor<2x1x3x1xi1>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_2]], %[[CONCAT_5]], %[[CONSTANT_9]] : (tensor<2x1x3x1xi1>, tensor<2x1x3x299xf32>, tensor<f32>) -> tensor<2x1x3x299xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[SELECT_2]] : (tensor<2x1x1x3xf32>, tensor<2x1x3x299xf32>) -> tensor<2x1x1x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape2 steps [1, 1, 1, 1] : (tensor<2x1x1x299xf32>) -> tensor<2x1x1x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<2x1x1x1xf32>
// VALUES-LABEL: func.func @lengths
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}6.250000e-01]]], {{\[\[}}[-0.0289780796]]]]> : tensor<2x1x1x1xf32>
func.func @lengths() -> tensor<2x1x1x1xf32> {
  %q = graph.constant dense<[[[[0.0]]], [[[0.5]]]]> : tensor<2x1x1x1xf32>
  %k = graph.constant dense<[[[[-1.5], [-0.75], [-1.75]]], [[[-1.5], [-1.25], [-0.75]]]]> : tensor<2x1x3x1xf32>
  %v = graph.constant dense<[[[[1.75], [-0.5], [-1.75]]], [[[1.75], [0.25], [-1.75]]]]> : tensor<2x1x3x1xf32>
  %c3 = graph.constant dense<[[[[0.0]]], [[[0.0]]]]> : tensor<2x1x1x1xf32>
  %4 = graph.concat %q, %c3 axis 3 : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x1x1x2xf32>
  %c5 = graph.constant dense<[[[[0.0], [0.0], [0.0]]], [[[0.0], [0.0], [0.0]]]]> : tensor<2x1x3x1xf32>
  %6 = graph.concat %k, %c5 axis 3 : (tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>) -> tensor<2x1x3x2xf32>
  %7 = graph.fill 0.0 : f32 : tensor<2x1x1x298xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<2x1x1x2xf32>, tensor<2x1x1x298xf32>) -> tensor<2x1x1x300xf32>
  %9 = graph.fill 0.0 : f32 : tensor<2x1x3x298xf32>
  %10 = graph.concat %6, %9 axis 3 : (tensor<2x1x3x2xf32>, tensor<2x1x3x298xf32>) -> tensor<2x1x3x300xf32>
  %11 = graph.fill 0.0 : f32 : tensor<2x1x3x298xf32>
  %12 = graph.concat %v, %11 axis 3 : (tensor<2x1x3x1xf32>, tensor<2x1x3x298xf32>) -> tensor<2x1x3x299xf32>
  %n = graph.constant dense<[2, 3]> : tensor<2xi32>
  %14 = graph.attention %8, %10, %12 lengths %n {scale = 0.5 : f64} : (tensor<2x1x1x300xf32>, tensor<2x1x3x300xf32>, tensor<2x1x3x299xf32>, tensor<2xi32>) -> tensor<2x1x1x299xf32>
  %15 = graph.slice %14 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x1x1x299xf32>) -> tensor<2x1x1x1xf32>
  return %15 : tensor<2x1x1x1xf32>
}

// Held within [0, T].
// CHECK-LABEL: func.func @lengths_outside() -> tensor<3x1x1x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-1.750000e+00]]], {{\[\[}}[-1.750000e+00]]], {{\[\[}}[1.750000e+00]]]]> : tensor<3x1x1x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.500000e-01], [7.500000e-01]]], {{\[\[}}[2.000000e+00], [-5.000000e-01]]], {{\[\[}}[1.750000e+00], [-5.000000e-01]]]]> : tensor<3x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}7.500000e-01], [1.500000e+00]]], {{\[\[}}[-1.750000e+00], [1.000000e+00]]], {{\[\[}}[1.250000e+00], [2.000000e+00]]]]> : tensor<3x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<3x1x1x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_4]] axis 3 : (tensor<3x1x1x1xf32>, tensor<3x1x1x1xf32>) -> tensor<3x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<3x1x2x1xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_5]] axis 3 : (tensor<3x1x2x1xf32>, tensor<3x1x2x1xf32>) -> tensor<3x1x2x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<3x1x1x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONCAT]], %[[FILL]] axis 3 : (tensor<3x1x1x2xf32>, tensor<3x1x1x298xf32>) -> tensor<3x1x1x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<3x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_4:[^ ,:)]+]] = graph.concat %[[CONCAT_2]], %[[FILL_2]] axis 3 : (tensor<3x1x2x2xf32>, tensor<3x1x2x298xf32>) -> tensor<3x1x2x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<3x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_5:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<3x1x2x1xf32>, tensor<3x1x2x298xf32>) -> tensor<3x1x2x299xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<[-1, 0, 9]> : tensor<3xi64>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x2xi64>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape3 : tensor<i64>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONSTANT_6]] : (tensor<3xi64>) -> tensor<3x1x1x1xi64>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape1 : tensor<i64>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.binary max %[[RESHAPE]], %[[DIMS_2]] : (tensor<3x1x1x1xi64>, tensor<i64>) -> tensor<3x1x1x1xi64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[IOTA]], %[[MAX]] : (tensor<1x1x1x2xi64>, tensor<3x1x1x1xi64>) -> tensor<3x1x1x2xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT_3]], %[[CONCAT_4]] {transpose_b} : (tensor<3x1x1x300xf32>, tensor<3x1x2x300xf32>) -> tensor<3x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_7]] : (tensor<3x1x1x2xf32>, tensor<f32>) -> tensor<3x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS]], %[[MUL]], %[[CONSTANT_8]] : (tensor<3x1x1x2xi1>, tensor<3x1x1x2xf32>, tensor<f32>) -> tensor<3x1x1x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<3x1x1x2xf32>) -> tensor<3x1x1x2xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[LESS]] : (tensor<3x1x1x2xi1>) -> tensor<3x1x2x1xi1>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_2]], %[[CONCAT_5]], %[[CONSTANT_9]] : (tensor<3x1x2x1xi1>, tensor<3x1x2x299xf32>, tensor<f32>) -> tensor<3x1x2x299xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[SELECT_2]] : (tensor<3x1x1x2xf32>, tensor<3x1x2x299xf32>) -> tensor<3x1x1x299xf32>
// CHECK-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.reduce max %[[SELECT]] axes [3] {keep_dims} : (tensor<3x1x1x2xf32>) -> tensor<3x1x1x1xf32>
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[MAX_2]], %[[CONSTANT_10]] : (tensor<3x1x1x1xf32>, tensor<f32>) -> tensor<3x1x1x1xi1>
// CHECK-NEXT: %[[CONSTANT_11:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[CONSTANT_11]], %[[MATMUL_2]] : (tensor<3x1x1x1xi1>, tensor<f32>, tensor<3x1x1x299xf32>) -> tensor<3x1x1x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[SELECT_3]] starts #shape2 steps [1, 1, 1, 1] : (tensor<3x1x1x299xf32>) -> tensor<3x1x1x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<3x1x1x1xf32>
// VALUES-LABEL: func.func @lengths_outside
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00]]], {{\[\[}}[0.000000e+00]]], {{\[\[}}[1.34189236]]]]> : tensor<3x1x1x1xf32>
func.func @lengths_outside() -> tensor<3x1x1x1xf32> {
  %q = graph.constant dense<[[[[-1.75]]], [[[-1.75]]], [[[1.75]]]]> : tensor<3x1x1x1xf32>
  %k = graph.constant dense<[[[[0.25], [0.75]]], [[[2.0], [-0.5]]], [[[1.75], [-0.5]]]]> : tensor<3x1x2x1xf32>
  %v = graph.constant dense<[[[[0.75], [1.5]]], [[[-1.75], [1.0]]], [[[1.25], [2.0]]]]> : tensor<3x1x2x1xf32>
  %c3 = graph.constant dense<[[[[0.0]]], [[[0.0]]], [[[0.0]]]]> : tensor<3x1x1x1xf32>
  %4 = graph.concat %q, %c3 axis 3 : (tensor<3x1x1x1xf32>, tensor<3x1x1x1xf32>) -> tensor<3x1x1x2xf32>
  %c5 = graph.constant dense<[[[[0.0], [0.0]]], [[[0.0], [0.0]]], [[[0.0], [0.0]]]]> : tensor<3x1x2x1xf32>
  %6 = graph.concat %k, %c5 axis 3 : (tensor<3x1x2x1xf32>, tensor<3x1x2x1xf32>) -> tensor<3x1x2x2xf32>
  %7 = graph.fill 0.0 : f32 : tensor<3x1x1x298xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<3x1x1x2xf32>, tensor<3x1x1x298xf32>) -> tensor<3x1x1x300xf32>
  %9 = graph.fill 0.0 : f32 : tensor<3x1x2x298xf32>
  %10 = graph.concat %6, %9 axis 3 : (tensor<3x1x2x2xf32>, tensor<3x1x2x298xf32>) -> tensor<3x1x2x300xf32>
  %11 = graph.fill 0.0 : f32 : tensor<3x1x2x298xf32>
  %12 = graph.concat %v, %11 axis 3 : (tensor<3x1x2x1xf32>, tensor<3x1x2x298xf32>) -> tensor<3x1x2x299xf32>
  %n = graph.constant dense<[-1, 0, 9]> : tensor<3xi64>
  %14 = graph.attention %8, %10, %12 lengths %n {masked_zero, scale = 0.5 : f64} : (tensor<3x1x1x300xf32>, tensor<3x1x2x300xf32>, tensor<3x1x2x299xf32>, tensor<3xi64>) -> tensor<3x1x1x299xf32>
  %15 = graph.slice %14 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<3x1x1x299xf32>) -> tensor<3x1x1x1xf32>
  return %15 : tensor<3x1x1x1xf32>
}

// CHECK-LABEL: func.func @lengths_hide_nan() -> tensor<1x1x1x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<7.500000e-01> : tensor<1x1x1x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}0.000000e+00], [-1.500000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}2.000000e+00], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_4]] axis 3 : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_5]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x1x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONCAT]], %[[FILL]] axis 3 : (tensor<1x1x1x2xf32>, tensor<1x1x1x298xf32>) -> tensor<1x1x1x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_4:[^ ,:)]+]] = graph.concat %[[CONCAT_2]], %[[FILL_2]] axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<1x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_5:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<1> : tensor<1xi64>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x2xi64>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape3 : tensor<i64>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONSTANT_6]] : (tensor<1xi64>) -> tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape1 : tensor<i64>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.binary max %[[RESHAPE]], %[[DIMS_2]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[IOTA]], %[[MAX]] : (tensor<1x1x1x2xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x1x2xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT_3]], %[[CONCAT_4]] {transpose_b} : (tensor<1x1x1x300xf32>, tensor<1x1x2x300xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_7]] : (tensor<1x1x1x2xf32>, tensor<f32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LESS]], %[[MUL]], %[[CONSTANT_8]] : (tensor<1x1x1x2xi1>, tensor<1x1x1x2xf32>, tensor<f32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[LESS]] : (tensor<1x1x1x2xi1>) -> tensor<1x1x2x1xi1>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_2]], %[[CONCAT_5]], %[[CONSTANT_9]] : (tensor<1x1x2x1xi1>, tensor<1x1x2x299xf32>, tensor<f32>) -> tensor<1x1x2x299xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[SOFTMAX]], %[[SELECT_2]] : (tensor<1x1x1x2xf32>, tensor<1x1x2x299xf32>) -> tensor<1x1x1x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape2 steps [1, 1, 1, 1] : (tensor<1x1x1x299xf32>) -> tensor<1x1x1x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<1x1x1x1xf32>
// VALUES-LABEL: func.func @lengths_hide_nan
// VALUES-NEXT: #0 = dense<2.000000e+00> : tensor<1x1x1x1xf32>
func.func @lengths_hide_nan() -> tensor<1x1x1x1xf32> {
  %q = graph.constant dense<[[[[0.75]]]]> : tensor<1x1x1x1xf32>
  %k = graph.constant dense<[[[[0.0], [-1.5]]]]> : tensor<1x1x2x1xf32>
  %v = graph.constant dense<[[[[2.0], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
  %c3 = graph.constant dense<[[[[0.0]]]]> : tensor<1x1x1x1xf32>
  %4 = graph.concat %q, %c3 axis 3 : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32>
  %c5 = graph.constant dense<[[[[0.0], [0.0]]]]> : tensor<1x1x2x1xf32>
  %6 = graph.concat %k, %c5 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x2xf32>
  %7 = graph.fill 0.0 : f32 : tensor<1x1x1x298xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<1x1x1x2xf32>, tensor<1x1x1x298xf32>) -> tensor<1x1x1x300xf32>
  %9 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %10 = graph.concat %6, %9 axis 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x300xf32>
  %11 = graph.fill 0.0 : f32 : tensor<1x1x2x298xf32>
  %12 = graph.concat %v, %11 axis 3 : (tensor<1x1x2x1xf32>, tensor<1x1x2x298xf32>) -> tensor<1x1x2x299xf32>
  %n = graph.constant dense<[1]> : tensor<1xi64>
  %14 = graph.attention %8, %10, %12 lengths %n {scale = 0.5 : f64} : (tensor<1x1x1x300xf32>, tensor<1x1x2x300xf32>, tensor<1x1x2x299xf32>, tensor<1xi64>) -> tensor<1x1x1x299xf32>
  %15 = graph.slice %14 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x1x1x299xf32>) -> tensor<1x1x1x1xf32>
  return %15 : tensor<1x1x1x1xf32>
}

// CHECK-LABEL: func.func @causal_lengths() -> tensor<2x1x2x1xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.250000e+00], [-2.500000e-01]]], {{\[\[}}[1.250000e+00], [-2.000000e+00]]]]> : tensor<2x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}-7.500000e-01], [1.250000e+00], [5.000000e-01]]], {{\[\[}}[1.000000e+00], [5.000000e-01], [1.250000e+00]]]]> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<{{\[\[}}{{\[\[}}1.500000e+00], [1.000000e+00], [7.500000e-01]]], {{\[\[}}[-1.000000e+00], [-1.750000e+00], [1.250000e+00]]]]> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<2x1x2x1xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[CONSTANT]], %[[CONSTANT_4]] axis 3 : (tensor<2x1x2x1xf32>, tensor<2x1x2x1xf32>) -> tensor<2x1x2x2xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<2x1x3x1xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[CONSTANT_2]], %[[CONSTANT_5]] axis 3 : (tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>) -> tensor<2x1x3x2xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x2x298xf32>
// CHECK-NEXT: %[[CONCAT_3:[^ ,:)]+]] = graph.concat %[[CONCAT]], %[[FILL]] axis 3 : (tensor<2x1x2x2xf32>, tensor<2x1x2x298xf32>) -> tensor<2x1x2x300xf32>
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_4:[^ ,:)]+]] = graph.concat %[[CONCAT_2]], %[[FILL_2]] axis 3 : (tensor<2x1x3x2xf32>, tensor<2x1x3x298xf32>) -> tensor<2x1x3x300xf32>
// CHECK-NEXT: %[[FILL_3:[^ ,:)]+]] = graph.fill 0.000000e+00 : f32 : tensor<2x1x3x298xf32>
// CHECK-NEXT: %[[CONCAT_5:[^ ,:)]+]] = graph.concat %[[CONSTANT_3]], %[[FILL_3]] axis 3 : (tensor<2x1x3x1xf32>, tensor<2x1x3x298xf32>) -> tensor<2x1x3x299xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<[1, 3]> : tensor<2xi64>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 3 : tensor<1x1x1x3xi64>
// CHECK-NEXT: %[[DIMS:[^ ,:)]+]] = graph.dims #shape : tensor<i64>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONSTANT_6]] : (tensor<2xi64>) -> tensor<2x1x1x1xi64>
// CHECK-NEXT: %[[DIMS_2:[^ ,:)]+]] = graph.dims #shape1 : tensor<i64>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.binary max %[[RESHAPE]], %[[DIMS_2]] : (tensor<2x1x1x1xi64>, tensor<i64>) -> tensor<2x1x1x1xi64>
// CHECK-NEXT: %[[LESS:[^ ,:)]+]] = graph.compare less %[[IOTA]], %[[MAX]] : (tensor<1x1x1x3xi64>, tensor<2x1x1x1xi64>) -> tensor<2x1x1x3xi1>
// CHECK-NEXT: %[[DIMS_3:[^ ,:)]+]] = graph.dims #shape3 : tensor<i64>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[DIMS]], %[[DIMS_3]] : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %[[IOTA_2:[^ ,:)]+]] = graph.iota axis 2 : tensor<1x1x2x1xi64>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[IOTA_2]], %[[SUB]] : (tensor<1x1x2x1xi64>, tensor<i64>) -> tensor<1x1x2x1xi64>
// CHECK-NEXT: %[[LESS_EQUAL:[^ ,:)]+]] = graph.compare less_equal %[[IOTA]], %[[ADD]] : (tensor<1x1x1x3xi64>, tensor<1x1x2x1xi64>) -> tensor<1x1x2x3xi1>
// CHECK-NEXT: %[[LOGICAL_AND:[^ ,:)]+]] = graph.binary logical_and %[[LESS]], %[[LESS_EQUAL]] : (tensor<2x1x1x3xi1>, tensor<1x1x2x3xi1>) -> tensor<2x1x2x3xi1>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[CONCAT_3]], %[[CONCAT_4]] {transpose_b} : (tensor<2x1x2x300xf32>, tensor<2x1x3x300xf32>) -> tensor<2x1x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[CONSTANT_7]] : (tensor<2x1x2x3xf32>, tensor<f32>) -> tensor<2x1x2x3xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[LOGICAL_AND]], %[[MUL]], %[[CONSTANT_8]] : (tensor<2x1x2x3xi1>, tensor<2x1x2x3xf32>, tensor<f32>) -> tensor<2x1x2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[SELECT]] axis 3 : (tensor<2x1x2x3xf32>) -> tensor<2x1x2x3xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[SOFTMAX]] : (tensor<2x1x2x3xf32>) -> tensor<2x1x1x2x3x1xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[CONCAT_5]] : (tensor<2x1x3x299xf32>) -> tensor<2x1x1x1x3x299xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[LOGICAL_AND]] : (tensor<2x1x2x3xi1>) -> tensor<2x1x1x2x3x1xi1>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[RESHAPE_2]], %[[RESHAPE_3]] : (tensor<2x1x1x2x3x1xf32>, tensor<2x1x1x1x3x299xf32>) -> tensor<2x1x1x2x3x299xf32>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = graph.select %[[RESHAPE_4]], %[[MUL_2]], %[[CONSTANT_9]] : (tensor<2x1x1x2x3x1xi1>, tensor<2x1x1x2x3x299xf32>, tensor<f32>) -> tensor<2x1x1x2x3x299xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[SELECT_2]] axes [4] : (tensor<2x1x1x2x3x299xf32>) -> tensor<2x1x1x2x299xf32>
// CHECK-NEXT: %[[RESHAPE_5:[^ ,:)]+]] = graph.reshape %[[SUM]] : (tensor<2x1x1x2x299xf32>) -> tensor<2x1x2x299xf32>
// CHECK-NEXT: %[[MAX_2:[^ ,:)]+]] = graph.reduce max %[[SELECT]] axes [3] {keep_dims} : (tensor<2x1x2x3xf32>) -> tensor<2x1x2x1xf32>
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[MAX_2]], %[[CONSTANT_10]] : (tensor<2x1x2x1xf32>, tensor<f32>) -> tensor<2x1x2x1xi1>
// CHECK-NEXT: %[[CONSTANT_11:[^ ,:)]+]] = graph.constant dense<0x7FC00000> : tensor<f32>
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[CONSTANT_11]], %[[RESHAPE_5]] : (tensor<2x1x2x1xi1>, tensor<f32>, tensor<2x1x2x299xf32>) -> tensor<2x1x2x299xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[SELECT_3]] starts #shape2 steps [1, 1, 1, 1] : (tensor<2x1x2x299xf32>) -> tensor<2x1x2x1xf32>
// CHECK-NEXT: return %[[SLICE]] : tensor<2x1x2x1xf32>
// VALUES-LABEL: func.func @causal_lengths
// VALUES-NEXT: #0 = dense<{{\[\[}}{{\[\[}}1.500000e+00], [1.500000e+00]]], {{\[\[}}[-1.31687844], [-0.849523723]]]]> : tensor<2x1x2x1xf32>
func.func @causal_lengths() -> tensor<2x1x2x1xf32> {
  %q = graph.constant dense<[[[[1.25], [-0.25]]], [[[1.25], [-2.0]]]]> : tensor<2x1x2x1xf32>
  %k = graph.constant dense<[[[[-0.75], [1.25], [0.5]]], [[[1.0], [0.5], [1.25]]]]> : tensor<2x1x3x1xf32>
  %v = graph.constant dense<[[[[1.5], [1.0], [0.75]]], [[[-1.0], [-1.75], [1.25]]]]> : tensor<2x1x3x1xf32>
  %c3 = graph.constant dense<[[[[0.0], [0.0]]], [[[0.0], [0.0]]]]> : tensor<2x1x2x1xf32>
  %4 = graph.concat %q, %c3 axis 3 : (tensor<2x1x2x1xf32>, tensor<2x1x2x1xf32>) -> tensor<2x1x2x2xf32>
  %c5 = graph.constant dense<[[[[0.0], [0.0], [0.0]]], [[[0.0], [0.0], [0.0]]]]> : tensor<2x1x3x1xf32>
  %6 = graph.concat %k, %c5 axis 3 : (tensor<2x1x3x1xf32>, tensor<2x1x3x1xf32>) -> tensor<2x1x3x2xf32>
  %7 = graph.fill 0.0 : f32 : tensor<2x1x2x298xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<2x1x2x2xf32>, tensor<2x1x2x298xf32>) -> tensor<2x1x2x300xf32>
  %9 = graph.fill 0.0 : f32 : tensor<2x1x3x298xf32>
  %10 = graph.concat %6, %9 axis 3 : (tensor<2x1x3x2xf32>, tensor<2x1x3x298xf32>) -> tensor<2x1x3x300xf32>
  %11 = graph.fill 0.0 : f32 : tensor<2x1x3x298xf32>
  %12 = graph.concat %v, %11 axis 3 : (tensor<2x1x3x1xf32>, tensor<2x1x3x298xf32>) -> tensor<2x1x3x299xf32>
  %n = graph.constant dense<[1, 3]> : tensor<2xi64>
  %14 = graph.attention %8, %10, %12 lengths %n {causal, scale = 0.5 : f64} : (tensor<2x1x2x300xf32>, tensor<2x1x3x300xf32>, tensor<2x1x3x299xf32>, tensor<2xi64>) -> tensor<2x1x2x299xf32>
  %15 = graph.slice %14 starts <[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x1x2x299xf32>) -> tensor<2x1x2x1xf32>
  return %15 : tensor<2x1x2x1xf32>
}
