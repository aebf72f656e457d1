// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Transposes: tiles through scratch, rows, short dims, and what is computed beside them.

// A square of less than a tile.
// CHECK-LABEL: func.func @transpose_2d
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [4, 4], pads = [0], compute = <lanes = 4, grain = 512, stage = false>>: 2 tasks, 35 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [4, 4], pads = [0], compute = <lanes = 4, grain = 512, stage = false>>: 2 tasks, 35 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 64, stage = false, threads = 32, group_threads = 8>>: 1 tasks, 35 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 64, stage = false, threads = 32, group_threads = 8>>: 1 tasks, 35 elements equal
func.func @transpose_2d(%a0: tensor<5x7xf32>) -> tensor<7x5xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<5x7xf32>) -> tensor<7x5xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<5x7xf32>) -> tensor<7x5xf32>
    graph.yield %1 : tensor<7x5xf32>
  }
  return %k : tensor<7x5xf32>
}

// Tiles that are cut off on both sides.
// CHECK-LABEL: func.func @transpose_tiles
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 6 tasks, 3150 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [16, 16], pads = [0], compute = <lanes = 16, grain = 8192, stage = false>>: 3 tasks, 3150 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [64, 64], pads = [1], compute = <lanes = 64, grain = 4096, stage = false, threads = 256, group_threads = 32>>: 2 tasks, 3150 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [64, 64], pads = [1], compute = <lanes = 64, grain = 4096, stage = false, threads = 256, group_threads = 32>>: 2 tasks, 3150 elements equal
func.func @transpose_tiles(%a0: tensor<70x45xf16>) -> tensor<45x70xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<70x45xf16>) -> tensor<45x70xf16> {
    %1 = graph.transpose %a [1, 0] : (tensor<70x45xf16>) -> tensor<45x70xf16>
    graph.yield %1 : tensor<45x70xf16>
  }
  return %k : tensor<45x70xf16>
}

// Bytes: the widest tiles.
// CHECK-LABEL: func.func @transpose_bytes
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 17 tasks, 8450 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [16, 16], pads = [0], compute = <lanes = 16, grain = 8192, stage = false>>: 9 tasks, 8450 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [64, 128], pads = [4], compute = <lanes = 64, grain = 8192, stage = false, threads = 256, group_threads = 32>>: 4 tasks, 8450 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [64, 128], pads = [4], compute = <lanes = 64, grain = 8192, stage = false, threads = 256, group_threads = 32>>: 4 tasks, 8450 elements equal
func.func @transpose_bytes(%a0: tensor<65x130xi8>) -> tensor<130x65xi8> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<65x130xi8>) -> tensor<130x65xi8> {
    %1 = graph.transpose %a [1, 0] : (tensor<65x130xi8>) -> tensor<130x65xi8>
    graph.yield %1 : tensor<130x65xi8>
  }
  return %k : tensor<130x65xi8>
}

// Words of 64 bits: the narrowest.
// CHECK-LABEL: func.func @transpose_f64
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [4, 4], pads = [0], compute = <lanes = 4, grain = 512, stage = false>>: 9 tasks, 1122 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 5 tasks, 1122 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [32, 16], pads = [1], compute = <lanes = 32, grain = 512, stage = false, threads = 128, group_threads = 32>>: 6 tasks, 1122 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [32, 16], pads = [1], compute = <lanes = 32, grain = 512, stage = false, threads = 128, group_threads = 32>>: 6 tasks, 1122 elements equal
func.func @transpose_f64(%a0: tensor<33x34xf64>) -> tensor<34x33xf64> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<33x34xf64>) -> tensor<34x33xf64> {
    %1 = graph.transpose %a [1, 0] : (tensor<33x34xf64>) -> tensor<34x33xf64>
    graph.yield %1 : tensor<34x33xf64>
  }
  return %k : tensor<34x33xf64>
}

// The last dim stays: rows are copied.
// CHECK-LABEL: func.func @transpose_heads
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 1152 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 1152 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 1152 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 1152 elements equal
func.func @transpose_heads(%a0: tensor<2x9x4x16xf32>) -> tensor<2x4x9x16xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<2x9x4x16xf32>) -> tensor<2x4x9x16xf32> {
    %1 = graph.transpose %a [0, 2, 1, 3] : (tensor<2x9x4x16xf32>) -> tensor<2x4x9x16xf32>
    graph.yield %1 : tensor<2x4x9x16xf32>
  }
  return %k : tensor<2x4x9x16xf32>
}

// Per head, the last two dims.
// CHECK-LABEL: func.func @transpose_inner
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 18 tasks, 2040 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [16, 16], pads = [0], compute = <lanes = 16, grain = 8192, stage = false>>: 12 tasks, 2040 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 8>>: 6 tasks, 2040 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 8>>: 6 tasks, 2040 elements equal
func.func @transpose_inner(%a0: tensor<2x3x20x17xf32>) -> tensor<2x3x17x20xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<2x3x20x17xf32>) -> tensor<2x3x17x20xf32> {
    %1 = graph.transpose %a [0, 1, 3, 2] : (tensor<2x3x20x17xf32>) -> tensor<2x3x17x20xf32>
    graph.yield %1 : tensor<2x3x17x20xf32>
  }
  return %k : tensor<2x3x17x20xf32>
}

// The last dim becomes the first.
// CHECK-LABEL: func.func @transpose_to_front
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 2 tasks, 720 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 2 tasks, 720 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [64, 16], pads = [2], compute = <lanes = 64, grain = 1024, stage = false, threads = 64, group_threads = 8>>: 1 tasks, 720 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [64, 16], pads = [2], compute = <lanes = 64, grain = 1024, stage = false, threads = 64, group_threads = 8>>: 1 tasks, 720 elements equal
func.func @transpose_to_front(%a0: tensor<6x10x12xbf16>) -> tensor<12x6x10xbf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<6x10x12xbf16>) -> tensor<12x6x10xbf16> {
    %1 = graph.transpose %a [2, 0, 1] : (tensor<6x10x12xbf16>) -> tensor<12x6x10xbf16>
    graph.yield %1 : tensor<12x6x10xbf16>
  }
  return %k : tensor<12x6x10xbf16>
}

// The result's rows have three elements.
// CHECK-LABEL: func.func @transpose_short_result
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 600 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 600 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [4, 128], pads = [8], compute = <lanes = 4, grain = 512, stage = false, threads = 64, group_threads = 4>>: 2 tasks, 600 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [4, 128], pads = [8], compute = <lanes = 4, grain = 512, stage = false, threads = 64, group_threads = 4>>: 2 tasks, 600 elements equal
func.func @transpose_short_result(%a0: tensor<2x3x100xf32>) -> tensor<2x100x3xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<2x3x100xf32>) -> tensor<2x100x3xf32> {
    %1 = graph.transpose %a [0, 2, 1] : (tensor<2x3x100xf32>) -> tensor<2x100x3xf32>
    graph.yield %1 : tensor<2x100x3xf32>
  }
  return %k : tensor<2x100x3xf32>
}

// The operand's have three.
// CHECK-LABEL: func.func @transpose_short_operand
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 600 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 600 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [128, 4], pads = [0], compute = <lanes = 128, grain = 512, stage = false, threads = 64, group_threads = 2>>: 2 tasks, 600 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [128, 4], pads = [0], compute = <lanes = 128, grain = 512, stage = false, threads = 64, group_threads = 2>>: 2 tasks, 600 elements equal
func.func @transpose_short_operand(%a0: tensor<2x100x3xf32>) -> tensor<2x3x100xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<2x100x3xf32>) -> tensor<2x3x100xf32> {
    %1 = graph.transpose %a [0, 2, 1] : (tensor<2x100x3xf32>) -> tensor<2x3x100xf32>
    graph.yield %1 : tensor<2x3x100xf32>
  }
  return %k : tensor<2x3x100xf32>
}

// Both end in four.
// CHECK-LABEL: func.func @transpose_between_short
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 1920 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 1920 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [4, 32, 8], pads = [1], compute = <lanes = 128, grain = 1024, stage = false, threads = 128, group_threads = 32>>: 3 tasks, 1920 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [4, 32, 8], pads = [1], compute = <lanes = 128, grain = 1024, stage = false, threads = 128, group_threads = 32>>: 3 tasks, 1920 elements equal
func.func @transpose_between_short(%a0: tensor<20x24x4xf32>) -> tensor<24x20x4xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<20x24x4xf32>) -> tensor<24x20x4xf32> {
    %1 = graph.transpose %a [1, 0, 2] : (tensor<20x24x4xf32>) -> tensor<24x20x4xf32>
    graph.yield %1 : tensor<24x20x4xf32>
  }
  return %k : tensor<24x20x4xf32>
}

// Added to what lies as the result does, with a bias of a column.
// CHECK-LABEL: func.func @transpose_added
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 5 tasks, 1440 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [16, 16], pads = [0], compute = <lanes = 16, grain = 8192, stage = false>>: 3 tasks, 1440 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 8>>: 4 tasks, 1440 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 8>>: 4 tasks, 1440 elements equal
func.func @transpose_added(%a0: tensor<40x36xf32>, %b0: tensor<36x40xf32>, %c0: tensor<36x1xf32>) -> tensor<36x40xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0, %c = %c0) : (tensor<40x36xf32>, tensor<36x40xf32>, tensor<36x1xf32>) -> tensor<36x40xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<40x36xf32>) -> tensor<36x40xf32>
    %2 = graph.binary add %1, %b : (tensor<36x40xf32>, tensor<36x40xf32>) -> tensor<36x40xf32>
    %3 = graph.binary add %2, %c : (tensor<36x40xf32>, tensor<36x1xf32>) -> tensor<36x40xf32>
    graph.yield %3 : tensor<36x40xf32>
  }
  return %k : tensor<36x40xf32>
}

// Both operands lie across.
// CHECK-LABEL: func.func @transpose_both
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0, 0], compute = <lanes = 8, grain = 2048, stage = false>>: 5 tasks, 1440 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [16, 16], pads = [0, 0], compute = <lanes = 16, grain = 8192, stage = false>>: 3 tasks, 1440 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [32, 64], pads = [4, 4], compute = <lanes = 32, grain = 2048, stage = false, threads = 256, group_threads = 2>>: 2 tasks, 1440 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [32, 64], pads = [4, 4], compute = <lanes = 32, grain = 2048, stage = false, threads = 256, group_threads = 2>>: 2 tasks, 1440 elements equal
func.func @transpose_both(%a0: tensor<40x36xf32>, %b0: tensor<40x36xf16>) -> tensor<36x40xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<40x36xf32>, tensor<40x36xf16>) -> tensor<36x40xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<40x36xf32>) -> tensor<36x40xf32>
    %2 = graph.transpose %b [1, 0] : (tensor<40x36xf16>) -> tensor<36x40xf16>
    %3 = graph.cast %2 : (tensor<36x40xf16>) -> tensor<36x40xf32>
    %4 = graph.binary mul %1, %3 : (tensor<36x40xf32>, tensor<36x40xf32>) -> tensor<36x40xf32>
    graph.yield %4 : tensor<36x40xf32>
  }
  return %k : tensor<36x40xf32>
}

// Twice is not at all.
// CHECK-LABEL: func.func @transpose_and_back
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 72 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 72 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 72 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 72 elements equal
func.func @transpose_and_back(%a0: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<9x8xf32>) -> tensor<9x8xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<9x8xf32>) -> tensor<8x9xf32>
    %2 = graph.transpose %1 [1, 0] : (tensor<8x9xf32>) -> tensor<9x8xf32>
    graph.yield %2 : tensor<9x8xf32>
  }
  return %k : tensor<9x8xf32>
}

// Split and exchange: [12, 10] is [3, 4, 10] is [4, 3, 10].
// CHECK-LABEL: func.func @reshape_between
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 120 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [10, 3, 8], pads = [0], compute = <lanes = 256, grain = 240, stage = false, threads = 32, group_threads = 32>>: 1 tasks, 120 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [10, 3, 8], pads = [0], compute = <lanes = 256, grain = 240, stage = false, threads = 32, group_threads = 32>>: 1 tasks, 120 elements equal
func.func @reshape_between(%a0: tensor<12x10xf32>) -> tensor<4x3x10xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<12x10xf32>) -> tensor<4x3x10xf32> {
    %1 = graph.reshape %a : (tensor<12x10xf32>) -> tensor<3x4x10xf32>
    %2 = graph.transpose %1 [1, 0, 2] : (tensor<3x4x10xf32>) -> tensor<4x3x10xf32>
    graph.yield %2 : tensor<4x3x10xf32>
  }
  return %k : tensor<4x3x10xf32>
}

// Joined behind a transpose.
// CHECK-LABEL: func.func @reshape_behind
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 120 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 120 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 120 elements equal
func.func @reshape_behind(%a0: tensor<6x4x5xf32>) -> tensor<4x30xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<6x4x5xf32>) -> tensor<4x30xf32> {
    %1 = graph.transpose %a [1, 0, 2] : (tensor<6x4x5xf32>) -> tensor<4x6x5xf32>
    %2 = graph.reshape %1 : (tensor<4x6x5xf32>) -> tensor<4x30xf32>
    graph.yield %2 : tensor<4x30xf32>
  }
  return %k : tensor<4x30xf32>
}

// One kernel, the sum and its transpose.
// CHECK-LABEL: func.func @two_results
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 240 elements equal
// CHECK-NEXT: 240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 240 elements equal
// CHECK-NEXT: 240 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 240 elements equal
// CHECK-NEXT: 240 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 240 elements equal
// CHECK-NEXT: 240 elements equal
func.func @two_results(%a0: tensor<12x20xf32>, %b0: tensor<20xf32>) -> (tensor<12x20xf32>, tensor<12x20xf32>) {
  %k:2 = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<12x20xf32>, tensor<20xf32>) -> (tensor<12x20xf32>, tensor<12x20xf32>) {
    %1 = graph.binary add %a, %b : (tensor<12x20xf32>, tensor<20xf32>) -> tensor<12x20xf32>
    %2 = graph.unary exp %1 : (tensor<12x20xf32>) -> tensor<12x20xf32>
    graph.yield %1, %2 : tensor<12x20xf32>, tensor<12x20xf32>
  }
  return %k#0, %k#1 : tensor<12x20xf32>, tensor<12x20xf32>
}
