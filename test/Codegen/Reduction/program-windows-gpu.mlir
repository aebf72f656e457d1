// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// A tile program of a window reduction.

// A depthwise convolution: taps are written out, vectors run along the channels.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 11 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <16xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_3]] to %[[CONSTANT_4]] step %[[CONSTANT_2]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<16xf32>) {
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[MULI_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_3]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI_3]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_3]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]], %[[LOAD_2]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32, %[[ARG_7:[^ ,:)]+]]: f32, %[[ARG_8:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_4]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[FOR]], %[[VIEW_3]][%[[CONSTANT_3]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 4 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 176 elements equal
func.func @main(%a0: tensor<1x13x16xf32>, %b0: tensor<3x16xf32>) -> tensor<1x11x16xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<1x13x16xf32>, tensor<3x16xf32>) -> tensor<1x11x16xf32> {
    %1 = graph.iota axis 0 : tensor<11x3xi64>
    %2 = graph.iota axis 1 : tensor<11x3xi64>
    %3 = graph.binary add %1, %2 : (tensor<11x3xi64>, tensor<11x3xi64>) -> tensor<11x3xi64>
    %4 = graph.gather %a, %3 axis 1 : (tensor<1x13x16xf32>, tensor<11x3xi64>) -> tensor<1x11x3x16xf32>
    %5 = graph.binary mul %4, %b : (tensor<1x11x3x16xf32>, tensor<3x16xf32>) -> tensor<1x11x3x16xf32>
    %6 = graph.reduce sum %5 axes [2] : (tensor<1x11x3x16xf32>) -> tensor<1x11x16xf32>
    graph.yield %6 : tensor<1x11x16xf32>
  }
  return %k : tensor<1x11x16xf32>
}
