// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Row ops that follow each other in one kernel, whose results are rows and one element per row.

// A norm, the largest magnitude of its rows, codes and scales; the norm itself is a result, too.
// CHECK-LABEL: func.func @norm
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 185 elements equal
// CHECK-NEXT: 185 elements equal
// CHECK-NEXT: 5 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 185 elements equal
// CHECK-NEXT: 185 elements equal
// CHECK-NEXT: 5 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 185 elements equal
// CHECK-NEXT: 185 elements equal
// CHECK-NEXT: 5 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 185 elements equal
// CHECK-NEXT: 185 elements equal
// CHECK-NEXT: 5 elements equal
func.func @norm(%a0: tensor<5x1x37xf32>, %b0: tensor<37xf32>) -> (tensor<5x1x37xf32>, tensor<5x37xf8E4M3FN>, tensor<5x1xf32>) {
  %k:3 = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<5x1x37xf32>, tensor<37xf32>) -> (tensor<5x1x37xf32>, tensor<5x37xf8E4M3FN>, tensor<5x1xf32>) {
    %c = graph.constant dense<2.000000e-03> : tensor<f32>
    %1 = graph.rms_norm %a scale %b axis 2 {epsilon = 1.0e-5 : f64} : (tensor<5x1x37xf32>, tensor<37xf32>) -> tensor<5x1x37xf32>
    %2 = graph.reshape %1 : (tensor<5x1x37xf32>) -> tensor<5x37xf32>
    %3 = graph.unary abs %2 : (tensor<5x37xf32>) -> tensor<5x37xf32>
    %4 = graph.reduce max %3 axes [1] {keep_dims} : (tensor<5x37xf32>) -> tensor<5x1xf32>
    %5 = graph.binary mul %4, %c : (tensor<5x1xf32>, tensor<f32>) -> tensor<5x1xf32>
    %6 = graph.binary div %2, %5 : (tensor<5x37xf32>, tensor<5x1xf32>) -> tensor<5x37xf32>
    %7 = graph.cast %6 : (tensor<5x37xf32>) -> tensor<5x37xf8E4M3FN>
    graph.yield %1, %7, %5 : tensor<5x1x37xf32>, tensor<5x37xf8E4M3FN>, tensor<5x1xf32>
  }
  return %k#0, %k#1, %k#2 : tensor<5x1x37xf32>, tensor<5x37xf8E4M3FN>, tensor<5x1xf32>
}

// Codes of integers, scales and sums of codes.
// CHECK-LABEL: func.func @codes
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 384 elements equal
// CHECK-NEXT: 12 elements equal
// CHECK-NEXT: 12 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 384 elements equal
// CHECK-NEXT: 12 elements equal
// CHECK-NEXT: 12 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 384 elements equal
// CHECK-NEXT: 12 elements equal
// CHECK-NEXT: 12 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 384 elements equal
// CHECK-NEXT: 12 elements equal
// CHECK-NEXT: 12 elements equal
func.func @codes(%a0: tensor<3x4x32xf32>) -> (tensor<3x4x32xi8>, tensor<3x4x1xf32>, tensor<3x4xi32>) {
  %k:3 = graph.kernel "row" (%a = %a0) : (tensor<3x4x32xf32>) -> (tensor<3x4x32xi8>, tensor<3x4x1xf32>, tensor<3x4xi32>) {
    %c = graph.constant dense<1.000000e-02> : tensor<f32>
    %1 = graph.unary abs %a : (tensor<3x4x32xf32>) -> tensor<3x4x32xf32>
    %2 = graph.reduce max %1 axes [2] {keep_dims} : (tensor<3x4x32xf32>) -> tensor<3x4x1xf32>
    %3 = graph.binary mul %2, %c : (tensor<3x4x1xf32>, tensor<f32>) -> tensor<3x4x1xf32>
    %4 = graph.binary div %a, %3 : (tensor<3x4x32xf32>, tensor<3x4x1xf32>) -> tensor<3x4x32xf32>
    %5 = graph.unary round %4 : (tensor<3x4x32xf32>) -> tensor<3x4x32xf32>
    %6 = graph.cast %5 : (tensor<3x4x32xf32>) -> tensor<3x4x32xi8>
    %7 = graph.cast %6 : (tensor<3x4x32xi8>) -> tensor<3x4x32xi32>
    %8 = graph.reduce sum %7 axes [2] : (tensor<3x4x32xi32>) -> tensor<3x4xi32>
    graph.yield %6, %3, %8 : tensor<3x4x32xi8>, tensor<3x4x1xf32>, tensor<3x4xi32>
  }
  return %k#0, %k#1, %k#2 : tensor<3x4x32xi8>, tensor<3x4x1xf32>, tensor<3x4xi32>
}
