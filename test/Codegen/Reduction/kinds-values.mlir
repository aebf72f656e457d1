// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Every kind of reduction, along every kind of axes.

// Rows of an odd length.
// CHECK-LABEL: func.func @sum_5x37_f32_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 5 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 5 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 5 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 5 elements equal
func.func @sum_5x37_f32_1(%a0: tensor<5x37xf32>) -> tensor<5xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<5x37xf32>) -> tensor<5xf32> {
    %1 = graph.reduce sum %a axes [1] : (tensor<5x37xf32>) -> tensor<5xf32>
    graph.yield %1 : tensor<5xf32>
  }
  return %k : tensor<5xf32>
}

// Columns.
// CHECK-LABEL: func.func @mean_5x37_f32_0
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @mean_5x37_f32_0(%a0: tensor<5x37xf32>) -> tensor<37xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<5x37xf32>) -> tensor<37xf32> {
    %1 = graph.reduce mean %a axes [0] : (tensor<5x37xf32>) -> tensor<37xf32>
    graph.yield %1 : tensor<37xf32>
  }
  return %k : tensor<37xf32>
}

// The last of three dims.
// CHECK-LABEL: func.func @max_3x4x33_f16_2
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 12 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 12 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 2 tasks, 12 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 2 tasks, 12 elements equal
func.func @max_3x4x33_f16_2(%a0: tensor<3x4x33xf16>) -> tensor<3x4xf16> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<3x4x33xf16>) -> tensor<3x4xf16> {
    %1 = graph.reduce max %a axes [2] : (tensor<3x4x33xf16>) -> tensor<3x4xf16>
    graph.yield %1 : tensor<3x4xf16>
  }
  return %k : tensor<3x4xf16>
}

// The middle one: short lines.
// CHECK-LABEL: func.func @min_3x33x4_bf16_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 4, grain = 131072, stage = false, positions = 3>: 1 tasks, 12 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 4, grain = 131072, stage = false, positions = 3>: 1 tasks, 12 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 4, grain = 512, stage = false, threads = 128, group_threads = 1, reduce_split = 64>: 2 tasks, 12 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 4, grain = 512, stage = false, threads = 128, group_threads = 1, reduce_split = 64>: 2 tasks, 12 elements equal
func.func @min_3x33x4_bf16_1(%a0: tensor<3x33x4xbf16>) -> tensor<3x4xbf16> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<3x33x4xbf16>) -> tensor<3x4xbf16> {
    %1 = graph.reduce min %a axes [1] : (tensor<3x33x4xbf16>) -> tensor<3x4xbf16>
    graph.yield %1 : tensor<3x4xbf16>
  }
  return %k : tensor<3x4xbf16>
}

// Few elements of 64 bits.
// CHECK-LABEL: func.func @prod_2x9_f64_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 2 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 2 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 2 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 2 elements equal
func.func @prod_2x9_f64_1(%a0: tensor<2x9xf64>) -> tensor<2xf64> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<2x9xf64>) -> tensor<2xf64> {
    %1 = graph.reduce prod %a axes [1] : (tensor<2x9xf64>) -> tensor<2xf64>
    graph.yield %1 : tensor<2xf64>
  }
  return %k : tensor<2xf64>
}

// Sums of magnitudes.
// CHECK-LABEL: func.func @l1_4x50_f32_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 4 elements equal
func.func @l1_4x50_f32_1(%a0: tensor<4x50xf32>) -> tensor<4xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<4x50xf32>) -> tensor<4xf32> {
    %1 = graph.reduce l1 %a axes [1] : (tensor<4x50xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %k : tensor<4xf32>
}

// Roots of sums of squares, in f32.
// CHECK-LABEL: func.func @l2_4x50_f16_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 4 elements equal
func.func @l2_4x50_f16_1(%a0: tensor<4x50xf16>) -> tensor<4xf16> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<4x50xf16>) -> tensor<4xf16> {
    %1 = graph.reduce l2 %a axes [1] : (tensor<4x50xf16>) -> tensor<4xf16>
    graph.yield %1 : tensor<4xf16>
  }
  return %k : tensor<4xf16>
}

// Sums of squares of columns.
// CHECK-LABEL: func.func @sum_square_4x50_f32_0
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 50 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 50 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 256, stage = false, threads = 128, group_threads = 32, reduce_split = 4>: 1 tasks, 50 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 256, stage = false, threads = 128, group_threads = 32, reduce_split = 4>: 1 tasks, 50 elements equal
func.func @sum_square_4x50_f32_0(%a0: tensor<4x50xf32>) -> tensor<50xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<4x50xf32>) -> tensor<50xf32> {
    %1 = graph.reduce sum_square %a axes [0] : (tensor<4x50xf32>) -> tensor<50xf32>
    graph.yield %1 : tensor<50xf32>
  }
  return %k : tensor<50xf32>
}

// Of positive numbers.
// CHECK-LABEL: func.func @log_sum
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 4 elements equal
func.func @log_sum(%a0: tensor<4x50xf32>) -> tensor<4xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<4x50xf32>) -> tensor<4xf32> {
    %1 = graph.unary exp %a : (tensor<4x50xf32>) -> tensor<4x50xf32>
    %2 = graph.reduce log_sum %1 axes [1] : (tensor<4x50xf32>) -> tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  return %k : tensor<4xf32>
}

// With the maximum taken off first, or not: the same to f32.
// CHECK-LABEL: func.func @log_sum_exp_4x50_f32_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 4 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 4 elements equal
func.func @log_sum_exp_4x50_f32_1(%a0: tensor<4x50xf32>) -> tensor<4xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<4x50xf32>) -> tensor<4xf32> {
    %1 = graph.reduce log_sum_exp %a axes [1] : (tensor<4x50xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %k : tensor<4xf32>
}

// Integers wrap and have any order.
// CHECK-LABEL: func.func @sum_6x70_i32_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 6 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 6 elements equal
func.func @sum_6x70_i32_1(%a0: tensor<6x70xi32>) -> tensor<6xi32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<6x70xi32>) -> tensor<6xi32> {
    %1 = graph.reduce sum %a axes [1] : (tensor<6x70xi32>) -> tensor<6xi32>
    graph.yield %1 : tensor<6xi32>
  }
  return %k : tensor<6xi32>
}

// Signed bytes.
// CHECK-LABEL: func.func @max_6x70_i8_1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 128, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 6 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 6 elements equal
func.func @max_6x70_i8_1(%a0: tensor<6x70xi8>) -> tensor<6xi8> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<6x70xi8>) -> tensor<6xi8> {
    %1 = graph.reduce max %a axes [1] : (tensor<6x70xi8>) -> tensor<6xi8>
    graph.yield %1 : tensor<6xi8>
  }
  return %k : tensor<6xi8>
}
