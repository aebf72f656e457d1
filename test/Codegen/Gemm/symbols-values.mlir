// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a dims=m:1,n:1" -o /dev/null | FileCheck %s --check-prefix=AT0
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a dims=m:7,n:2" -o /dev/null | FileCheck %s --check-prefix=AT1
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a dims=m:70,n:3" -o /dev/null | FileCheck %s --check-prefix=AT2
// Products whose sizes only the launch knows.

graph.symbol @m in [1, 600]
graph.symbol @n in [1, 64]

// Rows of the launch: code for few of them, and for all.
// AT0-LABEL: func.func @rows
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 36 elements equal
// AT0-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 36 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 36 elements equal
// AT0-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 4, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 3 tasks, 36 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 36 elements equal
// AT0-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 4, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 3 tasks, 36 elements equal
// AT1-LABEL: func.func @rows
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 252 elements equal
// AT1-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 252 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 252 elements equal
// AT1-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 4, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 3 tasks, 252 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 252 elements equal
// AT1-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 4, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 3 tasks, 252 elements equal
// AT2-LABEL: func.func @rows
// AT2-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 2520 elements equal
// AT2-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 2520 elements equal
// AT2-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 4 tasks, 2520 elements equal
// AT2-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 4, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: not at this size
// AT2-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 4 tasks, 2520 elements equal
// AT2-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 4, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: not at this size
func.func @rows(%a0: tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>, %b0: tensor<40x36xf32>, %c0: tensor<36xf32>) -> tensor<?x36xf32, #graph.shape<[m] -> [m, 36]>> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>, tensor<40x36xf32>, tensor<36xf32>) -> tensor<?x36xf32, #graph.shape<[m] -> [m, 36]>> {
    %1 = graph.matmul %a, %b : (tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>, tensor<40x36xf32>) -> tensor<?x36xf32, #graph.shape<[m] -> [m, 36]>>
    %2 = graph.binary add %1, %c : (tensor<?x36xf32, #graph.shape<[m] -> [m, 36]>>, tensor<36xf32>) -> tensor<?x36xf32, #graph.shape<[m] -> [m, 36]>>
    graph.yield %2 : tensor<?x36xf32, #graph.shape<[m] -> [m, 36]>>
  }
  return %k : tensor<?x36xf32, #graph.shape<[m] -> [m, 36]>>
}

// Packed weights.
// AT0-LABEL: func.func @packed_rows
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 96 elements equal
// AT0-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 96 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 96 elements equal
// AT0-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 8, vector = 4, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 6 tasks, 96 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 64>]: 16 tasks, 96 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 96 elements equal
// AT0-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 8, vector = 4, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 6 tasks, 96 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 64>]: 16 tasks, 96 elements equal
// AT1-LABEL: func.func @packed_rows
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 672 elements equal
// AT1-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 672 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 672 elements equal
// AT1-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 8, vector = 4, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 6 tasks, 672 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 64>]: 16 tasks, 672 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 672 elements equal
// AT1-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 8, vector = 4, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 6 tasks, 672 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 64>]: 16 tasks, 672 elements equal
// AT2-LABEL: func.func @packed_rows
// AT2-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 6720 elements equal
// AT2-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 6720 elements equal
// AT2-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 4 tasks, 6720 elements equal
// AT2-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 8, vector = 4, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: not at this size
// AT2-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 64>]: not at this size
// AT2-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 4 tasks, 6720 elements equal
// AT2-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 8, vector = 4, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: not at this size
// AT2-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 64>]: not at this size
func.func @packed_rows(%a0: tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, %b0: tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.unpack %b : (tensor<6x512x16xf32>) -> tensor<512x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<512x96xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
  }
  return %k : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
}

// In f16.
// AT0-LABEL: func.func @packed_rows_f16
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 96 elements equal
// AT0-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 96 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 4, threads = 64, row_threads = 4>: 3 tasks, 96 elements equal
// AT0-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 8, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 6 tasks, 96 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 4, threads = 64, row_threads = 4, split = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 64>]: 24 tasks, 96 elements equal
// AT0-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 4, block_k = 64, stages = 7, epilogue_panels = 4, row_threads = 4, raster = 8, copy_registers = 40, compute_registers = 232>: 2 tasks, 96 elements equal
// AT0-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 8, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 6 tasks, 96 elements equal
// AT1-LABEL: func.func @packed_rows_f16
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 672 elements equal
// AT1-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 672 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 4, threads = 64, row_threads = 4>: 3 tasks, 672 elements equal
// AT1-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 8, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 6 tasks, 672 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 4, threads = 64, row_threads = 4, split = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 64>]: 24 tasks, 672 elements equal
// AT1-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 4, block_k = 64, stages = 7, epilogue_panels = 4, row_threads = 4, raster = 8, copy_registers = 40, compute_registers = 232>: 2 tasks, 672 elements equal
// AT1-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 8, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 6 tasks, 672 elements equal
// AT2-LABEL: func.func @packed_rows_f16
// AT2-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 6720 elements equal
// AT2-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 6720 elements equal
// AT2-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 4, threads = 64, row_threads = 4>: 15 tasks, 6720 elements equal
// AT2-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 8, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: not at this size
// AT2-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 4, threads = 64, row_threads = 4, split = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 64>]: not at this size
// AT2-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 4, block_k = 64, stages = 7, epilogue_panels = 4, row_threads = 4, raster = 8, copy_registers = 40, compute_registers = 232>: 2 tasks, 6720 elements equal
// AT2-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 8, unroll = 8, along_k = false, row_threads = 4> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: not at this size
func.func @packed_rows_f16(%a0: tensor<?x512xf16, #graph.shape<[m] -> [m, 512]>>, %b0: tensor<6x512x16xf16>) -> tensor<?x96xf16, #graph.shape<[m] -> [m, 96]>> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<?x512xf16, #graph.shape<[m] -> [m, 512]>>, tensor<6x512x16xf16>) -> tensor<?x96xf16, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.unpack %b : (tensor<6x512x16xf16>) -> tensor<512x96xf16>
    %2 = graph.matmul %a, %1 : (tensor<?x512xf16, #graph.shape<[m] -> [m, 512]>>, tensor<512x96xf16>) -> tensor<?x96xf16, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xf16, #graph.shape<[m] -> [m, 96]>>
  }
  return %k : tensor<?x96xf16, #graph.shape<[m] -> [m, 96]>>
}

// Columns of the launch.
// AT0-LABEL: func.func @columns
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 8, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 9 elements equal
// AT0-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 8, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 9 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 1 tasks, 9 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 1 tasks, 9 elements equal
// AT1-LABEL: func.func @columns
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 8, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 63 elements equal
// AT1-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 8, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 63 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 1 tasks, 63 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 1 tasks, 63 elements equal
// AT2-LABEL: func.func @columns
// AT2-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 8, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 630 elements equal
// AT2-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 8, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 630 elements equal
// AT2-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 2 tasks, 630 elements equal
// AT2-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 2 tasks, 630 elements equal
func.func @columns(%a0: tensor<9x20xf32>, %b0: tensor<20x?xf32, #graph.shape<[m] -> [20, m]>>) -> tensor<9x?xf32, #graph.shape<[m] -> [9, m]>> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<9x20xf32>, tensor<20x?xf32, #graph.shape<[m] -> [20, m]>>) -> tensor<9x?xf32, #graph.shape<[m] -> [9, m]>> {
    %1 = graph.matmul %a, %b : (tensor<9x20xf32>, tensor<20x?xf32, #graph.shape<[m] -> [20, m]>>) -> tensor<9x?xf32, #graph.shape<[m] -> [9, m]>>
    graph.yield %1 : tensor<9x?xf32, #graph.shape<[m] -> [9, m]>>
  }
  return %k : tensor<9x?xf32, #graph.shape<[m] -> [9, m]>>
}

// K of the launch.
// AT0-LABEL: func.func @depth
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 108 elements equal
// AT0-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 108 elements equal
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 108 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 108 elements equal
// AT1-LABEL: func.func @depth
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 108 elements equal
// AT1-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 108 elements equal
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 108 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 108 elements equal
// AT2-LABEL: func.func @depth
// AT2-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 108 elements equal
// AT2-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 108 elements equal
// AT2-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 108 elements equal
// AT2-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 108 elements equal
func.func @depth(%a0: tensor<9x?xf32, #graph.shape<[m] -> [9, m]>>, %b0: tensor<?x12xf32, #graph.shape<[m] -> [m, 12]>>) -> tensor<9x12xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<9x?xf32, #graph.shape<[m] -> [9, m]>>, tensor<?x12xf32, #graph.shape<[m] -> [m, 12]>>) -> tensor<9x12xf32> {
    %1 = graph.matmul %a, %b : (tensor<9x?xf32, #graph.shape<[m] -> [9, m]>>, tensor<?x12xf32, #graph.shape<[m] -> [m, 12]>>) -> tensor<9x12xf32>
    graph.yield %1 : tensor<9x12xf32>
  }
  return %k : tensor<9x12xf32>
}

// Batches of the launch.
// AT0-LABEL: func.func @batches
// AT0-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 35 elements equal
// AT0-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 35 elements equal
// AT0-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 1 tasks, 35 elements equal
// AT0-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 1 tasks, 35 elements equal
// AT1-LABEL: func.func @batches
// AT1-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 70 elements equal
// AT1-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 70 elements equal
// AT1-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 2 tasks, 70 elements equal
// AT1-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 2 tasks, 70 elements equal
// AT2-LABEL: func.func @batches
// AT2-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 3 tasks, 105 elements equal
// AT2-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 3 tasks, 105 elements equal
// AT2-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 3 tasks, 105 elements equal
// AT2-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 3 tasks, 105 elements equal
func.func @batches(%a0: tensor<?x5x8xf32, #graph.shape<[n] -> [n, 5, 8]>>, %b0: tensor<?x8x7xf32, #graph.shape<[n] -> [n, 8, 7]>>) -> tensor<?x5x7xf32, #graph.shape<[n] -> [n, 5, 7]>> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<?x5x8xf32, #graph.shape<[n] -> [n, 5, 8]>>, tensor<?x8x7xf32, #graph.shape<[n] -> [n, 8, 7]>>) -> tensor<?x5x7xf32, #graph.shape<[n] -> [n, 5, 7]>> {
    %1 = graph.matmul %a, %b : (tensor<?x5x8xf32, #graph.shape<[n] -> [n, 5, 8]>>, tensor<?x8x7xf32, #graph.shape<[n] -> [n, 8, 7]>>) -> tensor<?x5x7xf32, #graph.shape<[n] -> [n, 5, 7]>>
    graph.yield %1 : tensor<?x5x7xf32, #graph.shape<[n] -> [n, 5, 7]>>
  }
  return %k : tensor<?x5x7xf32, #graph.shape<[n] -> [n, 5, 7]>>
}
