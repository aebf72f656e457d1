// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Rows of one element each, as the scales of a cache of 8 bits are: each is written or not by itself. Starts and counts are from -2 to 4.

// CHECK-LABEL: func.func @scales
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 574 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 574 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 574 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 574 elements equal
func.func @scales(%s0: tensor<7x2x41xf32>, %n0: tensor<7x2x37xf32>, %i0: tensor<7xi64>, %c0: tensor<7xi64>) -> tensor<7x2x41xf32> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %i = %i0, %c = %c0) : (tensor<7x2x41xf32>, tensor<7x2x37xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x41xf32> {
    %1 = graph.kv_write %s, %n starts %i counts %c axis 2 : (tensor<7x2x41xf32>, tensor<7x2x37xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x41xf32>
    graph.yield %1 : tensor<7x2x41xf32>
  }
  return %k : tensor<7x2x41xf32>
}

// New rows that reach beyond the capacity, where the next head's scales lie.
// CHECK-LABEL: func.func @beyond
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 70 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 70 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 70 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 70 elements equal
func.func @beyond(%s0: tensor<7x2x5xf32>, %n0: tensor<7x2x33xf32>, %i0: tensor<7xi64>, %c0: tensor<7xi64>) -> tensor<7x2x5xf32> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %i = %i0, %c = %c0) : (tensor<7x2x5xf32>, tensor<7x2x33xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x5xf32> {
    %1 = graph.kv_write %s, %n starts %i counts %c axis 2 : (tensor<7x2x5xf32>, tensor<7x2x33xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x5xf32>
    graph.yield %1 : tensor<7x2x5xf32>
  }
  return %k : tensor<7x2x5xf32>
}

// CHECK-LABEL: func.func @ring
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 56 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 56 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 56 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 56 elements equal
func.func @ring(%s0: tensor<7x2x4xf32>, %n0: tensor<7x2x3xf32>, %i0: tensor<7xi64>, %c0: tensor<7xi64>) -> tensor<7x2x4xf32> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %i = %i0, %c = %c0) : (tensor<7x2x4xf32>, tensor<7x2x3xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x4xf32> {
    %1 = graph.kv_write %s, %n starts %i counts %c axis 2 {ring} : (tensor<7x2x4xf32>, tensor<7x2x3xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x4xf32>
    graph.yield %1 : tensor<7x2x4xf32>
  }
  return %k : tensor<7x2x4xf32>
}

// Codes and scales of one cache, which one kernel writes: lanes run along the codes.
// CHECK-LABEL: func.func @codes_and_scales
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 2 tasks, 1344 elements equal
// CHECK-NEXT: 84 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 2 tasks, 1344 elements equal
// CHECK-NEXT: 84 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 2 tasks, 1344 elements equal
// CHECK-NEXT: 84 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 2 tasks, 1344 elements equal
// CHECK-NEXT: 84 elements equal
func.func @codes_and_scales(%s0: tensor<7x2x6x16xi8>, %n0: tensor<7x2x3x16xi8>, %t0: tensor<7x2x6xf32>, %m0: tensor<7x2x3xf32>, %i0: tensor<7xi64>, %c0: tensor<7xi64>) -> (tensor<7x2x6x16xi8>, tensor<7x2x6xf32>) {
  %k:2 = graph.kernel "kv_write" (%s = %s0, %n = %n0, %t = %t0, %m = %m0, %i = %i0, %c = %c0) : (tensor<7x2x6x16xi8>, tensor<7x2x3x16xi8>, tensor<7x2x6xf32>, tensor<7x2x3xf32>, tensor<7xi64>, tensor<7xi64>) -> (tensor<7x2x6x16xi8>, tensor<7x2x6xf32>) {
    %1 = graph.kv_write %s, %n starts %i counts %c axis 2 : (tensor<7x2x6x16xi8>, tensor<7x2x3x16xi8>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x6x16xi8>
    %2 = graph.kv_write %t, %m starts %i counts %c axis 2 : (tensor<7x2x6xf32>, tensor<7x2x3xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x6xf32>
    graph.yield %1, %2 : tensor<7x2x6x16xi8>, tensor<7x2x6xf32>
  }
  return %k#0, %k#1 : tensor<7x2x6x16xi8>, tensor<7x2x6xf32>
}
