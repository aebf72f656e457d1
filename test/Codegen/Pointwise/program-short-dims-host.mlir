// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=x86-64-v3" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// A tile program that stages an operand whose rows are short.

// Elements that are three apart are loaded with a stride.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>, grid = #map, hero = "pointwise", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 6 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_4]] {
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[REMUI:[^ ,:)]+]] = arith.remui %[[ARG_4]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[DIVUI:[^ ,:)]+]] = arith.divui %[[ARG_4]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 192 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[DIVUI]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[REMUI]] : index
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_7]] {
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[ADDI_2]], %[[MULI_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_3]] sizes() strides() : <f32> -> <32xf32, [3]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <32xf32, [3]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[REMUI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[ADDI_4:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[MULI_4]] : index
// CHECK-NEXT: %[[ADDI_5:[^ ,:)]+]] = arith.addi %[[ADDI_4]], %[[ARG_5]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ADDI_5]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 384 elements equal
func.func @main(%a0: tensor<2x64x3xf32>) -> tensor<2x3x64xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<2x64x3xf32>) -> tensor<2x3x64xf32> {
    %1 = graph.transpose %a [0, 2, 1] : (tensor<2x64x3xf32>) -> tensor<2x3x64xf32>
    graph.yield %1 : tensor<2x3x64xf32>
  }
  return %k : tensor<2x3x64xf32>
}
