// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,sm_80,sm_90a dims=m:1 partition" -o /dev/null | FileCheck %s --check-prefix=AT0
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,sm_80,sm_90a dims=m:37 partition" -o /dev/null | FileCheck %s --check-prefix=AT1
// NOTE: checks by tools/update-lit-checks
// Products of f8E4M3FN on both sides: rows that fill no tile, panels that fill no block, scales of the weight per block and
// none, blocks of one instruction and of several.

graph.symbol @m in [1, 600]

// Rows of the launch: code for few of them, and for all. Two blocks of 128 steps.
// AT0-LABEL: func.func @rows
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 80 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 256, stages = 1, threads = 64, row_threads = 4>: 3 tasks, 80 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 256, stages = 1, threads = 128, row_threads = 4>: 2 tasks, 80 elements equal
// AT1-LABEL: func.func @rows
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 2960 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 256, stages = 1, threads = 64, row_threads = 4>: 9 tasks, 2960 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 256, stages = 1, threads = 128, row_threads = 4>: 10 tasks, 2960 elements equal
func.func @rows(%x0: tensor<?x256xf8E4M3FN, #graph.shape<[m] -> [m, 256]>>, %s0: tensor<?x1xf32, #graph.shape<[m] -> [m, 1]>>, %w0: tensor<5x64x16x4xf8E4M3FN>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %w = %w0) : (tensor<?x256xf8E4M3FN, #graph.shape<[m] -> [m, 256]>>, tensor<?x1xf32, #graph.shape<[m] -> [m, 1]>>, tensor<5x64x16x4xf8E4M3FN>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>> {
    %p = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 80 accumulate two_level : (tensor<?x256xf8E4M3FN, #graph.shape<[m] -> [m, 256]>>, tensor<?x1xf32, #graph.shape<[m] -> [m, 1]>>, tensor<5x64x16x4xf8E4M3FN>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
    graph.yield %p : tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
  }
  return %k : tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
}

// Sums of all of K in tensor cores.
// AT0-LABEL: func.func @fast
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 80 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 256, stages = 1, threads = 64, row_threads = 4>: 3 tasks, 80 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 256, stages = 1, threads = 128, row_threads = 4>: 2 tasks, 80 elements equal
// AT1-LABEL: func.func @fast
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 2960 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 256, stages = 1, threads = 64, row_threads = 4>: 9 tasks, 2960 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 256, stages = 1, threads = 128, row_threads = 4>: 10 tasks, 2960 elements equal
func.func @fast(%x0: tensor<?x256xf8E4M3FN, #graph.shape<[m] -> [m, 256]>>, %s0: tensor<?x1xf32, #graph.shape<[m] -> [m, 1]>>, %w0: tensor<5x64x16x4xf8E4M3FN>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %w = %w0) : (tensor<?x256xf8E4M3FN, #graph.shape<[m] -> [m, 256]>>, tensor<?x1xf32, #graph.shape<[m] -> [m, 1]>>, tensor<5x64x16x4xf8E4M3FN>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>> {
    %p = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 80 accumulate fast : (tensor<?x256xf8E4M3FN, #graph.shape<[m] -> [m, 256]>>, tensor<?x1xf32, #graph.shape<[m] -> [m, 1]>>, tensor<5x64x16x4xf8E4M3FN>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
    graph.yield %p : tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
  }
  return %k : tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
}

// A power of two per block, a partial panel.
// AT0-LABEL: func.func @scales
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 629 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT1-LABEL: func.func @scales
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 629 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
func.func @scales(%x0: tensor<17x96xf8E4M3FN>, %s0: tensor<17x1xf32>, %w0: tensor<3x24x16x4xf8E4M3FN>, %t0: tensor<3x3x16xf8E8M0FNU>) -> tensor<17x37xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %w = %w0, %t = %t0) : (tensor<17x96xf8E4M3FN>, tensor<17x1xf32>, tensor<3x24x16x4xf8E4M3FN>, tensor<3x3x16xf8E8M0FNU>) -> tensor<17x37xf32> {
    %p = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN, block 32, scale f8E8M0FNU> scales %t columns 37 accumulate two_level : (tensor<17x96xf8E4M3FN>, tensor<17x1xf32>, tensor<3x24x16x4xf8E4M3FN>, tensor<3x3x16xf8E8M0FNU>) -> tensor<17x37xf32>
    graph.yield %p : tensor<17x37xf32>
  }
  return %k : tensor<17x37xf32>
}

// One column, half an instruction.
// AT0-LABEL: func.func @short
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 5 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 16, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 5 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 16, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 5 elements equal
// AT1-LABEL: func.func @short
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 5 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 16, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 5 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 16, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 5 elements equal
func.func @short(%x0: tensor<5x16xf8E4M3FN>, %s0: tensor<5x1xf32>, %w0: tensor<1x4x16x4xf8E4M3FN>) -> tensor<5x1xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %w = %w0) : (tensor<5x16xf8E4M3FN>, tensor<5x1xf32>, tensor<1x4x16x4xf8E4M3FN>) -> tensor<5x1xf32> {
    %p = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 1 accumulate two_level : (tensor<5x16xf8E4M3FN>, tensor<5x1xf32>, tensor<1x4x16x4xf8E4M3FN>) -> tensor<5x1xf32>
    graph.yield %p : tensor<5x1xf32>
  }
  return %k : tensor<5x1xf32>
}

// Blocks of 48 steps: an instruction and a half.
// AT0-LABEL: func.func @odd
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 432 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 144, stages = 1, threads = 32, row_threads = 4>: 6 tasks, 432 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 144, stages = 1, threads = 32, row_threads = 4>: 6 tasks, 432 elements equal
// AT1-LABEL: func.func @odd
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 432 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 144, stages = 1, threads = 32, row_threads = 4>: 6 tasks, 432 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 144, stages = 1, threads = 32, row_threads = 4>: 6 tasks, 432 elements equal
func.func @odd(%x0: tensor<9x144xf8E4M3FN>, %s0: tensor<9x1xf32>, %w0: tensor<3x36x16x4xf8E4M3FN>) -> tensor<9x48xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %w = %w0) : (tensor<9x144xf8E4M3FN>, tensor<9x1xf32>, tensor<3x36x16x4xf8E4M3FN>) -> tensor<9x48xf32> {
    %p = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 48 accumulate two_level : (tensor<9x144xf8E4M3FN>, tensor<9x1xf32>, tensor<3x36x16x4xf8E4M3FN>) -> tensor<9x48xf32>
    graph.yield %p : tensor<9x48xf32>
  }
  return %k : tensor<9x48xf32>
}

// What reads the product reads it times the scale of its row.
// AT0-LABEL: func.func @epilogue
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 120 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 128, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 120 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 128, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 120 elements equal
// AT1-LABEL: func.func @epilogue
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 120 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 128, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 120 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 128, stages = 1, threads = 32, row_threads = 4>: 3 tasks, 120 elements equal
func.func @epilogue(%x0: tensor<3x128xf8E4M3FN>, %s0: tensor<3x1xf32>, %w0: tensor<3x32x16x4xf8E4M3FN>, %b0: tensor<40xf32>) -> tensor<3x40xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %w = %w0, %b = %b0) : (tensor<3x128xf8E4M3FN>, tensor<3x1xf32>, tensor<3x32x16x4xf8E4M3FN>, tensor<40xf32>) -> tensor<3x40xf32> {
    %p = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 40 accumulate two_level : (tensor<3x128xf8E4M3FN>, tensor<3x1xf32>, tensor<3x32x16x4xf8E4M3FN>) -> tensor<3x40xf32>
    %q = graph.unary tanh %p : (tensor<3x40xf32>) -> tensor<3x40xf32>
    %r = graph.binary add %q, %b : (tensor<3x40xf32>, tensor<40xf32>) -> tensor<3x40xf32>
    graph.yield %r : tensor<3x40xf32>
  }
  return %k : tensor<3x40xf32>
}
