// A module for two ranks: weights that are parts of others, and collectives.
// RUN: kiln-opt %s | kiln-opt | FileCheck %s
// RUN: kiln-opt %s --kiln-verify-graph --kiln-simplify-graph | FileCheck %s

// CHECK: module attributes {graph.ranks = 2 : i64}
module attributes {graph.ranks = 2 : i64} {
  // CHECK-NEXT: graph.weight @w : tensor<4x6xf32> {file = "w.bin"
  graph.weight @w : tensor<4x6xf32> {file = "w.bin", offset = 0 : i64, length = 96 : i64, hash = "00"}
  // CHECK-NEXT: graph.weight @rows : tensor<2x6xf32> {graph.part = {axis = 0 : i64, of = @w}}
  graph.weight @rows : tensor<2x6xf32> {graph.part = {of = @w, axis = 0 : i64}}
  // CHECK: func.func @main
  func.func @main(%x: tensor<1x2xf32> {graph.name = "x"}) -> (tensor<1x6xf32> {graph.name = "y"}) {
    %w = graph.get_weight @rows : tensor<2x6xf32>
    %0 = graph.matmul %x, %w : (tensor<1x2xf32>, tensor<2x6xf32>) -> tensor<1x6xf32>
    // CHECK: graph.all_reduce sum
    %1 = graph.all_reduce sum %0 ranks 2 : (tensor<1x6xf32>) -> tensor<1x6xf32>
    return %1 : tensor<1x6xf32>
  }
}
