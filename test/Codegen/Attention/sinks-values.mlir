// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Attention with sinks: one more score per query head, without a value.
// NOTE: checks by tools/update-lit-checks

// A sink per head, odd extents.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 80 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 80 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 80 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 80 elements equal
func.func @plain(%a0: tensor<1x2x5x8xf32>, %b0: tensor<1x2x7x8xf32>, %c0: tensor<1x2x7x8xf32>, %s0: tensor<2xf32>) -> tensor<1x2x5x8xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<1x2x5x8xf32>, tensor<1x2x7x8xf32>, tensor<1x2x7x8xf32>, tensor<2xf32>) -> tensor<1x2x5x8xf32> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64} : (tensor<1x2x5x8xf32>, tensor<1x2x7x8xf32>, tensor<1x2x7x8xf32>, tensor<2xf32>) -> tensor<1x2x5x8xf32>
    graph.yield %1 : tensor<1x2x5x8xf32>
  }
  return %k : tensor<1x2x5x8xf32>
}

// Sinks are of query heads, not of the key heads that they share.
// CHECK-LABEL: func.func @grouped
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 16 tasks, 768 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 16 tasks, 768 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 16 tasks, 768 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 16 tasks, 768 elements equal
func.func @grouped(%a0: tensor<2x8x3x16xf32>, %b0: tensor<2x2x33x16xf32>, %c0: tensor<2x2x33x16xf32>, %s0: tensor<8xf32>) -> tensor<2x8x3x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<2x8x3x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>, tensor<8xf32>) -> tensor<2x8x3x16xf32> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64} : (tensor<2x8x3x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>, tensor<8xf32>) -> tensor<2x8x3x16xf32>
    graph.yield %1 : tensor<2x8x3x16xf32>
  }
  return %k : tensor<2x8x3x16xf32>
}

// More keys than a tile has; a sink that none of the scores reaches, and one below them all.
// CHECK-LABEL: func.func @many_keys
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 576 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 576 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 576 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 576 elements equal
func.func @many_keys(%a0: tensor<1x2x9x32xf32>, %b0: tensor<1x2x70x32xf32>, %c0: tensor<1x2x70x32xf32>) -> tensor<1x2x9x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x9x32xf32>, tensor<1x2x70x32xf32>, tensor<1x2x70x32xf32>) -> tensor<1x2x9x32xf32> {
    %s0 = graph.constant dense<30.0> : tensor<1xf32>
    %s1 = graph.constant dense<-30.0> : tensor<1xf32>
    %s = graph.concat %s0, %s1 axis 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64} : (tensor<1x2x9x32xf32>, tensor<1x2x70x32xf32>, tensor<1x2x70x32xf32>, tensor<2xf32>) -> tensor<1x2x9x32xf32>
    graph.yield %1 : tensor<1x2x9x32xf32>
  }
  return %k : tensor<1x2x9x32xf32>
}

// Minus infinity is no sink: what sees no key is NaN.
// CHECK-LABEL: func.func @none
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 192 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 192 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 192 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 192 elements equal
func.func @none(%a0: tensor<3x2x4x8xf32>, %b0: tensor<3x2x9x8xf32>, %c0: tensor<3x2x9x8xf32>, %l0: tensor<3xi64>) -> tensor<3x2x4x8xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<3x2x4x8xf32>, tensor<3x2x9x8xf32>, tensor<3x2x9x8xf32>, tensor<3xi64>) -> tensor<3x2x4x8xf32> {
    %s0 = graph.constant dense<0xFF800000> : tensor<1xf32>
    %s1 = graph.constant dense<0xFF800000> : tensor<1xf32>
    %s = graph.concat %s0, %s1 axis 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.25 : f64, causal, from_length} : (tensor<3x2x4x8xf32>, tensor<3x2x9x8xf32>, tensor<3x2x9x8xf32>, tensor<3xi64>, tensor<2xf32>) -> tensor<3x2x4x8xf32>
    graph.yield %1 : tensor<3x2x4x8xf32>
  }
  return %k : tensor<3x2x4x8xf32>
}

// The same where it is 0.
// CHECK-LABEL: func.func @none_zero
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 192 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 192 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 192 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 192 elements equal
func.func @none_zero(%a0: tensor<3x2x4x8xf32>, %b0: tensor<3x2x9x8xf32>, %c0: tensor<3x2x9x8xf32>, %l0: tensor<3xi64>) -> tensor<3x2x4x8xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<3x2x4x8xf32>, tensor<3x2x9x8xf32>, tensor<3x2x9x8xf32>, tensor<3xi64>) -> tensor<3x2x4x8xf32> {
    %s0 = graph.constant dense<0xFF800000> : tensor<1xf32>
    %s1 = graph.constant dense<0.5> : tensor<1xf32>
    %s = graph.concat %s0, %s1 axis 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.25 : f64, masked_zero} : (tensor<3x2x4x8xf32>, tensor<3x2x9x8xf32>, tensor<3x2x9x8xf32>, tensor<3xi64>, tensor<2xf32>) -> tensor<3x2x4x8xf32>
    graph.yield %1 : tensor<3x2x4x8xf32>
  }
  return %k : tensor<3x2x4x8xf32>
}

// A query that sees no key gives 0, whatever sink it has.
// CHECK-LABEL: func.func @no_keys
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 12 tasks, 1728 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 12 tasks, 1728 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 12 tasks, 1728 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 12 tasks, 1728 elements equal
func.func @no_keys(%a0: tensor<3x4x9x16xf32>, %b0: tensor<3x2x12x16xf32>, %c0: tensor<3x2x12x16xf32>, %l0: tensor<3xi64>) -> tensor<3x4x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<3x4x9x16xf32>, tensor<3x2x12x16xf32>, tensor<3x2x12x16xf32>, tensor<3xi64>) -> tensor<3x4x9x16xf32> {
    %s0 = graph.constant dense<0.5> : tensor<1xf32>
    %s1 = graph.constant dense<-200.0> : tensor<1xf32>
    %s2 = graph.constant dense<200.0> : tensor<1xf32>
    %s3 = graph.constant dense<0xFF7FFFFF> : tensor<1xf32>
    %s = graph.concat %s0, %s1, %s2, %s3 axis 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.25 : f64, causal, from_length} : (tensor<3x4x9x16xf32>, tensor<3x2x12x16xf32>, tensor<3x2x12x16xf32>, tensor<3xi64>, tensor<4xf32>) -> tensor<3x4x9x16xf32>
    graph.yield %1 : tensor<3x4x9x16xf32>
  }
  return %k : tensor<3x4x9x16xf32>
}

// A cap is of scores alone.
// CHECK-LABEL: func.func @softcap
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
func.func @softcap(%a0: tensor<1x2x9x16xf32>, %b0: tensor<1x1x12x16xf32>, %c0: tensor<1x1x12x16xf32>) -> tensor<1x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x9x16xf32>, tensor<1x1x12x16xf32>, tensor<1x1x12x16xf32>) -> tensor<1x2x9x16xf32> {
    %s0 = graph.constant dense<9.0> : tensor<1xf32>
    %s1 = graph.constant dense<-9.0> : tensor<1xf32>
    %s = graph.concat %s0, %s1 axis 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64, softcap = 2.0 : f64} : (tensor<1x2x9x16xf32>, tensor<1x1x12x16xf32>, tensor<1x1x12x16xf32>, tensor<2xf32>) -> tensor<1x2x9x16xf32>
    graph.yield %1 : tensor<1x2x9x16xf32>
  }
  return %k : tensor<1x2x9x16xf32>
}

// So is a mask.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 576 elements equal
func.func @mask(%a0: tensor<2x2x9x16xf32>, %b0: tensor<2x2x12x16xf32>, %c0: tensor<2x2x12x16xf32>, %d0: tensor<2x1x9x12xf32>, %s0: tensor<2xf32>) -> tensor<2x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0, %s = %s0) : (tensor<2x2x9x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x16xf32>, tensor<2x1x9x12xf32>, tensor<2xf32>) -> tensor<2x2x9x16xf32> {
    %1 = graph.attention %a, %b, %c mask %d sinks %s {scale = 0.25 : f64} : (tensor<2x2x9x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x16xf32>, tensor<2x1x9x12xf32>, tensor<2xf32>) -> tensor<2x2x9x16xf32>
    graph.yield %1 : tensor<2x2x9x16xf32>
  }
  return %k : tensor<2x2x9x16xf32>
}

// A sink of NaN or plus infinity, where weights that are NaN count as 0.
// CHECK-LABEL: func.func @nan_zero
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 3 tasks, 240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 3 tasks, 240 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 3 tasks, 240 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 3 tasks, 240 elements equal
func.func @nan_zero(%a0: tensor<1x3x5x16xf32>, %b0: tensor<1x1x12x16xf32>, %c0: tensor<1x1x12x16xf32>) -> tensor<1x3x5x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x3x5x16xf32>, tensor<1x1x12x16xf32>, tensor<1x1x12x16xf32>) -> tensor<1x3x5x16xf32> {
    %s0 = graph.constant dense<0x7FC00000> : tensor<1xf32>
    %s1 = graph.constant dense<0x7F800000> : tensor<1xf32>
    %s2 = graph.constant dense<1.0> : tensor<1xf32>
    %s = graph.concat %s0, %s1, %s2 axis 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64, causal, nan_zero} : (tensor<1x3x5x16xf32>, tensor<1x1x12x16xf32>, tensor<1x1x12x16xf32>, tensor<3xf32>) -> tensor<1x3x5x16xf32>
    graph.yield %1 : tensor<1x3x5x16xf32>
  }
  return %k : tensor<1x3x5x16xf32>
}

// The same without that.
// CHECK-LABEL: func.func @invalid
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 3 tasks, 240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 3 tasks, 240 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 3 tasks, 240 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 3 tasks, 240 elements equal
func.func @invalid(%a0: tensor<1x3x5x16xf32>, %b0: tensor<1x1x12x16xf32>, %c0: tensor<1x1x12x16xf32>) -> tensor<1x3x5x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x3x5x16xf32>, tensor<1x1x12x16xf32>, tensor<1x1x12x16xf32>) -> tensor<1x3x5x16xf32> {
    %s0 = graph.constant dense<0x7FC00000> : tensor<1xf32>
    %s1 = graph.constant dense<0x7F800000> : tensor<1xf32>
    %s2 = graph.constant dense<1.0> : tensor<1xf32>
    %s = graph.concat %s0, %s1, %s2 axis 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64} : (tensor<1x3x5x16xf32>, tensor<1x1x12x16xf32>, tensor<1x1x12x16xf32>, tensor<3xf32>) -> tensor<1x3x5x16xf32>
    graph.yield %1 : tensor<1x3x5x16xf32>
  }
  return %k : tensor<1x3x5x16xf32>
}

// Sinks that are a view of what is in memory.
// CHECK-LABEL: func.func @view
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 320 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 320 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 320 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 320 elements equal
func.func @view(%a0: tensor<1x4x5x16xf32>, %b0: tensor<1x2x12x16xf32>, %c0: tensor<1x2x12x16xf32>, %s00: tensor<1x4x1x1xf32>) -> tensor<1x4x5x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s0 = %s00) : (tensor<1x4x5x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x5x16xf32> {
    %s = graph.reshape %s0 : (tensor<1x4x1x1xf32>) -> tensor<4xf32>
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64} : (tensor<1x4x5x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>, tensor<4xf32>) -> tensor<1x4x5x16xf32>
    graph.yield %1 : tensor<1x4x5x16xf32>
  }
  return %k : tensor<1x4x5x16xf32>
}

// Tensor cores, with scores compared before they are scaled.
// CHECK-LABEL: func.func @f16
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 5120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 5120 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 4 tasks, 5120 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 4 tasks, 5120 elements equal
func.func @f16(%a0: tensor<1x4x20x64xf16>, %b0: tensor<1x2x70x64xf16>, %c0: tensor<1x2x70x64xf16>, %s0: tensor<4xf32>) -> tensor<1x4x20x64xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<1x4x20x64xf16>, tensor<1x2x70x64xf16>, tensor<1x2x70x64xf16>, tensor<4xf32>) -> tensor<1x4x20x64xf16> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64} : (tensor<1x4x20x64xf16>, tensor<1x2x70x64xf16>, tensor<1x2x70x64xf16>, tensor<4xf32>) -> tensor<1x4x20x64xf16>
    graph.yield %1 : tensor<1x4x20x64xf16>
  }
  return %k : tensor<1x4x20x64xf16>
}

// Sinks of the query's type.
// CHECK-LABEL: func.func @f16_sinks
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 2560 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 2560 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 2560 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 2560 elements equal
func.func @f16_sinks(%a0: tensor<1x2x20x64xf16>, %b0: tensor<1x1x40x64xf16>, %c0: tensor<1x1x40x64xf16>, %s0: tensor<2xf16>) -> tensor<1x2x20x64xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<1x2x20x64xf16>, tensor<1x1x40x64xf16>, tensor<1x1x40x64xf16>, tensor<2xf16>) -> tensor<1x2x20x64xf16> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64} : (tensor<1x2x20x64xf16>, tensor<1x1x40x64xf16>, tensor<1x1x40x64xf16>, tensor<2xf16>) -> tensor<1x2x20x64xf16>
    graph.yield %1 : tensor<1x2x20x64xf16>
  }
  return %k : tensor<1x2x20x64xf16>
}

// Scores scaled by more than 1: a finite sink stays finite.
// CHECK-LABEL: func.func @bf16_large
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 3264 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 3264 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 6 tasks, 3264 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 6 tasks, 3264 elements equal
func.func @bf16_large(%a0: tensor<2x3x17x32xbf16>, %b0: tensor<2x1x40x32xbf16>, %c0: tensor<2x1x40x32xbf16>, %l0: tensor<2xi64>) -> tensor<2x3x17x32xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x3x17x32xbf16>, tensor<2x1x40x32xbf16>, tensor<2x1x40x32xbf16>, tensor<2xi64>) -> tensor<2x3x17x32xbf16> {
    %s0 = graph.constant dense<0xFF7FFFFF> : tensor<1xf32>
    %s1 = graph.constant dense<0x7F7FFFFF> : tensor<1xf32>
    %s2 = graph.constant dense<-3.0e38> : tensor<1xf32>
    %s = graph.concat %s0, %s1, %s2 axis 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 2.0 : f64, causal, from_length} : (tensor<2x3x17x32xbf16>, tensor<2x1x40x32xbf16>, tensor<2x1x40x32xbf16>, tensor<2xi64>, tensor<3xf32>) -> tensor<2x3x17x32xbf16>
    graph.yield %1 : tensor<2x3x17x32xbf16>
  }
  return %k : tensor<2x3x17x32xbf16>
}

// A scale that turns the order of scores.
// CHECK-LABEL: func.func @bf16_negative
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 1088 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 1088 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 1088 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 1088 elements equal
func.func @bf16_negative(%a0: tensor<1x2x17x32xbf16>, %b0: tensor<1x1x40x32xbf16>, %c0: tensor<1x1x40x32xbf16>, %s0: tensor<2xf32>) -> tensor<1x2x17x32xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<1x2x17x32xbf16>, tensor<1x1x40x32xbf16>, tensor<1x1x40x32xbf16>, tensor<2xf32>) -> tensor<1x2x17x32xbf16> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = -0.5 : f64, causal} : (tensor<1x2x17x32xbf16>, tensor<1x1x40x32xbf16>, tensor<1x1x40x32xbf16>, tensor<2xf32>) -> tensor<1x2x17x32xbf16>
    graph.yield %1 : tensor<1x2x17x32xbf16>
  }
  return %k : tensor<1x2x17x32xbf16>
}

// A mask and a cap on tensor cores.
// CHECK-LABEL: func.func @bf16_mask
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 2112 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 2112 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 2 tasks, 2112 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 64, stages = 3, producer_registers = 0, consumer_registers = 0>: 2 tasks, 2112 elements equal
func.func @bf16_mask(%a0: tensor<1x2x33x32xbf16>, %b0: tensor<1x1x65x32xbf16>, %c0: tensor<1x1x65x32xbf16>, %d0: tensor<1x2x33x65xbf16>, %s0: tensor<2xf32>) -> tensor<1x2x33x32xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0, %s = %s0) : (tensor<1x2x33x32xbf16>, tensor<1x1x65x32xbf16>, tensor<1x1x65x32xbf16>, tensor<1x2x33x65xbf16>, tensor<2xf32>) -> tensor<1x2x33x32xbf16> {
    %1 = graph.attention %a, %b, %c mask %d sinks %s {scale = 0.25 : f64, softcap = 2.0 : f64} : (tensor<1x2x33x32xbf16>, tensor<1x1x65x32xbf16>, tensor<1x1x65x32xbf16>, tensor<1x2x33x65xbf16>, tensor<2xf32>) -> tensor<1x2x33x32xbf16>
    graph.yield %1 : tensor<1x2x33x32xbf16>
  }
  return %k : tensor<1x2x33x32xbf16>
}

// Many queries of warpgroups.
// CHECK-LABEL: func.func @bf16_causal
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 33280 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 8 tasks, 33280 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 12 tasks, 33280 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232>: 8 tasks, 33280 elements equal
func.func @bf16_causal(%a0: tensor<1x4x130x64xbf16>, %b0: tensor<1x2x150x64xbf16>, %c0: tensor<1x2x150x64xbf16>, %s0: tensor<4xf32>) -> tensor<1x4x130x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<1x4x130x64xbf16>, tensor<1x2x150x64xbf16>, tensor<1x2x150x64xbf16>, tensor<4xf32>) -> tensor<1x4x130x64xbf16> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64, causal} : (tensor<1x4x130x64xbf16>, tensor<1x2x150x64xbf16>, tensor<1x2x150x64xbf16>, tensor<4xf32>) -> tensor<1x4x130x64xbf16>
    graph.yield %1 : tensor<1x4x130x64xbf16>
  }
  return %k : tensor<1x4x130x64xbf16>
}

// No sinks and no keys on tensor cores.
// CHECK-LABEL: func.func @bf16_none
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 3264 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 3264 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 6 tasks, 3264 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 6 tasks, 3264 elements equal
func.func @bf16_none(%a0: tensor<3x2x17x32xbf16>, %b0: tensor<3x1x40x32xbf16>, %c0: tensor<3x1x40x32xbf16>, %l0: tensor<3xi64>) -> tensor<3x2x17x32xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<3x2x17x32xbf16>, tensor<3x1x40x32xbf16>, tensor<3x1x40x32xbf16>, tensor<3xi64>) -> tensor<3x2x17x32xbf16> {
    %s0 = graph.constant dense<0xFF800000> : tensor<1xf32>
    %s1 = graph.constant dense<0.0> : tensor<1xf32>
    %s = graph.concat %s0, %s1 axis 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.25 : f64, causal, from_length} : (tensor<3x2x17x32xbf16>, tensor<3x1x40x32xbf16>, tensor<3x1x40x32xbf16>, tensor<3xi64>, tensor<2xf32>) -> tensor<3x2x17x32xbf16>
    graph.yield %1 : tensor<3x2x17x32xbf16>
  }
  return %k : tensor<3x2x17x32xbf16>
}

// Sinks narrower than the sums.
// CHECK-LABEL: func.func @f64
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 8, mc = 128>: 2 tasks, 80 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 16, mc = 128>: 2 tasks, 80 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 80 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 80 elements equal
func.func @f64(%a0: tensor<1x2x5x8xf64>, %b0: tensor<1x1x9x8xf64>, %c0: tensor<1x1x9x8xf64>, %s0: tensor<2xf32>) -> tensor<1x2x5x8xf64> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<1x2x5x8xf64>, tensor<1x1x9x8xf64>, tensor<1x1x9x8xf64>, tensor<2xf32>) -> tensor<1x2x5x8xf64> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64} : (tensor<1x2x5x8xf64>, tensor<1x1x9x8xf64>, tensor<1x1x9x8xf64>, tensor<2xf32>) -> tensor<1x2x5x8xf64>
    graph.yield %1 : tensor<1x2x5x8xf64>
  }
  return %k : tensor<1x2x5x8xf64>
}

// With a window, on tensor cores.
// CHECK-LABEL: func.func @window
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 5120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 8 tasks, 5120 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 8 tasks, 5120 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 8 tasks, 5120 elements equal
func.func @window(%a0: tensor<2x4x20x32xbf16>, %b0: tensor<2x2x70x32xbf16>, %c0: tensor<2x2x70x32xbf16>, %l0: tensor<2xi64>, %s0: tensor<4xf32>) -> tensor<2x4x20x32xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0, %s = %s0) : (tensor<2x4x20x32xbf16>, tensor<2x2x70x32xbf16>, tensor<2x2x70x32xbf16>, tensor<2xi64>, tensor<4xf32>) -> tensor<2x4x20x32xbf16> {
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {causal, from_length, scale = 0.25 : f64, window = 7 : i64} : (tensor<2x4x20x32xbf16>, tensor<2x2x70x32xbf16>, tensor<2x2x70x32xbf16>, tensor<2xi64>, tensor<4xf32>) -> tensor<2x4x20x32xbf16>
    graph.yield %1 : tensor<2x4x20x32xbf16>
  }
  return %k : tensor<2x4x20x32xbf16>
}
