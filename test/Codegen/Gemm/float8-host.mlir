// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4" -o /dev/null | FileCheck %s
// Weights that are bytes of f8E4M3FN, which kernels widen.
// NOTE: checks by tools/update-lit-checks

// One row; panels of 64 columns hold four register tiles.
// CHECK-LABEL: func.func @row
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 128 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 128 elements equal
func.func @row(%x0: tensor<1x96xf32>, %w0: tensor<2x96x64xf8E4M3FN>) -> tensor<1x128xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<1x96xf32>, tensor<2x96x64xf8E4M3FN>) -> tensor<1x128xf32> {
    %u = graph.unpack %w : (tensor<2x96x64xf8E4M3FN>) -> tensor<96x128xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<96x128xf8E4M3FN>) -> tensor<96x128xf32>
    %m = graph.matmul %x, %f : (tensor<1x96xf32>, tensor<96x128xf32>) -> tensor<1x128xf32>
    graph.yield %m : tensor<1x128xf32>
  }
  return %k : tensor<1x128xf32>
}

// Many rows, a K that is no multiple of anything.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 2368 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 2368 elements equal
func.func @rows(%x0: tensor<37x45xf32>, %w0: tensor<1x45x64xf8E4M3FN>) -> tensor<37x64xf32> {
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
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 200 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 200 elements equal
func.func @partial(%x0: tensor<5x33xf32>, %w0: tensor<3x33x16xf8E4M3FN>) -> tensor<5x40xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<5x33xf32>, tensor<3x33x16xf8E4M3FN>) -> tensor<5x40xf32> {
    %u = graph.unpack %w : (tensor<3x33x16xf8E4M3FN>) -> tensor<33x40xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<33x40xf8E4M3FN>) -> tensor<33x40xf32>
    %m = graph.matmul %x, %f : (tensor<5x33xf32>, tensor<33x40xf32>) -> tensor<5x40xf32>
    graph.yield %m : tensor<5x40xf32>
  }
  return %k : tensor<5x40xf32>
}

// Not packed: a panel is copied, and widened, before it is multiplied.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 280 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 280 elements equal
func.func @plain(%x0: tensor<7x24xf32>, %w0: tensor<24x40xf8E4M3FN>) -> tensor<7x40xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<7x24xf32>, tensor<24x40xf8E4M3FN>) -> tensor<7x40xf32> {
    %f = graph.cast %w {graph.in_kernel} : (tensor<24x40xf8E4M3FN>) -> tensor<24x40xf32>
    %m = graph.matmul %x, %f : (tensor<7x24xf32>, tensor<24x40xf32>) -> tensor<7x40xf32>
    graph.yield %m : tensor<7x40xf32>
  }
  return %k : tensor<7x40xf32>
}
