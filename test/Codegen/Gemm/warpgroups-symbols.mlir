// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition dims=m:1" -o /dev/null | FileCheck %s --check-prefix=AT0
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition dims=m:70" -o /dev/null | FileCheck %s --check-prefix=AT1
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition dims=m:130" -o /dev/null | FileCheck %s --check-prefix=AT2
// Products for warpgroups over dims of the launch.

graph.symbol @m in [1, 600]

// Rows of the launch.
// AT0-LABEL: func.func @rows
// AT0-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 96 elements equal
// AT0-NEXT: sm_90a #tile.gemv_config<columns = 32, across = 1, split = 4, vector = 8, unroll = 4, along_k = false, row_threads = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: 3 tasks, 96 elements equal
// AT1-LABEL: func.func @rows
// AT1-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 6720 elements equal
// AT1-NEXT: sm_90a #tile.gemv_config<columns = 32, across = 1, split = 4, vector = 8, unroll = 4, along_k = false, row_threads = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: not at this size
// AT2-LABEL: func.func @rows
// AT2-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 4 tasks, 12480 elements equal
// AT2-NEXT: sm_90a #tile.gemv_config<columns = 32, across = 1, split = 4, vector = 8, unroll = 4, along_k = false, row_threads = 8> when [#tile.bound<affine_map<()[s0] -> (s0)> max 8>]: not at this size
func.func @rows(%a0: tensor<?x128xbf16, #graph.shape<[m] -> [m, 128]>>, %b0: tensor<128x96xbf16>, %c0: tensor<96xbf16>) -> tensor<?x96xbf16, #graph.shape<[m] -> [m, 96]>> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<?x128xbf16, #graph.shape<[m] -> [m, 128]>>, tensor<128x96xbf16>, tensor<96xbf16>) -> tensor<?x96xbf16, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.matmul %a, %b : (tensor<?x128xbf16, #graph.shape<[m] -> [m, 128]>>, tensor<128x96xbf16>) -> tensor<?x96xbf16, #graph.shape<[m] -> [m, 96]>>
    %2 = graph.binary add %1, %c : (tensor<?x96xbf16, #graph.shape<[m] -> [m, 96]>>, tensor<96xbf16>) -> tensor<?x96xbf16, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xbf16, #graph.shape<[m] -> [m, 96]>>
  }
  return %k : tensor<?x96xbf16, #graph.shape<[m] -> [m, 96]>>
}

// K of the launch.
// AT0-LABEL: func.func @depth
// AT0-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
// AT1-LABEL: func.func @depth
// AT1-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
// AT2-LABEL: func.func @depth
// AT2-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
func.func @depth(%a0: tensor<100x?xf16, #graph.shape<[m] -> [100, 8*m]>>, %b0: tensor<?x96xf16, #graph.shape<[m] -> [8*m, 96]>>) -> tensor<100x96xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<100x?xf16, #graph.shape<[m] -> [100, 8*m]>>, tensor<?x96xf16, #graph.shape<[m] -> [8*m, 96]>>) -> tensor<100x96xf16> {
    %1 = graph.matmul %a, %b : (tensor<100x?xf16, #graph.shape<[m] -> [100, 8*m]>>, tensor<?x96xf16, #graph.shape<[m] -> [8*m, 96]>>) -> tensor<100x96xf16>
    graph.yield %1 : tensor<100x96xf16>
  }
  return %k : tensor<100x96xf16>
}
