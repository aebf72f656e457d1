// RUN: kiln-opt %s | FileCheck %s --strict-whitespace

// One space on either side of an enum.
// CHECK: graph.unary gelu %
// CHECK: graph.binary add %
// CHECK: graph.compare less %
// CHECK: graph.reduce sum %
func.func @main(%x: tensor<4xf32>) -> (tensor<f32>, tensor<4xi1>) {
  %0 = graph.unary gelu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.binary add %0, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.compare less %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = graph.reduce sum %1 axes [0] : (tensor<4xf32>) -> tensor<f32>
  return %3, %2 : tensor<f32>, tensor<4xi1>
}
