// RUN: kiln-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @softmax
func.func @softmax(%x: tensor<2x3xf32>) {
  // CHECK: graph.softmax %{{.*}} axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = graph.softmax %x axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @norms
func.func @norms(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %one: tensor<f32>) {
  // CHECK: graph.layer_norm %{{.*}} axis 1 {epsilon = 1.000000e-05 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = graph.layer_norm %x axis 1 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: graph.layer_norm %{{.*}} scale %{{.*}} axis 1 {
  %1 = graph.layer_norm %x scale %s axis 1 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: graph.layer_norm %{{.*}} bias %{{.*}} axis 0 {
  %2 = graph.layer_norm %x bias %one axis 0 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: graph.layer_norm %{{.*}} scale %{{.*}} bias %{{.*}} axis 1 {
  %3 = graph.layer_norm %x scale %s bias %s axis 1 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: graph.rms_norm %{{.*}} scale %{{.*}} axis 1 {epsilon = 1.000000e-05 : f64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %4 = graph.rms_norm %x scale %s axis 1 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @reduce
func.func @reduce(%x: tensor<2x3x4xf32>, %i: tensor<2x3xi32>) {
  // CHECK: graph.reduce sum %{{.*}} axes [0, 2] : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %0 = graph.reduce sum %x axes [0, 2] : (tensor<2x3x4xf32>) -> tensor<3xf32>
  // CHECK: graph.reduce mean %{{.*}} axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %1 = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  // CHECK: graph.reduce max %{{.*}} axes [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  %2 = graph.reduce max %i axes [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  %3 = graph.reduce min %i axes [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  %4 = graph.reduce prod %i axes [0] : (tensor<2x3xi32>) -> tensor<3xi32>
  // CHECK: graph.reduce l1 %{{.*}} axes [] : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %5 = graph.reduce l1 %x axes [] : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %6 = graph.reduce l2 %x axes [0] : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
  %7 = graph.reduce sum_square %x axes [0] : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
  %8 = graph.reduce log_sum %x axes [0] : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
  %9 = graph.reduce log_sum_exp %x axes [0] : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
  return
}
