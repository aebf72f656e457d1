// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_90a | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s --check-prefix=SM80

// Only where there are warpgroups.
// SM80-NOT: warpgroup_gemm_config

// Few columns: narrow blocks, so that more of them share the work.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.warpgroup_gemm_config<rows = 128, panels = 4, block_k = 64, stages = 7, epilogue_panels = 4, row_threads = 4, raster = 8, copy_registers = 40, compute_registers = 232>
// CHECK-NEXT: #tile.warpgroup_gemm_config<rows = 128, panels = 6, block_k = 64, stages = 7, epilogue_panels = 2,
// CHECK: #tile.warpgroup_gemm_config<rows = 128, panels = 16, block_k = 64, stages = 3, epilogue_panels = 4,
// CHECK-NEXT: #tile.block_gemm_config
// CHECK: module {
#x = #graph.shape<[m] -> [m, 768]>
graph.symbol @m in [1, 512]
func.func @main(%x: tensor<?x768xbf16, #x>, %w: tensor<48x768x16xbf16>) -> tensor<?x768xbf16, #x> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x768xbf16, #x>, tensor<48x768x16xbf16>) -> tensor<?x768xbf16, #x> {
    %1 = graph.unpack %b : (tensor<48x768x16xbf16>) -> tensor<768x768xbf16>
    %2 = graph.matmul %a, %1 : (tensor<?x768xbf16, #x>, tensor<768x768xbf16>) -> tensor<?x768xbf16, #x>
    graph.yield %2 : tensor<?x768xbf16, #x>
  }
  return %0 : tensor<?x768xbf16, #x>
}

// -----

// Many of both: the widest blocks, which read the least again, in pairs that get the right
// operand by multicast.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.warpgroup_gemm_config<rows = 128, panels = 16, block_k = 64, stages = 3, epilogue_panels = 4, row_threads = 4, raster = 16, copy_registers = 40, compute_registers = 232, cluster = 2>
// CHECK-NEXT: #tile.warpgroup_gemm_config<rows = 128, panels = 16, block_k = 64, stages = 3, epilogue_panels = 4, row_threads = 4, raster = 16, copy_registers = 40, compute_registers = 232>
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

// One warpgroup of rows keeps the registers it has; columns in whole swizzled lines.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 8, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 0, compute_registers = 0>
// CHECK: module {
func.func @main(%x: tensor<64x128xbf16>, %w: tensor<4x128x64xbf16>) -> tensor<64x256xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<64x128xbf16>, tensor<4x128x64xbf16>) -> tensor<64x256xbf16> {
    %1 = graph.unpack %b : (tensor<4x128x64xbf16>) -> tensor<128x256xbf16>
    %2 = graph.matmul %a, %1 : (tensor<64x128xbf16>, tensor<128x256xbf16>) -> tensor<64x256xbf16>
    graph.yield %2 : tensor<64x256xbf16>
  }
  return %0 : tensor<64x256xbf16>
}

// -----

// A row of 60 elements is no multiple of 16 bytes.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config
// CHECK: module {
func.func @main(%x: tensor<64x60xbf16>, %w: tensor<4x60x16xbf16>) -> tensor<64x64xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<64x60xbf16>, tensor<4x60x16xbf16>) -> tensor<64x64xbf16> {
    %1 = graph.unpack %b : (tensor<4x60x16xbf16>) -> tensor<60x64xbf16>
    %2 = graph.matmul %a, %1 : (tensor<64x60xbf16>, tensor<60x64xbf16>) -> tensor<64x64xbf16>
    graph.yield %2 : tensor<64x64xbf16>
  }
  return %0 : tensor<64x64xbf16>
}

// -----

// Sixteen rows would leave most of a warpgroup idle.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config
// CHECK: module {
func.func @main(%x: tensor<16x64xbf16>, %w: tensor<4x64x16xbf16>) -> tensor<16x64xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<16x64xbf16>, tensor<4x64x16xbf16>) -> tensor<16x64xbf16> {
    %1 = graph.unpack %b : (tensor<4x64x16xbf16>) -> tensor<64x64xbf16>
    %2 = graph.matmul %a, %1 : (tensor<16x64xbf16>, tensor<64x64xbf16>) -> tensor<16x64xbf16>
    graph.yield %2 : tensor<16x64xbf16>
  }
  return %0 : tensor<16x64xbf16>
}

// -----

// Sums of f32 operands are not made by wgmma, nor are mixed ones.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config
// CHECK: module {
func.func @main(%x: tensor<64x64xf32>, %w: tensor<4x64x16xf32>) -> tensor<64x64xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<64x64xf32>, tensor<4x64x16xf32>) -> tensor<64x64xf32> {
    %1 = graph.unpack %b : (tensor<4x64x16xf32>) -> tensor<64x64xf32>
    %2 = graph.matmul %a, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    graph.yield %2 : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}
