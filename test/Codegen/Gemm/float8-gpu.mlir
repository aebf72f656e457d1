// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_80,sm_90a partition" -o /dev/null | FileCheck %s
// Weights that are bytes of f8E4M3FN, which kernels of GPUs widen beside f32 and tf32.
// NOTE: checks by tools/update-lit-checks

// One row; panels of 64 columns.
// CHECK-LABEL: func.func @row
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 64, across = 1, split = 2, vector = 16, unroll = 8, along_k = false, row_threads = 16>: 2 tasks, 128 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 64, across = 1, split = 2, vector = 16, unroll = 8, along_k = false, row_threads = 16>: 2 tasks, 128 elements equal
func.func @row(%x0: tensor<1x96xf32>, %w0: tensor<2x96x64xf8E4M3FN>) -> tensor<1x128xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<1x96xf32>, tensor<2x96x64xf8E4M3FN>) -> tensor<1x128xf32> {
    %u = graph.unpack %w : (tensor<2x96x64xf8E4M3FN>) -> tensor<96x128xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<96x128xf8E4M3FN>) -> tensor<96x128xf32>
    %m = graph.matmul %x, %f {tf32} : (tensor<1x96xf32>, tensor<96x128xf32>) -> tensor<1x128xf32>
    graph.yield %m : tensor<1x128xf32>
  }
  return %k : tensor<1x128xf32>
}

// Many rows, a K that is no multiple of anything.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16>: 3 tasks, 2368 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16>: 3 tasks, 2368 elements equal
func.func @rows(%x0: tensor<37x45xf32>, %w0: tensor<1x45x64xf8E4M3FN>) -> tensor<37x64xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<37x45xf32>, tensor<1x45x64xf8E4M3FN>) -> tensor<37x64xf32> {
    %u = graph.unpack %w : (tensor<1x45x64xf8E4M3FN>) -> tensor<45x64xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<45x64xf8E4M3FN>) -> tensor<45x64xf32>
    %m = graph.matmul %x, %f {tf32} : (tensor<37x45xf32>, tensor<45x64xf32>) -> tensor<37x64xf32>
    graph.yield %m : tensor<37x64xf32>
  }
  return %k : tensor<37x64xf32>
}

// The same by multiply-adds.
// CHECK-LABEL: func.func @exact
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 3 tasks, 2368 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 3 tasks, 2368 elements equal
func.func @exact(%x0: tensor<37x45xf32>, %w0: tensor<1x45x64xf8E4M3FN>) -> tensor<37x64xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<37x45xf32>, tensor<1x45x64xf8E4M3FN>) -> tensor<37x64xf32> {
    %u = graph.unpack %w : (tensor<1x45x64xf8E4M3FN>) -> tensor<45x64xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<45x64xf8E4M3FN>) -> tensor<45x64xf32>
    %m = graph.matmul %x, %f : (tensor<37x45xf32>, tensor<45x64xf32>) -> tensor<37x64xf32>
    graph.yield %m : tensor<37x64xf32>
  }
  return %k : tensor<37x64xf32>
}

// Panels of 16 columns, of which the last is not full.
// CHECK-LABEL: func.func @partial
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 16, unroll = 1, along_k = false, row_threads = 4>: 3 tasks, 200 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 16, unroll = 1, along_k = false, row_threads = 4>: 3 tasks, 200 elements equal
func.func @partial(%x0: tensor<5x33xf32>, %w0: tensor<3x33x16xf8E4M3FN>) -> tensor<5x40xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<5x33xf32>, tensor<3x33x16xf8E4M3FN>) -> tensor<5x40xf32> {
    %u = graph.unpack %w : (tensor<3x33x16xf8E4M3FN>) -> tensor<33x40xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<33x40xf8E4M3FN>) -> tensor<33x40xf32>
    %m = graph.matmul %x, %f {tf32} : (tensor<5x33xf32>, tensor<33x40xf32>) -> tensor<5x40xf32>
    graph.yield %m : tensor<5x40xf32>
  }
  return %k : tensor<5x40xf32>
}

// Not packed.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 64, across = 1, split = 2, vector = 8, unroll = 4, along_k = false, row_threads = 16>: 1 tasks, 280 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 64, across = 1, split = 2, vector = 8, unroll = 4, along_k = false, row_threads = 16>: 1 tasks, 280 elements equal
func.func @plain(%x0: tensor<7x24xf32>, %w0: tensor<24x40xf8E4M3FN>) -> tensor<7x40xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<7x24xf32>, tensor<24x40xf8E4M3FN>) -> tensor<7x40xf32> {
    %f = graph.cast %w {graph.in_kernel} : (tensor<24x40xf8E4M3FN>) -> tensor<24x40xf32>
    %m = graph.matmul %x, %f {tf32} : (tensor<7x24xf32>, tensor<24x40xf32>) -> tensor<7x40xf32>
    graph.yield %m : tensor<7x40xf32>
  }
  return %k : tensor<7x40xf32>
}
