// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,V4

// Four registers per fragment first; a function of 28 instructions makes tasks
// small.
// CHECK-LABEL: kernel "pointwise" for
// V3-NEXT: #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>
// V3-NEXT: #tile.pointwise_config<lanes = 16, grain = 4096, stage = false>
// V3-NEXT: #tile.pointwise_config<lanes = 8, grain = 4096, stage = false>
// V3-NEXT: #tile.pointwise_config<lanes = 64, grain = 4096, stage = false>
// V4-NEXT: #tile.pointwise_config<lanes = 64, grain = 4096, stage = false>
// V4-NEXT: #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>
// V4-NEXT: #tile.pointwise_config<lanes = 16, grain = 4096, stage = false>
// V4-NEXT: #tile.pointwise_config<lanes = 128, grain = 4096, stage = false>
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

// What a row op reads twice and is dear to compute is kept in scratch.
// CHECK-LABEL: kernel "row" for
// CHECK-NEXT: stage = true
func.func @main(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<4x1024xf32>) -> tensor<4x1024xf32> {
    %1 = graph.unary gelu %a : (tensor<4x1024xf32>) -> tensor<4x1024xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<4x1024xf32>) -> tensor<4x1024xf32>
    graph.yield %2 : tensor<4x1024xf32>
  }
  return %0 : tensor<4x1024xf32>
}

// -----

// Every pass over a row of unknown length ends in a masked fragment: half as long first.
// CHECK-LABEL: kernel "row" for
// V3-NEXT: lanes = 16,
// V3-NEXT: lanes = 32,
// V4-NEXT: lanes = 32,
// V4-NEXT: lanes = 64,
#rows = #graph.shape<[k] -> [8, k]>
graph.symbol @k in [1, 512]
func.func @main(%x: tensor<8x?xf32, #rows>) -> tensor<8x?xf32, #rows> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<8x?xf32, #rows>) -> tensor<8x?xf32, #rows> {
    %1 = graph.softmax %a axis 1 : (tensor<8x?xf32, #rows>) -> tensor<8x?xf32, #rows>
    graph.yield %1 : tensor<8x?xf32, #rows>
  }
  return %0 : tensor<8x?xf32, #rows>
}
