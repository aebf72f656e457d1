// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sapphirerapids,sm_80,sm_90a partition" -o /dev/null | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Products of codes: few and many rows, 4 and 8 bits, with zero points and without.

// One row, three panels.
// CHECK-LABEL: func.func @row
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 48 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 48 elements equal
// CHECK-NEXT: sapphirerapids #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 48 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 48 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 48 elements equal
func.func @row(%x0: tensor<1x64xi8>, %s0: tensor<1x2xf32>, %u0: tensor<1x2xi32>, %w0: tensor<3x8x16x4xui8>, %t0: tensor<3x2x16xbf16>, %z0: tensor<3x2x16xui8>) -> tensor<1x48xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0, %z = %z0) : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<1x48xf32> {
    %m = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 48 accumulate wide : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<1x48xf32>
    graph.yield %m : tensor<1x48xf32>
  }
  return %k : tensor<1x48xf32>
}

// A partial panel, scales of f16, no zero points.
// CHECK-LABEL: func.func @partial
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 120 elements equal
// CHECK-NEXT: sapphirerapids #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 120 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 120 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 120 elements equal
func.func @partial(%x0: tensor<3x96xi8>, %s0: tensor<3x3xf32>, %u0: tensor<3x3xi32>, %w0: tensor<3x12x16x4xui8>, %t0: tensor<3x3x16xf16>) -> tensor<3x40xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0) : (tensor<3x96xi8>, tensor<3x3xf32>, tensor<3x3xi32>, tensor<3x12x16x4xui8>, tensor<3x3x16xf16>) -> tensor<3x40xf32> {
    %m = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale f16> scales %t columns 40 accumulate wide : (tensor<3x96xi8>, tensor<3x3xf32>, tensor<3x3xi32>, tensor<3x12x16x4xui8>, tensor<3x3x16xf16>) -> tensor<3x40xf32>
    graph.yield %m : tensor<3x40xf32>
  }
  return %k : tensor<3x40xf32>
}

// Rows for several register tiles, one block of K.
// CHECK-LABEL: func.func @tall
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 1088 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 1088 elements equal
// CHECK-NEXT: sapphirerapids #tile.gemm_config<mr = 16, nr = 16, mc = 128, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 1088 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 32, stages = 1, threads = 32, row_threads = 4>: 12 tasks, 1088 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 32, stages = 1, threads = 32, row_threads = 4>: 12 tasks, 1088 elements equal
func.func @tall(%x0: tensor<17x32xi8>, %s0: tensor<17x1xf32>, %u0: tensor<17x1xi32>, %w0: tensor<4x4x16x4xui8>, %t0: tensor<4x1x16xf32>, %z0: tensor<4x1x16xui8>) -> tensor<17x64xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0, %z = %z0) : (tensor<17x32xi8>, tensor<17x1xf32>, tensor<17x1xi32>, tensor<4x4x16x4xui8>, tensor<4x1x16xf32>, tensor<4x1x16xui8>) -> tensor<17x64xf32> {
    %m = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale f32, zero_point> scales %t zeros %z columns 64 accumulate wide : (tensor<17x32xi8>, tensor<17x1xf32>, tensor<17x1xi32>, tensor<4x4x16x4xui8>, tensor<4x1x16xf32>, tensor<4x1x16xui8>) -> tensor<17x64xf32>
    graph.yield %m : tensor<17x64xf32>
  }
  return %k : tensor<17x64xf32>
}

// 8 bits, sequences of rows.
// CHECK-LABEL: func.func @batch
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 320 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 320 elements equal
// CHECK-NEXT: sapphirerapids #tile.gemm_config<mr = 16, nr = 16, mc = 128, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 320 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 4 tasks, 320 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 4 tasks, 320 elements equal
func.func @batch(%x0: tensor<2x5x64xi8>, %s0: tensor<2x5x2xf32>, %u0: tensor<2x5x2xi32>, %w0: tensor<2x16x16x4xui8>, %t0: tensor<2x2x16xbf16>, %z0: tensor<2x2x16xui8>) -> tensor<2x5x32xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0, %z = %z0) : (tensor<2x5x64xi8>, tensor<2x5x2xf32>, tensor<2x5x2xi32>, tensor<2x16x16x4xui8>, tensor<2x2x16xbf16>, tensor<2x2x16xui8>) -> tensor<2x5x32xf32> {
    %m = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui8, block 32, scale bf16, zero_point> scales %t zeros %z columns 32 accumulate wide : (tensor<2x5x64xi8>, tensor<2x5x2xf32>, tensor<2x5x2xi32>, tensor<2x16x16x4xui8>, tensor<2x2x16xbf16>, tensor<2x2x16xui8>) -> tensor<2x5x32xf32>
    graph.yield %m : tensor<2x5x32xf32>
  }
  return %k : tensor<2x5x32xf32>
}

// 8 bits, no zero points, an epilogue.
// CHECK-LABEL: func.func @centered
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 1 tasks, 32 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 1 tasks, 32 elements equal
// CHECK-NEXT: sapphirerapids #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 1 tasks, 32 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 32 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 32 elements equal
func.func @centered(%x0: tensor<2x64xi8>, %s0: tensor<2x2xf32>, %u0: tensor<2x2xi32>, %w0: tensor<1x16x16x4xui8>, %t0: tensor<1x2x16xbf16>) -> tensor<2x16xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0) : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<1x16x16x4xui8>, tensor<1x2x16xbf16>) -> tensor<2x16xf32> {
    %m = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui8, block 32, scale bf16> scales %t columns 16 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<1x16x16x4xui8>, tensor<1x2x16xbf16>) -> tensor<2x16xf32>
    %y = graph.unary silu %m : (tensor<2x16xf32>) -> tensor<2x16xf32>
    graph.yield %y : tensor<2x16xf32>
  }
  return %k : tensor<2x16xf32>
}

// E2M1 with scales of E4M3 per 16 steps, a partial panel.
// CHECK-LABEL: func.func @nvfp4
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 120 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 120 elements equal
// CHECK-NEXT: sapphirerapids #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 120 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 120 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 120 elements equal
func.func @nvfp4(%x0: tensor<3x96xi8>, %s0: tensor<3x6xf32>, %u0: tensor<3x6xi32>, %w0: tensor<3x12x16x4xui8>, %t0: tensor<3x6x16xf8E4M3FN>) -> tensor<3x40xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0) : (tensor<3x96xi8>, tensor<3x6xf32>, tensor<3x6xi32>, tensor<3x12x16x4xui8>, tensor<3x6x16xf8E4M3FN>) -> tensor<3x40xf32> {
    %m = graph.scaled_matmul %x <i8, block 16, scale f32> scales %s totals %u by %w <f4E2M1FN, block 16, scale f8E4M3FN> scales %t columns 40 accumulate wide : (tensor<3x96xi8>, tensor<3x6xf32>, tensor<3x6xi32>, tensor<3x12x16x4xui8>, tensor<3x6x16xf8E4M3FN>) -> tensor<3x40xf32>
    graph.yield %m : tensor<3x40xf32>
  }
  return %k : tensor<3x40xf32>
}

// E2M1 with powers of two per 32 steps.
// CHECK-LABEL: func.func @mxfp4
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 48 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 48 elements equal
// CHECK-NEXT: sapphirerapids #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 48 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 48 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 48 elements equal
func.func @mxfp4(%x0: tensor<1x64xi8>, %s0: tensor<1x2xf32>, %u0: tensor<1x2xi32>, %w0: tensor<3x8x16x4xui8>, %t0: tensor<3x2x16xf8E8M0FNU>) -> tensor<1x48xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0) : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xf8E8M0FNU>) -> tensor<1x48xf32> {
    %m = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <f4E2M1FN, block 32, scale f8E8M0FNU> scales %t columns 48 accumulate wide : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xf8E8M0FNU>) -> tensor<1x48xf32>
    graph.yield %m : tensor<1x48xf32>
  }
  return %k : tensor<1x48xf32>
}
