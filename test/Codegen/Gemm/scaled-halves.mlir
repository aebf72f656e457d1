// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,sm_80,sm_90a dims=m:1 partition" -o /dev/null | FileCheck %s --check-prefix=AT0
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,sm_80,sm_90a dims=m:37 partition" -o /dev/null | FileCheck %s --check-prefix=AT1
// NOTE: checks by tools/update-lit-checks
// Products of f16 and bf16 by codes: rows that fill no tile, panels that fill no block, blocks of one instruction and of
// several, with zero points and without.

graph.symbol @m in [1, 600]

// Rows of the launch: code for few of them, and for all.
// AT0-LABEL: func.func @rows
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 80 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 1, threads = 64, row_threads = 4>: 3 tasks, 80 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 64, stages = 1, threads = 128, row_threads = 4>: 2 tasks, 80 elements equal
// AT1-LABEL: func.func @rows
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 2960 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 1, threads = 64, row_threads = 4>: 9 tasks, 2960 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 64, stages = 1, threads = 128, row_threads = 4>: 10 tasks, 2960 elements equal
func.func @rows(%x0: tensor<?x64xf16, #graph.shape<[m] -> [m, 64]>>, %w0: tensor<5x8x16x4xui8>, %t0: tensor<5x2x16xf16>, %z0: tensor<5x2x16xui8>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %t = %t0, %z = %z0) : (tensor<?x64xf16, #graph.shape<[m] -> [m, 64]>>, tensor<5x8x16x4xui8>, tensor<5x2x16xf16>, tensor<5x2x16xui8>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>> {
    %p = graph.scaled_matmul %x <f16> by %w <ui4, block 32, scale f16, zero_point> scales %t zeros %z columns 80 accumulate wide : (tensor<?x64xf16, #graph.shape<[m] -> [m, 64]>>, tensor<5x8x16x4xui8>, tensor<5x2x16xf16>, tensor<5x2x16xui8>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
    graph.yield %p : tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
  }
  return %k : tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
}

// Blocks of 16 steps, 4 bits, a partial panel.
// AT0-LABEL: func.func @short4
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 629 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT1-LABEL: func.func @short4
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 629 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
func.func @short4(%x0: tensor<17x48xf16>, %w0: tensor<3x6x16x4xui8>, %t0: tensor<3x3x16xf16>, %z0: tensor<3x3x16xui8>) -> tensor<17x37xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %t = %t0, %z = %z0) : (tensor<17x48xf16>, tensor<3x6x16x4xui8>, tensor<3x3x16xf16>, tensor<3x3x16xui8>) -> tensor<17x37xf32> {
    %p = graph.scaled_matmul %x <f16> by %w <ui4, block 16, scale f16, zero_point> scales %t zeros %z columns 37 accumulate wide : (tensor<17x48xf16>, tensor<3x6x16x4xui8>, tensor<3x3x16xf16>, tensor<3x3x16xui8>) -> tensor<17x37xf32>
    graph.yield %p : tensor<17x37xf32>
  }
  return %k : tensor<17x37xf32>
}

// The same, 8 bits.
// AT0-LABEL: func.func @short8
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 816 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 9 tasks, 816 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 9 tasks, 816 elements equal
// AT1-LABEL: func.func @short8
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 816 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 9 tasks, 816 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 9 tasks, 816 elements equal
func.func @short8(%x0: tensor<17x48xf16>, %w0: tensor<3x12x16x4xui8>, %t0: tensor<3x3x16xf32>) -> tensor<17x48xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %t = %t0) : (tensor<17x48xf16>, tensor<3x12x16x4xui8>, tensor<3x3x16xf32>) -> tensor<17x48xf32> {
    %p = graph.scaled_matmul %x <f16> by %w <ui8, block 16, scale f32> scales %t columns 48 accumulate wide : (tensor<17x48xf16>, tensor<3x12x16x4xui8>, tensor<3x3x16xf32>) -> tensor<17x48xf32>
    graph.yield %p : tensor<17x48xf32>
  }
  return %k : tensor<17x48xf32>
}

// bf16, blocks of 64.
// AT0-LABEL: func.func @bf16
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 165 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 128, stages = 1, threads = 32, row_threads = 16>: 3 tasks, 165 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 128, stages = 1, threads = 32, row_threads = 16>: 3 tasks, 165 elements equal
// AT1-LABEL: func.func @bf16
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 165 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 128, stages = 1, threads = 32, row_threads = 16>: 3 tasks, 165 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 128, stages = 1, threads = 32, row_threads = 16>: 3 tasks, 165 elements equal
func.func @bf16(%x0: tensor<5x128xbf16>, %w0: tensor<3x16x16x4xui8>, %t0: tensor<3x2x16xbf16>, %z0: tensor<3x2x16xui8>) -> tensor<5x33xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %t = %t0, %z = %z0) : (tensor<5x128xbf16>, tensor<3x16x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<5x33xf32> {
    %p = graph.scaled_matmul %x <bf16> by %w <ui4, block 64, scale bf16, zero_point> scales %t zeros %z columns 33 accumulate wide : (tensor<5x128xbf16>, tensor<3x16x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<5x33xf32>
    graph.yield %p : tensor<5x33xf32>
  }
  return %k : tensor<5x33xf32>
}

// Codes of 8 bits become f32 on their way to bf16.
// AT0-LABEL: func.func @bytes
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 180 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 256, stages = 1, threads = 32, row_threads = 4>: 4 tasks, 180 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 256, stages = 1, threads = 32, row_threads = 4>: 4 tasks, 180 elements equal
// AT1-LABEL: func.func @bytes
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 180 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 256, stages = 1, threads = 32, row_threads = 4>: 4 tasks, 180 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 256, stages = 1, threads = 32, row_threads = 4>: 4 tasks, 180 elements equal
func.func @bytes(%x0: tensor<9x256xbf16>, %w0: tensor<2x64x16x4xui8>, %t0: tensor<2x2x16xbf16>, %z0: tensor<2x2x16xui8>) -> tensor<9x20xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %t = %t0, %z = %z0) : (tensor<9x256xbf16>, tensor<2x64x16x4xui8>, tensor<2x2x16xbf16>, tensor<2x2x16xui8>) -> tensor<9x20xf32> {
    %p = graph.scaled_matmul %x <bf16> by %w <ui8, block 128, scale bf16, zero_point> scales %t zeros %z columns 20 accumulate wide : (tensor<9x256xbf16>, tensor<2x64x16x4xui8>, tensor<2x2x16xbf16>, tensor<2x2x16xui8>) -> tensor<9x20xf32>
    graph.yield %p : tensor<9x20xf32>
  }
  return %k : tensor<9x20xf32>
}

// Numbers of f4E2M1FN in halves.
// AT0-LABEL: func.func @e2m1
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 48 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 48 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 48 elements equal
// AT1-LABEL: func.func @e2m1
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 48 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 48 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 64, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 48 elements equal
func.func @e2m1(%x0: tensor<3x64xf16>, %w0: tensor<1x8x16x4xui8>, %t0: tensor<1x2x16xf8E8M0FNU>) -> tensor<3x16xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %t = %t0) : (tensor<3x64xf16>, tensor<1x8x16x4xui8>, tensor<1x2x16xf8E8M0FNU>) -> tensor<3x16xf32> {
    %p = graph.scaled_matmul %x <f16> by %w <f4E2M1FN, block 32, scale f8E8M0FNU> scales %t columns 16 accumulate wide : (tensor<3x64xf16>, tensor<1x8x16x4xui8>, tensor<1x2x16xf8E8M0FNU>) -> tensor<3x16xf32>
    graph.yield %p : tensor<3x16xf32>
  }
  return %k : tensor<3x16xf32>
}
