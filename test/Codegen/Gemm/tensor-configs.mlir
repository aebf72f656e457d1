// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_86 | FileCheck %s --check-prefix=SMALL

// Rows known at run time only: as if there were 512.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 64, panels = 4, block_k = 64, stages = 4, threads = 128, row_threads = 4>
// CHECK-NEXT: #tile.block_gemm_config<rows = 128, panels = 2, block_k = 64, stages = 4, threads = 128, row_threads = 4>
// CHECK: module {
// SMALL-LABEL: kernel "matmul" for
// SMALL-NEXT: #tile.block_gemm_config<rows = 64, panels = 2, block_k = 32, stages = 4, threads = 64, row_threads = 4>
// SMALL-NEXT: #tile.block_gemm_config<rows = 32, panels = 4, block_k = 32, stages = 4, threads = 64, row_threads = 4>
// SMALL: module {
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

// Many tiles for every multiprocessor: as many sums as registers hold. With tensor cores
// of half the rate smaller tiles keep them busy, of which shared memory holds several.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 256, panels = 8, block_k = 64, stages = 3, threads = 256, row_threads = 4>
// CHECK-NEXT: #tile.block_gemm_config<rows = 256, panels = 8, block_k = 64, stages = 2, threads = 256, row_threads = 4>
// CHECK: module {
// SMALL-LABEL: kernel "matmul" for
// SMALL-NEXT: #tile.block_gemm_config<rows = 128, panels = 4, block_k = 64, stages = 2, threads = 64, row_threads = 4>
// SMALL-NEXT: #tile.block_gemm_config<rows = 64, panels = 8, block_k = 64, stages = 2, threads = 64, row_threads = 4>
// SMALL: module {
func.func @main(%x: tensor<4096x4096xbf16>, %w: tensor<256x4096x16xbf16>) -> tensor<4096x4096xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4096x4096xbf16>, tensor<256x4096x16xbf16>) -> tensor<4096x4096xbf16> {
    %1 = graph.unpack %b : (tensor<256x4096x16xbf16>) -> tensor<4096x4096xbf16>
    %2 = graph.matmul %a, %1 : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
    graph.yield %2 : tensor<4096x4096xbf16>
  }
  return %0 : tensor<4096x4096xbf16>
}

// -----

// Panels that are not packed are a line of memory wide.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 256, panels = 2, block_k = 64, stages = 3, threads = 256, row_threads = 16>
// CHECK-NEXT: #tile.block_gemm_config<rows = 256, panels = 2, block_k = 64, stages = 2, threads = 256, row_threads = 16>
// CHECK: module {
// SMALL-LABEL: kernel "matmul" for
// SMALL-NEXT: #tile.block_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 2, threads = 64, row_threads = 16>
// SMALL-NEXT: #tile.block_gemm_config<rows = 64, panels = 2, block_k = 64, stages = 2, threads = 64, row_threads = 16>
// SMALL: module {
func.func @main(%x: tensor<4096x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
    %2 = graph.matmul %a, %b : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
    graph.yield %2 : tensor<4096x4096xf16>
  }
  return %0 : tensor<4096x4096xf16>
}

// -----

// Few rows: blocks for all multiprocessors, deep stages; memory limits, not the blocks.
// 128 tiles are enough for 84 multiprocessors.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16, panels = 4, block_k = 64, stages = 4, threads = 64, row_threads = 4, split = 2>
// CHECK: module {
// SMALL-LABEL: kernel "matmul" for
// SMALL-NEXT: #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 4, threads = 64, row_threads = 4>
// SMALL: module {
func.func @main(%x: tensor<16x4096xbf16>, %w: tensor<256x4096x16xbf16>) -> tensor<16x4096xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<16x4096xbf16>, tensor<256x4096x16xbf16>) -> tensor<16x4096xbf16> {
    %1 = graph.unpack %b : (tensor<256x4096x16xbf16>) -> tensor<4096x4096xbf16>
    %2 = graph.matmul %a, %1 : (tensor<16x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<16x4096xbf16>
    graph.yield %2 : tensor<16x4096xbf16>
  }
  return %0 : tensor<16x4096xbf16>
}

// -----

// Short sums: no deeper stages than there are steps.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16, panels = 1, block_k = 32, stages = 4, threads = 128, row_threads = 16>
// CHECK: module {
// SMALL-LABEL: kernel "matmul" for
// SMALL-NEXT: #tile.block_gemm_config<rows = 16, panels = 1, block_k = 32, stages = 4, threads = 128, row_threads = 16>
// SMALL: module {
func.func @main(%x: tensor<256x32xbf16>, %w: tensor<32x256xbf16>) -> tensor<256x256xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<256x32xbf16>, tensor<32x256xbf16>) -> tensor<256x256xbf16> {
    %2 = graph.matmul %a, %b : (tensor<256x32xbf16>, tensor<32x256xbf16>) -> tensor<256x256xbf16>
    graph.yield %2 : tensor<256x256xbf16>
  }
  return %0 : tensor<256x256xbf16>
}

// -----

// f32: none of this. The 96 tiles are one wave of an A100; three parts of each fill the
// waves of 84 multiprocessors better.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>
// CHECK: module {
// SMALL-LABEL: kernel "matmul" for
// SMALL-NEXT: #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 3>
// SMALL: module {
func.func @main(%x: tensor<512x768xf32>, %w: tensor<48x768x16xf32>) -> tensor<512x768xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<512x768xf32>, tensor<48x768x16xf32>) -> tensor<512x768xf32> {
    %1 = graph.unpack %b : (tensor<48x768x16xf32>) -> tensor<768x768xf32>
    %2 = graph.matmul %a, %1 : (tensor<512x768xf32>, tensor<768x768xf32>) -> tensor<512x768xf32>
    graph.yield %2 : tensor<512x768xf32>
  }
  return %0 : tensor<512x768xf32>
}
