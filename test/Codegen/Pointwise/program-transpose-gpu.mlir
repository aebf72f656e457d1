// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// A tile program that stages an operand through scratch.

// A tile of the transposed operand goes through padded lines of scratch.
// CHECK: #map = affine_map<() -> (2)>
// CHECK: #map1 = affine_map<() -> (4224)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 8>>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[REMUI:[^ ,:)]+]] = arith.remui %[[ARG_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[REMUI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 40 : index
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[CONSTANT_4]], %[[MULI]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 24 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[MULI]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes(%[[SUBI]]) strides() : <f32> -> <?x24xf32, [24, 1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] pad %[[CST]] : f32 masked [0, 1] : <?x24xf32, [24, 1]> -> !tile.frag<32x32xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <32x32xf32, [33, 1]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<32x32xf32>, <32x32xf32, [33, 1]>
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi sge, %[[SUBI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: scf.if %[[CMPI]] {
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_5]] step %[[CONSTANT_6]] {
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[ARG_4]] sizes() strides() : <f32> -> <32xf32, [33]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] : <32xf32, [33]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[MULI]] : index
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ADDI]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD_2]], %[[VIEW_4]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: } {tile.team = 8 : i64}
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[CONSTANT_6]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4]] = %[[CONSTANT]] to %[[CONSTANT_5]] step %[[CONSTANT_6]] {
// CHECK-NEXT: %[[VIEW_3]] = tile.view %[[SCRATCH]] offset %[[ARG_4]] sizes() strides() : <f32> -> <32xf32, [33]>
// CHECK-NEXT: %[[LOAD_2]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] : <32xf32, [33]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MULI_3]] = arith.muli %[[ARG_4]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[ADDI]] = arith.addi %[[MULI_3]], %[[MULI]] : index
// CHECK-NEXT: %[[VIEW_4]] = tile.view %[[ARG_2]] offset %[[ADDI]] sizes(%[[SUBI]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD_2]], %[[VIEW_4]][%[[CONSTANT]]] masked [0] : !tile.frag<32xf32>, <?xf32, [1]>
// CHECK-NEXT: } {tile.team = 8 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 8>>: 2 tasks, 960 elements equal
func.func @main(%a0: tensor<40x24xf32>) -> tensor<24x40xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<40x24xf32>) -> tensor<24x40xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<40x24xf32>) -> tensor<24x40xf32>
    graph.yield %1 : tensor<24x40xf32>
  }
  return %k : tensor<24x40xf32>
}
