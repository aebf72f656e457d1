// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of a softmax and a norm.

// A softmax: the whole row is one fragment, which is read once.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 40 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <40xf32, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <40xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST_0]] : f32 -> <64xf32>
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[LOAD]] in[%[[CONSTANT_4]], %[[CONSTANT_3]]) else %[[CST_0]] : f32 axis 0 : <64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FILL]], %[[SELECT_RANGE]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf ogt, %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPF]], %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[MAP]] axis 0 : <64xf32> -> f32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <64xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32):
// CHECK-NEXT: %[[CMPF]] = arith.subf %[[ARG_5]], %[[MAX]] : f32
// CHECK-NEXT: %[[SELECT]] = math.exp %[[CMPF]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SELECT_RANGE_2:[^ ,:)]+]] = tile.select_range %[[MAP_2]] in[%[[CONSTANT_4]], %[[CONSTANT_3]]) else %[[CST]] : f32 axis 0 : <64xf32>
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[FILL_2]], %[[SELECT_RANGE_2]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32):
// CHECK-NEXT: %[[CMPF]] = arith.addf %[[ARG_5]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[CMPF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP_3]] axis 0 : <64xf32> -> f32
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CMPF]] = arith.divf %[[CST_1]], %[[SUM]] : f32
// CHECK-NEXT: tile.yield %[[CMPF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_4]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[MAP_5:[^ ,:)]+]] = tile.map %[[MAP_2]] : !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32):
// CHECK-NEXT: %[[CMPF]] = arith.mulf %[[ARG_5]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[CMPF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI_2]] sizes() strides() : <f32> -> <40xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_5]], %[[VIEW_2]][%[[CONSTANT_4]]] masked [0] : !tile.frag<64xf32>, <40xf32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 160 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 160 elements equal
func.func @main(%a0: tensor<4x40xf32>) -> tensor<4x40xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<4x40xf32>) -> tensor<4x40xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<4x40xf32>) -> tensor<4x40xf32>
    graph.yield %1 : tensor<4x40xf32>
  }
  return %k : tensor<4x40xf32>
}

// -----

// A norm: the mean, the mean of squares of differences, then scale and bias.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_5:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 40 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_6]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <40xf32, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <40xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <64xf32>
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[LOAD]] in[%[[CONSTANT_4]], %[[CONSTANT_3]]) else %[[CST]] : f32 axis 0 : <64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FILL]], %[[SELECT_RANGE]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7:[^ ,:)]+]]: f32, %[[ARG_8:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_7]], %[[ARG_8]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP]] axis 0 : <64xf32> -> f32
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 4.000000e+01 : f32
// CHECK-NEXT: %[[ADDF]] = arith.divf %[[SUM]], %[[CST_0]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_2]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.subf %[[ARG_7]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SELECT_RANGE_2:[^ ,:)]+]] = tile.select_range %[[MAP_3]] in[%[[CONSTANT_4]], %[[CONSTANT_3]]) else %[[CST]] : f32 axis 0 : <64xf32>
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map %[[FILL]], %[[SELECT_RANGE_2]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[ADDF]] = math.fma %[[ARG_8]], %[[ARG_8]], %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM_2:[^ ,:)]+]] = tile.reduce sum %[[MAP_4]] axis 0 : <64xf32> -> f32
// CHECK-NEXT: %[[MAP_5:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 4.000000e+01 : f32
// CHECK-NEXT: %[[ADDF]] = arith.divf %[[SUM_2]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[ADDF]], %[[CST_2]] : f32
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = math.sqrt %[[ADDF_2]] : f32
// CHECK-NEXT: %[[DIVF:[^ ,:)]+]] = arith.divf %[[CST_0]], %[[SQRT]] : f32
// CHECK-NEXT: tile.yield %[[DIVF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = tile.extract %[[MAP_5]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT_4]] sizes() strides() : <f32> -> <40xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <40xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT_4]] sizes() strides() : <f32> -> <40xf32, [1]>
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <40xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[MAP_6:[^ ,:)]+]] = tile.map %[[MAP_3]], %[[LOAD_2]], %[[LOAD_3]] : !tile.frag<64xf32>, !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7]]: f32, %[[ARG_8]]: f32, %[[ARG_9:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.mulf %[[ARG_7]], %[[EXTRACT_2]] : f32
// CHECK-NEXT: %[[ADDF_2]] = math.fma %[[ADDF]], %[[ARG_8]], %[[ARG_9]] : f32
// CHECK-NEXT: tile.yield %[[ADDF_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_4]] offset %[[MULI_2]] sizes() strides() : <f32> -> <40xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_6]], %[[VIEW_4]][%[[CONSTANT_4]]] masked [0] : !tile.frag<64xf32>, <40xf32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<4x40xf32>, %b0: tensor<40xf32>, %c0: tensor<40xf32>) -> tensor<4x40xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0) : (tensor<4x40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<4x40xf32> {
    %1 = graph.layer_norm %a scale %b bias %c axis 1 {epsilon = 1.0e-5 : f64} : (tensor<4x40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<4x40xf32>
    graph.yield %1 : tensor<4x40xf32>
  }
  return %k : tensor<4x40xf32>
}
