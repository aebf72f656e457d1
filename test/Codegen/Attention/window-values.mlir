// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition" -o /dev/null | FileCheck %s --check-prefix=PARTITION
// Attention with a window: a query sees the last keys that causal lets it see.
// NOTE: checks by tools/update-lit-checks

// A window of a key: every query sees its own.
// CHECK-LABEL: func.func @one_key
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 592 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 592 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 592 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 592 elements equal
// PARTITION-LABEL: func.func @one_key
// PARTITION-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 592 elements equal
func.func @one_key(%a0: tensor<1x2x37x8xf32>, %b0: tensor<1x2x37x8xf32>, %c0: tensor<1x2x37x8xf32>) -> tensor<1x2x37x8xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x37x8xf32>, tensor<1x2x37x8xf32>, tensor<1x2x37x8xf32>) -> tensor<1x2x37x8xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, window = 1 : i64} : (tensor<1x2x37x8xf32>, tensor<1x2x37x8xf32>, tensor<1x2x37x8xf32>) -> tensor<1x2x37x8xf32>
    graph.yield %1 : tensor<1x2x37x8xf32>
  }
  return %k : tensor<1x2x37x8xf32>
}

// Shorter than a tile of keys.
// CHECK-LABEL: func.func @short
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 2240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 2240 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2240 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2240 elements equal
// PARTITION-LABEL: func.func @short
// PARTITION-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2240 elements equal
func.func @short(%a0: tensor<1x2x70x16xf32>, %b0: tensor<1x2x70x16xf32>, %c0: tensor<1x2x70x16xf32>) -> tensor<1x2x70x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x70x16xf32>, tensor<1x2x70x16xf32>, tensor<1x2x70x16xf32>) -> tensor<1x2x70x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, window = 5 : i64} : (tensor<1x2x70x16xf32>, tensor<1x2x70x16xf32>, tensor<1x2x70x16xf32>) -> tensor<1x2x70x16xf32>
    graph.yield %1 : tensor<1x2x70x16xf32>
  }
  return %k : tensor<1x2x70x16xf32>
}

// A tile of keys, and queries behind more keys.
// CHECK-LABEL: func.func @tile
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 2560 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 2560 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 2560 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 2560 elements equal
// PARTITION-LABEL: func.func @tile
// PARTITION-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 2560 elements equal
func.func @tile(%a0: tensor<1x2x40x32xf32>, %b0: tensor<1x2x130x32xf32>, %c0: tensor<1x2x130x32xf32>) -> tensor<1x2x40x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x40x32xf32>, tensor<1x2x130x32xf32>, tensor<1x2x130x32xf32>) -> tensor<1x2x40x32xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, window = 32 : i64} : (tensor<1x2x40x32xf32>, tensor<1x2x130x32xf32>, tensor<1x2x130x32xf32>) -> tensor<1x2x40x32xf32>
    graph.yield %1 : tensor<1x2x40x32xf32>
  }
  return %k : tensor<1x2x40x32xf32>
}

// Between tiles; queries in front of the first key see none.
// CHECK-LABEL: func.func @odd
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 2800 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 2800 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2800 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2800 elements equal
// PARTITION-LABEL: func.func @odd
// PARTITION-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2800 elements equal
func.func @odd(%a0: tensor<1x2x70x20xf32>, %b0: tensor<1x2x50x20xf32>, %c0: tensor<1x2x50x20xf32>) -> tensor<1x2x70x20xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x70x20xf32>, tensor<1x2x50x20xf32>, tensor<1x2x50x20xf32>) -> tensor<1x2x70x20xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, masked_zero, window = 45 : i64} : (tensor<1x2x70x20xf32>, tensor<1x2x50x20xf32>, tensor<1x2x50x20xf32>) -> tensor<1x2x70x20xf32>
    graph.yield %1 : tensor<1x2x70x20xf32>
  }
  return %k : tensor<1x2x70x20xf32>
}

// Longer than the keys: causal alone.
// CHECK-LABEL: func.func @longer
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 1056 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 1056 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1056 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1056 elements equal
// PARTITION-LABEL: func.func @longer
// PARTITION-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1056 elements equal
func.func @longer(%a0: tensor<1x2x33x16xf32>, %b0: tensor<1x2x50x16xf32>, %c0: tensor<1x2x50x16xf32>) -> tensor<1x2x33x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x33x16xf32>, tensor<1x2x50x16xf32>, tensor<1x2x50x16xf32>) -> tensor<1x2x33x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, window = 4096 : i64} : (tensor<1x2x33x16xf32>, tensor<1x2x50x16xf32>, tensor<1x2x50x16xf32>) -> tensor<1x2x33x16xf32>
    graph.yield %1 : tensor<1x2x33x16xf32>
  }
  return %k : tensor<1x2x33x16xf32>
}

// A decoder's step.
// CHECK-LABEL: func.func @one_query
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 64 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 64 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 64 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 64 elements equal
// PARTITION-LABEL: func.func @one_query
// PARTITION-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 64 elements equal
func.func @one_query(%a0: tensor<1x4x1x16xf32>, %b0: tensor<1x1x75x16xf32>, %c0: tensor<1x1x75x16xf32>) -> tensor<1x4x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x1x16xf32>, tensor<1x1x75x16xf32>, tensor<1x1x75x16xf32>) -> tensor<1x4x1x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, window = 20 : i64} : (tensor<1x4x1x16xf32>, tensor<1x1x75x16xf32>, tensor<1x1x75x16xf32>) -> tensor<1x4x1x16xf32>
    graph.yield %1 : tensor<1x4x1x16xf32>
  }
  return %k : tensor<1x4x1x16xf32>
}

// With a mask.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 1120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 1120 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1120 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1120 elements equal
// PARTITION-LABEL: func.func @mask
// PARTITION-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1120 elements equal
func.func @mask(%a0: tensor<1x2x35x16xf32>, %b0: tensor<1x2x35x16xf32>, %c0: tensor<1x2x35x16xf32>, %d0: tensor<1x1x35x35xf32>) -> tensor<1x2x35x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<1x2x35x16xf32>, tensor<1x2x35x16xf32>, tensor<1x2x35x16xf32>, tensor<1x1x35x35xf32>) -> tensor<1x2x35x16xf32> {
    %1 = graph.attention %a, %b, %c mask %d {scale = 0.25 : f64, causal, window = 9 : i64} : (tensor<1x2x35x16xf32>, tensor<1x2x35x16xf32>, tensor<1x2x35x16xf32>, tensor<1x1x35x35xf32>) -> tensor<1x2x35x16xf32>
    graph.yield %1 : tensor<1x2x35x16xf32>
  }
  return %k : tensor<1x2x35x16xf32>
}

// Lengths per sequence: what lies behind them counts for nothing.
// CHECK-LABEL: func.func @lengths
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 864 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 864 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 864 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 864 elements equal
// PARTITION-LABEL: func.func @lengths
// PARTITION-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 864 elements equal
func.func @lengths(%a0: tensor<3x2x9x16xf32>, %b0: tensor<3x2x60x16xf32>, %c0: tensor<3x2x60x16xf32>, %d0: tensor<3xi64>) -> tensor<3x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<3x2x9x16xf32>, tensor<3x2x60x16xf32>, tensor<3x2x60x16xf32>, tensor<3xi64>) -> tensor<3x2x9x16xf32> {
    %1 = graph.attention %a, %b, %c lengths %d {scale = 0.25 : f64, causal, from_length, masked_zero, window = 7 : i64} : (tensor<3x2x9x16xf32>, tensor<3x2x60x16xf32>, tensor<3x2x60x16xf32>, tensor<3xi64>) -> tensor<3x2x9x16xf32>
    graph.yield %1 : tensor<3x2x9x16xf32>
  }
  return %k : tensor<3x2x9x16xf32>
}

// On tensor cores.
// CHECK-LABEL: func.func @f16
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 4480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 4480 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 4 tasks, 4480 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232>: 2 tasks, 4480 elements equal
// PARTITION-LABEL: func.func @f16
// PARTITION-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 2 tasks, 4480 elements equal
func.func @f16(%a0: tensor<1x2x70x32xf16>, %b0: tensor<1x2x100x32xf16>, %c0: tensor<1x2x100x32xf16>) -> tensor<1x2x70x32xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x70x32xf16>, tensor<1x2x100x32xf16>, tensor<1x2x100x32xf16>) -> tensor<1x2x70x32xf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, window = 17 : i64} : (tensor<1x2x70x32xf16>, tensor<1x2x100x32xf16>, tensor<1x2x100x32xf16>) -> tensor<1x2x70x32xf16>
    graph.yield %1 : tensor<1x2x70x32xf16>
  }
  return %k : tensor<1x2x70x32xf16>
}

// On tensor cores, a mask and lengths.
// CHECK-LABEL: func.func @bf16_mask
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 5120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 5120 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 4 tasks, 5120 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 4 tasks, 5120 elements equal
// PARTITION-LABEL: func.func @bf16_mask
// PARTITION-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 4 tasks, 5120 elements equal
func.func @bf16_mask(%a0: tensor<2x2x20x64xbf16>, %b0: tensor<2x2x90x64xbf16>, %c0: tensor<2x2x90x64xbf16>, %d0: tensor<2x1x1x90xbf16>, %e0: tensor<2xi64>) -> tensor<2x2x20x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0, %e = %e0) : (tensor<2x2x20x64xbf16>, tensor<2x2x90x64xbf16>, tensor<2x2x90x64xbf16>, tensor<2x1x1x90xbf16>, tensor<2xi64>) -> tensor<2x2x20x64xbf16> {
    %1 = graph.attention %a, %b, %c mask %d lengths %e {scale = 0.25 : f64, causal, from_length, masked_zero, window = 33 : i64} : (tensor<2x2x20x64xbf16>, tensor<2x2x90x64xbf16>, tensor<2x2x90x64xbf16>, tensor<2x1x1x90xbf16>, tensor<2xi64>) -> tensor<2x2x20x64xbf16>
    graph.yield %1 : tensor<2x2x20x64xbf16>
  }
  return %k : tensor<2x2x20x64xbf16>
}

// Warpgroups.
// CHECK-LABEL: func.func @bf16_long
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 25600 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 25600 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 8 tasks, 25600 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232>: 4 tasks, 25600 elements equal
// PARTITION-LABEL: func.func @bf16_long
// PARTITION-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 4 tasks, 25600 elements equal
func.func @bf16_long(%a0: tensor<1x2x200x64xbf16>, %b0: tensor<1x2x200x64xbf16>, %c0: tensor<1x2x200x64xbf16>) -> tensor<1x2x200x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>) -> tensor<1x2x200x64xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, window = 40 : i64} : (tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>) -> tensor<1x2x200x64xbf16>
    graph.yield %1 : tensor<1x2x200x64xbf16>
  }
  return %k : tensor<1x2x200x64xbf16>
}

// Warpgroups, lengths per sequence.
// CHECK-LABEL: func.func @bf16_lengths
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 20480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 20480 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 8 tasks, 20480 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232>: 4 tasks, 20480 elements equal
// PARTITION-LABEL: func.func @bf16_lengths
// PARTITION-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 4 tasks, 20480 elements equal
func.func @bf16_lengths(%a0: tensor<2x2x80x64xbf16>, %b0: tensor<2x2x150x64xbf16>, %c0: tensor<2x2x150x64xbf16>, %d0: tensor<2xi64>) -> tensor<2x2x80x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<2x2x80x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2xi64>) -> tensor<2x2x80x64xbf16> {
    %1 = graph.attention %a, %b, %c lengths %d {scale = 0.25 : f64, causal, from_length, masked_zero, window = 130 : i64} : (tensor<2x2x80x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2xi64>) -> tensor<2x2x80x64xbf16>
    graph.yield %1 : tensor<2x2x80x64xbf16>
  }
  return %k : tensor<2x2x80x64xbf16>
}
