// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_90a | FileCheck %s --check-prefix=SM90
// Which products' blocks share K.

// Twelve tiles of 16 rows by 64 columns, and a long K.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16, split = 6>
// CHECK: module {
// SM90-LABEL: kernel "matmul" for
// SM90-NEXT: #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16, split = 16>
// SM90: module {
func.func @main(%x: tensor<16x3072xbf16>, %w: tensor<12x3072x64xbf16>) -> tensor<16x768xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<16x3072xbf16>, tensor<12x3072x64xbf16>) -> tensor<16x768xbf16> {
    %1 = graph.unpack %b : (tensor<12x3072x64xbf16>) -> tensor<3072x768xbf16>
    %2 = graph.matmul %a, %1 : (tensor<16x3072xbf16>, tensor<3072x768xbf16>) -> tensor<16x768xbf16>
    graph.yield %2 : tensor<16x768xbf16>
  }
  return %0 : tensor<16x768xbf16>
}

// -----

// On warpgroups too.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16, split = 4>
// CHECK: module {
// SM90-LABEL: kernel "matmul" for
// SM90-NEXT: #tile.warpgroup_gemm_config<rows = 128, panels = 1, {{.*}}, split = 6>
// SM90: module {
func.func @main(%x: tensor<128x3072xbf16>, %w: tensor<12x3072x64xbf16>) -> tensor<128x768xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<128x3072xbf16>, tensor<12x3072x64xbf16>) -> tensor<128x768xbf16> {
    %1 = graph.unpack %b : (tensor<12x3072x64xbf16>) -> tensor<3072x768xbf16>
    %2 = graph.matmul %a, %1 : (tensor<128x3072xbf16>, tensor<3072x768xbf16>) -> tensor<128x768xbf16>
    graph.yield %2 : tensor<128x768xbf16>
  }
  return %0 : tensor<128x768xbf16>
}

// -----

// Multiply-adds, as many parts as fill 108 multiprocessors, or 132.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 9>
// CHECK: module {
// SM90-LABEL: kernel "matmul" for
// SM90-NEXT: #tile.block_gemm_config<rows = 16, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 11>
// SM90: module {
func.func @main(%x: tensor<16x3072xf32>, %w: tensor<48x3072x16xf32>) -> tensor<16x768xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<16x3072xf32>, tensor<48x3072x16xf32>) -> tensor<16x768xf32> {
    %1 = graph.unpack %b : (tensor<48x3072x16xf32>) -> tensor<3072x768xf32>
    %2 = graph.matmul %a, %1 : (tensor<16x3072xf32>, tensor<3072x768xf32>) -> tensor<16x768xf32>
    graph.yield %2 : tensor<16x768xf32>
  }
  return %0 : tensor<16x768xf32>
}

// -----

// Memory is busy with few parts: more would only add to it. That of an H200 is twice as
// fast, and needs twice as many.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16, split = 2>
// CHECK: module {
// SM90-LABEL: kernel "matmul" for
// SM90-NEXT: #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16, split = 4>
// SM90: module {
func.func @main(%x: tensor<16x4096xbf16>, %w: tensor<64x4096x64xbf16>) -> tensor<16x4096xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<16x4096xbf16>, tensor<64x4096x64xbf16>) -> tensor<16x4096xbf16> {
    %1 = graph.unpack %b : (tensor<64x4096x64xbf16>) -> tensor<4096x4096xbf16>
    %2 = graph.matmul %a, %1 : (tensor<16x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<16x4096xbf16>
    graph.yield %2 : tensor<16x4096xbf16>
  }
  return %0 : tensor<16x4096xbf16>
}

// -----

// Tiles for many waves.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 256, panels = 2, block_k = 64, stages = 3, threads = 256, row_threads = 16>
// CHECK: module {
// SM90-LABEL: kernel "matmul" for
// SM90-NEXT: #tile.warpgroup_gemm_config<rows = 128, panels = 4, block_k = 64, stages = 3, epilogue_panels = 1, row_threads = 16, raster = 16, copy_registers = 40, compute_registers = 232, cluster = 2>
// SM90: module {
func.func @main(%x: tensor<4096x4096xbf16>, %w: tensor<64x4096x64xbf16>) -> tensor<4096x4096xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4096x4096xbf16>, tensor<64x4096x64xbf16>) -> tensor<4096x4096xbf16> {
    %1 = graph.unpack %b : (tensor<64x4096x64xbf16>) -> tensor<4096x4096xbf16>
    %2 = graph.matmul %a, %1 : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
    graph.yield %2 : tensor<4096x4096xbf16>
  }
  return %0 : tensor<4096x4096xbf16>
}

// -----

// A K so short that one block is done before others would have counted.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16, panels = 1, block_k = {{[0-9]+}}, stages = {{[0-9]+}}, threads = {{[0-9]+}}, row_threads = 16>
// CHECK: module {
// SM90-LABEL: kernel "matmul" for
// SM90-NEXT: #tile.block_gemm_config<rows = 16, panels = 1, block_k = {{[0-9]+}}, stages = {{[0-9]+}}, threads = {{[0-9]+}}, row_threads = 16>
// SM90: module {
func.func @main(%x: tensor<16x64xbf16>, %w: tensor<12x64x64xbf16>) -> tensor<16x768xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<16x64xbf16>, tensor<12x64x64xbf16>) -> tensor<16x768xbf16> {
    %1 = graph.unpack %b : (tensor<12x64x64xbf16>) -> tensor<64x768xbf16>
    %2 = graph.matmul %a, %1 : (tensor<16x64xbf16>, tensor<64x768xbf16>) -> tensor<16x768xbf16>
    graph.yield %2 : tensor<16x768xbf16>
  }
  return %0 : tensor<16x768xbf16>
}

// -----

// Rows known at run time only: the workspace would grow with them.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = {{[0-9]+}}, panels = 1, block_k = {{[0-9]+}}, stages = {{[0-9]+}}, threads = {{[0-9]+}}, row_threads = 16>
// CHECK: module {
// SM90-LABEL: kernel "matmul" for
// SM90-NEXT: #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 8, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 0, compute_registers = 0>
// SM90: module {
graph.symbol @m in [1, 64]
func.func @main(%x: tensor<?x4096xbf16, #graph.shape<[m] -> [m, 4096]>>, %w: tensor<1x4096x64xbf16>) -> tensor<?x64xbf16, #graph.shape<[m] -> [m, 64]>> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x4096xbf16, #graph.shape<[m] -> [m, 4096]>>, tensor<1x4096x64xbf16>) -> tensor<?x64xbf16, #graph.shape<[m] -> [m, 64]>> {
    %1 = graph.unpack %b : (tensor<1x4096x64xbf16>) -> tensor<4096x64xbf16>
    %2 = graph.matmul %a, %1 : (tensor<?x4096xbf16, #graph.shape<[m] -> [m, 4096]>>, tensor<4096x64xbf16>) -> tensor<?x64xbf16, #graph.shape<[m] -> [m, 64]>>
    graph.yield %2 : tensor<?x64xbf16, #graph.shape<[m] -> [m, 64]>>
  }
  return %0 : tensor<?x64xbf16, #graph.shape<[m] -> [m, 64]>>
}
