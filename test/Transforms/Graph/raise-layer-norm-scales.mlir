// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-layer-norm))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-layer-norm))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Scales and biases of layer norms: what is absorbed computes what the model did.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @scale_and_bias() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<[5.000000e-01, 0.000000e+00, -5.000000e-01, 1.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] scale %[[CONSTANT_2]] bias %[[CONSTANT_3]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @scale_and_bias
// VALUES-NEXT: #0 = dense<{{\[\[}}0.72645539, -2.71746492, 3.57619739, 0.0941783711], [2.09007025, -2.00231075, -0.441108495, -1.43418181]]> : tensor<2x4xf32>
func.func @scale_and_bias() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c10 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %11 = graph.binary mul %9, %c10 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %c12 = graph.constant dense<[0.5, 0.0, -0.5, 1.0]> : tensor<4xf32>
  %13 = graph.binary add %c12, %11 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %13 : tensor<2x4xf32>
}

// Leading dims of 1 are dropped.
// CHECK-LABEL: func.func @scale_of_ones_in_front() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]> : tensor<1x4xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[CONSTANT_2]] : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] scale %[[RESHAPE]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @scale_of_ones_in_front
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -2.71746492, 4.07619715, -0.905821621], [1.59007037, -2.00231075, 0.0588914938, -2.43418169]]> : tensor<2x4xf32>
func.func @scale_of_ones_in_front() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c10 = graph.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %11 = graph.binary mul %c10, %9 : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %11 : tensor<2x4xf32>
}

// One number for all.
// CHECK-LABEL: func.func @scalar_scale() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] scale %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @scalar_scale
// VALUES-NEXT: #0 = dense<{{\[\[}}0.679366231, -4.07619715, 4.07619715, -0.679366231], [4.77021122, -3.00346613, 0.0588914938, -1.82563627]]> : tensor<2x4xf32>
func.func @scalar_scale() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c10 = graph.constant dense<3.0> : tensor<f32>
  %11 = graph.binary mul %9, %c10 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %11 : tensor<2x4xf32>
}

// The second scale stays a product.
// CHECK-LABEL: func.func @two_scales() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] scale %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<[2.000000e+00, 2.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[LAYER_NORM]], %[[CONSTANT_3]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @two_scales
// VALUES-NEXT: #0 = dense<{{\[\[}}0.452910811, -5.434930e+00, 4.07619715, -0.905821621], [3.18014073, -4.00462151, 0.0588914938, -2.43418169]]> : tensor<2x4xf32>
func.func @two_scales() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c10 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %11 = graph.binary mul %9, %c10 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %c12 = graph.constant dense<[2.0, 2.0, 1.0, 1.0]> : tensor<4xf32>
  %13 = graph.binary mul %11, %c12 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %13 : tensor<2x4xf32>
}

// A scale behind the bias would scale the bias: it stays.
// CHECK-LABEL: func.func @bias_then_scale() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] bias %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<[2.000000e+00, 2.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[LAYER_NORM]], %[[CONSTANT_3]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @bias_then_scale
// VALUES-NEXT: #0 = dense<{{\[\[}}2.4529109, 1.28253508, 4.35873222, 3.77354455], [5.1801405, 1.99768925, 3.01963043, 3.39145446]]> : tensor<2x4xf32>
func.func @bias_then_scale() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c10 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %11 = graph.binary add %9, %c10 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %c12 = graph.constant dense<[2.0, 2.0, 1.0, 1.0]> : tensor<4xf32>
  %13 = graph.binary mul %11, %c12 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %13 : tensor<2x4xf32>
}

// Not absorbed: a number per row.
// CHECK-LABEL: func.func @scale_per_row() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}2.000000e+00], [3.000000e+00]]> : tensor<2x1xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[LAYER_NORM]], %[[CONSTANT_2]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @scale_per_row
// VALUES-NEXT: #0 = dense<{{\[\[}}0.452910811, -2.71746492, 2.71746492, -0.452910811], [4.77021122, -3.00346613, 0.0588914938, -1.82563627]]> : tensor<2x4xf32>
func.func @scale_per_row() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c10 = graph.constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
  %11 = graph.binary mul %9, %c10 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %11 : tensor<2x4xf32>
}

// Not absorbed: the norm is read elsewhere.
// CHECK-LABEL: func.func @norm_used_twice() -> (tensor<2x4xf32>, tensor<2x4xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[LAYER_NORM]], %[[CONSTANT_2]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[MUL]], %[[LAYER_NORM]] : tensor<2x4xf32>, tensor<2x4xf32>
// VALUES-LABEL: func.func @norm_used_twice
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -2.71746492, 4.07619715, -0.905821621], [1.59007037, -2.00231075, 0.0588914938, -2.43418169]]> : tensor<2x4xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @norm_used_twice() -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c10 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %11 = graph.binary mul %9, %c10 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %11, %9 : tensor<2x4xf32>, tensor<2x4xf32>
}

// Not absorbed: a difference is no bias.
// CHECK-LABEL: func.func @subtracted() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[LAYER_NORM]], %[[CONSTANT_2]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[SUB]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @subtracted
// VALUES-NEXT: #0 = dense<{{\[\[}}-0.773544609, -3.35873246, -1.64126754, -4.22645521], [0.590070367, -3.00115538, -2.98036957, -4.6085453]]> : tensor<2x4xf32>
func.func @subtracted() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c10 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %11 = graph.binary sub %9, %c10 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %11 : tensor<2x4xf32>
}
