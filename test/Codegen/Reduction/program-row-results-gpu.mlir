// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of rows with prologues and several results.

// The sum of both operands is a result, and its norm: the row is stored on the way.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_6:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_6]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_7:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 48 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_7]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <48xf32, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <48xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI_2]] sizes() strides() : <f32> -> <48xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <48xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]], %[[LOAD_2]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_8:[^ ,:)]+]]: f32, %[[ARG_9:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_8]], %[[ARG_9]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <64xf32>
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[MAP]] in[%[[CONSTANT_4]], %[[CONSTANT_3]]) else %[[CST]] : f32 axis 0 : <64xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FILL]], %[[SELECT_RANGE]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_8]]: f32, %[[ARG_9]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.addf %[[ARG_8]], %[[ARG_9]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP_2]] axis 0 : <64xf32> -> f32
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 4.800000e+01 : f32
// CHECK-NEXT: %[[ADDF]] = arith.divf %[[SUM]], %[[CST_0]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_3]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map %[[MAP]] : !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_8]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.subf %[[ARG_8]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SELECT_RANGE_2:[^ ,:)]+]] = tile.select_range %[[MAP_4]] in[%[[CONSTANT_4]], %[[CONSTANT_3]]) else %[[CST]] : f32 axis 0 : <64xf32>
// CHECK-NEXT: %[[MAP_5:[^ ,:)]+]] = tile.map %[[FILL]], %[[SELECT_RANGE_2]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_8]]: f32, %[[ARG_9]]: f32):
// CHECK-NEXT: %[[ADDF]] = math.fma %[[ARG_9]], %[[ARG_9]], %[[ARG_8]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM_2:[^ ,:)]+]] = tile.reduce sum %[[MAP_5]] axis 0 : <64xf32> -> f32
// CHECK-NEXT: %[[MAP_6:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 4.800000e+01 : f32
// CHECK-NEXT: %[[ADDF]] = arith.divf %[[SUM_2]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[ADDF]], %[[CST_2]] : f32
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = math.sqrt %[[ADDF_2]] : f32
// CHECK-NEXT: %[[DIVF:[^ ,:)]+]] = arith.divf %[[CST_0]], %[[SQRT]] : f32
// CHECK-NEXT: tile.yield %[[DIVF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = tile.extract %[[MAP_6]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT_4]] sizes() strides() : <f32> -> <48xf32, [1]>
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <48xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[MAP_7:[^ ,:)]+]] = tile.map %[[MAP_4]], %[[LOAD_3]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_8]]: f32, %[[ARG_9]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.mulf %[[ARG_8]], %[[EXTRACT_2]] : f32
// CHECK-NEXT: %[[ADDF_2]] = arith.mulf %[[ADDF]], %[[ARG_9]] : f32
// CHECK-NEXT: tile.yield %[[ADDF_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_4]] offset %[[MULI_2]] sizes() strides() : <f32> -> <48xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_4]][%[[CONSTANT_4]]] masked [0] : !tile.frag<64xf32>, <48xf32, [1]>
// CHECK-NEXT: %[[VIEW_5:[^ ,:)]+]] = tile.view %[[ARG_5]] offset %[[MULI_2]] sizes() strides() : <f32> -> <48xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_7]], %[[VIEW_5]][%[[CONSTANT_4]]] masked [0] : !tile.frag<64xf32>, <48xf32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 192 elements equal
// VALUES-NEXT: 192 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 132 elements equal
func.func @main(%a0: tensor<4x48xf32>, %b0: tensor<4x48xf32>, %c0: tensor<48xf32>) -> (tensor<4x48xf32>, tensor<4x48xf32>) {
  %k:2 = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0) : (tensor<4x48xf32>, tensor<4x48xf32>, tensor<48xf32>) -> (tensor<4x48xf32>, tensor<4x48xf32>) {
    %1 = graph.binary add %a, %b : (tensor<4x48xf32>, tensor<4x48xf32>) -> tensor<4x48xf32>
    %2 = graph.layer_norm %1 scale %c axis 1 {epsilon = 1.0e-5 : f64} : (tensor<4x48xf32>, tensor<48xf32>) -> tensor<4x48xf32>
    graph.yield %1, %2 : tensor<4x48xf32>, tensor<4x48xf32>
  }
  return %k#0, %k#1 : tensor<4x48xf32>, tensor<4x48xf32>
}

// -----

// A masked softmax: a boolean selects what takes part.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i1>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f16>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 33 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI_2]] sizes() strides() : <i1> -> <33xi1, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[FALSE:[^ ,:)]+]] = arith.constant false
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] pad %[[FALSE]] : i1 masked [0] : <33xi1, [1]> -> !tile.frag<64xi1>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f16> -> <33xf16, [1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f16
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] pad %[[CST]] : f16 masked [0] : <33xf16, [1]> -> !tile.frag<64xf16>
// CHECK-NEXT: %[[CONVERT:[^ ,:)]+]] = tile.convert %[[LOAD_2]] : <64xf16> -> <64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]], %[[CONVERT]] : !tile.frag<64xi1>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: i1, %[[ARG_7:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant -1.000000e+04 : f32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[ARG_6]], %[[ARG_7]], %[[CST_2]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST_0]] : f32 -> <64xf32>
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[MAP]] in[%[[CONSTANT_4]], %[[CONSTANT_3]]) else %[[CST_0]] : f32 axis 0 : <64xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FILL]], %[[SELECT_RANGE]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.cmpf ogt, %[[ARG_7]], %[[ARG_6]] : f32
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = arith.select %[[SELECT]], %[[ARG_7]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[SELECT_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[MAP_2]] axis 0 : <64xf32> -> f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[CST_1]] : f32 -> <64xf32>
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[MAP]] : !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.subf %[[ARG_6]], %[[MAX]] : f32
// CHECK-NEXT: %[[SELECT_2]] = math.exp %[[SELECT]] : f32
// CHECK-NEXT: tile.yield %[[SELECT_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SELECT_RANGE_2:[^ ,:)]+]] = tile.select_range %[[MAP_3]] in[%[[CONSTANT_4]], %[[CONSTANT_3]]) else %[[CST_1]] : f32 axis 0 : <64xf32>
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map %[[FILL_2]], %[[SELECT_RANGE_2]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.addf %[[ARG_6]], %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP_4]] axis 0 : <64xf32> -> f32
// CHECK-NEXT: %[[MAP_5:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_2]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[SELECT]] = arith.divf %[[CST_2]], %[[SUM]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_5]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[MAP_6:[^ ,:)]+]] = tile.map %[[MAP_3]] : !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.mulf %[[ARG_6]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONVERT_2:[^ ,:)]+]] = tile.convert %[[MAP_6]] : <64xf32> -> <64xf16>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_2]] sizes() strides() : <f16> -> <33xf16, [1]>
// CHECK-NEXT: tile.store %[[CONVERT_2]], %[[VIEW_3]][%[[CONSTANT_4]]] masked [0] : !tile.frag<64xf16>, <33xf16, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<4x33xf16>, %b0: tensor<4x33xi1>) -> tensor<4x33xf16> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<4x33xf16>, tensor<4x33xi1>) -> tensor<4x33xf16> {
    %1 = graph.fill -1.0e4 : f16 : tensor<4x33xf16>
    %2 = graph.select %b, %a, %1 : (tensor<4x33xi1>, tensor<4x33xf16>, tensor<4x33xf16>) -> tensor<4x33xf16>
    %3 = graph.softmax %2 axis 1 : (tensor<4x33xf16>) -> tensor<4x33xf16>
    graph.yield %3 : tensor<4x33xf16>
  }
  return %k : tensor<4x33xf16>
}
