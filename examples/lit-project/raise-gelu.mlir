// One pass of the graph level. kiln-update-lit-checks wrote the CHECK lines, and writes them again when the pass changes.
// NOTE: checks by kiln-update-lit-checks
// RUN: kiln-opt %s --split-input-file --kiln-raise-gelu | FileCheck %s

// CHECK-LABEL: func.func @spelled_out(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x8xf32>
// CHECK-SAME: ) -> tensor<4x8xf32> {
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[ARG]] : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[GELU]] : tensor<4x8xf32>
func.func @spelled_out(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = graph.constant dense<0.5> : tensor<f32>
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.binary mul %x, %half : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = graph.binary div %x, %root : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %2 = graph.unary erf %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = graph.binary add %2, %one : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %4 = graph.binary mul %0, %3 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// A constant that is not the root of two: no GELU.
// CHECK-LABEL: func.func @other_root(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x8xf32>
// CHECK-SAME: ) -> tensor<4x8xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.500000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[CONSTANT]] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[ARG]], %[[CONSTANT_2]] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[ERF:[^ ,:)]+]] = graph.unary erf %[[DIV]] : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ERF]], %[[CONSTANT_3]] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[MUL]], %[[ADD]] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[MUL_2]] : tensor<4x8xf32>
func.func @other_root(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = graph.constant dense<0.5> : tensor<f32>
  %root = graph.constant dense<1.5> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.binary mul %x, %half : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = graph.binary div %x, %root : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %2 = graph.unary erf %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = graph.binary add %2, %one : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %4 = graph.binary mul %0, %3 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}
