// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Softmax: lengths, axes, prologues and epilogues.

// An odd length.
// CHECK-LABEL: func.func @softmax
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 185 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 185 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 185 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 185 elements equal
func.func @softmax(%a0: tensor<5x37xf32>) -> tensor<5x37xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<5x37xf32>) -> tensor<5x37xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<5x37xf32>) -> tensor<5x37xf32>
    graph.yield %1 : tensor<5x37xf32>
  }
  return %k : tensor<5x37xf32>
}

// Exponentials in f32.
// CHECK-LABEL: func.func @softmax_f16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 500 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 500 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 500 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 500 elements equal
func.func @softmax_f16(%a0: tensor<5x100xf16>) -> tensor<5x100xf16> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<5x100xf16>) -> tensor<5x100xf16> {
    %1 = graph.softmax %a axis 1 : (tensor<5x100xf16>) -> tensor<5x100xf16>
    graph.yield %1 : tensor<5x100xf16>
  }
  return %k : tensor<5x100xf16>
}

// More than a warp keeps in registers.
// CHECK-LABEL: func.func @softmax_long
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 3000 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 3000 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 2048, grain = 4096, stage = false, threads = 256, group_threads = 256>: 2 tasks, 3000 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 2048, grain = 4096, stage = false, threads = 256, group_threads = 256>: 2 tasks, 3000 elements equal
func.func @softmax_long(%a0: tensor<2x1500xf32>) -> tensor<2x1500xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<2x1500xf32>) -> tensor<2x1500xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<2x1500xf32>) -> tensor<2x1500xf32>
    graph.yield %1 : tensor<2x1500xf32>
  }
  return %k : tensor<2x1500xf32>
}

// More than a block does.
// CHECK-LABEL: func.func @softmax_bf16_long
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 9000 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 9000 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16384, grain = 8192, stage = false, threads = 512, group_threads = 512>: 1 tasks, 9000 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16384, grain = 8192, stage = false, threads = 512, group_threads = 512>: 1 tasks, 9000 elements equal
func.func @softmax_bf16_long(%a0: tensor<1x9000xbf16>) -> tensor<1x9000xbf16> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<1x9000xbf16>) -> tensor<1x9000xbf16> {
    %1 = graph.softmax %a axis 1 : (tensor<1x9000xbf16>) -> tensor<1x9000xbf16>
    graph.yield %1 : tensor<1x9000xbf16>
  }
  return %k : tensor<1x9000xbf16>
}

// Along the first dim.
// CHECK-LABEL: func.func @softmax_columns
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 600 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 600 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 512, stage = true, threads = 128, group_threads = 8, reduce_split = 16>: 1 tasks, 600 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 512, stage = true, threads = 128, group_threads = 8, reduce_split = 16>: 1 tasks, 600 elements equal
func.func @softmax_columns(%a0: tensor<30x20xf32>) -> tensor<30x20xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<30x20xf32>) -> tensor<30x20xf32> {
    %1 = graph.softmax %a axis 0 : (tensor<30x20xf32>) -> tensor<30x20xf32>
    graph.yield %1 : tensor<30x20xf32>
  }
  return %k : tensor<30x20xf32>
}

// Along the middle one.
// CHECK-LABEL: func.func @softmax_middle
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 1008 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 1008 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>: 3 tasks, 1008 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>: 3 tasks, 1008 elements equal
func.func @softmax_middle(%a0: tensor<3x21x16xf32>) -> tensor<3x21x16xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<3x21x16xf32>) -> tensor<3x21x16xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<3x21x16xf32>) -> tensor<3x21x16xf32>
    graph.yield %1 : tensor<3x21x16xf32>
  }
  return %k : tensor<3x21x16xf32>
}

// Of one element: 1.
// CHECK-LABEL: func.func @softmax_one
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 6 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 6 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 6 elements equal
func.func @softmax_one(%a0: tensor<6x1xf32>) -> tensor<6x1xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<6x1xf32>) -> tensor<6x1xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<6x1xf32>) -> tensor<6x1xf32>
    graph.yield %1 : tensor<6x1xf32>
  }
  return %k : tensor<6x1xf32>
}

// A mask is added, scores are scaled: the prologue of a written-out attention.
// CHECK-LABEL: func.func @softmax_masked
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 792 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 792 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 3 tasks, 792 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 3 tasks, 792 elements equal
func.func @softmax_masked(%a0: tensor<4x6x33xf32>, %b0: tensor<6x33xf32>, %c0: tensor<1xf32>) -> tensor<4x6x33xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0) : (tensor<4x6x33xf32>, tensor<6x33xf32>, tensor<1xf32>) -> tensor<4x6x33xf32> {
    %1 = graph.binary mul %a, %c : (tensor<4x6x33xf32>, tensor<1xf32>) -> tensor<4x6x33xf32>
    %2 = graph.binary add %1, %b : (tensor<4x6x33xf32>, tensor<6x33xf32>) -> tensor<4x6x33xf32>
    %3 = graph.softmax %2 axis 2 : (tensor<4x6x33xf32>) -> tensor<4x6x33xf32>
    graph.yield %3 : tensor<4x6x33xf32>
  }
  return %k : tensor<4x6x33xf32>
}

// Where a mask is false the score is -1e9.
// CHECK-LABEL: func.func @softmax_selected
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 198 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 198 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 198 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 198 elements equal
func.func @softmax_selected(%a0: tensor<6x33xf32>, %b0: tensor<6x33xi1>) -> tensor<6x33xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<6x33xf32>, tensor<6x33xi1>) -> tensor<6x33xf32> {
    %1 = graph.fill -1.0e9 : f32 : tensor<6x33xf32>
    %2 = graph.select %b, %a, %1 : (tensor<6x33xi1>, tensor<6x33xf32>, tensor<6x33xf32>) -> tensor<6x33xf32>
    %3 = graph.softmax %2 axis 1 : (tensor<6x33xf32>) -> tensor<6x33xf32>
    graph.yield %3 : tensor<6x33xf32>
  }
  return %k : tensor<6x33xf32>
}

// And something behind it.
// CHECK-LABEL: func.func @softmax_scaled
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 198 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 198 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 198 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 198 elements equal
func.func @softmax_scaled(%a0: tensor<6x33xf32>, %b0: tensor<6x1xf32>) -> tensor<6x33xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<6x33xf32>, tensor<6x1xf32>) -> tensor<6x33xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<6x33xf32>) -> tensor<6x33xf32>
    %2 = graph.binary mul %1, %b : (tensor<6x33xf32>, tensor<6x1xf32>) -> tensor<6x33xf32>
    graph.yield %2 : tensor<6x33xf32>
  }
  return %k : tensor<6x33xf32>
}

// The operand lies across its rows.
// CHECK-LABEL: func.func @softmax_of_transpose
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 1920 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 1920 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [64, 32], pads = [1], compute = <lanes = 64, grain = 2048, stage = false, threads = 256, group_threads = 16>>: 2 tasks, 1920 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [64, 32], pads = [1], compute = <lanes = 64, grain = 2048, stage = false, threads = 256, group_threads = 16>>: 2 tasks, 1920 elements equal
func.func @softmax_of_transpose(%a0: tensor<48x40xf32>) -> tensor<40x48xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<48x40xf32>) -> tensor<40x48xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<48x40xf32>) -> tensor<40x48xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<40x48xf32>) -> tensor<40x48xf32>
    graph.yield %2 : tensor<40x48xf32>
  }
  return %k : tensor<40x48xf32>
}

// The result is cast to another type.
// CHECK-LABEL: func.func @softmax_to_bytes
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 198 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 198 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 198 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 198 elements equal
func.func @softmax_to_bytes(%a0: tensor<6x33xf32>) -> tensor<6x33xf16> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<6x33xf32>) -> tensor<6x33xf16> {
    %1 = graph.softmax %a axis 1 : (tensor<6x33xf32>) -> tensor<6x33xf32>
    %2 = graph.cast %1 : (tensor<6x33xf32>) -> tensor<6x33xf16>
    graph.yield %2 : tensor<6x33xf16>
  }
  return %k : tensor<6x33xf16>
}
