// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_120 | FileCheck %s --check-prefixes=CHECK,SM120
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v3 | FileCheck %s --check-prefix=HOST

// Only on a GPU.
// HOST-NOT: gemv_config

// Packed weights: half a panel per block, so that there are as many as multiprocessors.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.gemv_config<columns = 32, across = 1, split = 8, vector = 8, unroll = 8, along_k = false, row_threads = 8>
// CHECK-NOT: columns = 16
// CHECK: #tile.block_gemm_config
// CHECK: module {
func.func @main(%x: tensor<1x4096xbf16>, %w: tensor<64x4096x64xbf16>) -> tensor<1x4096xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<1x4096xbf16>, tensor<64x4096x64xbf16>) -> tensor<1x4096xbf16> {
    %1 = graph.unpack %b : (tensor<64x4096x64xbf16>) -> tensor<4096x4096xbf16>
    %2 = graph.matmul %a, %1 : (tensor<1x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<1x4096xbf16>
    graph.yield %2 : tensor<1x4096xbf16>
  }
  return %0 : tensor<1x4096xbf16>
}

// -----

// Many columns, four rows: so many blocks that two warps each are enough, or four that
// share a whole panel where there are fewer multiprocessors and each holds more threads.
// CHECK-LABEL: kernel "matmul" for
// SM80-NEXT: #tile.gemv_config<columns = 64, across = 1, split = 4, vector = 8, unroll = 8, along_k = false, row_threads = 16>
// SM120-NEXT: #tile.gemv_config<columns = 32, across = 1, split = 2, vector = 8, unroll = 8, along_k = false, row_threads = 8>
// CHECK: module {
func.func @main(%x: tensor<4x4096xbf16>, %w: tensor<500x4096x64xbf16>) -> tensor<4x32000xbf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4x4096xbf16>, tensor<500x4096x64xbf16>) -> tensor<4x32000xbf16> {
    %1 = graph.unpack %b : (tensor<500x4096x64xbf16>) -> tensor<4096x32000xbf16>
    %2 = graph.matmul %a, %1 : (tensor<4x4096xbf16>, tensor<4096x32000xbf16>) -> tensor<4x32000xbf16>
    graph.yield %2 : tensor<4x32000xbf16>
  }
  return %0 : tensor<4x32000xbf16>
}

// -----

// A transposed operand is read along the depth.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.gemv_config<columns = {{[124]}}, across = {{[1248]}}, split = {{[1248]}}, vector = 4, unroll = {{[1248]}}, along_k = true,
// CHECK: module {
func.func @main(%x: tensor<2x1024xf32>, %w: tensor<512x1024xf32>) -> tensor<2x512xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<2x1024xf32>, tensor<512x1024xf32>) -> tensor<2x512xf32> {
    %2 = graph.matmul %a, %b {transpose_b} : (tensor<2x1024xf32>, tensor<512x1024xf32>) -> tensor<2x512xf32>
    graph.yield %2 : tensor<2x512xf32>
  }
  return %0 : tensor<2x512xf32>
}

// -----

// Rows of 90 bytes: no access of more than two is aligned.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.gemv_config<columns = {{[0-9]+}}, across = 1, split = {{[1248]}}, vector = 1,
// CHECK: module {
func.func @main(%x: tensor<1x256xf16>, %w: tensor<256x45xf16>) -> tensor<1x45xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<1x256xf16>, tensor<256x45xf16>) -> tensor<1x45xf16> {
    %2 = graph.matmul %a, %b : (tensor<1x256xf16>, tensor<256x45xf16>) -> tensor<1x45xf16>
    graph.yield %2 : tensor<1x45xf16>
  }
  return %0 : tensor<1x45xf16>
}

// -----

// As many rows as the range of the symbols allows; there must be one.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.gemv_config
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16,
// CHECK: module {
#some = #graph.shape<[some] -> [2 * some, 64]>
#none = #graph.shape<[none] -> [none, 64]>
#more = #graph.shape<[more] -> [more + 1, 64]>
graph.symbol @some in [1, 4]
graph.symbol @none in [0, 8]
graph.symbol @more in [1, 12]
func.func @main(%x: tensor<?x64xbf16, #some>, %y: tensor<?x64xbf16, #none>, %z: tensor<?x64xbf16, #more>, %w: tensor<64x64xbf16>) -> (tensor<?x64xbf16, #some>, tensor<?x64xbf16, #none>, tensor<?x64xbf16, #more>) {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x64xbf16, #some>, tensor<64x64xbf16>) -> tensor<?x64xbf16, #some> {
    %2 = graph.matmul %a, %b : (tensor<?x64xbf16, #some>, tensor<64x64xbf16>) -> tensor<?x64xbf16, #some>
    graph.yield %2 : tensor<?x64xbf16, #some>
  }
  %1 = graph.kernel "matmul" (%a = %y, %b = %w) : (tensor<?x64xbf16, #none>, tensor<64x64xbf16>) -> tensor<?x64xbf16, #none> {
    %2 = graph.matmul %a, %b : (tensor<?x64xbf16, #none>, tensor<64x64xbf16>) -> tensor<?x64xbf16, #none>
    graph.yield %2 : tensor<?x64xbf16, #none>
  }
  %3 = graph.kernel "matmul" (%a = %z, %b = %w) : (tensor<?x64xbf16, #more>, tensor<64x64xbf16>) -> tensor<?x64xbf16, #more> {
    %2 = graph.matmul %a, %b : (tensor<?x64xbf16, #more>, tensor<64x64xbf16>) -> tensor<?x64xbf16, #more>
    graph.yield %2 : tensor<?x64xbf16, #more>
  }
  return %0, %1, %3 : tensor<?x64xbf16, #some>, tensor<?x64xbf16, #none>, tensor<?x64xbf16, #more>
}

// -----

// Long sums that blocks would share are not where rows are only bounded.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16, {{.*}}, row_threads = {{[0-9]+}}>
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config<rows = 16, {{.*}}, split = {{[0-9]+}}>
// CHECK: module {
#x = #graph.shape<[m] -> [m, 8192]>
#y = #graph.shape<[m] -> [m, 64]>
graph.symbol @m in [1, 16]
func.func @main(%x: tensor<?x8192xbf16, #x>, %z: tensor<16x8192xbf16>, %w: tensor<8192x64xbf16>) -> (tensor<?x64xbf16, #y>, tensor<16x64xbf16>) {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x8192xbf16, #x>, tensor<8192x64xbf16>) -> tensor<?x64xbf16, #y> {
    %2 = graph.matmul %a, %b : (tensor<?x8192xbf16, #x>, tensor<8192x64xbf16>) -> tensor<?x64xbf16, #y>
    graph.yield %2 : tensor<?x64xbf16, #y>
  }
  %1 = graph.kernel "matmul" (%a = %z, %b = %w) : (tensor<16x8192xbf16>, tensor<8192x64xbf16>) -> tensor<16x64xbf16> {
    %2 = graph.matmul %a, %b : (tensor<16x8192xbf16>, tensor<8192x64xbf16>) -> tensor<16x64xbf16>
    graph.yield %2 : tensor<16x64xbf16>
  }
  return %0, %1 : tensor<?x64xbf16, #y>, tensor<16x64xbf16>
}

// -----

// More rows are tiles; so are sums of f64.
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config
// CHECK-LABEL: kernel "matmul" for
// CHECK-NEXT: #tile.block_gemm_config
// CHECK: module {
func.func @main(%x: tensor<9x64xbf16>, %d: tensor<4x64xf64>, %w: tensor<64x64xbf16>, %v: tensor<64x64xf64>) -> (tensor<9x64xbf16>, tensor<4x64xf64>) {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<9x64xbf16>, tensor<64x64xbf16>) -> tensor<9x64xbf16> {
    %2 = graph.matmul %a, %b : (tensor<9x64xbf16>, tensor<64x64xbf16>) -> tensor<9x64xbf16>
    graph.yield %2 : tensor<9x64xbf16>
  }
  %3 = graph.kernel "matmul" (%a = %d, %b = %v) : (tensor<4x64xf64>, tensor<64x64xf64>) -> tensor<4x64xf64> {
    %2 = graph.matmul %a, %b : (tensor<4x64xf64>, tensor<64x64xf64>) -> tensor<4x64xf64>
    graph.yield %2 : tensor<4x64xf64>
  }
  return %0, %3 : tensor<9x64xbf16>, tensor<4x64xf64>
}
