// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=x86-64-v3" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of reductions.

// A norm without a mean, of rows in f16 whose statistics are f32.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f16>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f16>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <32xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<32xf32>) {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f16> -> <32xf16, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <32xf16, [1]> -> !tile.frag<32xf16>
// CHECK-NEXT: %[[CONVERT:[^ ,:)]+]] = tile.convert %[[LOAD]] : <32xf16> -> <32xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[CONVERT]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32, %[[ARG_7:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[ARG_7]], %[[ARG_7]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<32xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[FOR]] axis 0 : <32xf32> -> f32
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 6.400000e+01 : f32
// CHECK-NEXT: %[[ADDI_2]] = arith.divf %[[SUM]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[VIEW]] = arith.addf %[[ADDI_2]], %[[CST_2]] : f32
// CHECK-NEXT: %[[LOAD]] = math.sqrt %[[VIEW]] : f32
// CHECK-NEXT: %[[CONVERT]] = arith.divf %[[CST_0]], %[[LOAD]] : f32
// CHECK-NEXT: tile.yield %[[CONVERT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_2]] [0] : <1xf32> -> f32
// CHECK-NEXT: scf.for %[[FOR_2]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f16> -> <32xf16, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <32xf16, [1]> -> !tile.frag<32xf16>
// CHECK-NEXT: %[[CONVERT]] = tile.convert %[[LOAD]] : <32xf16> -> <32xf32>
// CHECK-NEXT: %[[MAP]] = tile.view %[[ARG_2]] offset %[[FOR_2]] sizes() strides() : <f16> -> <32xf16, [1]>
// CHECK-NEXT: %[[FMA]] = tile.load %[[MAP]][%[[CONSTANT_4]]] : <32xf16, [1]> -> !tile.frag<32xf16>
// CHECK-NEXT: %[[CONVERT_2:[^ ,:)]+]] = tile.convert %[[FMA]] : <32xf16> -> <32xf32>
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[CONVERT]], %[[CONVERT_2]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_3]]: f32, %[[ARG_6]]: f32):
// CHECK-NEXT: %[[MULF:[^ ,:)]+]] = arith.mulf %[[FOR_3]], %[[EXTRACT]] : f32
// CHECK-NEXT: %[[MULF_2:[^ ,:)]+]] = arith.mulf %[[MULF]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[MULF_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONVERT_3:[^ ,:)]+]] = tile.convert %[[MAP_3]] : <32xf32> -> <32xf16>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ADDI_2]] sizes() strides() : <f16> -> <32xf16, [1]>
// CHECK-NEXT: tile.store %[[CONVERT_3]], %[[VIEW_2]][%[[CONSTANT_4]]] : !tile.frag<32xf16>, <32xf16, [1]>
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 256 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 32 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 3 elements equal
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
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <32xf32>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 6 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<32xf32>) {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_4:[^ ,:)]+]]: f32, %[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_4]], %[[ARG_5]] : f32
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
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_2]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
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
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<i32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 48 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[C_2147483648_I32:[^ ,:)]+]] = arith.constant -2147483648 : i32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[C_2147483648_I32]] : i32 -> <16xi32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<16xi32>) {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <i32> -> <16xi32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <16xi32, [1]> -> !tile.frag<16xi32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[FOR_2]] sizes() strides() : <i32> -> <16xi32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] : <16xi32, [1]> -> !tile.frag<16xi32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]], %[[LOAD_2]] : !tile.frag<16xi32>, !tile.frag<16xi32>, !tile.frag<16xi32> -> !tile.frag<16xi32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: i32, %[[ARG_7:[^ ,:)]+]]: i32, %[[ARG_8:[^ ,:)]+]]: i32):
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_7]], %[[ARG_8]] : i32
// CHECK-NEXT: %[[MAXSI:[^ ,:)]+]] = arith.maxsi %[[ARG_6]], %[[MULI_3]] : i32
// CHECK-NEXT: tile.yield %[[MAXSI]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<16xi32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[FOR]] axis 0 : <16xi32> -> i32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[MAX]] : i32 -> <1xi32>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ARG_5]] sizes() strides() : <i32> -> <1xi32, [1]>
// CHECK-NEXT: tile.store %[[FILL_2]], %[[VIEW_3]][%[[CONSTANT_4]]] : !tile.frag<1xi32>, <1xi32, [1]>
func.func @main(%a0: tensor<3x48xi32>, %b0: tensor<48xi32>) -> tensor<3xi32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<3x48xi32>, tensor<48xi32>) -> tensor<3xi32> {
    %1 = graph.binary mul %a, %b : (tensor<3x48xi32>, tensor<48xi32>) -> tensor<3x48xi32>
    %2 = graph.reduce max %1 axes [1] : (tensor<3x48xi32>) -> tensor<3xi32>
    graph.yield %2 : tensor<3xi32>
  }
  return %k : tensor<3xi32>
}
