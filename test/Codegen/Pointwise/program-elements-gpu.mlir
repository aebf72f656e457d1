// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of elementwise kernels, pinned line by line and run against the reference.

// One masked fragment per row.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 100 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <100xf32, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <100xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT_4]] sizes() strides() : <f32> -> <100xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <100xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]], %[[LOAD_2]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32, %[[ARG_7:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_6]], %[[ARG_7]] : f32
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 0.707106769 : f32
// CHECK-NEXT: %[[MULF:[^ ,:)]+]] = arith.mulf %[[ADDF]], %[[CST_0]] : f32
// CHECK-NEXT: %[[ERF:[^ ,:)]+]] = math.erf %[[MULF]] : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[MULF_2:[^ ,:)]+]] = arith.mulf %[[ADDF]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[ERF]], %[[CST_2]] : f32
// CHECK-NEXT: %[[MULF_3:[^ ,:)]+]] = arith.mulf %[[MULF_2]], %[[ADDF_2]] : f32
// CHECK-NEXT: tile.yield %[[MULF_3]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_2]] sizes() strides() : <f32> -> <100xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_3]][%[[CONSTANT_4]]] masked [0] : !tile.frag<128xf32>, <100xf32, [1]>
// CHECK-NEXT: } {tile.team = 32 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 400 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 384 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 50 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 320 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 32 elements equal
func.func @main(%a0: tensor<4x100xf32>, %b0: tensor<100xf32>) -> tensor<4x100xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<4x100xf32>, tensor<100xf32>) -> tensor<4x100xf32> {
    %1 = graph.binary add %a, %b : (tensor<4x100xf32>, tensor<100xf32>) -> tensor<4x100xf32>
    %2 = graph.unary gelu %1 : (tensor<4x100xf32>) -> tensor<4x100xf32>
    graph.yield %2 : tensor<4x100xf32>
  }
  return %k : tensor<4x100xf32>
}

// -----

// A number per row is loaded once, outside the loop over columns.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 6 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_5]] sizes() strides() : <f32> -> <1xf32, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <1xf32, [1]> -> f32
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f16> -> <64xf16, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] : <64xf16, [1]> -> !tile.frag<64xf16>
// CHECK-NEXT: %[[CONVERT:[^ ,:)]+]] = tile.convert %[[LOAD_2]] : <64xf16> -> <64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[CONVERT]] : !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[MULF:[^ ,:)]+]] = arith.mulf %[[ARG_6]], %[[LOAD]] : f32
// CHECK-NEXT: tile.yield %[[MULF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_2]] sizes() strides() : <f32> -> <64xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_3]][%[[CONSTANT_4]]] : !tile.frag<64xf32>, <64xf32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<6x64xf16>, %b0: tensor<6x1xf32>) -> tensor<6x64xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<6x64xf16>, tensor<6x1xf32>) -> tensor<6x64xf32> {
    %1 = graph.cast %a : (tensor<6x64xf16>) -> tensor<6x64xf32>
    %2 = graph.binary mul %1, %b : (tensor<6x64xf32>, tensor<6x1xf32>) -> tensor<6x64xf32>
    graph.yield %2 : tensor<6x64xf32>
  }
  return %k : tensor<6x64xf32>
}

// -----

// Booleans are bytes: compared, and selected by.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i1>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_5:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 50 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[CONSTANT_2]], %[[ARG_6]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_6]] sizes(%[[SUBI]]) strides() : <i1> -> <?xi1, [1]>
// CHECK-NEXT: %[[FALSE:[^ ,:)]+]] = arith.constant false
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] pad %[[FALSE]] : i1 masked [0] : <?xi1, [1]> -> !tile.frag<64xi1>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ARG_6]] sizes(%[[SUBI]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]]] pad %[[CST]] : f32 masked [0] : <?xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ARG_6]] sizes(%[[SUBI]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] pad %[[CST]] : f32 masked [0] : <?xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]], %[[LOAD_2]], %[[LOAD_3]] : !tile.frag<64xi1>, !tile.frag<64xf32>, !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7:[^ ,:)]+]]: i1, %[[ARG_8:[^ ,:)]+]]: f32, %[[ARG_9:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf olt, %[[ARG_8]], %[[ARG_9]] : f32
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[ARG_7]], %[[CMPF]] : i1
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[ANDI]], %[[ARG_8]], %[[ARG_9]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_4]] offset %[[ARG_6]] sizes(%[[SUBI]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_4]][%[[CONSTANT]]] masked [0] : !tile.frag<64xf32>, <?xf32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<50xf32>, %b0: tensor<50xi1>, %c0: tensor<50xf32>) -> tensor<50xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0, %c = %c0) : (tensor<50xf32>, tensor<50xi1>, tensor<50xf32>) -> tensor<50xf32> {
    %1 = graph.compare less %a, %c : (tensor<50xf32>, tensor<50xf32>) -> tensor<50xi1>
    %2 = graph.binary logical_and %b, %1 : (tensor<50xi1>, tensor<50xi1>) -> tensor<50xi1>
    %3 = graph.select %2, %a, %c : (tensor<50xi1>, tensor<50xf32>, tensor<50xf32>) -> tensor<50xf32>
    graph.yield %3 : tensor<50xf32>
  }
  return %k : tensor<50xf32>
}

// -----

// Rows by number: clamped to the table, counted from the end if negative.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i64>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 5 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_5]] sizes() strides() : <i64> -> <1xi64, [1]>
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
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[MINSI]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <64xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_3]]] : <64xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_3]] sizes() strides() : <f32> -> <64xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD_2]], %[[VIEW_3]][%[[CONSTANT_3]]] : !tile.frag<64xf32>, <64xf32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<30x64xf32>, %b0: tensor<5xi64>) -> tensor<5x64xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<30x64xf32>, tensor<5xi64>) -> tensor<5x64xf32> {
    %1 = graph.gather %a, %b axis 0 : (tensor<30x64xf32>, tensor<5xi64>) -> tensor<5x64xf32>
    graph.yield %1 : tensor<5x64xf32>
  }
  return %k : tensor<5x64xf32>
}

// -----

// A slice with steps: the last dim is strided, rows begin at an offset.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 50 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 52 : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = tile.iota %[[CONSTANT]] axis 0 : index -> <16xindex>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[IOTA]] : !tile.frag<16xindex> -> !tile.frag<16xindex> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: index):
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[ADDI_2]] : index
// CHECK-NEXT: tile.yield %[[ADDI_3]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <200xf32, [1]>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = tile.gather %[[VIEW]][] at %[[MAP]] : <200xf32, [1]>, <16xindex> -> <16xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_7]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI_4]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[GATHER]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 4 : i64}
func.func @main(%a0: tensor<4x50xf32>) -> tensor<2x16xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<4x50xf32>) -> tensor<2x16xf32> {
    %1 = graph.slice %a starts <[] -> [1, 2]> steps [1, 3] : (tensor<4x50xf32>) -> tensor<2x16xf32>
    graph.yield %1 : tensor<2x16xf32>
  }
  return %k : tensor<2x16xf32>
}
