// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,HOST

// Rows of 64: sixteen threads own sixteen rows.
// CHECK-LABEL: kernel "scatter" for
// GPU-NEXT: #tile.scatter_config<rows = 16, lanes = 64, chunk = 32, held = false, threads = 128, group_threads = 16>
// HOST-NEXT: #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>
// CHECK-NOT: #tile.scatter_config
func.func @main(%x: tensor<8x512x64xf32>, %i: tensor<8x4x1xi64>, %u: tensor<8x4x64xf32>) -> tensor<8x512x64xf32> {
  %0 = graph.kernel "scatter" (%a = %x, %b = %i, %c = %u) : (tensor<8x512x64xf32>, tensor<8x4x1xi64>, tensor<8x4x64xf32>) -> tensor<8x512x64xf32> {
    %1 = graph.scatter %a, %b, %c : (tensor<8x512x64xf32>, tensor<8x4x1xi64>, tensor<8x4x64xf32>) -> tensor<8x512x64xf32>
    graph.yield %1 : tensor<8x512x64xf32>
  }
  return %0 : tensor<8x512x64xf32>
}

// -----

// One column: a warp holds 512 rows in registers; a host looks at many more at a time.
// CHECK-LABEL: kernel "scatter" for
// GPU-NEXT: #tile.scatter_config<rows = 512, lanes = 512, chunk = 64, held = true, threads = 128, group_threads = 32>
// HOST-NEXT: #tile.scatter_config<rows = 16384, lanes = 64, chunk = 32, held = false>
// CHECK-NOT: #tile.scatter_config
func.func @main(%x: tensor<1x4096x1xbf16>, %i: tensor<1x4x1xi64>, %u: tensor<1x4x1xbf16>) -> tensor<1x4096x1xbf16> {
  %0 = graph.kernel "scatter" (%a = %x, %b = %i, %c = %u) : (tensor<1x4096x1xbf16>, tensor<1x4x1xi64>, tensor<1x4x1xbf16>) -> tensor<1x4096x1xbf16> {
    %1 = graph.scatter %a, %b, %c combine sum : (tensor<1x4096x1xbf16>, tensor<1x4x1xi64>, tensor<1x4x1xbf16>) -> tensor<1x4096x1xbf16>
    graph.yield %1 : tensor<1x4096x1xbf16>
  }
  return %0 : tensor<1x4096x1xbf16>
}
