// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,V4

// The tile fills the registers: 6 x 16 of AVX2's 16, 12 x 32 of AVX-512's 32
// with two panels side by side.
// CHECK-LABEL: kernel "matmul" for
// V3-NEXT: #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 6, kc = 0, ku = 4, group = 1, staged_epilogue = false>
// V4-NEXT: #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 6, kc = 0, ku = 4, group = 2, staged_epilogue = false>
// V4-NEXT: #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 6, kc = 0, ku = 4, group = 1, staged_epilogue = false>
// CHECK-NOT: #tile.gemm_config
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

// Too deep for L2: in blocks of kc first, in one go as the variant.
// CHECK-LABEL: kernel "matmul" for
// V3-NEXT: #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 6, kc = 1024,
// V3-NEXT: #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 6, kc = 0,
// V4-NEXT: #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 6, kc = 1536, ku = 4, group = 2,
// V4-NEXT: #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 6, kc = 0, ku = 4, group = 2,
// V4-NEXT: #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 6, kc = 1536, ku = 4, group = 1,
// V4-NEXT: #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 6, kc = 0, ku = 4, group = 1,
// CHECK-NOT: #tile.gemm_config
// CHECK: module {
func.func @main(%x: tensor<96x3072xf32>, %w: tensor<48x3072x16xf32>) -> tensor<96x768xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<96x3072xf32>, tensor<48x3072x16xf32>) -> tensor<96x768xf32> {
    %1 = graph.unpack %b : (tensor<48x3072x16xf32>) -> tensor<3072x768xf32>
    %2 = graph.matmul %a, %1 : (tensor<96x3072xf32>, tensor<3072x768xf32>) -> tensor<96x768xf32>
    graph.yield %2 : tensor<96x768xf32>
  }
  return %0 : tensor<96x768xf32>
}

// -----

// A long epilogue runs on rows in scratch, and few columns are few panels: one per task,
// or as many as the tile has side by side.
// CHECK-LABEL: kernel "matmul" for
// V3-NEXT: #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, {{.*}} staged_epilogue = true>
// V4-NEXT: #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, {{.*}} group = 2, staged_epilogue = true>
// CHECK: module {
func.func @main(%x: tensor<6x64xf32>, %w: tensor<64x20xf32>) -> tensor<6x20xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<6x64xf32>, tensor<64x20xf32>) -> tensor<6x20xf32> {
    %1 = graph.matmul %a, %b : (tensor<6x64xf32>, tensor<64x20xf32>) -> tensor<6x20xf32>
    %2 = graph.unary gelu %1 : (tensor<6x20xf32>) -> tensor<6x20xf32>
    graph.yield %2 : tensor<6x20xf32>
  }
  return %0 : tensor<6x20xf32>
}
