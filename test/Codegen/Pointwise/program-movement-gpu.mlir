// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of kernels that move elements.

// A concatenation of columns: fragments end at the boundary, and a branch says which operand is read.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 5 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_4]] {
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[ARG_6]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 24 : index
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi sle, %[[ADDI_2]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[IF:[^ ,:)]+]] = scf.if %[[CMPI]] -> (!tile.frag<8xf32>) {
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[ARG_6]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_3]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<8xf32> -> !tile.frag<8xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = math.exp %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[EXP]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<8xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[MULI_2]] = arith.cmpi sge, %[[ARG_6]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI_3]] = scf.if %[[MULI_2]] -> (!tile.frag<8xf32>) {
// CHECK-NEXT: %[[VIEW]] = arith.muli %[[ARG_5]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[C_24:[^ ,:)]+]] = arith.constant -24 : index
// CHECK-NEXT: %[[LOAD]] = arith.addi %[[VIEW]], %[[C_24]] : index
// CHECK-NEXT: %[[MAP]] = arith.addi %[[LOAD]], %[[ARG_6]] : index
// CHECK-NEXT: %[[EXP]] = tile.view %[[ARG_2]] offset %[[MAP]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[EXP]][%[[CONSTANT]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: scf.yield %[[LOAD_2]] : !tile.frag<8xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[VIEW]] = tile.iota %[[ARG_6]] axis 0 : index -> <8xindex>
// CHECK-NEXT: %[[LOAD]] = tile.map %[[VIEW]] : !tile.frag<8xindex> -> !tile.frag<8xindex> {
// CHECK-NEXT: ^bb0(%[[ARG_7]]: index):
// CHECK-NEXT: tile.yield %[[ARG_7]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAP]] = arith.muli %[[ARG_5]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[EXP]] = arith.addi %[[MAP]], %[[ARG_6]] : index
// CHECK-NEXT: %[[LOAD_2]] = arith.subi %[[CONSTANT_6]], %[[ARG_6]] : index
// CHECK-NEXT: %[[MAXSI:[^ ,:)]+]] = arith.maxsi %[[LOAD_2]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[EXP]] sizes(%[[MAXSI]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]]] pad %[[CST]] : f32 masked [0] : <?xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[LOAD_3]] : !tile.frag<8xf32> -> !tile.frag<8xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7]]: f32):
// CHECK-NEXT: %[[EXP_2:[^ ,:)]+]] = math.exp %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[EXP_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[C_24]] = arith.constant -24 : index
// CHECK-NEXT: %[[ADDI_4:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[C_24]] : index
// CHECK-NEXT: %[[ADDI_5:[^ ,:)]+]] = arith.addi %[[ADDI_4]], %[[ARG_6]] : index
// CHECK-NEXT: %[[ADDI_6:[^ ,:)]+]] = arith.addi %[[ADDI_5]], %[[LOAD_2]] : index
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[CONSTANT_5]], %[[LOAD_2]] : index
// CHECK-NEXT: %[[SUBI_2:[^ ,:)]+]] = arith.subi %[[CONSTANT]], %[[LOAD_2]] : index
// CHECK-NEXT: %[[MAXSI_2:[^ ,:)]+]] = arith.maxsi %[[SUBI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ADDI_6]] sizes(%[[MAXSI_2]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[SUBI_2]]] pad %[[CST]] : f32 masked [0] before : <?xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[LOAD]], %[[MAP_2]], %[[LOAD_4]] : !tile.frag<8xindex>, !tile.frag<8xf32>, !tile.frag<8xf32> -> !tile.frag<8xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7]]: index, %[[ARG_8:[^ ,:)]+]]: f32, %[[ARG_9:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[EXP_2]] = arith.cmpi slt, %[[ARG_7]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[EXP_2]], %[[ARG_8]], %[[ARG_9]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP_3]] : !tile.frag<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[ADDI_3]] : !tile.frag<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[ADDI_7:[^ ,:)]+]] = arith.addi %[[MULI_4]], %[[ARG_6]] : index
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ADDI_7]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: tile.store %[[IF]], %[[VIEW_4]][%[[CONSTANT]]] : !tile.frag<8xf32>, <8xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: } {tile.team = 2 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 160 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 768 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 144 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 64 elements equal
// VALUES-NEXT: 64 elements equal
func.func @main(%a0: tensor<5x24xf32>, %b0: tensor<5x8xf32>) -> tensor<5x32xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<5x24xf32>, tensor<5x8xf32>) -> tensor<5x32xf32> {
    %1 = graph.unary exp %a : (tensor<5x24xf32>) -> tensor<5x24xf32>
    %2 = graph.concat %1, %b axis 1 : (tensor<5x24xf32>, tensor<5x8xf32>) -> tensor<5x32xf32>
    graph.yield %2 : tensor<5x32xf32>
  }
  return %k : tensor<5x32xf32>
}

// -----

// Heads come first: rows of 32 are copied.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 24 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 6 : index
// CHECK-NEXT: %[[REMUI:[^ ,:)]+]] = arith.remui %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[DIVUI:[^ ,:)]+]] = arith.divui %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[DIVUI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[REMUI]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[MULI_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_6]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 192 : index
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[DIVUI]], %[[CONSTANT_7]] : index
// CHECK-NEXT: %[[MULI_5:[^ ,:)]+]] = arith.muli %[[REMUI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[MULI_4]], %[[MULI_5]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ADDI_3]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[VIEW_2]][%[[CONSTANT_6]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: } {tile.team = 8 : i64}
func.func @main(%a0: tensor<6x4x32xf32>) -> tensor<4x6x32xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<6x4x32xf32>) -> tensor<4x6x32xf32> {
    %1 = graph.transpose %a [1, 0, 2] : (tensor<6x4x32xf32>) -> tensor<4x6x32xf32>
    graph.yield %1 : tensor<4x6x32xf32>
  }
  return %k : tensor<4x6x32xf32>
}

// -----

// Numbers of rows and columns are made, not read.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 9 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = tile.iota %[[CONSTANT]] axis 0 : index -> <16xindex>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[IOTA]] : !tile.frag<16xindex> -> !tile.frag<16xindex> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: index):
// CHECK-NEXT: tile.yield %[[ARG_5]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[MAP]], %[[LOAD]] : !tile.frag<16xindex>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: index, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_5]] : index to i64
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : index to i64
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi sle, %[[INDEX_CAST]], %[[INDEX_CAST_2]] : i64
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant -1.000000e+00 : f32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPI]], %[[ARG_6]], %[[CST]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_2]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 8 : i64}
func.func @main(%a0: tensor<9x16xf32>) -> tensor<9x16xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<9x16xf32>) -> tensor<9x16xf32> {
    %1 = graph.iota axis 1 : tensor<9x16xi64>
    %2 = graph.iota axis 0 : tensor<9x16xi64>
    %3 = graph.compare less_equal %1, %2 : (tensor<9x16xi64>, tensor<9x16xi64>) -> tensor<9x16xi1>
    %4 = graph.fill -1.0 : f32 : tensor<9x16xf32>
    %5 = graph.select %3, %a, %4 : (tensor<9x16xi1>, tensor<9x16xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
    graph.yield %5 : tensor<9x16xf32>
  }
  return %k : tensor<9x16xf32>
}

// -----

// Two results of one pass.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ARG_5]] sizes() strides() : <f32> -> <64xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <64xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]]:2 = tile.map %[[LOAD]] : !tile.frag<64xf32> -> !tile.frag<64xf32>, !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = math.sqrt %[[ARG_6]] : f32
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[SQRT]], %[[NEGF]] : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_5]] sizes() strides() : <f32> -> <64xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]]#0, %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<64xf32>, <64xf32, [1]>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ARG_5]] sizes() strides() : <f32> -> <64xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]]#1, %[[VIEW_3]][%[[CONSTANT]]] : !tile.frag<64xf32>, <64xf32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %k:2 = graph.kernel "pointwise" (%a = %a0) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %1 = graph.unary sqrt %a : (tensor<64xf32>) -> tensor<64xf32>
    %2 = graph.unary neg %a : (tensor<64xf32>) -> tensor<64xf32>
    graph.yield %1, %2 : tensor<64xf32>, tensor<64xf32>
  }
  return %k#0, %k#1 : tensor<64xf32>, tensor<64xf32>
}
