// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a partition" -o /dev/null | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Panels with half of a gate and half of what it gates: the epilogue has both.

// One row.
// CHECK-LABEL: func.func @row
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 4 tasks, 64 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 4 tasks, 64 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 4, unroll = 4, along_k = false, row_threads = 4>: 8 tasks, 64 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 4, unroll = 4, along_k = false, row_threads = 4>: 8 tasks, 64 elements equal
func.func @row(%x0: tensor<1x1x32xf32>, %w0: tensor<8x32x16xf32>) -> tensor<1x1x64xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<1x1x32xf32>, tensor<8x32x16xf32>) -> tensor<1x1x64xf32> {
    %u = graph.unpack %w : (tensor<8x32x16xf32>) -> tensor<32x128xf32>
    %m = graph.matmul %x, %u : (tensor<1x1x32xf32>, tensor<32x128xf32>) -> tensor<1x1x128xf32>
    %s = graph.reshape %m : (tensor<1x1x128xf32>) -> tensor<1x1x8x2x8xf32>
    %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0, 0]> steps [1, 1, 1, 1, 1] : (tensor<1x1x8x2x8xf32>) -> tensor<1x1x8x1x8xf32>
    %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 1, 0]> steps [1, 1, 1, 1, 1] : (tensor<1x1x8x2x8xf32>) -> tensor<1x1x8x1x8xf32>
    %g = graph.reshape %a : (tensor<1x1x8x1x8xf32>) -> tensor<1x1x64xf32>
    %o = graph.reshape %b : (tensor<1x1x8x1x8xf32>) -> tensor<1x1x64xf32>
    %f = graph.unary silu %g : (tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    %y = graph.binary mul %f, %o : (tensor<1x1x64xf32>, tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    graph.yield %y : tensor<1x1x64xf32>
  }
  return %k : tensor<1x1x64xf32>
}

// Some rows, an odd K, a residual behind it.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 2 tasks, 240 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 2, along_k = false, row_threads = 4>: 5 tasks, 240 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 2, along_k = false, row_threads = 4>: 5 tasks, 240 elements equal
func.func @rows(%x0: tensor<2x3x21xf32>, %w0: tensor<5x21x16xf32>, %r0: tensor<2x3x40xf32>) -> tensor<2x3x40xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %r = %r0) : (tensor<2x3x21xf32>, tensor<5x21x16xf32>, tensor<2x3x40xf32>) -> tensor<2x3x40xf32> {
    %u = graph.unpack %w : (tensor<5x21x16xf32>) -> tensor<21x80xf32>
    %m = graph.matmul %x, %u : (tensor<2x3x21xf32>, tensor<21x80xf32>) -> tensor<2x3x80xf32>
    %s = graph.reshape %m : (tensor<2x3x80xf32>) -> tensor<2x3x5x2x8xf32>
    %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0, 0]> steps [1, 1, 1, 1, 1] : (tensor<2x3x5x2x8xf32>) -> tensor<2x3x5x1x8xf32>
    %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 1, 0]> steps [1, 1, 1, 1, 1] : (tensor<2x3x5x2x8xf32>) -> tensor<2x3x5x1x8xf32>
    %g = graph.reshape %a : (tensor<2x3x5x1x8xf32>) -> tensor<2x3x40xf32>
    %o = graph.reshape %b : (tensor<2x3x5x1x8xf32>) -> tensor<2x3x40xf32>
    %f = graph.unary gelu_tanh %g : (tensor<2x3x40xf32>) -> tensor<2x3x40xf32>
    %y = graph.binary mul %f, %o : (tensor<2x3x40xf32>, tensor<2x3x40xf32>) -> tensor<2x3x40xf32>
    %e = graph.binary add %y, %r : (tensor<2x3x40xf32>, tensor<2x3x40xf32>) -> tensor<2x3x40xf32>
    graph.yield %e : tensor<2x3x40xf32>
  }
  return %k : tensor<2x3x40xf32>
}

// Rows for whole register tiles.
// CHECK-LABEL: func.func @tall
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 4 tasks, 6720 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 3 tasks, 6720 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 6 tasks, 6720 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 6 tasks, 6720 elements equal
func.func @tall(%x0: tensor<70x48xf32>, %w0: tensor<12x48x16xf32>) -> tensor<70x96xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<70x48xf32>, tensor<12x48x16xf32>) -> tensor<70x96xf32> {
    %u = graph.unpack %w : (tensor<12x48x16xf32>) -> tensor<48x192xf32>
    %m = graph.matmul %x, %u : (tensor<70x48xf32>, tensor<48x192xf32>) -> tensor<70x192xf32>
    %s = graph.reshape %m : (tensor<70x192xf32>) -> tensor<70x12x2x8xf32>
    %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<70x12x2x8xf32>) -> tensor<70x12x1x8xf32>
    %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 1, 0]> steps [1, 1, 1, 1] : (tensor<70x12x2x8xf32>) -> tensor<70x12x1x8xf32>
    %g = graph.reshape %a : (tensor<70x12x1x8xf32>) -> tensor<70x96xf32>
    %o = graph.reshape %b : (tensor<70x12x1x8xf32>) -> tensor<70x96xf32>
    %f = graph.unary silu %g : (tensor<70x96xf32>) -> tensor<70x96xf32>
    %y = graph.binary mul %f, %o : (tensor<70x96xf32>, tensor<70x96xf32>) -> tensor<70x96xf32>
    graph.yield %y : tensor<70x96xf32>
  }
  return %k : tensor<70x96xf32>
}

// In f16, by tensor cores.
// CHECK-LABEL: func.func @narrow
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 1, nr = 64, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 5120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 6, nr = 64, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 5120 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16>: 12 tasks, 5120 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 8, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 0, compute_registers = 0> in warpgroups: 4 tasks, 5120 elements equal
func.func @narrow(%x0: tensor<1x40x64xf16>, %w0: tensor<4x64x64xf16>) -> tensor<1x40x128xf16> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<1x40x64xf16>, tensor<4x64x64xf16>) -> tensor<1x40x128xf16> {
    %u = graph.unpack %w : (tensor<4x64x64xf16>) -> tensor<64x256xf16>
    %m = graph.matmul %x, %u : (tensor<1x40x64xf16>, tensor<64x256xf16>) -> tensor<1x40x256xf16>
    %s = graph.reshape %m : (tensor<1x40x256xf16>) -> tensor<1x40x4x2x32xf16>
    %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0, 0]> steps [1, 1, 1, 1, 1] : (tensor<1x40x4x2x32xf16>) -> tensor<1x40x4x1x32xf16>
    %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 1, 0]> steps [1, 1, 1, 1, 1] : (tensor<1x40x4x2x32xf16>) -> tensor<1x40x4x1x32xf16>
    %g = graph.reshape %a : (tensor<1x40x4x1x32xf16>) -> tensor<1x40x128xf16>
    %o = graph.reshape %b : (tensor<1x40x4x1x32xf16>) -> tensor<1x40x128xf16>
    %f = graph.unary silu %g : (tensor<1x40x128xf16>) -> tensor<1x40x128xf16>
    %y = graph.binary mul %f, %o : (tensor<1x40x128xf16>, tensor<1x40x128xf16>) -> tensor<1x40x128xf16>
    graph.yield %y : tensor<1x40x128xf16>
  }
  return %k : tensor<1x40x128xf16>
}

// In bf16, one row.
// CHECK-LABEL: func.func @narrowRow
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 1, nr = 64, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 128 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 6, nr = 64, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 128 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 64, across = 1, split = 2, vector = 8, unroll = 8, along_k = false, row_threads = 16>: 4 tasks, 128 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 64, across = 1, split = 2, vector = 8, unroll = 8, along_k = false, row_threads = 16>: 4 tasks, 128 elements equal
func.func @narrowRow(%x0: tensor<1x1x64xbf16>, %w0: tensor<4x64x64xbf16>) -> tensor<1x1x128xbf16> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<1x1x64xbf16>, tensor<4x64x64xbf16>) -> tensor<1x1x128xbf16> {
    %u = graph.unpack %w : (tensor<4x64x64xbf16>) -> tensor<64x256xbf16>
    %m = graph.matmul %x, %u : (tensor<1x1x64xbf16>, tensor<64x256xbf16>) -> tensor<1x1x256xbf16>
    %s = graph.reshape %m : (tensor<1x1x256xbf16>) -> tensor<1x1x4x2x32xbf16>
    %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0, 0]> steps [1, 1, 1, 1, 1] : (tensor<1x1x4x2x32xbf16>) -> tensor<1x1x4x1x32xbf16>
    %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 1, 0]> steps [1, 1, 1, 1, 1] : (tensor<1x1x4x2x32xbf16>) -> tensor<1x1x4x1x32xbf16>
    %g = graph.reshape %a : (tensor<1x1x4x1x32xbf16>) -> tensor<1x1x128xbf16>
    %o = graph.reshape %b : (tensor<1x1x4x1x32xbf16>) -> tensor<1x1x128xbf16>
    %f = graph.unary silu %g : (tensor<1x1x128xbf16>) -> tensor<1x1x128xbf16>
    %y = graph.binary mul %f, %o : (tensor<1x1x128xbf16>, tensor<1x1x128xbf16>) -> tensor<1x1x128xbf16>
    graph.yield %y : tensor<1x1x128xbf16>
  }
  return %k : tensor<1x1x128xbf16>
}
