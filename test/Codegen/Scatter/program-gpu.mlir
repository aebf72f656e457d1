// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of scatters.

// Whole rows: the data are copied, then updates are written in their order.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @scatter_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i64>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_5:[^ ,:)]+]]) attributes {config = #tile.scatter_config<rows = 16, lanes = 32, chunk = 16, held = false, threads = 128, group_threads = 8>, grid = #map, hero = "scatter", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_6]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 40 : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[ADDI]], %[[CONSTANT_5]] : index
// CHECK-NEXT: scf.for %[[ARG_7:[^ ,:)]+]] = %[[MULI]] to %[[MINSI]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_7]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_4]] offset %[[MULI_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 6 : index
// CHECK-NEXT: scf.for %[[ARG_7]] = %[[CONSTANT]] to %[[CONSTANT_7]] step %[[CONSTANT_4]] {
// CHECK-NEXT: %[[MULI_2]] = arith.addi %[[ARG_7]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW]] = arith.minsi %[[MULI_2]], %[[CONSTANT_7]] : index
// CHECK-NEXT: %[[LOAD]] = arith.subi %[[CONSTANT_7]], %[[ARG_7]] : index
// CHECK-NEXT: %[[VIEW_2]] = tile.view %[[ARG_2]] offset %[[ARG_7]] sizes(%[[LOAD]]) strides() : <i64> -> <?xi64, [1]>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 0 : i64
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]]] pad %[[CONSTANT_8]] : i64 masked [0] : <?xi64, [1]> -> !tile.frag<16xi64>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD_2]] : !tile.frag<16xi64> -> !tile.frag<16xi32> {
// CHECK-NEXT: ^bb0(%[[ARG_8:[^ ,:)]+]]: i64):
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_8]] : i64 to index
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[INDEX_CAST]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[INDEX_CAST]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPI]], %[[ADDI_2]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[SELECT]], %[[MULI]] : index
// CHECK-NEXT: %[[SUBI_2:[^ ,:)]+]] = arith.subi %[[MINSI]], %[[MULI]] : index
// CHECK-NEXT: %[[CMPI_2:[^ ,:)]+]] = arith.cmpi ult, %[[SUBI]], %[[SUBI_2]] : index
// CHECK-NEXT: %[[EXTUI:[^ ,:)]+]] = arith.extui %[[CMPI_2]] : i1 to i32
// CHECK-NEXT: tile.yield %[[EXTUI]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[OR:[^ ,:)]+]] = tile.reduce or %[[MAP]] axis 0 : <16xi32> -> i32
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[CMPI_3:[^ ,:)]+]] = arith.cmpi ne, %[[OR]], %[[CONSTANT_9]] : i32
// CHECK-NEXT: scf.if %[[CMPI_3]] {
// CHECK-NEXT: scf.for %[[ARG_8]] = %[[ARG_7]] to %[[VIEW]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[INDEX_CAST]] = tile.view %[[ARG_2]] offset %[[ARG_8]] sizes() strides() : <i64> -> <1xi64, [1]>
// CHECK-NEXT: %[[CMPI]] = tile.load %[[INDEX_CAST]][%[[CONSTANT]]] : <1xi64, [1]> -> i64
// CHECK-NEXT: %[[ADDI_2]] = arith.index_cast %[[CMPI]] : i64 to index
// CHECK-NEXT: %[[SELECT]] = arith.cmpi slt, %[[ADDI_2]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[SUBI]] = arith.addi %[[ADDI_2]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[SUBI_2]] = arith.select %[[SELECT]], %[[SUBI]], %[[ADDI_2]] : index
// CHECK-NEXT: %[[CMPI_2]] = arith.subi %[[SUBI_2]], %[[MULI]] : index
// CHECK-NEXT: %[[EXTUI]] = arith.subi %[[MINSI]], %[[MULI]] : index
// CHECK-NEXT: %[[CMPI_4:[^ ,:)]+]] = arith.cmpi ult, %[[CMPI_2]], %[[EXTUI]] : index
// CHECK-NEXT: scf.if %[[CMPI_4]] {
// CHECK-NEXT: %[[CONSTANT_6]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_8]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_3]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[SUBI_2]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_4]] offset %[[MULI_4]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD_3]], %[[VIEW_4]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: } {tile.team = 8 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 32, chunk = 16, held = false, threads = 128, group_threads = 8>: 1 tasks, 1280 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 32, chunk = 16, held = false, threads = 128, group_threads = 8>: 1 tasks, 1280 elements equal
func.func @main(%a0: tensor<1x40x32xf32>, %b0: tensor<1x6x1xi64>, %c0: tensor<1x6x32xf32>) -> tensor<1x40x32xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x40x32xf32>, tensor<1x6x1xi64>, tensor<1x6x32xf32>) -> tensor<1x40x32xf32> {
    %1 = graph.scatter %a, %b, %c : (tensor<1x40x32xf32>, tensor<1x6x1xi64>, tensor<1x6x32xf32>) -> tensor<1x40x32xf32>
    graph.yield %1 : tensor<1x40x32xf32>
  }
  return %k : tensor<1x40x32xf32>
}

// -----

// Sums.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @scatter_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i64>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_5:[^ ,:)]+]]) attributes {config = #tile.scatter_config<rows = 16, lanes = 32, chunk = 16, held = false, threads = 128, group_threads = 8>, grid = #map, hero = "scatter", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_6]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 40 : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[ADDI]], %[[CONSTANT_5]] : index
// CHECK-NEXT: scf.for %[[ARG_7:[^ ,:)]+]] = %[[MULI]] to %[[MINSI]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_7]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_4]] offset %[[MULI_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 6 : index
// CHECK-NEXT: scf.for %[[ARG_7]] = %[[CONSTANT]] to %[[CONSTANT_7]] step %[[CONSTANT_4]] {
// CHECK-NEXT: %[[MULI_2]] = arith.addi %[[ARG_7]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW]] = arith.minsi %[[MULI_2]], %[[CONSTANT_7]] : index
// CHECK-NEXT: %[[LOAD]] = arith.subi %[[CONSTANT_7]], %[[ARG_7]] : index
// CHECK-NEXT: %[[VIEW_2]] = tile.view %[[ARG_2]] offset %[[ARG_7]] sizes(%[[LOAD]]) strides() : <i64> -> <?xi64, [1]>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 0 : i64
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]]] pad %[[CONSTANT_8]] : i64 masked [0] : <?xi64, [1]> -> !tile.frag<16xi64>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD_2]] : !tile.frag<16xi64> -> !tile.frag<16xi32> {
// CHECK-NEXT: ^bb0(%[[ARG_8:[^ ,:)]+]]: i64):
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_8]] : i64 to index
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[INDEX_CAST]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[INDEX_CAST]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPI]], %[[ADDI_2]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[SELECT]], %[[MULI]] : index
// CHECK-NEXT: %[[SUBI_2:[^ ,:)]+]] = arith.subi %[[MINSI]], %[[MULI]] : index
// CHECK-NEXT: %[[CMPI_2:[^ ,:)]+]] = arith.cmpi ult, %[[SUBI]], %[[SUBI_2]] : index
// CHECK-NEXT: %[[EXTUI:[^ ,:)]+]] = arith.extui %[[CMPI_2]] : i1 to i32
// CHECK-NEXT: tile.yield %[[EXTUI]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[OR:[^ ,:)]+]] = tile.reduce or %[[MAP]] axis 0 : <16xi32> -> i32
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[CMPI_3:[^ ,:)]+]] = arith.cmpi ne, %[[OR]], %[[CONSTANT_9]] : i32
// CHECK-NEXT: scf.if %[[CMPI_3]] {
// CHECK-NEXT: scf.for %[[ARG_8]] = %[[ARG_7]] to %[[VIEW]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[INDEX_CAST]] = tile.view %[[ARG_2]] offset %[[ARG_8]] sizes() strides() : <i64> -> <1xi64, [1]>
// CHECK-NEXT: %[[CMPI]] = tile.load %[[INDEX_CAST]][%[[CONSTANT]]] : <1xi64, [1]> -> i64
// CHECK-NEXT: %[[ADDI_2]] = arith.index_cast %[[CMPI]] : i64 to index
// CHECK-NEXT: %[[SELECT]] = arith.cmpi slt, %[[ADDI_2]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[SUBI]] = arith.addi %[[ADDI_2]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[SUBI_2]] = arith.select %[[SELECT]], %[[SUBI]], %[[ADDI_2]] : index
// CHECK-NEXT: %[[CMPI_2]] = arith.subi %[[SUBI_2]], %[[MULI]] : index
// CHECK-NEXT: %[[EXTUI]] = arith.subi %[[MINSI]], %[[MULI]] : index
// CHECK-NEXT: %[[CMPI_4:[^ ,:)]+]] = arith.cmpi ult, %[[CMPI_2]], %[[EXTUI]] : index
// CHECK-NEXT: scf.if %[[CMPI_4]] {
// CHECK-NEXT: %[[CONSTANT_6]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[SUBI_2]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_4]] offset %[[MULI_3]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[ARG_8]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_4]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = tile.load %[[VIEW_4]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[LOAD_3]], %[[LOAD_4]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_9:[^ ,:)]+]]: f32, %[[ARG_10:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_9]], %[[ARG_10]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[MAP_2]], %[[VIEW_3]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: } {tile.team = 8 : i64}
func.func @main(%a0: tensor<1x40x32xf32>, %b0: tensor<1x6x1xi64>, %c0: tensor<1x6x32xf32>) -> tensor<1x40x32xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x40x32xf32>, tensor<1x6x1xi64>, tensor<1x6x32xf32>) -> tensor<1x40x32xf32> {
    %1 = graph.scatter %a, %b, %c combine sum : (tensor<1x40x32xf32>, tensor<1x6x1xi64>, tensor<1x6x32xf32>) -> tensor<1x40x32xf32>
    graph.yield %1 : tensor<1x40x32xf32>
  }
  return %k : tensor<1x40x32xf32>
}
