// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_120 | FileCheck %s

// 64 rows by four panels first; wider, narrower and shallower as variants.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>
// CHECK-NEXT: #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 2, threads = 128, row_threads = 4>
// CHECK-NEXT: #tile.block_gemm_config<rows = 64, panels = 8, block_k = 16, stages = 3, threads = 128, row_threads = 4>
// CHECK: module {
#x = #graph.shape<[m] -> [m, 768]>
graph.symbol @m in [1, 512]
func.func @main(%x: tensor<?x768xf32, #x>, %w: tensor<48x768x16xf32>) -> tensor<?x768xf32, #x> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x768xf32, #x>, tensor<48x768x16xf32>) -> tensor<?x768xf32, #x> {
    %1 = graph.unpack %b : (tensor<48x768x16xf32>) -> tensor<768x768xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x768xf32, #x>, tensor<768x768xf32>) -> tensor<?x768xf32, #x>
    graph.yield %2 : tensor<?x768xf32, #x>
  }
  return %0 : tensor<?x768xf32, #x>
}

// -----

// Few rows and columns: a quarter of the height, and no more panels than there are.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>
// CHECK-NOT: panels = 4
// CHECK: module {
func.func @main(%x: tensor<16x64xf32>, %w: tensor<2x64x16xf32>) -> tensor<16x32xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<16x64xf32>, tensor<2x64x16xf32>) -> tensor<16x32xf32> {
    %1 = graph.unpack %b : (tensor<2x64x16xf32>) -> tensor<64x32xf32>
    %2 = graph.matmul %a, %1 : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    graph.yield %2 : tensor<16x32xf32>
  }
  return %0 : tensor<16x32xf32>
}
