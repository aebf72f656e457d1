// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s

// A warp shares a fragment of four elements per thread.
// CHECK-LABEL: kernel "pointwise" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, team = 32>
// CHECK-NEXT: #tile.pointwise_config<lanes = 32, grain = 512, stage = false, threads = 128, team = 32>
// CHECK-NOT: #tile.pointwise_config
// CHECK: module {
func.func @main(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4x1024xf32>) -> tensor<4x1024xf32> {
    %1 = graph.unary gelu %a : (tensor<4x1024xf32>) -> tensor<4x1024xf32>
    graph.yield %1 : tensor<4x1024xf32>
  }
  return %0 : tensor<4x1024xf32>
}

// -----

// Rows of 16: four threads each. Rows of 32768: a whole block of 256.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, team = 4>
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: #tile.pointwise_config<lanes = 1024, grain = 4096, stage = false, threads = 256, team = 256>
func.func @main(%x: tensor<64x16xf32>, %y: tensor<2x32768xf32>) -> (tensor<64x16xf32>, tensor<2x32768xf32>) {
  %0 = graph.kernel "row" (%a = %x) : (tensor<64x16xf32>) -> tensor<64x16xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<64x16xf32>) -> tensor<64x16xf32>
    graph.yield %1 : tensor<64x16xf32>
  }
  %1 = graph.kernel "row" (%a = %y) : (tensor<2x32768xf32>) -> tensor<2x32768xf32> {
    %2 = graph.softmax %a axis 1 : (tensor<2x32768xf32>) -> tensor<2x32768xf32>
    graph.yield %2 : tensor<2x32768xf32>
  }
  return %0, %1 : tensor<64x16xf32>, tensor<2x32768xf32>
}
