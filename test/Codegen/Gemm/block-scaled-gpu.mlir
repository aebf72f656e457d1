// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_80,sm_90a partition" -o /dev/null | FileCheck %s
// Weights that are bytes of f8E4M3FN with a scale of f8E8M0FNU per 32 steps of K and column, on GPUs.
// NOTE: checks by tools/update-lit-checks

// One row; panels of 64 columns.
// CHECK-LABEL: func.func @row
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 32, stages = 4, threads = 128, row_threads = 16>: 2 tasks, 128 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 64, across = 1, split = 1, vector = 16, unroll = 8, along_k = false, row_threads = 16>: 2 tasks, 128 elements equal
func.func @row(%x0: tensor<1x96xf32>, %w0: tensor<2x96x64xf8E4M3FN>, %s0: tensor<2x3x64xf8E8M0FNU>) -> tensor<1x128xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %s = %s0) : (tensor<1x96xf32>, tensor<2x96x64xf8E4M3FN>, tensor<2x3x64xf8E8M0FNU>) -> tensor<1x128xf32> {
    %u = graph.unpack %w : (tensor<2x96x64xf8E4M3FN>) -> tensor<96x128xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<96x128xf8E4M3FN>) -> tensor<96x128xf32>
    %t = graph.unpack %s : (tensor<2x3x64xf8E8M0FNU>) -> tensor<3x128xf8E8M0FNU>
    %d = graph.cast %t {graph.in_kernel} : (tensor<3x128xf8E8M0FNU>) -> tensor<3x128xf32>
    %a = graph.reshape %d : (tensor<3x128xf32>) -> tensor<3x1x128xf32>
    %b = graph.broadcast %a : (tensor<3x1x128xf32>) -> tensor<3x32x128xf32>
    %r = graph.reshape %b : (tensor<3x32x128xf32>) -> tensor<96x128xf32>
    %v = graph.binary mul %f, %r : (tensor<96x128xf32>, tensor<96x128xf32>) -> tensor<96x128xf32>
    %m = graph.matmul %x, %v {tf32} : (tensor<1x96xf32>, tensor<96x128xf32>) -> tensor<1x128xf32>
    graph.yield %m : tensor<1x128xf32>
  }
  return %k : tensor<1x128xf32>
}

// Few rows: multiply-adds or a tile of tensor cores.
// CHECK-LABEL: func.func @small
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 16, unroll = 2, along_k = false, row_threads = 4>: 8 tasks, 384 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 16, unroll = 2, along_k = false, row_threads = 4>: 8 tasks, 384 elements equal
func.func @small(%x0: tensor<3x64xf32>, %w0: tensor<8x64x16xf8E4M3FN>, %s0: tensor<8x2x16xf8E8M0FNU>) -> tensor<3x128xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %s = %s0) : (tensor<3x64xf32>, tensor<8x64x16xf8E4M3FN>, tensor<8x2x16xf8E8M0FNU>) -> tensor<3x128xf32> {
    %u = graph.unpack %w : (tensor<8x64x16xf8E4M3FN>) -> tensor<64x128xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<64x128xf8E4M3FN>) -> tensor<64x128xf32>
    %t = graph.unpack %s : (tensor<8x2x16xf8E8M0FNU>) -> tensor<2x128xf8E8M0FNU>
    %d = graph.cast %t {graph.in_kernel} : (tensor<2x128xf8E8M0FNU>) -> tensor<2x128xf32>
    %a = graph.reshape %d : (tensor<2x128xf32>) -> tensor<2x1x128xf32>
    %b = graph.broadcast %a : (tensor<2x1x128xf32>) -> tensor<2x32x128xf32>
    %r = graph.reshape %b : (tensor<2x32x128xf32>) -> tensor<64x128xf32>
    %v = graph.binary mul %f, %r : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    %m = graph.matmul %x, %v {tf32} : (tensor<3x64xf32>, tensor<64x128xf32>) -> tensor<3x128xf32>
    graph.yield %m : tensor<3x128xf32>
  }
  return %k : tensor<3x128xf32>
}

// Many rows; one block of K.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 32, stages = 4, threads = 128, row_threads = 16>: 3 tasks, 2368 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 32, stages = 4, threads = 128, row_threads = 16>: 3 tasks, 2368 elements equal
func.func @rows(%x0: tensor<37x32xf32>, %w0: tensor<1x32x64xf8E4M3FN>, %s0: tensor<1x1x64xf8E8M0FNU>) -> tensor<37x64xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %s = %s0) : (tensor<37x32xf32>, tensor<1x32x64xf8E4M3FN>, tensor<1x1x64xf8E8M0FNU>) -> tensor<37x64xf32> {
    %u = graph.unpack %w : (tensor<1x32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<32x64xf8E4M3FN>) -> tensor<32x64xf32>
    %t = graph.unpack %s : (tensor<1x1x64xf8E8M0FNU>) -> tensor<1x64xf8E8M0FNU>
    %d = graph.cast %t {graph.in_kernel} : (tensor<1x64xf8E8M0FNU>) -> tensor<1x64xf32>
    %a = graph.reshape %d : (tensor<1x64xf32>) -> tensor<1x1x64xf32>
    %b = graph.broadcast %a : (tensor<1x1x64xf32>) -> tensor<1x32x64xf32>
    %r = graph.reshape %b : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
    %v = graph.binary mul %f, %r : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %m = graph.matmul %x, %v {tf32} : (tensor<37x32xf32>, tensor<32x64xf32>) -> tensor<37x64xf32>
    graph.yield %m : tensor<37x64xf32>
  }
  return %k : tensor<37x64xf32>
}

// The same by multiply-adds.
// CHECK-LABEL: func.func @exact
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 3 tasks, 2368 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 3 tasks, 2368 elements equal
func.func @exact(%x0: tensor<37x32xf32>, %w0: tensor<1x32x64xf8E4M3FN>, %s0: tensor<1x1x64xf8E8M0FNU>) -> tensor<37x64xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %s = %s0) : (tensor<37x32xf32>, tensor<1x32x64xf8E4M3FN>, tensor<1x1x64xf8E8M0FNU>) -> tensor<37x64xf32> {
    %u = graph.unpack %w : (tensor<1x32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<32x64xf8E4M3FN>) -> tensor<32x64xf32>
    %t = graph.unpack %s : (tensor<1x1x64xf8E8M0FNU>) -> tensor<1x64xf8E8M0FNU>
    %d = graph.cast %t {graph.in_kernel} : (tensor<1x64xf8E8M0FNU>) -> tensor<1x64xf32>
    %a = graph.reshape %d : (tensor<1x64xf32>) -> tensor<1x1x64xf32>
    %b = graph.broadcast %a : (tensor<1x1x64xf32>) -> tensor<1x32x64xf32>
    %r = graph.reshape %b : (tensor<1x32x64xf32>) -> tensor<32x64xf32>
    %v = graph.binary mul %f, %r : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %m = graph.matmul %x, %v : (tensor<37x32xf32>, tensor<32x64xf32>) -> tensor<37x64xf32>
    graph.yield %m : tensor<37x64xf32>
  }
  return %k : tensor<37x64xf32>
}

// Panels of 16 columns, of which the last is not full.
// CHECK-LABEL: func.func @partial
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 16, unroll = 2, along_k = false, row_threads = 4>: 3 tasks, 200 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 16, unroll = 2, along_k = false, row_threads = 4>: 3 tasks, 200 elements equal
func.func @partial(%x0: tensor<5x64xf32>, %w0: tensor<3x64x16xf8E4M3FN>, %s0: tensor<3x2x16xf8E8M0FNU>) -> tensor<5x40xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %s = %s0) : (tensor<5x64xf32>, tensor<3x64x16xf8E4M3FN>, tensor<3x2x16xf8E8M0FNU>) -> tensor<5x40xf32> {
    %u = graph.unpack %w : (tensor<3x64x16xf8E4M3FN>) -> tensor<64x40xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<64x40xf8E4M3FN>) -> tensor<64x40xf32>
    %t = graph.unpack %s : (tensor<3x2x16xf8E8M0FNU>) -> tensor<2x40xf8E8M0FNU>
    %d = graph.cast %t {graph.in_kernel} : (tensor<2x40xf8E8M0FNU>) -> tensor<2x40xf32>
    %a = graph.reshape %d : (tensor<2x40xf32>) -> tensor<2x1x40xf32>
    %b = graph.broadcast %a : (tensor<2x1x40xf32>) -> tensor<2x32x40xf32>
    %r = graph.reshape %b : (tensor<2x32x40xf32>) -> tensor<64x40xf32>
    %v = graph.binary mul %f, %r : (tensor<64x40xf32>, tensor<64x40xf32>) -> tensor<64x40xf32>
    %m = graph.matmul %x, %v {tf32} : (tensor<5x64xf32>, tensor<64x40xf32>) -> tensor<5x40xf32>
    graph.yield %m : tensor<5x40xf32>
  }
  return %k : tensor<5x40xf32>
}
