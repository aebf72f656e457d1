// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80 dims=n:7,m:333" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// A reduction along a dim of the launch.

// A reduction over a length of the launch: a loop of fragments, the last one masked.
// CHECK: #map = affine_map<()[s0] -> (1)>
// CHECK: #map1 = affine_map<()[s0] -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols(%[[ARG_3:[^ ,:)]+]]) task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>, grid = #map, hero = "row", scratch = #map1, symbols = ["m"], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[ARG_3]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <128xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[DIVUI:[^ ,:)]+]] = arith.divui %[[ARG_3]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[DIVUI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_3]] to %[[MULI_3]] step %[[CONSTANT_4]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<128xf32>) {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_3]]] : <128xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32, %[[ARG_7:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_6]], %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<128xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[ARG_3]], %[[MULI_3]] : index
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi sgt, %[[SUBI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[IF:[^ ,:)]+]] = scf.if %[[CMPI]] -> (!tile.frag<128xf32>) {
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[MULI_3]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes(%[[SUBI]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT_3]]] pad %[[CST]] : f32 masked [0] : <?xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[MAP]] = tile.select_range %[[LOAD]] in[%[[CONSTANT_3]], %[[SUBI]]) else %[[CST]] : f32 axis 0 : <128xf32>
// CHECK-NEXT: %[[ADDF]] = tile.map %[[FOR]], %[[MAP]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32, %[[FOR_3]]: f32):
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[FOR_2]], %[[FOR_3]] : f32
// CHECK-NEXT: tile.yield %[[ADDF_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[ADDF]] : !tile.frag<128xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[FOR]] : !tile.frag<128xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[IF]] axis 0 : <128xf32> -> f32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[SUM]] : f32 -> <1xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_5]] sizes() strides() : <f32> -> <1xf32, [1]>
// CHECK-NEXT: tile.store %[[FILL_2]], %[[VIEW_2]][%[[CONSTANT_3]]] : !tile.frag<1xf32>, <1xf32, [1]>
// CHECK-NEXT: } {tile.team = 32 : i64}
graph.symbol @n in [1, 600]
graph.symbol @m in [1, 600]
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 3 elements equal
func.func @main(%a0: tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>) -> tensor<3xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>) -> tensor<3xf32> {
    %1 = graph.reduce sum %a axes [1] : (tensor<3x?xf32, #graph.shape<[m] -> [3, m]>>) -> tensor<3xf32>
    graph.yield %1 : tensor<3xf32>
  }
  return %k : tensor<3xf32>
}
