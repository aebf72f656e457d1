// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=x86-64-v3" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// A tile program that stages an operand through scratch.

// A square of eight in registers, rows of the tile in scratch.
// CHECK: #map = affine_map<() -> (3)>
// CHECK: #map1 = affine_map<() -> (256)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>, grid = #map, hero = "pointwise", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[REMUI:[^ ,:)]+]] = arith.remui %[[ARG_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[REMUI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 5 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_4]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 24 : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[MULI_2]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[MULI]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI]] sizes() strides() : <f32> -> <8x8xf32, [24, 1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <8x8xf32, [24, 1]> -> !tile.frag<8x8xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = tile.transpose %[[LOAD]] : <8x8xf32> -> <8x8xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <8x8xf32, [8, 1]>
// CHECK-NEXT: tile.store %[[TRANSPOSE]], %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<8x8xf32>, <8x8xf32, [8, 1]>
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI]], %[[ARG_5]] : index
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[MULI_4]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] : <8xf32, [1]> -> !tile.frag<8xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 40 : index
// CHECK-NEXT: %[[MULI_5:[^ ,:)]+]] = arith.muli %[[ADDI_2]], %[[CONSTANT_7]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[MULI_5]], %[[MULI_2]] : index
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ADDI_3]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD_2]], %[[VIEW_4]][%[[CONSTANT]]] : !tile.frag<8xf32>, <8xf32, [1]>
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 3 tasks, 960 elements equal
func.func @main(%a0: tensor<40x24xf32>) -> tensor<24x40xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<40x24xf32>) -> tensor<24x40xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<40x24xf32>) -> tensor<24x40xf32>
    graph.yield %1 : tensor<24x40xf32>
  }
  return %k : tensor<24x40xf32>
}
