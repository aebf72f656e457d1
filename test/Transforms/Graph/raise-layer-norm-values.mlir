// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-layer-norm))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-layer-norm))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Spellings of layer norms: what is recognised computes what the model did.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @root_sqrt() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @root_sqrt
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @root_sqrt() -> tensor<2x4xf32> {
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
  return %9 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @root_pow() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @root_pow
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @root_pow() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %c8 = graph.constant dense<0.5> : tensor<f32>
  %9 = graph.binary pow %7, %c8 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %10 = graph.binary div %2, %9 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %10 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @root_rsqrt() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @root_rsqrt
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @root_rsqrt() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary rsqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary mul %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %9 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @root_rpow() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @root_rpow
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @root_rpow() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %c8 = graph.constant dense<-0.5> : tensor<f32>
  %9 = graph.binary pow %7, %c8 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %10 = graph.binary mul %2, %9 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %10 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @root_reciprocal() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @root_reciprocal
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @root_reciprocal() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.unary reciprocal %8 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %10 = graph.binary mul %2, %9 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %10 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @root_one_over() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @root_one_over
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @root_one_over() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %c8 = graph.constant dense<1.0> : tensor<f32>
  %9 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %10 = graph.binary div %c8, %9 : (tensor<f32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %11 = graph.binary mul %2, %10 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %11 : tensor<2x4xf32>
}

// The square as a product, epsilon on the left.
// CHECK-LABEL: func.func @product_square() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @product_square
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @product_square() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %3 = graph.binary mul %2, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = graph.reduce mean %3 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c5 = graph.constant dense<0.25> : tensor<f32>
  %6 = graph.binary add %c5, %4 : (tensor<f32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %7 = graph.unary rsqrt %6 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %8 = graph.binary mul %7, %2 : (tensor<2x1xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %8 : tensor<2x4xf32>
}

// The difference written twice.
// CHECK-LABEL: func.func @difference_twice() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @difference_twice
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @difference_twice() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %3 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c4 = graph.constant dense<2.0> : tensor<f32>
  %5 = graph.binary pow %3, %c4 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %6 = graph.reduce mean %5 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c7 = graph.constant dense<0.25> : tensor<f32>
  %8 = graph.binary add %6, %c7 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %9 = graph.unary sqrt %8 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %10 = graph.binary div %2, %9 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %10 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @no_epsilon() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 0.000000e+00 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @no_epsilon
// VALUES-NEXT: #0 = dense<{{\[\[}}0.232495278, -1.39497161, 1.39497161, -0.232495278], [1.61004841, -1.01373422, 0.0198771413, -0.616191387]]> : tensor<2x4xf32>
func.func @no_epsilon() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %6 = graph.unary sqrt %5 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %7 = graph.binary div %2, %6 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %7 : tensor<2x4xf32>
}

// Not: nobody means it.
// CHECK-LABEL: func.func @negative_epsilon() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[MEAN:[^ ,:)]+]] = graph.reduce mean %[[CONSTANT]] axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[CONSTANT]], %[[MEAN]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[POW:[^ ,:)]+]] = graph.binary pow %[[SUB]], %[[CONSTANT_2]] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MEAN_2:[^ ,:)]+]] = graph.reduce mean %[[POW]] axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<-2.500000e-01> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MEAN_2]], %[[CONSTANT_3]] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = graph.unary sqrt %[[ADD]] : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[SUB]], %[[SQRT]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[DIV]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @negative_epsilon
// VALUES-NEXT: #0 = dense<{{\[\[}}0.239045724, -1.43427432, 1.43427432, -0.239045724], [1.63079906, -1.02679944, 0.0201333221, -6.241330e-01]]> : tensor<2x4xf32>
func.func @negative_epsilon() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<-0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %9 : tensor<2x4xf32>
}

// The last two dims.
// CHECK-LABEL: func.func @two_axes() -> tensor<2x2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]], {{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]]> : tensor<2x2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x2x4xf32>
// VALUES-LABEL: func.func @two_axes
// VALUES-NEXT: #0 = dense<{{\[\[}}[-0.161308974, -1.36574936, 0.699005544, -0.505434811], [2.07550883, -0.763529121, 0.354879737, -0.333371878]], {{\[\[}}-0.161308974, -1.36574936, 0.699005544, -0.505434811], [2.07550883, -0.763529121, 0.354879737, -0.333371878]]]> : tensor<2x2x4xf32>
func.func @two_axes() -> tensor<2x2x4xf32> {
  %x = graph.constant dense<[[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]], [[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]]> : tensor<2x2x4xf32>
  %1 = graph.reduce mean %x axes [1, 2] {keep_dims} : (tensor<2x2x4xf32>) -> tensor<2x1x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x2x4xf32>, tensor<2x1x1xf32>) -> tensor<2x2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x2x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %5 = graph.reduce mean %4 axes [1, 2] {keep_dims} : (tensor<2x2x4xf32>) -> tensor<2x1x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x2x4xf32>, tensor<2x1x1xf32>) -> tensor<2x2x4xf32>
  return %9 : tensor<2x2x4xf32>
}

// Not: over the first dim.
// CHECK-LABEL: func.func @first_axis() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[MEAN:[^ ,:)]+]] = graph.reduce mean %[[CONSTANT]] axes [0] {keep_dims} : (tensor<2x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[CONSTANT]], %[[MEAN]] : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[POW:[^ ,:)]+]] = graph.binary pow %[[SUB]], %[[CONSTANT_2]] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MEAN_2:[^ ,:)]+]] = graph.reduce mean %[[POW]] axes [0] {keep_dims} : (tensor<2x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MEAN_2]], %[[CONSTANT_3]] : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = graph.unary sqrt %[[ADD]] : (tensor<1x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[SUB]], %[[SQRT]] : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[DIV]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @first_axis
// VALUES-NEXT: #0 = dense<{{\[\[}}-0.98837167, -0.868243157, 0.707106769, -0.44721359], [0.98837167, 0.868243157, -0.707106769, 0.44721359]]> : tensor<2x4xf32>
func.func @first_axis() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [0] {keep_dims} : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [0] {keep_dims} : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  %8 = graph.unary sqrt %7 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return %9 : tensor<2x4xf32>
}

// Not: over a middle dim.
// CHECK-LABEL: func.func @middle_axis() -> tensor<2x2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]], {{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]]> : tensor<2x2x4xf32>
// CHECK-NEXT: %[[MEAN:[^ ,:)]+]] = graph.reduce mean %[[CONSTANT]] axes [1] {keep_dims} : (tensor<2x2x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[CONSTANT]], %[[MEAN]] : (tensor<2x2x4xf32>, tensor<2x1x4xf32>) -> tensor<2x2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[POW:[^ ,:)]+]] = graph.binary pow %[[SUB]], %[[CONSTANT_2]] : (tensor<2x2x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
// CHECK-NEXT: %[[MEAN_2:[^ ,:)]+]] = graph.reduce mean %[[POW]] axes [1] {keep_dims} : (tensor<2x2x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MEAN_2]], %[[CONSTANT_3]] : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = graph.unary sqrt %[[ADD]] : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[SUB]], %[[SQRT]] : (tensor<2x2x4xf32>, tensor<2x1x4xf32>) -> tensor<2x2x4xf32>
// CHECK-NEXT: return %[[DIV]] : tensor<2x2x4xf32>
// VALUES-LABEL: func.func @middle_axis
// VALUES-NEXT: #0 = dense<{{\[\[}}[-0.98837167, -0.868243157, 0.707106769, -0.44721359], [0.98837167, 0.868243157, -0.707106769, 0.44721359]], {{\[\[}}-0.98837167, -0.868243157, 0.707106769, -0.44721359], [0.98837167, 0.868243157, -0.707106769, 0.44721359]]]> : tensor<2x2x4xf32>
func.func @middle_axis() -> tensor<2x2x4xf32> {
  %x = graph.constant dense<[[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]], [[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]]> : tensor<2x2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x2x4xf32>) -> tensor<2x1x4xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x2x4xf32>, tensor<2x1x4xf32>) -> tensor<2x2x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<2x2x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x2x4xf32>) -> tensor<2x1x4xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x1x4xf32>
  %8 = graph.unary sqrt %7 : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %9 = graph.binary div %2, %8 : (tensor<2x2x4xf32>, tensor<2x1x4xf32>) -> tensor<2x2x4xf32>
  return %9 : tensor<2x2x4xf32>
}

// CHECK-LABEL: func.func @in_f16() -> tensor<2x4xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf16>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf16>) -> tensor<2x4xf16>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf16>
// VALUES-LABEL: func.func @in_f16
// VALUES-NEXT: #0 = dense<{{\[\[}}2.264400e-01, -1.358400e+00, 1.358400e+00, -2.264400e-01], [1.589840e+00, -1.000980e+00, 1.963810e-02, -6.083980e-01]]> : tensor<2x4xf16>
func.func @in_f16() -> tensor<2x4xf16> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf16>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf16>) -> tensor<2x1xf16>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf16>, tensor<2x1xf16>) -> tensor<2x4xf16>
  %c3 = graph.constant dense<2.0> : tensor<f16>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf16>, tensor<f16>) -> tensor<2x4xf16>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf16>) -> tensor<2x1xf16>
  %c6 = graph.constant dense<0.25> : tensor<f16>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf16>, tensor<f16>) -> tensor<2x1xf16>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf16>) -> tensor<2x1xf16>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf16>, tensor<2x1xf16>) -> tensor<2x4xf16>
  return %9 : tensor<2x4xf16>
}

// CHECK-LABEL: func.func @in_bf16() -> tensor<2x4xbf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xbf16>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xbf16>) -> tensor<2x4xbf16>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xbf16>
// VALUES-LABEL: func.func @in_bf16
// VALUES-NEXT: #0 = dense<{{\[\[}}2.265630e-01, -1.359380e+00, 1.359380e+00, -2.265630e-01], [1.593750e+00, -1.000000e+00, 1.965330e-02, -6.093750e-01]]> : tensor<2x4xbf16>
func.func @in_bf16() -> tensor<2x4xbf16> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xbf16>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xbf16>) -> tensor<2x1xbf16>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xbf16>, tensor<2x1xbf16>) -> tensor<2x4xbf16>
  %c3 = graph.constant dense<2.0> : tensor<bf16>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xbf16>, tensor<bf16>) -> tensor<2x4xbf16>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xbf16>) -> tensor<2x1xbf16>
  %c6 = graph.constant dense<0.25> : tensor<bf16>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xbf16>, tensor<bf16>) -> tensor<2x1xbf16>
  %8 = graph.unary sqrt %7 : (tensor<2x1xbf16>) -> tensor<2x1xbf16>
  %9 = graph.binary div %2, %8 : (tensor<2x4xbf16>, tensor<2x1xbf16>) -> tensor<2x4xbf16>
  return %9 : tensor<2x4xbf16>
}

// CHECK-LABEL: func.func @in_f64() -> tensor<2x4xf64> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf64>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf64>) -> tensor<2x4xf64>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf64>
// VALUES-LABEL: func.func @in_f64
// VALUES-NEXT: #0 = dense<{{\[\[}}0.22645540682891913, -1.3587324409735149, 1.3587324409735149, -0.22645540682891913], [1.5900703441741078, -1.0011554018874012, 0.019630498076223551, -0.60854544036293012]]> : tensor<2x4xf64>
func.func @in_f64() -> tensor<2x4xf64> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf64>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf64>) -> tensor<2x1xf64>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf64>, tensor<2x1xf64>) -> tensor<2x4xf64>
  %c3 = graph.constant dense<2.0> : tensor<f64>
  %4 = graph.binary pow %2, %c3 : (tensor<2x4xf64>, tensor<f64>) -> tensor<2x4xf64>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf64>) -> tensor<2x1xf64>
  %c6 = graph.constant dense<0.25> : tensor<f64>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf64>, tensor<f64>) -> tensor<2x1xf64>
  %8 = graph.unary sqrt %7 : (tensor<2x1xf64>) -> tensor<2x1xf64>
  %9 = graph.binary div %2, %8 : (tensor<2x4xf64>, tensor<2x1xf64>) -> tensor<2x4xf64>
  return %9 : tensor<2x4xf64>
}
