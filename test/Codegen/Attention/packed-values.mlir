// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_80,sm_90a" -o /dev/null | FileCheck %s
// Attention of one query: the query heads of a key head are the rows of a tile.
// NOTE: checks by tools/update-lit-checks

// Four query heads of each key head, f32.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 256 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 256 elements equal
func.func @plain(%a0: tensor<2x8x1x16xf32>, %b0: tensor<2x2x33x16xf32>, %c0: tensor<2x2x33x16xf32>) -> tensor<2x8x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x8x1x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>) -> tensor<2x8x1x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<2x8x1x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>) -> tensor<2x8x1x16xf32>
    graph.yield %1 : tensor<2x8x1x16xf32>
  }
  return %k : tensor<2x8x1x16xf32>
}

// More heads of one key head than a tile has rows.
// CHECK-LABEL: func.func @many_heads
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 568 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 568 elements equal
func.func @many_heads(%a0: tensor<1x71x1x8xf32>, %b0: tensor<1x1x40x8xf32>, %c0: tensor<1x1x40x8xf32>) -> tensor<1x71x1x8xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x71x1x8xf32>, tensor<1x1x40x8xf32>, tensor<1x1x40x8xf32>) -> tensor<1x71x1x8xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x71x1x8xf32>, tensor<1x1x40x8xf32>, tensor<1x1x40x8xf32>) -> tensor<1x71x1x8xf32>
    graph.yield %1 : tensor<1x71x1x8xf32>
  }
  return %k : tensor<1x71x1x8xf32>
}

// Causal hides nothing of one query's sequence; its values behind the length may be anything.
// CHECK-LABEL: func.func @causal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 384 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 384 elements equal
func.func @causal(%a0: tensor<3x8x1x16xf32>, %b0: tensor<3x2x70x16xf32>, %c0: tensor<3x2x70x16xf32>, %l0: tensor<3xi64>) -> tensor<3x8x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<3x8x1x16xf32>, tensor<3x2x70x16xf32>, tensor<3x2x70x16xf32>, tensor<3xi64>) -> tensor<3x8x1x16xf32> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<3x8x1x16xf32>, tensor<3x2x70x16xf32>, tensor<3x2x70x16xf32>, tensor<3xi64>) -> tensor<3x8x1x16xf32>
    graph.yield %1 : tensor<3x8x1x16xf32>
  }
  return %k : tensor<3x8x1x16xf32>
}

// A mask for each query head.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 192 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 192 elements equal
func.func @mask(%a0: tensor<2x6x1x16xf32>, %b0: tensor<2x2x40x16xf32>, %c0: tensor<2x2x40x16xf32>, %d0: tensor<2x6x1x40xf32>) -> tensor<2x6x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<2x6x1x16xf32>, tensor<2x2x40x16xf32>, tensor<2x2x40x16xf32>, tensor<2x6x1x40xf32>) -> tensor<2x6x1x16xf32> {
    %1 = graph.attention %a, %b, %c mask %d {scale = 0.25 : f64} : (tensor<2x6x1x16xf32>, tensor<2x2x40x16xf32>, tensor<2x2x40x16xf32>, tensor<2x6x1x40xf32>) -> tensor<2x6x1x16xf32>
    graph.yield %1 : tensor<2x6x1x16xf32>
  }
  return %k : tensor<2x6x1x16xf32>
}

// A mask that all heads have in common.
// CHECK-LABEL: func.func @one_mask
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 192 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 192 elements equal
func.func @one_mask(%a0: tensor<2x6x1x16xf32>, %b0: tensor<2x2x40x16xf32>, %c0: tensor<2x2x40x16xf32>, %d0: tensor<2x1x1x40xf32>) -> tensor<2x6x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<2x6x1x16xf32>, tensor<2x2x40x16xf32>, tensor<2x2x40x16xf32>, tensor<2x1x1x40xf32>) -> tensor<2x6x1x16xf32> {
    %1 = graph.attention %a, %b, %c mask %d {scale = 0.25 : f64, masked_zero} : (tensor<2x6x1x16xf32>, tensor<2x2x40x16xf32>, tensor<2x2x40x16xf32>, tensor<2x1x1x40xf32>) -> tensor<2x6x1x16xf32>
    graph.yield %1 : tensor<2x6x1x16xf32>
  }
  return %k : tensor<2x6x1x16xf32>
}

// Each row has a sink of its own.
// CHECK-LABEL: func.func @sinks
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 256 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 256 elements equal
func.func @sinks(%a0: tensor<2x8x1x16xf32>, %b0: tensor<2x2x33x16xf32>, %c0: tensor<2x2x33x16xf32>, %l0: tensor<2xi64>, %s0: tensor<8xf32>) -> tensor<2x8x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0, %s = %s0) : (tensor<2x8x1x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>, tensor<2xi64>, tensor<8xf32>) -> tensor<2x8x1x16xf32> {
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.25 : f64} : (tensor<2x8x1x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>, tensor<2xi64>, tensor<8xf32>) -> tensor<2x8x1x16xf32>
    graph.yield %1 : tensor<2x8x1x16xf32>
  }
  return %k : tensor<2x8x1x16xf32>
}

// Rows of a head without a sink, and of sinks that are no numbers.
// CHECK-LABEL: func.func @infinite
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 128 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 128 elements equal
func.func @infinite(%a0: tensor<2x4x1x16xf32>, %b0: tensor<2x1x20x16xf32>, %c0: tensor<2x1x20x16xf32>, %l0: tensor<2xi64>) -> tensor<2x4x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x4x1x16xf32>, tensor<2x1x20x16xf32>, tensor<2x1x20x16xf32>, tensor<2xi64>) -> tensor<2x4x1x16xf32> {
    %s0 = graph.constant dense<0xFF800000> : tensor<1xf32>
    %s1 = graph.constant dense<0x7FC00000> : tensor<1xf32>
    %s2 = graph.constant dense<0x7F800000> : tensor<1xf32>
    %s3 = graph.constant dense<1.0> : tensor<1xf32>
    %s = graph.concat %s0, %s1, %s2, %s3 axis 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.25 : f64, nan_zero} : (tensor<2x4x1x16xf32>, tensor<2x1x20x16xf32>, tensor<2x1x20x16xf32>, tensor<2xi64>, tensor<4xf32>) -> tensor<2x4x1x16xf32>
    graph.yield %1 : tensor<2x4x1x16xf32>
  }
  return %k : tensor<2x4x1x16xf32>
}

// Tensor cores: 8 rows of 16.
// CHECK-LABEL: func.func @f16
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 4 tasks, 2048 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 4 tasks, 2048 elements equal
func.func @f16(%a0: tensor<2x16x1x64xf16>, %b0: tensor<2x2x200x64xf16>, %c0: tensor<2x2x200x64xf16>, %l0: tensor<2xi64>) -> tensor<2x16x1x64xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x16x1x64xf16>, tensor<2x2x200x64xf16>, tensor<2x2x200x64xf16>, tensor<2xi64>) -> tensor<2x16x1x64xf16> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<2x16x1x64xf16>, tensor<2x2x200x64xf16>, tensor<2x2x200x64xf16>, tensor<2xi64>) -> tensor<2x16x1x64xf16>
    graph.yield %1 : tensor<2x16x1x64xf16>
  }
  return %k : tensor<2x16x1x64xf16>
}

// Sinks on tensor cores, in the query's type.
// CHECK-LABEL: func.func @bf16_sinks
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 4 tasks, 640 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 4 tasks, 640 elements equal
func.func @bf16_sinks(%a0: tensor<2x10x1x32xbf16>, %b0: tensor<2x2x100x32xbf16>, %c0: tensor<2x2x100x32xbf16>, %l0: tensor<2xi64>, %s0: tensor<10xbf16>) -> tensor<2x10x1x32xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0, %s = %s0) : (tensor<2x10x1x32xbf16>, tensor<2x2x100x32xbf16>, tensor<2x2x100x32xbf16>, tensor<2xi64>, tensor<10xbf16>) -> tensor<2x10x1x32xbf16> {
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.25 : f64, causal, from_length} : (tensor<2x10x1x32xbf16>, tensor<2x2x100x32xbf16>, tensor<2x2x100x32xbf16>, tensor<2xi64>, tensor<10xbf16>) -> tensor<2x10x1x32xbf16>
    graph.yield %1 : tensor<2x10x1x32xbf16>
  }
  return %k : tensor<2x10x1x32xbf16>
}

// Slopes of heads, a cap and sinks.
// CHECK-LABEL: func.func @bf16_mask
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 1 tasks, 512 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 1 tasks, 512 elements equal
func.func @bf16_mask(%a0: tensor<1x8x1x64xbf16>, %b0: tensor<1x1x70x64xbf16>, %c0: tensor<1x1x70x64xbf16>, %d0: tensor<1x8x1x70xbf16>, %l0: tensor<1xi64>, %s0: tensor<8xf32>) -> tensor<1x8x1x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0, %l = %l0, %s = %s0) : (tensor<1x8x1x64xbf16>, tensor<1x1x70x64xbf16>, tensor<1x1x70x64xbf16>, tensor<1x8x1x70xbf16>, tensor<1xi64>, tensor<8xf32>) -> tensor<1x8x1x64xbf16> {
    %1 = graph.attention %a, %b, %c mask %d lengths %l sinks %s {scale = 0.25 : f64, softcap = 5.0 : f64} : (tensor<1x8x1x64xbf16>, tensor<1x1x70x64xbf16>, tensor<1x1x70x64xbf16>, tensor<1x8x1x70xbf16>, tensor<1xi64>, tensor<8xf32>) -> tensor<1x8x1x64xbf16>
    graph.yield %1 : tensor<1x8x1x64xbf16>
  }
  return %k : tensor<1x8x1x64xbf16>
}

// Heads behind positions, as a projection leaves them.
// CHECK-LABEL: func.func @views
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 384 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 384 elements equal
func.func @views(%a10: tensor<2x1x12x16xf32>, %b10: tensor<2x50x3x16xf32>, %c0: tensor<2x3x50x16xf32>, %l0: tensor<2xi64>) -> tensor<2x1x192xf32> {
  %k = graph.kernel "attention" (%a1 = %a10, %b1 = %b10, %c = %c0, %l = %l0) : (tensor<2x1x12x16xf32>, tensor<2x50x3x16xf32>, tensor<2x3x50x16xf32>, tensor<2xi64>) -> tensor<2x1x192xf32> {
    %a = graph.transpose %a1 [0, 2, 1, 3] : (tensor<2x1x12x16xf32>) -> tensor<2x12x1x16xf32>
    %b = graph.transpose %b1 [0, 2, 1, 3] : (tensor<2x50x3x16xf32>) -> tensor<2x3x50x16xf32>
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<2x12x1x16xf32>, tensor<2x3x50x16xf32>, tensor<2x3x50x16xf32>, tensor<2xi64>) -> tensor<2x12x1x16xf32>
    %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<2x12x1x16xf32>) -> tensor<2x1x12x16xf32>
    %3 = graph.reshape %2 : (tensor<2x1x12x16xf32>) -> tensor<2x1x192xf32>
    graph.yield %3 : tensor<2x1x192xf32>
  }
  return %k : tensor<2x1x192xf32>
}

// Not: a window is of positions.
// CHECK-LABEL: func.func @window
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 16 tasks, 256 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 16 tasks, 256 elements equal
func.func @window(%a0: tensor<2x8x1x16xf32>, %b0: tensor<2x2x33x16xf32>, %c0: tensor<2x2x33x16xf32>, %l0: tensor<2xi64>) -> tensor<2x8x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x8x1x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>, tensor<2xi64>) -> tensor<2x8x1x16xf32> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, window = 9 : i64} : (tensor<2x8x1x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>, tensor<2xi64>) -> tensor<2x8x1x16xf32>
    graph.yield %1 : tensor<2x8x1x16xf32>
  }
  return %k : tensor<2x8x1x16xf32>
}

// Not: every query head has a key head.
// CHECK-LABEL: func.func @own_keys
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 8 tasks, 128 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 8 tasks, 128 elements equal
func.func @own_keys(%a0: tensor<2x4x1x16xf32>, %b0: tensor<2x4x33x16xf32>, %c0: tensor<2x4x33x16xf32>) -> tensor<2x4x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x4x1x16xf32>, tensor<2x4x33x16xf32>, tensor<2x4x33x16xf32>) -> tensor<2x4x1x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<2x4x1x16xf32>, tensor<2x4x33x16xf32>, tensor<2x4x33x16xf32>) -> tensor<2x4x1x16xf32>
    graph.yield %1 : tensor<2x4x1x16xf32>
  }
  return %k : tensor<2x4x1x16xf32>
}
