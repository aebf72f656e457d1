// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// A tile program of rows whose operand lies across.

// A norm of what lies across: rows are copied into scratch first.
// CHECK: #map = affine_map<() -> (4)>
// CHECK: #map1 = affine_map<() -> (6400)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.staging_config<tile = [128, 16], pads = [4], compute = <lanes = 128, grain = 2048, stage = false, threads = 256, group_threads = 32>>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 256 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[REMUI:[^ ,:)]+]] = arith.remui %[[ARG_4]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[REMUI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 96 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_4]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[CONSTANT_4]], %[[ARG_5]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[MULI]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI]] sizes(%[[SUBI]]) strides() : <f32> -> <?x16xf32, [64, 1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] pad %[[CST]] : f32 masked [0] : <?x16xf32, [64, 1]> -> !tile.frag<128x16xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[ARG_5]] sizes(%[[SUBI]]) strides() : <f32> -> <?x16xf32, [1, 100]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] masked [0] : !tile.frag<128x16xf32>, <?x16xf32, [1, 100]>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5]] = %[[CONSTANT]] to %[[CONSTANT_3]] step %[[CONSTANT_7]] {
// CHECK-NEXT: %[[SUBI]] = arith.addi %[[MULI]], %[[ARG_5]] : index
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 100 : index
// CHECK-NEXT: %[[MULI_2]] = arith.muli %[[ARG_5]], %[[CONSTANT_8]] : index
// CHECK-NEXT: %[[ADDI]] = tile.view %[[SCRATCH]] offset %[[MULI_2]] sizes() strides() : <f32> -> <96xf32, [1]>
// CHECK-NEXT: %[[CST]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[VIEW]] = tile.load %[[ADDI]][%[[CONSTANT]]] pad %[[CST]] : f32 masked [0] : <96xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[LOAD]] = tile.fill %[[CST]] : f32 -> <128xf32>
// CHECK-NEXT: %[[VIEW_2]] = tile.select_range %[[VIEW]] in[%[[CONSTANT]], %[[CONSTANT_4]]) else %[[CST]] : f32 axis 0 : <128xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]], %[[VIEW_2]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32, %[[ARG_7:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_6]], %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP]] axis 0 : <128xf32> -> f32
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 9.600000e+01 : f32
// CHECK-NEXT: %[[ADDF]] = arith.divf %[[SUM]], %[[CST_0]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_2]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[VIEW]] : !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.subf %[[ARG_6]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[MAP_3]] in[%[[CONSTANT]], %[[CONSTANT_4]]) else %[[CST]] : f32 axis 0 : <128xf32>
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map %[[LOAD]], %[[SELECT_RANGE]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[ADDF]] = math.fma %[[ARG_7]], %[[ARG_7]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM_2:[^ ,:)]+]] = tile.reduce sum %[[MAP_4]] axis 0 : <128xf32> -> f32
// CHECK-NEXT: %[[MAP_5:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 9.600000e+01 : f32
// CHECK-NEXT: %[[ADDF]] = arith.divf %[[SUM_2]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[ADDF]], %[[CST_2]] : f32
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = math.sqrt %[[ADDF_2]] : f32
// CHECK-NEXT: %[[DIVF:[^ ,:)]+]] = arith.divf %[[CST_0]], %[[SQRT]] : f32
// CHECK-NEXT: tile.yield %[[DIVF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = tile.extract %[[MAP_5]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <96xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] pad %[[CST]] : f32 masked [0] : <96xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[MAP_6:[^ ,:)]+]] = tile.map %[[MAP_3]], %[[LOAD_2]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.mulf %[[ARG_6]], %[[EXTRACT_2]] : f32
// CHECK-NEXT: %[[ADDF_2]] = arith.mulf %[[ADDF]], %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[ADDF_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[SUBI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_3]] sizes() strides() : <f32> -> <96xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_6]], %[[VIEW_4]][%[[CONSTANT]]] masked [0] : !tile.frag<128xf32>, <96xf32, [1]>
// CHECK-NEXT: } {tile.team = 32 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.staging_config<tile = [128, 16], pads = [4], compute = <lanes = 128, grain = 2048, stage = false, threads = 256, group_threads = 32>>: 4 tasks, 6144 elements equal
func.func @main(%a0: tensor<96x64xf32>, %b0: tensor<96xf32>) -> tensor<64x96xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<96x64xf32>, tensor<96xf32>) -> tensor<64x96xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<96x64xf32>) -> tensor<64x96xf32>
    %2 = graph.layer_norm %1 scale %b axis 1 {epsilon = 1.0e-5 : f64} : (tensor<64x96xf32>, tensor<96xf32>) -> tensor<64x96xf32>
    graph.yield %2 : tensor<64x96xf32>
  }
  return %k : tensor<64x96xf32>
}
