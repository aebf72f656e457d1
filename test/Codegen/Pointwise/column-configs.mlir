// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v3 | FileCheck %s --check-prefix=HOST

// Few columns: strips of 64 bytes, whose positions all teams of a block share. Hosts share
// nothing.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>
// HOST-LABEL: kernel "row" for
// HOST-NOT: share
// HOST: module {
func.func @main(%a: tensor<1x128x384xf32>) -> tensor<1x384xf32> {
  %0 = graph.kernel "row" (%x = %a) : (tensor<1x128x384xf32>) -> tensor<1x384xf32> {
    %s = graph.reduce mean %x axes [1] : (tensor<1x128x384xf32>) -> tensor<1x384xf32>
    graph.yield %s : tensor<1x384xf32>
  }
  return %0 : tensor<1x384xf32>
}

// -----

// Lines shorter than a sector: a thread per position of 4 columns. Of 36 columns two
// positions are whole sectors. Many positions of few columns: more threads.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 4, grain = 512, stage = false, threads = 128, group_threads = 1, reduce_split = 64>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 256, group_threads = 16, reduce_split = 16>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 512, group_threads = 1, reduce_split = 512>
func.func @main(%a: tensor<8x64x4xf32>, %b: tensor<64x36xf32>, %c: tensor<8192x4xf32>) -> (tensor<8x4xf32>, tensor<36xf32>, tensor<4xf32>) {
  %0 = graph.kernel "row" (%x = %a) : (tensor<8x64x4xf32>) -> tensor<8x4xf32> {
    %s = graph.reduce sum %x axes [1] : (tensor<8x64x4xf32>) -> tensor<8x4xf32>
    graph.yield %s : tensor<8x4xf32>
  }
  %1 = graph.kernel "row" (%x = %b) : (tensor<64x36xf32>) -> tensor<36xf32> {
    %s = graph.reduce max %x axes [0] : (tensor<64x36xf32>) -> tensor<36xf32>
    graph.yield %s : tensor<36xf32>
  }
  %2 = graph.kernel "row" (%x = %c) : (tensor<8192x4xf32>) -> tensor<4xf32> {
    %s = graph.reduce max %x axes [0] : (tensor<8192x4xf32>) -> tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  return %0, %1, %2 : tensor<8x4xf32>, tensor<36xf32>, tensor<4xf32>
}

// -----

// Nothing is shared where columns are plenty and their lines whole sectors, where
// there are few positions, and along the last dim. But of short lines there are never
// enough: as many teams share them as make a warp's accesses whole.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 1024, grain = 4096, stage = false, threads = 256, group_threads = 256>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 4, grain = 512, stage = false, threads = 128, group_threads = 1, reduce_split = 32>
func.func @main(%a: tensor<64x1048576xf32>, %b: tensor<7x768xf32>, %c: tensor<8x4096xf32>, %d: tensor<262144x64x4xf32>) -> (tensor<1048576xf32>, tensor<768xf32>, tensor<8xf32>, tensor<262144x4xf32>) {
  %0 = graph.kernel "row" (%x = %a) : (tensor<64x1048576xf32>) -> tensor<1048576xf32> {
    %s = graph.reduce sum %x axes [0] : (tensor<64x1048576xf32>) -> tensor<1048576xf32>
    graph.yield %s : tensor<1048576xf32>
  }
  %1 = graph.kernel "row" (%x = %b) : (tensor<7x768xf32>) -> tensor<768xf32> {
    %s = graph.reduce sum %x axes [0] : (tensor<7x768xf32>) -> tensor<768xf32>
    graph.yield %s : tensor<768xf32>
  }
  %2 = graph.kernel "row" (%x = %c) : (tensor<8x4096xf32>) -> tensor<8xf32> {
    %s = graph.reduce sum %x axes [1] : (tensor<8x4096xf32>) -> tensor<8xf32>
    graph.yield %s : tensor<8xf32>
  }
  %3 = graph.kernel "row" (%x = %d) : (tensor<262144x64x4xf32>) -> tensor<262144x4xf32> {
    %s = graph.reduce sum %x axes [1] : (tensor<262144x64x4xf32>) -> tensor<262144x4xf32>
    graph.yield %s : tensor<262144x4xf32>
  }
  return %0, %1, %2, %3 : tensor<1048576xf32>, tensor<768xf32>, tensor<8xf32>, tensor<262144x4xf32>
}

// -----

// What several passes walk over stays in shared memory: in strips of 64 bytes, narrower
// ones if those do not fit, and else it is read again. A length that is a symbol counts
// as the most that its range allows.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 16, grain = 2048, stage = true, threads = 512, group_threads = 4, reduce_split = 128>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 8, grain = 2048, stage = true, threads = 512, group_threads = 2, reduce_split = 256>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 512, group_threads = 4, reduce_split = 128>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>
#x = #graph.shape<[k] -> [2, k, 64]>
graph.symbol @k in [1, 512]
func.func @main(%a: tensor<2x1000x64xf32>, %b: tensor<2x4000x64xf32>, %c: tensor<2x9000x64xf32>, %d: tensor<2x?x64xf32, #x>) -> (tensor<2x1000x64xf32>, tensor<2x4000x64xf32>, tensor<2x9000x64xf32>, tensor<2x?x64xf32, #x>) {
  %0 = graph.kernel "row" (%x = %a) : (tensor<2x1000x64xf32>) -> tensor<2x1000x64xf32> {
    %s = graph.softmax %x axis 1 : (tensor<2x1000x64xf32>) -> tensor<2x1000x64xf32>
    graph.yield %s : tensor<2x1000x64xf32>
  }
  %1 = graph.kernel "row" (%x = %b) : (tensor<2x4000x64xf32>) -> tensor<2x4000x64xf32> {
    %s = graph.softmax %x axis 1 : (tensor<2x4000x64xf32>) -> tensor<2x4000x64xf32>
    graph.yield %s : tensor<2x4000x64xf32>
  }
  %2 = graph.kernel "row" (%x = %c) : (tensor<2x9000x64xf32>) -> tensor<2x9000x64xf32> {
    %s = graph.softmax %x axis 1 : (tensor<2x9000x64xf32>) -> tensor<2x9000x64xf32>
    graph.yield %s : tensor<2x9000x64xf32>
  }
  %3 = graph.kernel "row" (%x = %d) : (tensor<2x?x64xf32, #x>) -> tensor<2x?x64xf32, #x> {
    %s = graph.softmax %x axis 1 : (tensor<2x?x64xf32, #x>) -> tensor<2x?x64xf32, #x>
    graph.yield %s : tensor<2x?x64xf32, #x>
  }
  return %0, %1, %2, %3 : tensor<2x1000x64xf32>, tensor<2x4000x64xf32>, tensor<2x9000x64xf32>, tensor<2x?x64xf32, #x>
}
