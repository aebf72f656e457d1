// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of reductions.

// A norm without a mean, of rows in f16 whose statistics are f32.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f16>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f16>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f16> -> <64xf16, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <64xf16, [1]> -> !tile.frag<64xf16>
// CHECK-NEXT: %[[CONVERT:[^ ,:)]+]] = tile.convert %[[LOAD]] : <64xf16> -> <64xf32>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FILL]], %[[CONVERT]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32, %[[ARG_7:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[ARG_7]], %[[ARG_7]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP]] axis 0 : <64xf32> -> f32
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 6.400000e+01 : f32
// CHECK-NEXT: %[[FMA]] = arith.divf %[[SUM]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[FMA]], %[[CST_2]] : f32
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = math.sqrt %[[ADDF]] : f32
// CHECK-NEXT: %[[DIVF:[^ ,:)]+]] = arith.divf %[[CST_0]], %[[SQRT]] : f32
// CHECK-NEXT: tile.yield %[[DIVF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_2]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT_4]] sizes() strides() : <f16> -> <64xf16, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] : <64xf16, [1]> -> !tile.frag<64xf16>
// CHECK-NEXT: %[[CONVERT_2:[^ ,:)]+]] = tile.convert %[[LOAD_2]] : <64xf16> -> <64xf32>
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[CONVERT]], %[[CONVERT_2]] : !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FMA]] = arith.mulf %[[ARG_6]], %[[EXTRACT]] : f32
// CHECK-NEXT: %[[ADDF]] = arith.mulf %[[FMA]], %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONVERT_3:[^ ,:)]+]] = tile.convert %[[MAP_3]] : <64xf32> -> <64xf16>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_2]] sizes() strides() : <f16> -> <64xf16, [1]>
// CHECK-NEXT: tile.store %[[CONVERT_3]], %[[VIEW_3]][%[[CONSTANT_4]]] : !tile.frag<64xf16>, <64xf16, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 256 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 32 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 3 elements equal
func.func @main(%a0: tensor<4x64xf16>, %b0: tensor<64xf16>) -> tensor<4x64xf16> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<4x64xf16>, tensor<64xf16>) -> tensor<4x64xf16> {
    %1 = graph.rms_norm %a scale %b axis 1 {epsilon = 1.0e-5 : f64} : (tensor<4x64xf16>, tensor<64xf16>) -> tensor<4x64xf16>
    graph.yield %1 : tensor<4x64xf16>
  }
  return %k : tensor<4x64xf16>
}

// -----

// A mean of columns: vectors along the columns, one sum each.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <32xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 6 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_3]] step %[[CONSTANT_4]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<32xf32>) {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[ARG_4]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_5]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<32xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FOR]] : !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32):
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 6.000000e+00 : f32
// CHECK-NEXT: %[[MULI]] = arith.divf %[[FOR_2]], %[[CST_0]] : f32
// CHECK-NEXT: tile.yield %[[MULI]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_4]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_2]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: } {tile.team = 8 : i64}
func.func @main(%a0: tensor<6x32xf32>) -> tensor<32xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<6x32xf32>) -> tensor<32xf32> {
    %1 = graph.reduce mean %a axes [0] : (tensor<6x32xf32>) -> tensor<32xf32>
    graph.yield %1 : tensor<32xf32>
  }
  return %k : tensor<32xf32>
}

// -----

// A maximum of integers in its row, with a prologue.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<i32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<i32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 48 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[C_2147483648_I32:[^ ,:)]+]] = arith.constant -2147483648 : i32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[C_2147483648_I32]] : i32 -> <64xi32>
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <i32> -> <48xi32, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] pad %[[CONSTANT_5]] : i32 masked [0] : <48xi32, [1]> -> !tile.frag<64xi32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT_4]] sizes() strides() : <i32> -> <48xi32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] pad %[[CONSTANT_5]] : i32 masked [0] : <48xi32, [1]> -> !tile.frag<64xi32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]], %[[LOAD_2]] : !tile.frag<64xi32>, !tile.frag<64xi32> -> !tile.frag<64xi32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: i32, %[[ARG_7:[^ ,:)]+]]: i32):
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_6]], %[[ARG_7]] : i32
// CHECK-NEXT: tile.yield %[[MULI_3]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[MAP]] in[%[[CONSTANT_4]], %[[CONSTANT_3]]) else %[[C_2147483648_I32]] : i32 axis 0 : <64xi32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FILL]], %[[SELECT_RANGE]] : !tile.frag<64xi32>, !tile.frag<64xi32> -> !tile.frag<64xi32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: i32, %[[ARG_7]]: i32):
// CHECK-NEXT: %[[MULI_3]] = arith.maxsi %[[ARG_6]], %[[ARG_7]] : i32
// CHECK-NEXT: tile.yield %[[MULI_3]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[MAP_2]] axis 0 : <64xi32> -> i32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[MAX]] : i32 -> <1xi32>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ARG_5]] sizes() strides() : <i32> -> <1xi32, [1]>
// CHECK-NEXT: tile.store %[[FILL_2]], %[[VIEW_3]][%[[CONSTANT_4]]] : !tile.frag<1xi32>, <1xi32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<3x48xi32>, %b0: tensor<48xi32>) -> tensor<3xi32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<3x48xi32>, tensor<48xi32>) -> tensor<3xi32> {
    %1 = graph.binary mul %a, %b : (tensor<3x48xi32>, tensor<48xi32>) -> tensor<3x48xi32>
    %2 = graph.reduce max %1 axes [1] : (tensor<3x48xi32>) -> tensor<3xi32>
    graph.yield %2 : tensor<3xi32>
  }
  return %k : tensor<3xi32>
}
