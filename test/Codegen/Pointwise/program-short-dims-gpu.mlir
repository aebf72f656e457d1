// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// A tile program that stages an operand whose rows are short.

// Lines of scratch have four elements, three of which are loaded.
// CHECK: #map = affine_map<() -> (2)>
// CHECK: #map1 = affine_map<() -> (1024)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.staging_config<tile = [64, 4], pads = [0], compute = <lanes = 64, grain = 256, stage = false, threads = 32, group_threads = 2>>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[REMUI:[^ ,:)]+]] = arith.remui %[[ARG_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 192 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[REMUI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <64x3xf32, [3, 1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] pad %[[CST]] : f32 masked [1] : <64x3xf32, [3, 1]> -> !tile.frag<64x4xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <64x4xf32, [4, 1]>
// CHECK-NEXT: tile.store %[[LOAD]], %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<64x4xf32>, <64x4xf32, [4, 1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_4]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[ARG_4]] sizes() strides() : <f32> -> <64xf32, [4]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] : <64xf32, [4]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[MULI_2]] : index
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ADDI]] sizes() strides() : <f32> -> <64xf32, [1]>
// CHECK-NEXT: tile.store %[[LOAD_2]], %[[VIEW_4]][%[[CONSTANT]]] : !tile.frag<64xf32>, <64xf32, [1]>
// CHECK-NEXT: } {tile.team = 2 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.staging_config<tile = [64, 4], pads = [0], compute = <lanes = 64, grain = 256, stage = false, threads = 32, group_threads = 2>>: 2 tasks, 384 elements equal
func.func @main(%a0: tensor<2x64x3xf32>) -> tensor<2x3x64xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<2x64x3xf32>) -> tensor<2x3x64xf32> {
    %1 = graph.transpose %a [0, 2, 1] : (tensor<2x64x3xf32>) -> tensor<2x3x64xf32>
    graph.yield %1 : tensor<2x3x64xf32>
  }
  return %k : tensor<2x3x64xf32>
}
