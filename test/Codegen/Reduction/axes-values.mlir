// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Reductions over other dims than the last, over several, of long rows and short ones.

// Columns of 64 bits.
// CHECK-LABEL: func.func @min_70x6_i64_0
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 256, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 1 tasks, 6 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 256, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 1 tasks, 6 elements equal
func.func @min_70x6_i64_0(%a0: tensor<70x6xi64>) -> tensor<6xi64> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<70x6xi64>) -> tensor<6xi64> {
    %1 = graph.reduce min %a axes [0] : (tensor<70x6xi64>) -> tensor<6xi64>
    graph.yield %1 : tensor<6xi64>
  }
  return %k : tensor<6xi64>
}

// Bytes without a sign.
// CHECK-LABEL: func.func @max_6x70_ui8_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 128, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 6 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 6 elements equal
func.func @max_6x70_ui8_1(%a0: tensor<6x70xui8>) -> tensor<6xui8> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<6x70xui8>) -> tensor<6xui8> {
    %1 = graph.reduce max %a axes [1] : (tensor<6x70xui8>) -> tensor<6xui8>
    graph.yield %1 : tensor<6xui8>
  }
  return %k : tensor<6xui8>
}

// Two dims in the middle.
// CHECK-LABEL: func.func @sum_3x4x5x6_f32_12
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 131072, stage = false, positions = 3>: 1 tasks, 18 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 131072, stage = false, positions = 3>: 1 tasks, 18 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 256, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 3 tasks, 18 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 256, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 3 tasks, 18 elements equal
func.func @sum_3x4x5x6_f32_12(%a0: tensor<3x4x5x6xf32>) -> tensor<3x6xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<3x4x5x6xf32>) -> tensor<3x6xf32> {
    %1 = graph.reduce sum %a axes [1, 2] : (tensor<3x4x5x6xf32>) -> tensor<3x6xf32>
    graph.yield %1 : tensor<3x6xf32>
  }
  return %k : tensor<3x6xf32>
}

// Two dims that are apart.
// CHECK-LABEL: func.func @sum_3x4x5x6_f32_03
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 20 elements equal
func.func @sum_3x4x5x6_f32_03(%a0: tensor<3x4x5x6xf32>) -> tensor<4x5xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<3x4x5x6xf32>) -> tensor<4x5xf32> {
    %1 = graph.reduce sum %a axes [0, 3] : (tensor<3x4x5x6xf32>) -> tensor<4x5xf32>
    graph.yield %1 : tensor<4x5xf32>
  }
  return %k : tensor<4x5xf32>
}

// Everything.
// CHECK-LABEL: func.func @mean_7x11_f32_01
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 1 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 1 elements equal
func.func @mean_7x11_f32_01(%a0: tensor<7x11xf32>) -> tensor<f32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<7x11xf32>) -> tensor<f32> {
    %1 = graph.reduce mean %a axes [0, 1] : (tensor<7x11xf32>) -> tensor<f32>
    graph.yield %1 : tensor<f32>
  }
  return %k : tensor<f32>
}

// Rows of one element.
// CHECK-LABEL: func.func @sum_4x1_f32_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 4 elements equal
func.func @sum_4x1_f32_1(%a0: tensor<4x1xf32>) -> tensor<4xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<4x1xf32>) -> tensor<4xf32> {
    %1 = graph.reduce sum %a axes [1] : (tensor<4x1xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %k : tensor<4xf32>
}

// Long rows: several fragments per row.
// CHECK-LABEL: func.func @max_4x2000_f32_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 4 elements equal
func.func @max_4x2000_f32_1(%a0: tensor<4x2000xf32>) -> tensor<4xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<4x2000xf32>) -> tensor<4xf32> {
    %1 = graph.reduce max %a axes [1] : (tensor<4x2000xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %k : tensor<4xf32>
}

// One row over which nothing is added.
// CHECK-LABEL: func.func @sum_1x3000_f16_0
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 3000 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 3000 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 2 tasks, 3000 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 2 tasks, 3000 elements equal
func.func @sum_1x3000_f16_0(%a0: tensor<1x3000xf16>) -> tensor<3000xf16> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<1x3000xf16>) -> tensor<3000xf16> {
    %1 = graph.reduce sum %a axes [0] : (tensor<1x3000xf16>) -> tensor<3000xf16>
    graph.yield %1 : tensor<3000xf16>
  }
  return %k : tensor<3000xf16>
}

// What a sentence's embedding is: the positions of each column.
// CHECK-LABEL: func.func @mean_2x130x96_f32_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 131072, stage = false, positions = 2>: 1 tasks, 192 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 131072, stage = false, positions = 2>: 1 tasks, 192 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 256, group_threads = 4, reduce_split = 64>: 12 tasks, 192 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 256, group_threads = 4, reduce_split = 64>: 12 tasks, 192 elements equal
func.func @mean_2x130x96_f32_1(%a0: tensor<2x130x96xf32>) -> tensor<2x96xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<2x130x96xf32>) -> tensor<2x96xf32> {
    %1 = graph.reduce mean %a axes [1] : (tensor<2x130x96xf32>) -> tensor<2x96xf32>
    graph.yield %1 : tensor<2x96xf32>
  }
  return %k : tensor<2x96xf32>
}

// Three columns, many positions.
// CHECK-LABEL: func.func @sum_300x3_f32_0
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 3 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 4, grain = 512, stage = false, threads = 512, group_threads = 4, reduce_split = 128>: 1 tasks, 3 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 4, grain = 512, stage = false, threads = 512, group_threads = 4, reduce_split = 128>: 1 tasks, 3 elements equal
func.func @sum_300x3_f32_0(%a0: tensor<300x3xf32>) -> tensor<3xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<300x3xf32>) -> tensor<3xf32> {
    %1 = graph.reduce sum %a axes [0] : (tensor<300x3xf32>) -> tensor<3xf32>
    graph.yield %1 : tensor<3xf32>
  }
  return %k : tensor<3xf32>
}

// One position more than a power of two.
// CHECK-LABEL: func.func @max_1025x64_bf16_0
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 2 tasks, 64 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 64 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 512, group_threads = 8, reduce_split = 64>: 2 tasks, 64 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 512, group_threads = 8, reduce_split = 64>: 2 tasks, 64 elements equal
func.func @max_1025x64_bf16_0(%a0: tensor<1025x64xbf16>) -> tensor<64xbf16> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<1025x64xbf16>) -> tensor<64xbf16> {
    %1 = graph.reduce max %a axes [0] : (tensor<1025x64xbf16>) -> tensor<64xbf16>
    graph.yield %1 : tensor<64xbf16>
  }
  return %k : tensor<64xbf16>
}

// The reduced dim stays, of size 1.
// CHECK-LABEL: func.func @keep_dims
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 6 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 6 elements equal
func.func @keep_dims(%a0: tensor<6x20xf32>) -> tensor<6x1xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<6x20xf32>) -> tensor<6x1xf32> {
    %1 = graph.reduce sum %a axes [1] {keep_dims} : (tensor<6x20xf32>) -> tensor<6x1xf32>
    graph.yield %1 : tensor<6x1xf32>
  }
  return %k : tensor<6x1xf32>
}
