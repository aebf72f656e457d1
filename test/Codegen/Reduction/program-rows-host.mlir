// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=x86-64-v3" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of a softmax and a norm.

// A softmax: a maximum, exponentials and their sum, a quotient, in fragments of eight.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (192)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 40 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <8xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_4]] step %[[CONSTANT_5]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<8xf32>) {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<8xf32>, !tile.frag<8xf32> -> !tile.frag<8xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf ogt, %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPF]], %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[FOR]] axis 0 : <8xf32> -> f32
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[CST_0]] : f32 -> <8xf32>
// CHECK-NEXT: %[[FOR_4:[^ ,:)]+]] = scf.for %[[FOR_2]] = %[[CONSTANT]] to %[[CONSTANT_4]] step %[[CONSTANT_5]] iter_args(%[[FOR_3]] = %[[FILL_2]]) -> (!tile.frag<8xf32>) {
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[MAP]]:2 = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<8xf32>, !tile.frag<8xf32> -> !tile.frag<8xf32>, !tile.frag<8xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.subf %[[ARG_6]], %[[MAX]] : f32
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = math.exp %[[SELECT]] : f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_5]], %[[EXP]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]], %[[EXP]] : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CMPF]] = tile.view %[[SCRATCH]] offset %[[FOR_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]]#1, %[[CMPF]][%[[CONSTANT]]] : !tile.frag<8xf32>, <8xf32, [1]>
// CHECK-NEXT: scf.yield %[[MAP]]#0 : !tile.frag<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[FOR_4]] axis 0 : <8xf32> -> f32
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[ADDI_2]] = arith.divf %[[CST_1]], %[[SUM]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_2]] [0] : <1xf32> -> f32
// CHECK-NEXT: scf.for %[[FOR_2]] = %[[CONSTANT]] to %[[CONSTANT_4]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[ADDI_2]] = tile.view %[[SCRATCH]] offset %[[FOR_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[VIEW]] = tile.load %[[ADDI_2]][%[[CONSTANT]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[LOAD]] = tile.map %[[VIEW]] : !tile.frag<8xf32> -> !tile.frag<8xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_3]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.mulf %[[FOR_3]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAP]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[CMPF]] = tile.view %[[ARG_2]] offset %[[MAP]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[CMPF]][%[[CONSTANT]]] : !tile.frag<8xf32>, <8xf32, [1]>
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 160 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 160 elements equal
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
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_5:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 40 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_6]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <8xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<8xf32>) {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<8xf32>, !tile.frag<8xf32> -> !tile.frag<8xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7:[^ ,:)]+]]: f32, %[[ARG_8:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_7]], %[[ARG_8]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[FOR]] axis 0 : <8xf32> -> f32
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 4.000000e+01 : f32
// CHECK-NEXT: %[[ADDI_2]] = arith.divf %[[SUM]], %[[CST_0]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_2]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[FOR_4:[^ ,:)]+]] = scf.for %[[FOR_2]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] iter_args(%[[FOR_3]] = %[[FILL]]) -> (!tile.frag<8xf32>) {
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[MAP]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<8xf32>, !tile.frag<8xf32> -> !tile.frag<8xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.subf %[[ARG_8]], %[[EXTRACT]] : f32
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[ADDF]], %[[ADDF]], %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM_2:[^ ,:)]+]] = tile.reduce sum %[[FOR_4]] axis 0 : <8xf32> -> f32
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 4.000000e+01 : f32
// CHECK-NEXT: %[[ADDI_2]] = arith.divf %[[SUM_2]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[VIEW]] = arith.addf %[[ADDI_2]], %[[CST_2]] : f32
// CHECK-NEXT: %[[LOAD]] = math.sqrt %[[VIEW]] : f32
// CHECK-NEXT: %[[MAP]] = arith.divf %[[CST_0]], %[[LOAD]] : f32
// CHECK-NEXT: tile.yield %[[MAP]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = tile.extract %[[MAP_3]] [0] : <1xf32> -> f32
// CHECK-NEXT: scf.for %[[FOR_2]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[MAP]] = tile.view %[[ARG_2]] offset %[[FOR_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[ADDF]] = tile.load %[[MAP]][%[[CONSTANT_4]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[FMA]] = tile.view %[[ARG_3]] offset %[[FOR_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[FMA]][%[[CONSTANT_4]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map %[[LOAD]], %[[ADDF]], %[[LOAD_2]] : !tile.frag<8xf32>, !tile.frag<8xf32>, !tile.frag<8xf32> -> !tile.frag<8xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_3]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[SUBF:[^ ,:)]+]] = arith.subf %[[FOR_3]], %[[EXTRACT]] : f32
// CHECK-NEXT: %[[MULF:[^ ,:)]+]] = arith.mulf %[[SUBF]], %[[EXTRACT_2]] : f32
// CHECK-NEXT: %[[FMA_2:[^ ,:)]+]] = math.fma %[[MULF]], %[[ARG_7]], %[[ARG_8]] : f32
// CHECK-NEXT: tile.yield %[[FMA_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_4]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_4]], %[[VIEW_2]][%[[CONSTANT_4]]] : !tile.frag<8xf32>, <8xf32, [1]>
func.func @main(%a0: tensor<4x40xf32>, %b0: tensor<40xf32>, %c0: tensor<40xf32>) -> tensor<4x40xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0) : (tensor<4x40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<4x40xf32> {
    %1 = graph.layer_norm %a scale %b bias %c axis 1 {epsilon = 1.0e-5 : f64} : (tensor<4x40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<4x40xf32>
    graph.yield %1 : tensor<4x40xf32>
  }
  return %k : tensor<4x40xf32>
}
