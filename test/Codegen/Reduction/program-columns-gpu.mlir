// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of reductions along columns.

// Few columns, many positions: thread groups have every 32nd, and leave partial sums in scratch.
// CHECK: #map = affine_map<() -> (2)>
// CHECK: #map1 = affine_map<() -> (2048)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_3]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[DIVUI:[^ ,:)]+]] = arith.divui %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[ARG_3]], %[[DIVUI]] : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[REMUI:[^ ,:)]+]] = arith.remui %[[ADDI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[REMUI]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <16xf32>
// CHECK-NEXT: %[[REMUI_2:[^ ,:)]+]] = arith.remui %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_6]] step %[[CONSTANT_2]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<16xf32>) {
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[REMUI_2]] : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ADDI_2]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[MULI]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_3]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_5]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[MULI_4]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[FOR]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 4 : i64}
// CHECK-NEXT: scf.for %[[ARG_4]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[DIVUI]] = arith.addi %[[ARG_3]], %[[ARG_4]] : index
// CHECK-NEXT: %[[CONSTANT_4]] = arith.constant 2 : index
// CHECK-NEXT: %[[CONSTANT_5]] = arith.constant 16 : index
// CHECK-NEXT: %[[ADDI]] = arith.remui %[[DIVUI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[REMUI]] = arith.muli %[[ADDI]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[MULI]] = arith.muli %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[FILL]] = arith.muli %[[MULI]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[REMUI_2]] = tile.view %[[SCRATCH]] offset %[[FILL]] sizes() strides() : <f32> -> <32x16xf32, [16, 1]>
// CHECK-NEXT: %[[FOR]] = tile.load %[[REMUI_2]][%[[CONSTANT]], %[[CONSTANT]]] : <32x16xf32, [16, 1]> -> !tile.frag<32x16xf32>
// CHECK-NEXT: %[[MULI_4]] = tile.reduce sum %[[FOR]] axis 0 : <32x16xf32> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[VIEW_2]] = tile.map %[[MULI_4]] : !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32):
// CHECK-NEXT: %[[CST]] = arith.constant 1.280000e+02 : f32
// CHECK-NEXT: %[[ADDI_2]] = arith.divf %[[FOR_2]], %[[CST]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MULI_2]] = tile.view %[[ARG_2]] offset %[[REMUI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[VIEW_2]], %[[MULI_2]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 32 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 32 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>: 1 tasks, 1024 elements equal
func.func @main(%a0: tensor<1x128x32xf32>) -> tensor<1x32xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<1x128x32xf32>) -> tensor<1x32xf32> {
    %1 = graph.reduce mean %a axes [1] : (tensor<1x128x32xf32>) -> tensor<1x32xf32>
    graph.yield %1 : tensor<1x32xf32>
  }
  return %k : tensor<1x32xf32>
}

// -----

// A softmax along columns: what several passes read stays in scratch.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (6272)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 512, stage = true, threads = 128, group_threads = 4, reduce_split = 32>, grid = #map, hero = "row", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 2048 : index
// CHECK-NEXT: %[[SCRATCH_2:[^ ,:)]+]] = tile.scratch %[[CONSTANT_2]] : <f32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 2112 : index
// CHECK-NEXT: %[[SCRATCH_3:[^ ,:)]+]] = tile.scratch %[[CONSTANT_3]] : <f32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 2176 : index
// CHECK-NEXT: %[[SCRATCH_4:[^ ,:)]+]] = tile.scratch %[[CONSTANT_4]] : <f32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_6]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[DIVUI:[^ ,:)]+]] = arith.divui %[[ARG_4]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <16xf32>
// CHECK-NEXT: %[[REMUI:[^ ,:)]+]] = arith.remui %[[ARG_4]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_7]] step %[[CONSTANT_5]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<16xf32>) {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[REMUI]] : index
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[DIVUI]], %[[CONSTANT_8]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[ADDI]] : index
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ADDI]], %[[CONSTANT_9]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_3]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf ogt, %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPF]], %[[ARG_6]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[ADDI_2]], %[[CONSTANT_9]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[SCRATCH_4]] offset %[[MULI_4]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI_5:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[MULI_5]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[FOR]], %[[VIEW_3]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 4 : i64}
// CHECK-NEXT: scf.for %[[ARG_4]] = %[[CONSTANT]] to %[[CONSTANT_5]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[DIVUI]] = arith.muli %[[ARG_4]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[CONSTANT_10]] = arith.constant 16 : index
// CHECK-NEXT: %[[FILL]] = arith.muli %[[DIVUI]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[REMUI]] = tile.view %[[SCRATCH]] offset %[[FILL]] sizes() strides() : <f32> -> <32x16xf32, [16, 1]>
// CHECK-NEXT: %[[FOR]] = tile.load %[[REMUI]][%[[CONSTANT]], %[[CONSTANT]]] : <32x16xf32, [16, 1]> -> !tile.frag<32x16xf32>
// CHECK-NEXT: %[[MULI_5]] = tile.reduce max %[[FOR]] axis 0 : <32x16xf32> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[VIEW_3]] = arith.muli %[[ARG_4]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[MULI]] = tile.view %[[SCRATCH_2]] offset %[[VIEW_3]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MULI_5]], %[[MULI]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 32 : i64}
// CHECK-NEXT: scf.for %[[ARG_4]] = %[[CONSTANT]] to %[[CONSTANT_6]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[DIVUI]] = arith.divui %[[ARG_4]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[CONSTANT_10]] = arith.constant 16 : index
// CHECK-NEXT: %[[FILL]] = arith.muli %[[DIVUI]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[REMUI]] = tile.view %[[SCRATCH_2]] offset %[[FILL]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[FOR]] = tile.load %[[REMUI]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[CST]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[MULI_5]] = tile.fill %[[CST]] : f32 -> <16xf32>
// CHECK-NEXT: %[[VIEW_3]] = arith.remui %[[ARG_4]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[CONSTANT_7]] = arith.constant 2 : index
// CHECK-NEXT: %[[MULI]] = scf.for %[[FOR_2]] = %[[CONSTANT]] to %[[CONSTANT_7]] step %[[CONSTANT_5]] iter_args(%[[FOR_3]] = %[[MULI_5]]) -> (!tile.frag<16xf32>) {
// CHECK-NEXT: %[[ADDI_2]] = arith.muli %[[FOR_2]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[MULI_3]] = arith.addi %[[ADDI_2]], %[[VIEW_3]] : index
// CHECK-NEXT: %[[CONSTANT_8]] = arith.constant 64 : index
// CHECK-NEXT: %[[VIEW]] = arith.muli %[[DIVUI]], %[[CONSTANT_8]] : index
// CHECK-NEXT: %[[LOAD]] = arith.addi %[[VIEW]], %[[MULI_3]] : index
// CHECK-NEXT: %[[MAP]] = arith.muli %[[LOAD]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[MULI_4]] = tile.view %[[SCRATCH_4]] offset %[[MAP]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[VIEW_2]] = tile.load %[[MULI_4]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[CMPF]] = tile.map %[[FOR_3]], %[[VIEW_2]], %[[FOR]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.subf %[[ARG_6]], %[[ARG_7]] : f32
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = math.exp %[[SELECT]] : f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_5]], %[[EXP]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[CMPF]] : !tile.frag<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[ADDI]] = arith.muli %[[ARG_4]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[MULI_2]] = tile.view %[[SCRATCH]] offset %[[ADDI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MULI]], %[[MULI_2]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 4 : i64}
// CHECK-NEXT: scf.for %[[ARG_4]] = %[[CONSTANT]] to %[[CONSTANT_5]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[DIVUI]] = arith.muli %[[ARG_4]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[CONSTANT_10]] = arith.constant 16 : index
// CHECK-NEXT: %[[FILL]] = arith.muli %[[DIVUI]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[REMUI]] = tile.view %[[SCRATCH]] offset %[[FILL]] sizes() strides() : <f32> -> <32x16xf32, [16, 1]>
// CHECK-NEXT: %[[FOR]] = tile.load %[[REMUI]][%[[CONSTANT]], %[[CONSTANT]]] : <32x16xf32, [16, 1]> -> !tile.frag<32x16xf32>
// CHECK-NEXT: %[[MULI_5]] = tile.reduce sum %[[FOR]] axis 0 : <32x16xf32> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[VIEW_3]] = arith.muli %[[ARG_4]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[MULI]] = tile.view %[[SCRATCH_3]] offset %[[VIEW_3]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MULI_5]], %[[MULI]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 32 : i64}
// CHECK-NEXT: scf.for %[[ARG_4]] = %[[CONSTANT]] to %[[CONSTANT_6]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[DIVUI]] = arith.divui %[[ARG_4]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[CONSTANT_10]] = arith.constant 16 : index
// CHECK-NEXT: %[[FILL]] = arith.muli %[[DIVUI]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[REMUI]] = tile.view %[[SCRATCH_2]] offset %[[FILL]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[FOR]] = tile.load %[[REMUI]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MULI_5]] = tile.view %[[SCRATCH_3]] offset %[[FILL]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[VIEW_3]] = tile.load %[[MULI_5]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MULI]] = tile.map %[[VIEW_3]] : !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32):
// CHECK-NEXT: %[[CST]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[MULI_2]] = arith.divf %[[CST]], %[[FOR_2]] : f32
// CHECK-NEXT: tile.yield %[[MULI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[ADDI]] = arith.remui %[[ARG_4]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[CONSTANT_7]] = arith.constant 2 : index
// CHECK-NEXT: scf.for %[[FOR_2]] = %[[CONSTANT]] to %[[CONSTANT_7]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[MULI_2]] = arith.muli %[[FOR_2]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[ADDI]] : index
// CHECK-NEXT: %[[CONSTANT_8]] = arith.constant 64 : index
// CHECK-NEXT: %[[MULI_3]] = arith.muli %[[DIVUI]], %[[CONSTANT_8]] : index
// CHECK-NEXT: %[[VIEW]] = arith.addi %[[MULI_3]], %[[ADDI_2]] : index
// CHECK-NEXT: %[[LOAD]] = arith.muli %[[VIEW]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[MAP]] = tile.view %[[SCRATCH_4]] offset %[[LOAD]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[MULI_4]] = tile.load %[[MAP]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[VIEW_2]] = tile.map %[[MULI_4]], %[[FOR]], %[[MULI]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_3]]: f32, %[[ARG_5]]: f32, %[[ARG_6]]: f32):
// CHECK-NEXT: %[[EXP]] = arith.subf %[[FOR_3]], %[[ARG_5]] : f32
// CHECK-NEXT: %[[ADDF]] = math.exp %[[EXP]] : f32
// CHECK-NEXT: %[[MULF:[^ ,:)]+]] = arith.mulf %[[ADDF]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[MULF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CMPF]] = arith.muli %[[ADDI_2]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[SELECT]] = tile.view %[[ARG_2]] offset %[[CMPF]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[VIEW_2]], %[[SELECT]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: } {tile.team = 4 : i64}
func.func @main(%a0: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<64x16xf32>) -> tensor<64x16xf32> {
    %1 = graph.softmax %a axis 0 : (tensor<64x16xf32>) -> tensor<64x16xf32>
    graph.yield %1 : tensor<64x16xf32>
  }
  return %k : tensor<64x16xf32>
}
