// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_89,sm_90a" -o /dev/null | FileCheck %s
// Keys and values that are codes of 8 bits with scales.
// NOTE: checks by tools/update-lit-checks

// Several queries: keys and values are packed as numbers.
// CHECK-LABEL: func.func @prompt
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: sm_89 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 576 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 576 elements equal
func.func @prompt(%a0: tensor<1x4x9x16xf32>, %b0: tensor<1x2x37x16xi8>, %c0: tensor<1x2x37x16xi8>, %s0: tensor<1x2x37xf32>, %t0: tensor<1x2x37xf32>) -> tensor<1x4x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x4x9x16xf32>, tensor<1x2x37x16xi8>, tensor<1x2x37x16xi8>, tensor<1x2x37xf32>, tensor<1x2x37xf32>) -> tensor<1x4x9x16xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {causal, scale = 0.25 : f64} : (tensor<1x4x9x16xf32>, tensor<1x2x37x16xi8>, tensor<1x2x37x16xi8>, tensor<1x2x37xf32>, tensor<1x2x37xf32>) -> tensor<1x4x9x16xf32>
    graph.yield %1 : tensor<1x4x9x16xf32>
  }
  return %k : tensor<1x4x9x16xf32>
}

// One query of a group of heads.
// CHECK-LABEL: func.func @step
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 16 tasks, 1024 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 16 tasks, 1024 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 1024 elements equal
// CHECK-NEXT: sm_89 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 1024 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 1024 elements equal
func.func @step(%a0: tensor<2x8x1x64xf32>, %b0: tensor<2x2x75x64xi8>, %c0: tensor<2x2x75x64xi8>, %s0: tensor<2x2x75xf32>, %t0: tensor<2x2x75xf32>) -> tensor<2x8x1x64xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<2x8x1x64xf32>, tensor<2x2x75x64xi8>, tensor<2x2x75x64xi8>, tensor<2x2x75xf32>, tensor<2x2x75xf32>) -> tensor<2x8x1x64xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64} : (tensor<2x8x1x64xf32>, tensor<2x2x75x64xi8>, tensor<2x2x75x64xi8>, tensor<2x2x75xf32>, tensor<2x2x75xf32>) -> tensor<2x8x1x64xf32>
    graph.yield %1 : tensor<2x8x1x64xf32>
  }
  return %k : tensor<2x8x1x64xf32>
}

// Heads of odd sizes, no group.
// CHECK-LABEL: func.func @odd
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 3 tasks, 66 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 3 tasks, 66 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 3 tasks, 66 elements equal
// CHECK-NEXT: sm_89 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 3 tasks, 66 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 3 tasks, 66 elements equal
func.func @odd(%a0: tensor<1x3x2x13xf32>, %b0: tensor<1x3x19x13xi8>, %c0: tensor<1x3x19x11xi8>, %s0: tensor<1x3x19xf32>, %t0: tensor<1x3x19xf32>) -> tensor<1x3x2x11xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x3x2x13xf32>, tensor<1x3x19x13xi8>, tensor<1x3x19x11xi8>, tensor<1x3x19xf32>, tensor<1x3x19xf32>) -> tensor<1x3x2x11xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64} : (tensor<1x3x2x13xf32>, tensor<1x3x19x13xi8>, tensor<1x3x19x11xi8>, tensor<1x3x19xf32>, tensor<1x3x19xf32>) -> tensor<1x3x2x11xf32>
    graph.yield %1 : tensor<1x3x2x11xf32>
  }
  return %k : tensor<1x3x2x11xf32>
}

// f8E4M3FN.
// CHECK-LABEL: func.func @fp8
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 480 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 480 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 480 elements equal
// CHECK-NEXT: sm_89 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 480 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 480 elements equal
func.func @fp8(%a0: tensor<1x4x5x16xf32>, %b0: tensor<1x2x37x16xf8E4M3FN>, %c0: tensor<1x2x37x24xf8E4M3FN>, %s0: tensor<1x2x37xf32>, %t0: tensor<1x2x37xf32>) -> tensor<1x4x5x24xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x4x5x16xf32>, tensor<1x2x37x16xf8E4M3FN>, tensor<1x2x37x24xf8E4M3FN>, tensor<1x2x37xf32>, tensor<1x2x37xf32>) -> tensor<1x4x5x24xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {causal, scale = 0.25 : f64} : (tensor<1x4x5x16xf32>, tensor<1x2x37x16xf8E4M3FN>, tensor<1x2x37x24xf8E4M3FN>, tensor<1x2x37xf32>, tensor<1x2x37xf32>) -> tensor<1x4x5x24xf32>
    graph.yield %1 : tensor<1x4x5x24xf32>
  }
  return %k : tensor<1x4x5x24xf32>
}

// f8E4M3FN, one query.
// CHECK-LABEL: func.func @fp8_step
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 256 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 256 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 256 elements equal
// CHECK-NEXT: sm_89 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 256 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 256 elements equal
func.func @fp8_step(%a0: tensor<1x4x1x64xf32>, %b0: tensor<1x4x70x64xf8E4M3FN>, %c0: tensor<1x4x70x64xf8E4M3FN>, %s0: tensor<1x4x70xf32>, %t0: tensor<1x4x70xf32>) -> tensor<1x4x1x64xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x4x1x64xf32>, tensor<1x4x70x64xf8E4M3FN>, tensor<1x4x70x64xf8E4M3FN>, tensor<1x4x70xf32>, tensor<1x4x70xf32>) -> tensor<1x4x1x64xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64, softcap = 30.0 : f64} : (tensor<1x4x1x64xf32>, tensor<1x4x70x64xf8E4M3FN>, tensor<1x4x70x64xf8E4M3FN>, tensor<1x4x70xf32>, tensor<1x4x70xf32>) -> tensor<1x4x1x64xf32>
    graph.yield %1 : tensor<1x4x1x64xf32>
  }
  return %k : tensor<1x4x1x64xf32>
}

// A mask that hides.
// CHECK-LABEL: func.func @masked
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 96 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 96 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 96 elements equal
// CHECK-NEXT: sm_89 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 96 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 96 elements equal
func.func @masked(%a0: tensor<1x2x3x16xf32>, %b0: tensor<1x1x20x16xi8>, %c0: tensor<1x1x20x16xi8>, %m0: tensor<3x20xf32>, %s0: tensor<1x1x20xf32>, %t0: tensor<1x1x20xf32>) -> tensor<1x2x3x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %m = %m0, %s = %s0, %t = %t0) : (tensor<1x2x3x16xf32>, tensor<1x1x20x16xi8>, tensor<1x1x20x16xi8>, tensor<3x20xf32>, tensor<1x1x20xf32>, tensor<1x1x20xf32>) -> tensor<1x2x3x16xf32> {
    %1 = graph.attention %a, %b, %c mask %m scales %s, %t {mask_hides, scale = 0.25 : f64} : (tensor<1x2x3x16xf32>, tensor<1x1x20x16xi8>, tensor<1x1x20x16xi8>, tensor<3x20xf32>, tensor<1x1x20xf32>, tensor<1x1x20xf32>) -> tensor<1x2x3x16xf32>
    graph.yield %1 : tensor<1x2x3x16xf32>
  }
  return %k : tensor<1x2x3x16xf32>
}

// One query of heads of 48 numbers, in blocks of 16 codes.
// CHECK-LABEL: func.func @step48
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 192 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 192 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 192 elements equal
// CHECK-NEXT: sm_89 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 192 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 192 elements equal
func.func @step48(%a0: tensor<1x6x1x48xf32>, %b0: tensor<1x2x75x48xi8>, %c0: tensor<1x2x75x32xi8>, %s0: tensor<1x2x75xf32>, %t0: tensor<1x2x75xf32>) -> tensor<1x6x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x6x1x48xf32>, tensor<1x2x75x48xi8>, tensor<1x2x75x32xi8>, tensor<1x2x75xf32>, tensor<1x2x75xf32>) -> tensor<1x6x1x32xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64} : (tensor<1x6x1x48xf32>, tensor<1x2x75x48xi8>, tensor<1x2x75x32xi8>, tensor<1x2x75xf32>, tensor<1x2x75xf32>) -> tensor<1x6x1x32xf32>
    graph.yield %1 : tensor<1x6x1x32xf32>
  }
  return %k : tensor<1x6x1x32xf32>
}

// One query of heads that are no whole blocks of codes, and of columns that are no whole panels.
// CHECK-LABEL: func.func @odd_step
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 240 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 240 elements equal
// CHECK-NEXT: sm_89 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 240 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 240 elements equal
func.func @odd_step(%a0: tensor<1x6x1x24xf32>, %b0: tensor<1x2x75x24xf8E4M3FN>, %c0: tensor<1x2x75x40xf8E4M3FN>, %s0: tensor<1x2x75xf32>, %t0: tensor<1x2x75xf32>) -> tensor<1x6x1x40xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x6x1x24xf32>, tensor<1x2x75x24xf8E4M3FN>, tensor<1x2x75x40xf8E4M3FN>, tensor<1x2x75xf32>, tensor<1x2x75xf32>) -> tensor<1x6x1x40xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64} : (tensor<1x6x1x24xf32>, tensor<1x2x75x24xf8E4M3FN>, tensor<1x2x75x40xf8E4M3FN>, tensor<1x2x75xf32>, tensor<1x2x75xf32>) -> tensor<1x6x1x40xf32>
    graph.yield %1 : tensor<1x6x1x40xf32>
  }
  return %k : tensor<1x6x1x40xf32>
}
