// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of gathers and strided views.

// Columns by number: a gather of single elements.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 6 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 30 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 29 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT_4]] sizes() strides() : <i32> -> <17xi32, [1]>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] pad %[[CONSTANT_6]] : i32 masked [0] : <17xi32, [1]> -> !tile.frag<32xi32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<32xi32> -> !tile.frag<32xindex> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: i32):
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_6]] : i32 to index
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[INDEX_CAST]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[INDEX_CAST]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPI]], %[[ADDI_2]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[MAXSI:[^ ,:)]+]] = arith.maxsi %[[SELECT]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[MAXSI]], %[[CONSTANT_5]] : index
// CHECK-NEXT: tile.yield %[[MINSI]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[MAP]] : !tile.frag<32xindex> -> !tile.frag<32xindex> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: index):
// CHECK-NEXT: %[[INDEX_CAST]] = arith.addi %[[ARG_6]], %[[MULI_2]] : index
// CHECK-NEXT: tile.yield %[[INDEX_CAST]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT_4]] sizes() strides() : <f32> -> <180xf32, [1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = tile.gather %[[VIEW_2]][] at %[[MAP_2]] pad %[[CST]] : f32 : <180xf32, [1]>, <32xindex> -> <32xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 17 : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_7]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_3]] sizes() strides() : <f32> -> <17xf32, [1]>
// CHECK-NEXT: tile.store %[[GATHER]], %[[VIEW_3]][%[[CONSTANT_4]]] masked [0] : !tile.frag<32xf32>, <17xf32, [1]>
// CHECK-NEXT: } {tile.team = 8 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 102 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 224 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 128 elements equal
func.func @main(%a0: tensor<6x30xf32>, %b0: tensor<17xi32>) -> tensor<6x17xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<6x30xf32>, tensor<17xi32>) -> tensor<6x17xf32> {
    %1 = graph.gather %a, %b axis 1 : (tensor<6x30xf32>, tensor<17xi32>) -> tensor<6x17xf32>
    graph.yield %1 : tensor<6x17xf32>
  }
  return %k : tensor<6x17xf32>
}

// -----

// Two lookups, added: both rows are read where they lie.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i64>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_5:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 7 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_6]] sizes() strides() : <i64> -> <1xi64, [1]>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_3]]] : <1xi64, [1]> -> i64
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 30 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 29 : index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[LOAD]] : i64 to index
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[INDEX_CAST]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[INDEX_CAST]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPI]], %[[ADDI_2]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[MAXSI:[^ ,:)]+]] = arith.maxsi %[[SELECT]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[MAXSI]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[MINSI]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_6]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_3]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_3]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT_3]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD_2]], %[[LOAD_3]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7:[^ ,:)]+]]: f32, %[[ARG_8:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_7]], %[[ARG_8]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_4]] offset %[[MULI_3]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_4]][%[[CONSTANT_3]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: } {tile.team = 8 : i64}
func.func @main(%a0: tensor<30x32xf32>, %b0: tensor<7xi64>, %c0: tensor<7x32xf32>) -> tensor<7x32xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0, %c = %c0) : (tensor<30x32xf32>, tensor<7xi64>, tensor<7x32xf32>) -> tensor<7x32xf32> {
    %1 = graph.gather %a, %b axis 0 : (tensor<30x32xf32>, tensor<7xi64>) -> tensor<7x32xf32>
    %2 = graph.binary add %1, %c : (tensor<7x32xf32>, tensor<7x32xf32>) -> tensor<7x32xf32>
    graph.yield %2 : tensor<7x32xf32>
  }
  return %k : tensor<7x32xf32>
}

// -----

// Backwards: the stride of the view is -1.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 31 : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = tile.iota %[[CONSTANT]] axis 0 : index -> <32xindex>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[IOTA]] : !tile.frag<32xindex> -> !tile.frag<32xindex> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: index):
// CHECK-NEXT: %[[C_1:[^ ,:)]+]] = arith.constant -1 : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[C_1]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[ADDI_2]] : index
// CHECK-NEXT: tile.yield %[[ADDI_3]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = tile.gather %[[VIEW]][] at %[[MAP]] : <128xf32, [1]>, <32xindex> -> <32xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[GATHER]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: } {tile.team = 8 : i64}
func.func @main(%a0: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<4x32xf32>) -> tensor<4x32xf32> {
    %1 = graph.slice %a starts <[] -> [0, 31]> steps [1, -1] : (tensor<4x32xf32>) -> tensor<4x32xf32>
    graph.yield %1 : tensor<4x32xf32>
  }
  return %k : tensor<4x32xf32>
}
