// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Attention: lengths, head sizes, types, masks.

// Odd lengths.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 80 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 80 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 80 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 80 elements equal
func.func @plain(%a0: tensor<1x2x5x8xf32>, %b0: tensor<1x2x7x8xf32>, %c0: tensor<1x2x7x8xf32>) -> tensor<1x2x5x8xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x5x8xf32>, tensor<1x2x7x8xf32>, tensor<1x2x7x8xf32>) -> tensor<1x2x5x8xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x2x5x8xf32>, tensor<1x2x7x8xf32>, tensor<1x2x7x8xf32>) -> tensor<1x2x5x8xf32>
    graph.yield %1 : tensor<1x2x5x8xf32>
  }
  return %k : tensor<1x2x5x8xf32>
}

// One query: a decoder's step.
// CHECK-LABEL: func.func @one_query
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 64 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 64 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 64 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 64 elements equal
func.func @one_query(%a0: tensor<2x2x1x16xf32>, %b0: tensor<2x2x33x16xf32>, %c0: tensor<2x2x33x16xf32>) -> tensor<2x2x1x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x2x1x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>) -> tensor<2x2x1x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<2x2x1x16xf32>, tensor<2x2x33x16xf32>, tensor<2x2x33x16xf32>) -> tensor<2x2x1x16xf32>
    graph.yield %1 : tensor<2x2x1x16xf32>
  }
  return %k : tensor<2x2x1x16xf32>
}

// More queries and keys than a tile has.
// CHECK-LABEL: func.func @tiles
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 1 tasks, 2240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 1 tasks, 2240 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 2240 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 2240 elements equal
func.func @tiles(%a0: tensor<1x1x70x32xf32>, %b0: tensor<1x1x130x32xf32>, %c0: tensor<1x1x130x32xf32>) -> tensor<1x1x70x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x1x70x32xf32>, tensor<1x1x130x32xf32>, tensor<1x1x130x32xf32>) -> tensor<1x1x70x32xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x1x70x32xf32>, tensor<1x1x130x32xf32>, tensor<1x1x130x32xf32>) -> tensor<1x1x70x32xf32>
    graph.yield %1 : tensor<1x1x70x32xf32>
  }
  return %k : tensor<1x1x70x32xf32>
}

// f16: scores in f32.
// CHECK-LABEL: func.func @f16
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 2560 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 2560 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 2560 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64>: 2 tasks, 2560 elements equal
func.func @f16(%a0: tensor<1x2x20x64xf16>, %b0: tensor<1x2x40x64xf16>, %c0: tensor<1x2x40x64xf16>) -> tensor<1x2x20x64xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x20x64xf16>, tensor<1x2x40x64xf16>, tensor<1x2x40x64xf16>) -> tensor<1x2x20x64xf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x2x20x64xf16>, tensor<1x2x40x64xf16>, tensor<1x2x40x64xf16>) -> tensor<1x2x20x64xf16>
    graph.yield %1 : tensor<1x2x20x64xf16>
  }
  return %k : tensor<1x2x20x64xf16>
}

// bf16, enough rows for warpgroups.
// CHECK-LABEL: func.func @bf16_long
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 1 tasks, 4480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 1 tasks, 4480 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 2 tasks, 4480 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232>: 1 tasks, 4480 elements equal
func.func @bf16_long(%a0: tensor<1x1x70x64xbf16>, %b0: tensor<1x1x96x64xbf16>, %c0: tensor<1x1x96x64xbf16>) -> tensor<1x1x70x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x1x70x64xbf16>, tensor<1x1x96x64xbf16>, tensor<1x1x96x64xbf16>) -> tensor<1x1x70x64xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x1x70x64xbf16>, tensor<1x1x96x64xbf16>, tensor<1x1x96x64xbf16>) -> tensor<1x1x70x64xbf16>
    graph.yield %1 : tensor<1x1x70x64xbf16>
  }
  return %k : tensor<1x1x70x64xbf16>
}

// Values of another head size.
// CHECK-LABEL: func.func @other_head_size
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 432 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 432 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 432 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 432 elements equal
func.func @other_head_size(%a0: tensor<1x2x9x16xf32>, %b0: tensor<1x2x12x16xf32>, %c0: tensor<1x2x12x24xf32>) -> tensor<1x2x9x24xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x24xf32>) -> tensor<1x2x9x24xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x24xf32>) -> tensor<1x2x9x24xf32>
    graph.yield %1 : tensor<1x2x9x24xf32>
  }
  return %k : tensor<1x2x9x24xf32>
}

// A head size that is no whole vector.
// CHECK-LABEL: func.func @odd_head_size
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 360 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 360 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 360 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 360 elements equal
func.func @odd_head_size(%a0: tensor<1x2x9x20xf32>, %b0: tensor<1x2x12x20xf32>, %c0: tensor<1x2x12x20xf32>) -> tensor<1x2x9x20xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x9x20xf32>, tensor<1x2x12x20xf32>, tensor<1x2x12x20xf32>) -> tensor<1x2x9x20xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x2x9x20xf32>, tensor<1x2x12x20xf32>, tensor<1x2x12x20xf32>) -> tensor<1x2x9x20xf32>
    graph.yield %1 : tensor<1x2x9x20xf32>
  }
  return %k : tensor<1x2x9x20xf32>
}

// Four query heads read one key head.
// CHECK-LABEL: func.func @grouped
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 1152 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 8 tasks, 1152 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 8 tasks, 1152 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 8 tasks, 1152 elements equal
func.func @grouped(%a0: tensor<1x8x9x16xf32>, %b0: tensor<1x2x12x16xf32>, %c0: tensor<1x2x12x16xf32>) -> tensor<1x8x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x8x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x8x9x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x8x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x8x9x16xf32>
    graph.yield %1 : tensor<1x8x9x16xf32>
  }
  return %k : tensor<1x8x9x16xf32>
}

// Query i sees keys up to i.
// CHECK-LABEL: func.func @causal
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 1184 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 1184 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1184 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1184 elements equal
func.func @causal(%a0: tensor<1x2x37x16xf32>, %b0: tensor<1x2x37x16xf32>, %c0: tensor<1x2x37x16xf32>) -> tensor<1x2x37x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x37x16xf32>, tensor<1x2x37x16xf32>, tensor<1x2x37x16xf32>) -> tensor<1x2x37x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal} : (tensor<1x2x37x16xf32>, tensor<1x2x37x16xf32>, tensor<1x2x37x16xf32>) -> tensor<1x2x37x16xf32>
    graph.yield %1 : tensor<1x2x37x16xf32>
  }
  return %k : tensor<1x2x37x16xf32>
}

// With 20 keys in front of the first query.
// CHECK-LABEL: func.func @causal_past
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 320 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 320 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 320 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 320 elements equal
func.func @causal_past(%a0: tensor<1x2x10x16xf32>, %b0: tensor<1x2x30x16xf32>, %c0: tensor<1x2x30x16xf32>) -> tensor<1x2x10x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x10x16xf32>, tensor<1x2x30x16xf32>, tensor<1x2x30x16xf32>) -> tensor<1x2x10x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal} : (tensor<1x2x10x16xf32>, tensor<1x2x30x16xf32>, tensor<1x2x30x16xf32>) -> tensor<1x2x10x16xf32>
    graph.yield %1 : tensor<1x2x10x16xf32>
  }
  return %k : tensor<1x2x10x16xf32>
}

// A mask per key, for all heads and queries.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 576 elements equal
func.func @mask(%a0: tensor<2x2x9x16xf32>, %b0: tensor<2x2x12x16xf32>, %c0: tensor<2x2x12x16xf32>, %d0: tensor<2x1x1x12xf32>) -> tensor<2x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<2x2x9x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x16xf32>, tensor<2x1x1x12xf32>) -> tensor<2x2x9x16xf32> {
    %1 = graph.attention %a, %b, %c mask %d {scale = 0.25 : f64} : (tensor<2x2x9x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x16xf32>, tensor<2x1x1x12xf32>) -> tensor<2x2x9x16xf32>
    graph.yield %1 : tensor<2x2x9x16xf32>
  }
  return %k : tensor<2x2x9x16xf32>
}

// A bias per score.
// CHECK-LABEL: func.func @bias
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
func.func @bias(%a0: tensor<1x2x9x16xf32>, %b0: tensor<1x2x12x16xf32>, %c0: tensor<1x2x12x16xf32>, %d0: tensor<2x9x12xf32>) -> tensor<1x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>, tensor<2x9x12xf32>) -> tensor<1x2x9x16xf32> {
    %1 = graph.attention %a, %b, %c mask %d {scale = 0.25 : f64} : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>, tensor<2x9x12xf32>) -> tensor<1x2x9x16xf32>
    graph.yield %1 : tensor<1x2x9x16xf32>
  }
  return %k : tensor<1x2x9x16xf32>
}

// c tanh(s / c).
// CHECK-LABEL: func.func @softcap
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
func.func @softcap(%a0: tensor<1x2x9x16xf32>, %b0: tensor<1x2x12x16xf32>, %c0: tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, softcap = 5.0 : f64} : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32>
    graph.yield %1 : tensor<1x2x9x16xf32>
  }
  return %k : tensor<1x2x9x16xf32>
}
