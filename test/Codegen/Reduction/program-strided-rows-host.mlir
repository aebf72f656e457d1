// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=x86-64-v3" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// A tile program of rows whose operand lies across.

// A norm of what lies across: elements are gathered one by one.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <32xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 96 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_3]] to %[[CONSTANT_4]] step %[[CONSTANT_5]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<32xf32>) {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = tile.iota %[[FOR_2]] axis 0 : index -> <32xindex>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[IOTA]] : !tile.frag<32xindex> -> !tile.frag<32xindex> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: index):
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_6]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[ARG_5]] : index
// CHECK-NEXT: tile.yield %[[ADDI_2]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT_3]] sizes() strides() : <f32> -> <6144xf32, [1]>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = tile.gather %[[VIEW]][] at %[[MAP]] : <6144xf32, [1]>, <32xindex> -> <32xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[GATHER]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[MULI_2]] = arith.addf %[[ARG_6]], %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[MULI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP_2]] : !tile.frag<32xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[FOR]] axis 0 : <32xf32> -> f32
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 9.600000e+01 : f32
// CHECK-NEXT: %[[IOTA]] = arith.divf %[[SUM]], %[[CST_0]] : f32
// CHECK-NEXT: tile.yield %[[IOTA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_3]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[FOR_4:[^ ,:)]+]] = scf.for %[[FOR_2]] = %[[CONSTANT_3]] to %[[CONSTANT_4]] step %[[CONSTANT_5]] iter_args(%[[FOR_3]] = %[[FILL]]) -> (!tile.frag<32xf32>) {
// CHECK-NEXT: %[[IOTA]] = tile.iota %[[FOR_2]] axis 0 : index -> <32xindex>
// CHECK-NEXT: %[[MAP]] = tile.map %[[IOTA]] : !tile.frag<32xindex> -> !tile.frag<32xindex> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: index):
// CHECK-NEXT: %[[MULI_2]] = arith.muli %[[ARG_6]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[ARG_5]] : index
// CHECK-NEXT: tile.yield %[[ADDI_2]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[CONSTANT_3]] sizes() strides() : <f32> -> <6144xf32, [1]>
// CHECK-NEXT: %[[GATHER]] = tile.gather %[[VIEW]][] at %[[MAP]] : <6144xf32, [1]>, <32xindex> -> <32xf32>
// CHECK-NEXT: %[[MAP_2]] = tile.map %[[FOR_3]], %[[GATHER]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[MULI_2]] = arith.subf %[[ARG_7]], %[[EXTRACT]] : f32
// CHECK-NEXT: %[[ADDI_2]] = math.fma %[[MULI_2]], %[[MULI_2]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP_2]] : !tile.frag<32xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM_2:[^ ,:)]+]] = tile.reduce sum %[[FOR_4]] axis 0 : <32xf32> -> f32
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 9.600000e+01 : f32
// CHECK-NEXT: %[[IOTA]] = arith.divf %[[SUM_2]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[MAP]] = arith.addf %[[IOTA]], %[[CST_2]] : f32
// CHECK-NEXT: %[[VIEW]] = math.sqrt %[[MAP]] : f32
// CHECK-NEXT: %[[GATHER]] = arith.divf %[[CST_0]], %[[VIEW]] : f32
// CHECK-NEXT: tile.yield %[[GATHER]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = tile.extract %[[MAP_4]] [0] : <1xf32> -> f32
// CHECK-NEXT: scf.for %[[FOR_2]] = %[[CONSTANT_3]] to %[[CONSTANT_4]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[IOTA]] = tile.iota %[[FOR_2]] axis 0 : index -> <32xindex>
// CHECK-NEXT: %[[MAP]] = tile.map %[[IOTA]] : !tile.frag<32xindex> -> !tile.frag<32xindex> {
// CHECK-NEXT: ^bb0(%[[FOR_3]]: index):
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[FOR_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[ARG_5]] : index
// CHECK-NEXT: tile.yield %[[ADDI_3]] : index
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[CONSTANT_3]] sizes() strides() : <f32> -> <6144xf32, [1]>
// CHECK-NEXT: %[[GATHER]] = tile.gather %[[VIEW]][] at %[[MAP]] : <6144xf32, [1]>, <32xindex> -> <32xf32>
// CHECK-NEXT: %[[MAP_2]] = tile.view %[[ARG_2]] offset %[[FOR_2]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[MULI_2]] = tile.load %[[MAP_2]][%[[CONSTANT_3]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[ADDI_2]] = tile.map %[[GATHER]], %[[MULI_2]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_3]]: f32, %[[ARG_6]]: f32):
// CHECK-NEXT: %[[MULI_3]] = arith.subf %[[FOR_3]], %[[EXTRACT]] : f32
// CHECK-NEXT: %[[ADDI_3]] = arith.mulf %[[MULI_3]], %[[EXTRACT_2]] : f32
// CHECK-NEXT: %[[MULF:[^ ,:)]+]] = arith.mulf %[[ADDI_3]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[MULF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[ADDI_4:[^ ,:)]+]] = arith.addi %[[MULI_4]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ADDI_4]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[ADDI_2]], %[[VIEW_2]][%[[CONSTANT_3]]] : !tile.frag<32xf32>, <32xf32, [1]>
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 6144 elements equal
func.func @main(%a0: tensor<96x64xf32>, %b0: tensor<96xf32>) -> tensor<64x96xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<96x64xf32>, tensor<96xf32>) -> tensor<64x96xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<96x64xf32>) -> tensor<64x96xf32>
    %2 = graph.layer_norm %1 scale %b axis 1 {epsilon = 1.0e-5 : f64} : (tensor<64x96xf32>, tensor<96xf32>) -> tensor<64x96xf32>
    graph.yield %2 : tensor<64x96xf32>
  }
  return %k : tensor<64x96xf32>
}
