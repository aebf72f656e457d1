// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Rows of a cache written where it lies; starts and counts are from -2 to 4.

// CHECK-LABEL: func.func @rows
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1680 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1680 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 1680 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 1680 elements equal
func.func @rows(%s0: tensor<7x2x6x20xf32>, %n0: tensor<7x2x3x20xf32>, %i0: tensor<7xi64>, %c0: tensor<7xi64>) -> tensor<7x2x6x20xf32> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %i = %i0, %c = %c0) : (tensor<7x2x6x20xf32>, tensor<7x2x3x20xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x6x20xf32> {
    %1 = graph.kv_write %s, %n starts %i counts %c axis 2 : (tensor<7x2x6x20xf32>, tensor<7x2x3x20xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x6x20xf32>
    graph.yield %1 : tensor<7x2x6x20xf32>
  }
  return %k : tensor<7x2x6x20xf32>
}

// What is written is computed, and lies in another order: heads behind positions.
// CHECK-LABEL: func.func @computed
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 1344 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 1344 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 1344 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 1344 elements equal
func.func @computed(%s0: tensor<7x2x6x16xf16>, %n0: tensor<7x3x2x16xf16>, %i0: tensor<7xi32>, %c0: tensor<7xi32>) -> tensor<7x2x6x16xf16> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %i = %i0, %c = %c0) : (tensor<7x2x6x16xf16>, tensor<7x3x2x16xf16>, tensor<7xi32>, tensor<7xi32>) -> tensor<7x2x6x16xf16> {
    %t = graph.transpose %n [0, 2, 1, 3] : (tensor<7x3x2x16xf16>) -> tensor<7x2x3x16xf16>
    %r = graph.unary neg %t : (tensor<7x2x3x16xf16>) -> tensor<7x2x3x16xf16>
    %1 = graph.kv_write %s, %r starts %i counts %c axis 2 : (tensor<7x2x6x16xf16>, tensor<7x2x3x16xf16>, tensor<7xi32>, tensor<7xi32>) -> tensor<7x2x6x16xf16>
    graph.yield %1 : tensor<7x2x6x16xf16>
  }
  return %k : tensor<7x2x6x16xf16>
}

// One element a row.
// CHECK-LABEL: func.func @column
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 42 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 42 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 42 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 42 elements equal
func.func @column(%s0: tensor<7x6x1xf32>, %n0: tensor<7x4x1xf32>, %i0: tensor<7xi64>, %c0: tensor<7xi64>) -> tensor<7x6x1xf32> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %i = %i0, %c = %c0) : (tensor<7x6x1xf32>, tensor<7x4x1xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x6x1xf32> {
    %1 = graph.kv_write %s, %n starts %i counts %c axis 1 : (tensor<7x6x1xf32>, tensor<7x4x1xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x6x1xf32>
    graph.yield %1 : tensor<7x6x1xf32>
  }
  return %k : tensor<7x6x1xf32>
}

// One new row of one sequence, as a decoder's step has it.
// CHECK-LABEL: func.func @step
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1560 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 1560 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 1560 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 1560 elements equal
func.func @step(%s0: tensor<1x2x6x130xf32>, %n0: tensor<1x2x1x130xf32>, %i0: tensor<1xi64>, %c0: tensor<1xi64>) -> tensor<1x2x6x130xf32> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %i = %i0, %c = %c0) : (tensor<1x2x6x130xf32>, tensor<1x2x1x130xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x6x130xf32> {
    %1 = graph.kv_write %s, %n starts %i counts %c axis 2 : (tensor<1x2x6x130xf32>, tensor<1x2x1x130xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x6x130xf32>
    graph.yield %1 : tensor<1x2x6x130xf32>
  }
  return %k : tensor<1x2x6x130xf32>
}

// A ring: positions from its last row on go on in row 0.
// CHECK-LABEL: func.func @ring
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1120 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 1120 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 1120 elements equal
func.func @ring(%s0: tensor<7x2x4x20xf32>, %n0: tensor<7x2x3x20xf32>, %i0: tensor<7xi64>, %c0: tensor<7xi64>) -> tensor<7x2x4x20xf32> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %i = %i0, %c = %c0) : (tensor<7x2x4x20xf32>, tensor<7x2x3x20xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x4x20xf32> {
    %1 = graph.kv_write %s, %n starts %i counts %c axis 2 {ring} : (tensor<7x2x4x20xf32>, tensor<7x2x3x20xf32>, tensor<7xi64>, tensor<7xi64>) -> tensor<7x2x4x20xf32>
    graph.yield %1 : tensor<7x2x4x20xf32>
  }
  return %k : tensor<7x2x4x20xf32>
}

// A ring of as many rows as are new, whose starts and counts are i32, and computed rows behind a transpose.
// CHECK-LABEL: func.func @full_ring
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 672 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 672 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 672 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 672 elements equal
func.func @full_ring(%s0: tensor<7x2x3x16xf16>, %n0: tensor<7x3x2x16xf16>, %i0: tensor<7xi32>, %c0: tensor<7xi32>) -> tensor<7x2x3x16xf16> {
  %k = graph.kernel "kv_write" (%s = %s0, %n = %n0, %i = %i0, %c = %c0) : (tensor<7x2x3x16xf16>, tensor<7x3x2x16xf16>, tensor<7xi32>, tensor<7xi32>) -> tensor<7x2x3x16xf16> {
    %t = graph.transpose %n [0, 2, 1, 3] : (tensor<7x3x2x16xf16>) -> tensor<7x2x3x16xf16>
    %r = graph.unary neg %t : (tensor<7x2x3x16xf16>) -> tensor<7x2x3x16xf16>
    %1 = graph.kv_write %s, %r starts %i counts %c axis 2 {ring} : (tensor<7x2x3x16xf16>, tensor<7x2x3x16xf16>, tensor<7xi32>, tensor<7xi32>) -> tensor<7x2x3x16xf16>
    graph.yield %1 : tensor<7x2x3x16xf16>
  }
  return %k : tensor<7x2x3x16xf16>
}
