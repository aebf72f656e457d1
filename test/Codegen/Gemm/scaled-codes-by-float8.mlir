// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,sm_80,sm_90a,sm_120a dims=m:1 partition" -o /dev/null | FileCheck %s --check-prefix=AT0
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,sm_80,sm_90a,sm_120a dims=m:37 partition" -o /dev/null | FileCheck %s --check-prefix=AT1
// NOTE: checks by tools/update-lit-checks
// Activations of f8E4M3FN by codes of f4E2M1FN with a power of two per block: whole panels and a part of one.

graph.symbol @m in [1, 600]

// AT0-LABEL: func.func @rows
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 80 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 1, block_k = 64, stages = 1, threads = 64, row_threads = 4>: 5 tasks, 80 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 128, stages = 1, threads = 128, row_threads = 4>: 2 tasks, 80 elements equal
// AT0-NEXT: sm_120a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 128, stages = 1, threads = 128, row_threads = 4>: 2 tasks, 80 elements equal
// AT1-LABEL: func.func @rows
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 2960 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 1, block_k = 64, stages = 1, threads = 64, row_threads = 4>: 10 tasks, 2960 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 128, stages = 1, threads = 128, row_threads = 4>: 10 tasks, 2960 elements equal
// AT1-NEXT: sm_120a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 128, stages = 1, threads = 128, row_threads = 4>: 10 tasks, 2960 elements equal
func.func @rows(%x0: tensor<?x256xf8E4M3FN, #graph.shape<[m] -> [m, 256]>>, %s0: tensor<?x1xf32, #graph.shape<[m] -> [m, 1]>>, %w0: tensor<5x32x16x4xui8>, %t0: tensor<5x8x16xf8E8M0FNU>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %w = %w0, %t = %t0) : (tensor<?x256xf8E4M3FN, #graph.shape<[m] -> [m, 256]>>, tensor<?x1xf32, #graph.shape<[m] -> [m, 1]>>, tensor<5x32x16x4xui8>, tensor<5x8x16xf8E8M0FNU>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>> {
    %p = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f4E2M1FN, block 32, scale f8E8M0FNU> scales %t columns 80 accumulate two_level : (tensor<?x256xf8E4M3FN, #graph.shape<[m] -> [m, 256]>>, tensor<?x1xf32, #graph.shape<[m] -> [m, 1]>>, tensor<5x32x16x4xui8>, tensor<5x8x16xf8E8M0FNU>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
    graph.yield %p : tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
  }
  return %k : tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
}

// AT0-LABEL: func.func @part
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 629 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT0-NEXT: sm_120a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT1-LABEL: func.func @part
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 629 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT1-NEXT: sm_120a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 96, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
func.func @part(%x0: tensor<17x96xf8E4M3FN>, %s0: tensor<17x1xf32>, %w0: tensor<3x12x16x4xui8>, %t0: tensor<3x3x16xf8E8M0FNU>) -> tensor<17x37xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %w = %w0, %t = %t0) : (tensor<17x96xf8E4M3FN>, tensor<17x1xf32>, tensor<3x12x16x4xui8>, tensor<3x3x16xf8E8M0FNU>) -> tensor<17x37xf32> {
    %p = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f4E2M1FN, block 32, scale f8E8M0FNU> scales %t columns 37 accumulate two_level : (tensor<17x96xf8E4M3FN>, tensor<17x1xf32>, tensor<3x12x16x4xui8>, tensor<3x3x16xf8E8M0FNU>) -> tensor<17x37xf32>
    graph.yield %p : tensor<17x37xf32>
  }
  return %k : tensor<17x37xf32>
}
