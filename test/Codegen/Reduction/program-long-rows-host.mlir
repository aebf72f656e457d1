// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=x86-64-v3" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of long rows.

// Rows of 2000: a loop over fragments, partial sums of each lane, one reduction at the end.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 2000 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <16xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<16xf32>) {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[ARG_6]], %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[FOR]] axis 0 : <16xf32> -> f32
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[ADDI_2]] = math.sqrt %[[SUM]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_4]] sizes() strides() : <f32> -> <1xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_2]], %[[VIEW_2]][%[[CONSTANT_4]]] : !tile.frag<1xf32>, <1xf32, [1]>
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 2 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 3000 elements equal
func.func @main(%a0: tensor<2x2000xf32>) -> tensor<2xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<2x2000xf32>) -> tensor<2xf32> {
    %1 = graph.reduce l2 %a axes [1] : (tensor<2x2000xf32>) -> tensor<2xf32>
    graph.yield %1 : tensor<2xf32>
  }
  return %k : tensor<2xf32>
}

// -----

// A softmax of rows of 1500: exponentials stay in scratch for the last pass.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (6016)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 1500 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <32xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 1472 : index
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_5]] step %[[CONSTANT_6]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<32xf32>) {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf ogt, %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPF]], %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<32xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 28 : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_3]] sizes() strides() : <f32> -> <28xf32, [1]>
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]]] pad %[[CST_0]] : f32 masked [0] : <28xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[LOAD_2]] in[%[[CONSTANT]], %[[CONSTANT_7]]) else %[[CST]] : f32 axis 0 : <32xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FOR]], %[[SELECT_RANGE]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32, %[[FOR_3]]: f32):
// CHECK-NEXT: %[[ADDI_2]] = arith.cmpf ogt, %[[FOR_3]], %[[FOR_2]] : f32
// CHECK-NEXT: %[[VIEW]] = arith.select %[[ADDI_2]], %[[FOR_3]], %[[FOR_2]] : f32
// CHECK-NEXT: tile.yield %[[VIEW]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[MAP_2]] axis 0 : <32xf32> -> f32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[CST_0]] : f32 -> <32xf32>
// CHECK-NEXT: %[[FOR_4:[^ ,:)]+]] = scf.for %[[FOR_2]] = %[[CONSTANT]] to %[[CONSTANT_5]] step %[[CONSTANT_6]] iter_args(%[[FOR_3]] = %[[FILL_2]]) -> (!tile.frag<32xf32>) {
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP]]:2 = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32>, !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.subf %[[ARG_6]], %[[MAX]] : f32
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = math.exp %[[SELECT]] : f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_5]], %[[EXP]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]], %[[EXP]] : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CMPF]] = tile.view %[[SCRATCH]] offset %[[FOR_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]]#1, %[[CMPF]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: scf.yield %[[MAP]]#0 : !tile.frag<32xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]]] pad %[[CST_0]] : f32 masked [0] : <28xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[LOAD_3]] : !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32):
// CHECK-NEXT: %[[ADDI_2]] = arith.subf %[[FOR_2]], %[[MAX]] : f32
// CHECK-NEXT: %[[VIEW]] = math.exp %[[ADDI_2]] : f32
// CHECK-NEXT: tile.yield %[[VIEW]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[CONSTANT_5]] sizes() strides() : <f32> -> <28xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_3]], %[[VIEW_3]][%[[CONSTANT]]] masked [0] : !tile.frag<32xf32>, <28xf32, [1]>
// CHECK-NEXT: %[[SELECT_RANGE_2:[^ ,:)]+]] = tile.select_range %[[MAP_3]] in[%[[CONSTANT]], %[[CONSTANT_7]]) else %[[CST_0]] : f32 axis 0 : <32xf32>
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map %[[FOR_4]], %[[SELECT_RANGE_2]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32, %[[FOR_3]]: f32):
// CHECK-NEXT: %[[ADDI_2]] = arith.addf %[[FOR_2]], %[[FOR_3]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP_4]] axis 0 : <32xf32> -> f32
// CHECK-NEXT: %[[MAP_5:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[ADDI_2]] = arith.divf %[[CST_1]], %[[SUM]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_5]] [0] : <1xf32> -> f32
// CHECK-NEXT: scf.for %[[FOR_2]] = %[[CONSTANT]] to %[[CONSTANT_5]] step %[[CONSTANT_6]] {
// CHECK-NEXT: %[[ADDI_2]] = tile.view %[[SCRATCH]] offset %[[FOR_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[VIEW]] = tile.load %[[ADDI_2]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[LOAD]] = tile.map %[[VIEW]] : !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_3]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.mulf %[[FOR_3]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAP]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[CMPF]] = tile.view %[[ARG_2]] offset %[[MAP]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[CMPF]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] pad %[[CST_0]] : f32 masked [0] : <28xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP_6:[^ ,:)]+]] = tile.map %[[LOAD_4]] : !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32):
// CHECK-NEXT: %[[ADDI_2]] = arith.mulf %[[FOR_2]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ADDI_3]] sizes() strides() : <f32> -> <28xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_6]], %[[VIEW_4]][%[[CONSTANT]]] masked [0] : !tile.frag<32xf32>, <28xf32, [1]>
func.func @main(%a0: tensor<2x1500xf32>) -> tensor<2x1500xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<2x1500xf32>) -> tensor<2x1500xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<2x1500xf32>) -> tensor<2x1500xf32>
    graph.yield %1 : tensor<2x1500xf32>
  }
  return %k : tensor<2x1500xf32>
}
