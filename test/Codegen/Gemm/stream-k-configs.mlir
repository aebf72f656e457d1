// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_90a | FileCheck %s

// 272 tiles are two waves of 132 and 8 more: ten blocks for each of these save most of a wave.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.warpgroup_gemm_config<rows = 128, panels = 16, {{.*}}, tail_blocks = 80>
// CHECK: module {
func.func @main(%x: tensor<2176x16384xf16>, %w: tensor<256x16384x16xf16>) -> tensor<2176x4096xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<2176x16384xf16>, tensor<256x16384x16xf16>) -> tensor<2176x4096xf16> {
    %1 = graph.unpack %b : (tensor<256x16384x16xf16>) -> tensor<16384x4096xf16>
    %2 = graph.matmul %a, %1 : (tensor<2176x16384xf16>, tensor<16384x4096xf16>) -> tensor<2176x4096xf16>
    graph.yield %2 : tensor<2176x4096xf16>
  }
  return %0 : tensor<2176x4096xf16>
}

// -----

// 198 tiles, a wave and half of one: every unit has steps of one tile or of two.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.warpgroup_gemm_config<rows = 128, panels = 12, {{.*}}, tail_blocks = 132>
// CHECK: module {
func.func @main(%x: tensor<2304x16384xf16>, %w: tensor<128x16384x16xf16>) -> tensor<2304x2048xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<2304x16384xf16>, tensor<128x16384x16xf16>) -> tensor<2304x2048xf16> {
    %1 = graph.unpack %b : (tensor<128x16384x16xf16>) -> tensor<16384x2048xf16>
    %2 = graph.matmul %a, %1 : (tensor<2304x16384xf16>, tensor<16384x2048xf16>) -> tensor<2304x2048xf16>
    graph.yield %2 : tensor<2304x2048xf16>
  }
  return %0 : tensor<2304x2048xf16>
}

// -----

// 512 tiles: the last wave is nearly full.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NOT: tail_blocks
// CHECK: module {
func.func @main(%x: tensor<4096x4096xf16>, %w: tensor<256x4096x16xf16>) -> tensor<4096x4096xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4096x4096xf16>, tensor<256x4096x16xf16>) -> tensor<4096x4096xf16> {
    %1 = graph.unpack %b : (tensor<256x4096x16xf16>) -> tensor<4096x4096xf16>
    %2 = graph.matmul %a, %1 : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
    graph.yield %2 : tensor<4096x4096xf16>
  }
  return %0 : tensor<4096x4096xf16>
}

// -----

// A short K: the sum would take longer than a wave.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NOT: tail_blocks
// CHECK: module {
func.func @main(%x: tensor<2176x256xf16>, %w: tensor<256x256x16xf16>) -> tensor<2176x4096xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<2176x256xf16>, tensor<256x256x16xf16>) -> tensor<2176x4096xf16> {
    %1 = graph.unpack %b : (tensor<256x256x16xf16>) -> tensor<256x4096xf16>
    %2 = graph.matmul %a, %1 : (tensor<2176x256xf16>, tensor<256x4096xf16>) -> tensor<2176x4096xf16>
    graph.yield %2 : tensor<2176x4096xf16>
  }
  return %0 : tensor<2176x4096xf16>
}

// -----

// How many tiles there are is known at run time only.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NOT: tail_blocks
// CHECK: module {
#x = #graph.shape<[m] -> [m, 16384]>
#y = #graph.shape<[m] -> [m, 4096]>
graph.symbol @m in [2176, 217600]
func.func @main(%x: tensor<?x16384xf16, #x>, %w: tensor<256x16384x16xf16>) -> tensor<?x4096xf16, #y> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x16384xf16, #x>, tensor<256x16384x16xf16>) -> tensor<?x4096xf16, #y> {
    %1 = graph.unpack %b : (tensor<256x16384x16xf16>) -> tensor<16384x4096xf16>
    %2 = graph.matmul %a, %1 : (tensor<?x16384xf16, #x>, tensor<16384x4096xf16>) -> tensor<?x4096xf16, #y>
    graph.yield %2 : tensor<?x4096xf16, #y>
  }
  return %0 : tensor<?x4096xf16, #y>
}
