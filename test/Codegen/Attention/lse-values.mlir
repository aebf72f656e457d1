// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Attention and the log-sum-exp of its scores: two results of one pass over the keys.
// NOTE: checks by tools/update-lit-checks

// Groups of two query heads, odd sizes.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 1152 elements equal
// CHECK-NEXT: 72 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 8 tasks, 1152 elements equal
// CHECK-NEXT: 72 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 8 tasks, 1152 elements equal
// CHECK-NEXT: 72 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 8 tasks, 1152 elements equal
// CHECK-NEXT: 72 elements equal
func.func @plain(%a0: tensor<2x4x9x16xf32>, %b0: tensor<2x2x37x16xf32>, %c0: tensor<2x2x37x16xf32>) -> (tensor<2x4x9x16xf32>, tensor<2x4x9xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x4x9x16xf32>, tensor<2x2x37x16xf32>, tensor<2x2x37x16xf32>) -> (tensor<2x4x9x16xf32>, tensor<2x4x9xf32>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<2x4x9x16xf32>, tensor<2x2x37x16xf32>, tensor<2x2x37x16xf32>) -> tensor<2x4x9x16xf32>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64} : (tensor<2x4x9x16xf32>, tensor<2x2x37x16xf32>) -> tensor<2x4x9xf32>
    graph.yield %1, %2 : tensor<2x4x9x16xf32>, tensor<2x4x9xf32>
  }
  return %k#0, %k#1 : tensor<2x4x9x16xf32>, tensor<2x4x9xf32>
}

// The log-sum-exp may be the first result.
// CHECK-LABEL: func.func @first
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 6 elements equal
// CHECK-NEXT: 48 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 6 elements equal
// CHECK-NEXT: 48 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 6 elements equal
// CHECK-NEXT: 48 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 6 elements equal
// CHECK-NEXT: 48 elements equal
func.func @first(%a0: tensor<1x2x3x8xf32>, %b0: tensor<1x1x5x8xf32>, %c0: tensor<1x1x5x8xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3x8xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x3x8xf32>, tensor<1x1x5x8xf32>, tensor<1x1x5x8xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3x8xf32>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x2x3x8xf32>, tensor<1x1x5x8xf32>, tensor<1x1x5x8xf32>) -> tensor<1x2x3x8xf32>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64} : (tensor<1x2x3x8xf32>, tensor<1x1x5x8xf32>) -> tensor<1x2x3xf32>
    graph.yield %2, %1 : tensor<1x2x3xf32>, tensor<1x2x3x8xf32>
  }
  return %k#0, %k#1 : tensor<1x2x3xf32>, tensor<1x2x3x8xf32>
}

// The first queries see no key: minus infinity.
// CHECK-LABEL: func.func @no_keys
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 176 elements equal
// CHECK-NEXT: 22 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 176 elements equal
// CHECK-NEXT: 22 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 176 elements equal
// CHECK-NEXT: 22 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 176 elements equal
// CHECK-NEXT: 22 elements equal
func.func @no_keys(%a0: tensor<1x2x11x8xf32>, %b0: tensor<1x2x5x8xf32>, %c0: tensor<1x2x5x8xf32>) -> (tensor<1x2x11x8xf32>, tensor<1x2x11xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x11x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) -> (tensor<1x2x11x8xf32>, tensor<1x2x11xf32>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, masked_zero} : (tensor<1x2x11x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) -> tensor<1x2x11x8xf32>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64, causal} : (tensor<1x2x11x8xf32>, tensor<1x2x5x8xf32>) -> tensor<1x2x11xf32>
    graph.yield %1, %2 : tensor<1x2x11x8xf32>, tensor<1x2x11xf32>
  }
  return %k#0, %k#1 : tensor<1x2x11x8xf32>, tensor<1x2x11xf32>
}

// Doubles.
// CHECK-LABEL: func.func @f64
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 8, mc = 128>: 2 tasks, 48 elements equal
// CHECK-NEXT: 6 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 16, mc = 128>: 2 tasks, 48 elements equal
// CHECK-NEXT: 6 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 48 elements equal
// CHECK-NEXT: 6 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 48 elements equal
// CHECK-NEXT: 6 elements equal
func.func @f64(%a0: tensor<1x2x3x8xf64>, %b0: tensor<1x1x19x8xf64>, %c0: tensor<1x1x19x8xf64>) -> (tensor<1x2x3x8xf64>, tensor<1x2x3xf64>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x3x8xf64>, tensor<1x1x19x8xf64>, tensor<1x1x19x8xf64>) -> (tensor<1x2x3x8xf64>, tensor<1x2x3xf64>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal} : (tensor<1x2x3x8xf64>, tensor<1x1x19x8xf64>, tensor<1x1x19x8xf64>) -> tensor<1x2x3x8xf64>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64, causal} : (tensor<1x2x3x8xf64>, tensor<1x1x19x8xf64>) -> tensor<1x2x3xf64>
    graph.yield %1, %2 : tensor<1x2x3x8xf64>, tensor<1x2x3xf64>
  }
  return %k#0, %k#1 : tensor<1x2x3x8xf64>, tensor<1x2x3xf64>
}

// One query, whose heads are the rows.
// CHECK-LABEL: func.func @one_query
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 16 tasks, 384 elements equal
// CHECK-NEXT: 16 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 16 tasks, 384 elements equal
// CHECK-NEXT: 16 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 384 elements equal
// CHECK-NEXT: 16 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 384 elements equal
// CHECK-NEXT: 16 elements equal
func.func @one_query(%a0: tensor<2x8x1x24xf32>, %b0: tensor<2x2x75x24xf32>, %c0: tensor<2x2x75x24xf32>, %l0: tensor<2xi64>) -> (tensor<2x8x1x24xf32>, tensor<2x8x1xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x8x1x24xf32>, tensor<2x2x75x24xf32>, tensor<2x2x75x24xf32>, tensor<2xi64>) -> (tensor<2x8x1x24xf32>, tensor<2x8x1xf32>) {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<2x8x1x24xf32>, tensor<2x2x75x24xf32>, tensor<2x2x75x24xf32>, tensor<2xi64>) -> tensor<2x8x1x24xf32>
    %2 = graph.attention_lse %a, %b lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<2x8x1x24xf32>, tensor<2x2x75x24xf32>, tensor<2xi64>) -> tensor<2x8x1xf32>
    graph.yield %1, %2 : tensor<2x8x1x24xf32>, tensor<2x8x1xf32>
  }
  return %k#0, %k#1 : tensor<2x8x1x24xf32>, tensor<2x8x1xf32>
}

// One head of one query.
// CHECK-LABEL: func.func @one_head
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 3 tasks, 24 elements equal
// CHECK-NEXT: 3 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 3 tasks, 24 elements equal
// CHECK-NEXT: 3 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 3 tasks, 24 elements equal
// CHECK-NEXT: 3 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 3 tasks, 24 elements equal
// CHECK-NEXT: 3 elements equal
func.func @one_head(%a0: tensor<3x1x1x8xf32>, %b0: tensor<3x1x7x8xf32>, %c0: tensor<3x1x7x8xf32>) -> (tensor<3x1x1x8xf32>, tensor<3x1x1xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<3x1x1x8xf32>, tensor<3x1x7x8xf32>, tensor<3x1x7x8xf32>) -> (tensor<3x1x1x8xf32>, tensor<3x1x1xf32>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<3x1x1x8xf32>, tensor<3x1x7x8xf32>, tensor<3x1x7x8xf32>) -> tensor<3x1x1x8xf32>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64} : (tensor<3x1x1x8xf32>, tensor<3x1x7x8xf32>) -> tensor<3x1x1xf32>
    graph.yield %1, %2 : tensor<3x1x1x8xf32>, tensor<3x1x1xf32>
  }
  return %k#0, %k#1 : tensor<3x1x1x8xf32>, tensor<3x1x1xf32>
}

// Lengths of 32 bits.
// CHECK-LABEL: func.func @lengths
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 12 tasks, 1248 elements equal
// CHECK-NEXT: 156 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 12 tasks, 1248 elements equal
// CHECK-NEXT: 156 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 12 tasks, 1248 elements equal
// CHECK-NEXT: 156 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 12 tasks, 1248 elements equal
// CHECK-NEXT: 156 elements equal
func.func @lengths(%a0: tensor<3x4x13x8xf32>, %b0: tensor<3x2x50x8xf32>, %c0: tensor<3x2x50x8xf32>, %l0: tensor<3xi32>) -> (tensor<3x4x13x8xf32>, tensor<3x4x13xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<3x4x13x8xf32>, tensor<3x2x50x8xf32>, tensor<3x2x50x8xf32>, tensor<3xi32>) -> (tensor<3x4x13x8xf32>, tensor<3x4x13xf32>) {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<3x4x13x8xf32>, tensor<3x2x50x8xf32>, tensor<3x2x50x8xf32>, tensor<3xi32>) -> tensor<3x4x13x8xf32>
    %2 = graph.attention_lse %a, %b lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<3x4x13x8xf32>, tensor<3x2x50x8xf32>, tensor<3xi32>) -> tensor<3x4x13xf32>
    graph.yield %1, %2 : tensor<3x4x13x8xf32>, tensor<3x4x13xf32>
  }
  return %k#0, %k#1 : tensor<3x4x13x8xf32>, tensor<3x4x13xf32>
}

// A window and a cap of scores.
// CHECK-LABEL: func.func @window
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 2560 elements equal
// CHECK-NEXT: 160 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 2560 elements equal
// CHECK-NEXT: 160 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2560 elements equal
// CHECK-NEXT: 160 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2560 elements equal
// CHECK-NEXT: 160 elements equal
func.func @window(%a0: tensor<1x4x40x16xf32>, %b0: tensor<1x1x70x16xf32>, %c0: tensor<1x1x70x16xf32>) -> (tensor<1x4x40x16xf32>, tensor<1x4x40xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x40x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> (tensor<1x4x40x16xf32>, tensor<1x4x40xf32>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, window = 5 : i64, softcap = 3.0 : f64} : (tensor<1x4x40x16xf32>, tensor<1x1x70x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x4x40x16xf32>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64, causal, window = 5 : i64, softcap = 3.0 : f64} : (tensor<1x4x40x16xf32>, tensor<1x1x70x16xf32>) -> tensor<1x4x40xf32>
    graph.yield %1, %2 : tensor<1x4x40x16xf32>, tensor<1x4x40xf32>
  }
  return %k#0, %k#1 : tensor<1x4x40x16xf32>, tensor<1x4x40xf32>
}

// Keys and values as codes.
// CHECK-LABEL: func.func @codes
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: 36 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: 36 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: 36 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: 36 elements equal
func.func @codes(%a0: tensor<1x4x9x16xf32>, %b0: tensor<1x2x37x16xi8>, %c0: tensor<1x2x37x16xi8>, %s0: tensor<1x2x37xf32>, %t0: tensor<1x2x37xf32>) -> (tensor<1x4x9x16xf32>, tensor<1x4x9xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x4x9x16xf32>, tensor<1x2x37x16xi8>, tensor<1x2x37x16xi8>, tensor<1x2x37xf32>, tensor<1x2x37xf32>) -> (tensor<1x4x9x16xf32>, tensor<1x4x9xf32>) {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64, causal} : (tensor<1x4x9x16xf32>, tensor<1x2x37x16xi8>, tensor<1x2x37x16xi8>, tensor<1x2x37xf32>, tensor<1x2x37xf32>) -> tensor<1x4x9x16xf32>
    %2 = graph.attention_lse %a, %b scales %s {scale = 0.25 : f64, causal} : (tensor<1x4x9x16xf32>, tensor<1x2x37x16xi8>, tensor<1x2x37xf32>) -> tensor<1x4x9xf32>
    graph.yield %1, %2 : tensor<1x4x9x16xf32>, tensor<1x4x9xf32>
  }
  return %k#0, %k#1 : tensor<1x4x9x16xf32>, tensor<1x4x9xf32>
}

// The same, one query.
// CHECK-LABEL: func.func @codes_step
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 16 tasks, 1024 elements equal
// CHECK-NEXT: 16 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 16 tasks, 1024 elements equal
// CHECK-NEXT: 16 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 1024 elements equal
// CHECK-NEXT: 16 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 1024 elements equal
// CHECK-NEXT: 16 elements equal
func.func @codes_step(%a0: tensor<2x8x1x64xf32>, %b0: tensor<2x2x75x64xf8E4M3FN>, %c0: tensor<2x2x75x64xf8E4M3FN>, %l0: tensor<2xi64>, %s0: tensor<2x2x75xf32>, %t0: tensor<2x2x75xf32>) -> (tensor<2x8x1x64xf32>, tensor<2x8x1xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0, %s = %s0, %t = %t0) : (tensor<2x8x1x64xf32>, tensor<2x2x75x64xf8E4M3FN>, tensor<2x2x75x64xf8E4M3FN>, tensor<2xi64>, tensor<2x2x75xf32>, tensor<2x2x75xf32>) -> (tensor<2x8x1x64xf32>, tensor<2x8x1xf32>) {
    %1 = graph.attention %a, %b, %c lengths %l scales %s, %t {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<2x8x1x64xf32>, tensor<2x2x75x64xf8E4M3FN>, tensor<2x2x75x64xf8E4M3FN>, tensor<2xi64>, tensor<2x2x75xf32>, tensor<2x2x75xf32>) -> tensor<2x8x1x64xf32>
    %2 = graph.attention_lse %a, %b lengths %l scales %s {scale = 0.25 : f64, causal, from_length} : (tensor<2x8x1x64xf32>, tensor<2x2x75x64xf8E4M3FN>, tensor<2xi64>, tensor<2x2x75xf32>) -> tensor<2x8x1xf32>
    graph.yield %1, %2 : tensor<2x8x1x64xf32>, tensor<2x8x1xf32>
  }
  return %k#0, %k#1 : tensor<2x8x1x64xf32>, tensor<2x8x1xf32>
}

// Products of 16 bits.
// CHECK-LABEL: func.func @bf16
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 4480 elements equal
// CHECK-NEXT: 140 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 4480 elements equal
// CHECK-NEXT: 140 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 4 tasks, 4480 elements equal
// CHECK-NEXT: 140 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0>: 4 tasks, 4480 elements equal
// CHECK-NEXT: 140 elements equal
func.func @bf16(%a0: tensor<1x4x35x32xbf16>, %b0: tensor<1x2x81x32xbf16>, %c0: tensor<1x2x81x32xbf16>, %l0: tensor<1xi64>) -> (tensor<1x4x35x32xbf16>, tensor<1x4x35xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<1x4x35x32xbf16>, tensor<1x2x81x32xbf16>, tensor<1x2x81x32xbf16>, tensor<1xi64>) -> (tensor<1x4x35x32xbf16>, tensor<1x4x35xf32>) {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<1x4x35x32xbf16>, tensor<1x2x81x32xbf16>, tensor<1x2x81x32xbf16>, tensor<1xi64>) -> tensor<1x4x35x32xbf16>
    %2 = graph.attention_lse %a, %b lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<1x4x35x32xbf16>, tensor<1x2x81x32xbf16>, tensor<1xi64>) -> tensor<1x4x35xf32>
    graph.yield %1, %2 : tensor<1x4x35x32xbf16>, tensor<1x4x35xf32>
  }
  return %k#0, %k#1 : tensor<1x4x35x32xbf16>, tensor<1x4x35xf32>
}

// Scores that are capped, or of a scale that turns their order.
// CHECK-LABEL: func.func @f16_capped
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 640 elements equal
// CHECK-NEXT: 40 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 640 elements equal
// CHECK-NEXT: 40 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 640 elements equal
// CHECK-NEXT: 40 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 640 elements equal
// CHECK-NEXT: 40 elements equal
func.func @f16_capped(%a0: tensor<1x2x20x16xf16>, %b0: tensor<1x1x33x16xf16>, %c0: tensor<1x1x33x16xf16>) -> (tensor<1x2x20x16xf16>, tensor<1x2x20xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x20x16xf16>, tensor<1x1x33x16xf16>, tensor<1x1x33x16xf16>) -> (tensor<1x2x20x16xf16>, tensor<1x2x20xf32>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, softcap = 2.0 : f64} : (tensor<1x2x20x16xf16>, tensor<1x1x33x16xf16>, tensor<1x1x33x16xf16>) -> tensor<1x2x20x16xf16>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64, causal, softcap = 2.0 : f64} : (tensor<1x2x20x16xf16>, tensor<1x1x33x16xf16>) -> tensor<1x2x20xf32>
    graph.yield %1, %2 : tensor<1x2x20x16xf16>, tensor<1x2x20xf32>
  }
  return %k#0, %k#1 : tensor<1x2x20x16xf16>, tensor<1x2x20xf32>
}

// CHECK-LABEL: func.func @turned
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 640 elements equal
// CHECK-NEXT: 40 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 640 elements equal
// CHECK-NEXT: 40 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 640 elements equal
// CHECK-NEXT: 40 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 640 elements equal
// CHECK-NEXT: 40 elements equal
func.func @turned(%a0: tensor<1x2x20x16xf16>, %b0: tensor<1x1x33x16xf16>, %c0: tensor<1x1x33x16xf16>) -> (tensor<1x2x20x16xf16>, tensor<1x2x20xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x20x16xf16>, tensor<1x1x33x16xf16>, tensor<1x1x33x16xf16>) -> (tensor<1x2x20x16xf16>, tensor<1x2x20xf32>) {
    %1 = graph.attention %a, %b, %c {scale = -0.5 : f64} : (tensor<1x2x20x16xf16>, tensor<1x1x33x16xf16>, tensor<1x1x33x16xf16>) -> tensor<1x2x20x16xf16>
    %2 = graph.attention_lse %a, %b {scale = -0.5 : f64} : (tensor<1x2x20x16xf16>, tensor<1x1x33x16xf16>) -> tensor<1x2x20xf32>
    graph.yield %1, %2 : tensor<1x2x20x16xf16>, tensor<1x2x20xf32>
  }
  return %k#0, %k#1 : tensor<1x2x20x16xf16>, tensor<1x2x20xf32>
}

// One query of 16 bits, whose heads are the rows of a tile.
// CHECK-LABEL: func.func @packed
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 16 tasks, 512 elements equal
// CHECK-NEXT: 16 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 16 tasks, 512 elements equal
// CHECK-NEXT: 16 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 4 tasks, 512 elements equal
// CHECK-NEXT: 16 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 4 tasks, 512 elements equal
// CHECK-NEXT: 16 elements equal
func.func @packed(%a0: tensor<2x8x1x32xbf16>, %b0: tensor<2x2x100x32xbf16>, %c0: tensor<2x2x100x32xbf16>, %l0: tensor<2xi64>) -> (tensor<2x8x1x32xbf16>, tensor<2x8x1xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x8x1x32xbf16>, tensor<2x2x100x32xbf16>, tensor<2x2x100x32xbf16>, tensor<2xi64>) -> (tensor<2x8x1x32xbf16>, tensor<2x8x1xf32>) {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<2x8x1x32xbf16>, tensor<2x2x100x32xbf16>, tensor<2x2x100x32xbf16>, tensor<2xi64>) -> tensor<2x8x1x32xbf16>
    %2 = graph.attention_lse %a, %b lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<2x8x1x32xbf16>, tensor<2x2x100x32xbf16>, tensor<2xi64>) -> tensor<2x8x1xf32>
    graph.yield %1, %2 : tensor<2x8x1x32xbf16>, tensor<2x8x1xf32>
  }
  return %k#0, %k#1 : tensor<2x8x1x32xbf16>, tensor<2x8x1xf32>
}

// Nobody asks for the other result.
// CHECK-LABEL: func.func @alone
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 12 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 12 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 12 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 12 elements equal
func.func @alone(%a0: tensor<1x2x6x8xf32>, %b0: tensor<1x2x21x8xf32>, %c0: tensor<1x2x21x8xf32>) -> (tensor<1x2x6xf32>) {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x6x8xf32>, tensor<1x2x21x8xf32>, tensor<1x2x21x8xf32>) -> tensor<1x2x6xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal} : (tensor<1x2x6x8xf32>, tensor<1x2x21x8xf32>, tensor<1x2x21x8xf32>) -> tensor<1x2x6x8xf32>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64, causal} : (tensor<1x2x6x8xf32>, tensor<1x2x21x8xf32>) -> tensor<1x2x6xf32>
    graph.yield %2 : tensor<1x2x6xf32>
  }
  return %k : tensor<1x2x6xf32>
}
