// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_86 | FileCheck %s --check-prefixes=CHECK,SMALL

// The tallest block of queries that shared memory and registers hold.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.block_attention_config<rows = 64, keys = 32, threads = 128>
// CHECK-NEXT: #tile.block_attention_config<rows = 32, keys = 32, threads = 128>
// CHECK: module {
#h = #graph.shape<[b, s] -> [b, 4, s, 32]>
graph.symbol @b in [1, 8]
graph.symbol @s in [1, 512]
func.func @main(%q: tensor<?x4x?x32xf32, #h>) -> tensor<?x4x?x32xf32, #h> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<?x4x?x32xf32, #h>) -> tensor<?x4x?x32xf32, #h> {
    %1 = graph.attention %a, %a, %a {scale = 0.25 : f64} : (tensor<?x4x?x32xf32, #h>, tensor<?x4x?x32xf32, #h>, tensor<?x4x?x32xf32, #h>) -> tensor<?x4x?x32xf32, #h>
    graph.yield %1 : tensor<?x4x?x32xf32, #h>
  }
  return %0 : tensor<?x4x?x32xf32, #h>
}

// -----

// CHECK-LABEL: kernel "attention" for
// LARGE-NEXT: #tile.block_attention_config<rows = 32, keys = 16, threads = 128>
// SMALL-NEXT: #tile.block_attention_config<rows = 16, keys = 16, threads = 128>
// CHECK: module {
func.func @main(%q: tensor<1x2x64x256xf32>) -> tensor<1x2x64x256xf32> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<1x2x64x256xf32>) -> tensor<1x2x64x256xf32> {
    %1 = graph.attention %a, %a, %a {scale = 0.25 : f64} : (tensor<1x2x64x256xf32>, tensor<1x2x64x256xf32>, tensor<1x2x64x256xf32>) -> tensor<1x2x64x256xf32>
    graph.yield %1 : tensor<1x2x64x256xf32>
  }
  return %0 : tensor<1x2x64x256xf32>
}
