// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of long rows.

// Rows of 2000: a loop over fragments, partial sums of each lane, one reduction at the end.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 2000 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <128xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 1920 : index
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_4]] to %[[CONSTANT_5]] step %[[CONSTANT_6]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<128xf32>) {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <128xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[ARG_6]], %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<128xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 80 : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_3]] sizes() strides() : <f32> -> <80xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] pad %[[CST]] : f32 masked [0] : <80xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[LOAD_2]] in[%[[CONSTANT_4]], %[[CONSTANT_7]]) else %[[CST]] : f32 axis 0 : <128xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FOR]], %[[SELECT_RANGE]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32, %[[FOR_3]]: f32):
// CHECK-NEXT: %[[ADDI_2]] = math.fma %[[FOR_3]], %[[FOR_3]], %[[FOR_2]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP_2]] axis 0 : <128xf32> -> f32
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[ADDI_2]] = math.sqrt %[[SUM]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_4]] sizes() strides() : <f32> -> <1xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_3]], %[[VIEW_3]][%[[CONSTANT_4]]] : !tile.frag<1xf32>, <1xf32, [1]>
// CHECK-NEXT: } {tile.team = 32 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 2 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 2048, grain = 4096, stage = false, threads = 256, group_threads = 256>: 2 tasks, 3000 elements equal
func.func @main(%a0: tensor<2x2000xf32>) -> tensor<2xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<2x2000xf32>) -> tensor<2xf32> {
    %1 = graph.reduce l2 %a axes [1] : (tensor<2x2000xf32>) -> tensor<2xf32>
    graph.yield %1 : tensor<2xf32>
  }
  return %k : tensor<2xf32>
}

// -----

// A softmax of rows of 1500: one fragment of 2048 for a block of 256 threads.
// CHECK: #map = affine_map<() -> (2)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 2048, grain = 4096, stage = false, threads = 256, group_threads = 256>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 256 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1500 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <1500xf32, [1]>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_2]]] pad %[[CST]] : f32 masked [0] : <1500xf32, [1]> -> !tile.frag<2048xf32>
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST_0]] : f32 -> <2048xf32>
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[LOAD]] in[%[[CONSTANT_2]], %[[CONSTANT]]) else %[[CST_0]] : f32 axis 0 : <2048xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FILL]], %[[SELECT_RANGE]] : !tile.frag<2048xf32>, !tile.frag<2048xf32> -> !tile.frag<2048xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_4:[^ ,:)]+]]: f32, %[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf ogt, %[[ARG_5]], %[[ARG_4]] : f32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPF]], %[[ARG_5]], %[[ARG_4]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[MAP]] axis 0 : <2048xf32> -> f32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <2048xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<2048xf32> -> !tile.frag<2048xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_4]]: f32):
// CHECK-NEXT: %[[CMPF]] = arith.subf %[[ARG_4]], %[[MAX]] : f32
// CHECK-NEXT: %[[SELECT]] = math.exp %[[CMPF]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SELECT_RANGE_2:[^ ,:)]+]] = tile.select_range %[[MAP_2]] in[%[[CONSTANT_2]], %[[CONSTANT]]) else %[[CST]] : f32 axis 0 : <2048xf32>
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[FILL_2]], %[[SELECT_RANGE_2]] : !tile.frag<2048xf32>, !tile.frag<2048xf32> -> !tile.frag<2048xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_4]]: f32, %[[ARG_5]]: f32):
// CHECK-NEXT: %[[CMPF]] = arith.addf %[[ARG_4]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[CMPF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP_3]] axis 0 : <2048xf32> -> f32
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CMPF]] = arith.divf %[[CST_1]], %[[SUM]] : f32
// CHECK-NEXT: tile.yield %[[CMPF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_4]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[MAP_5:[^ ,:)]+]] = tile.map %[[MAP_2]] : !tile.frag<2048xf32> -> !tile.frag<2048xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_4]]: f32):
// CHECK-NEXT: %[[CMPF]] = arith.mulf %[[ARG_4]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[CMPF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI]] sizes() strides() : <f32> -> <1500xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_5]], %[[VIEW_2]][%[[CONSTANT_2]]] masked [0] : !tile.frag<2048xf32>, <1500xf32, [1]>
func.func @main(%a0: tensor<2x1500xf32>) -> tensor<2x1500xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<2x1500xf32>) -> tensor<2x1500xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<2x1500xf32>) -> tensor<2x1500xf32>
    graph.yield %1 : tensor<2x1500xf32>
  }
  return %k : tensor<2x1500xf32>
}
