// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80 dims=n:7,m:33" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs over dims of the launch.

// Rows and columns of the launch: what a task has of them is cut off at the end.
// CHECK: #map = affine_map<()[s0, s1] -> ((s0 ceildiv 2048) * (s1 ceildiv (2048 floordiv (s0 + 1) + 1)))>
// CHECK: #map1 = affine_map<()[s0, s1] -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols(%[[ARG_4:[^ ,:)]+]], %[[ARG_5:[^ ,:)]+]]) task(%[[ARG_6:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>, grid = #map, hero = "pointwise", scratch = #map1, symbols = ["m", "n"], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 2048 : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[ADDI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[DIVUI:[^ ,:)]+]] = arith.divui %[[SUBI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[REMUI:[^ ,:)]+]] = arith.remui %[[ARG_6]], %[[DIVUI]] : index
// CHECK-NEXT: %[[DIVUI_2:[^ ,:)]+]] = arith.divui %[[ARG_6]], %[[DIVUI]] : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[REMUI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[ADDI_2]], %[[ARG_4]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[ARG_4]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[MAXUI:[^ ,:)]+]] = arith.maxui %[[ADDI_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[DIVUI_3:[^ ,:)]+]] = arith.divui %[[CONSTANT]], %[[MAXUI]] : index
// CHECK-NEXT: %[[ADDI_4:[^ ,:)]+]] = arith.addi %[[DIVUI_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[DIVUI_2]], %[[ADDI_4]] : index
// CHECK-NEXT: %[[ADDI_5:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[ADDI_4]] : index
// CHECK-NEXT: %[[MINSI_2:[^ ,:)]+]] = arith.minsi %[[ADDI_5]], %[[ARG_5]] : index
// CHECK-NEXT: scf.for %[[ARG_7:[^ ,:)]+]] = %[[MULI_2]] to %[[MINSI_2]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ARG_7]], %[[ARG_4]] : index
// CHECK-NEXT: %[[SUBI_2:[^ ,:)]+]] = arith.subi %[[MINSI]], %[[MULI]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[DIVUI_4:[^ ,:)]+]] = arith.divui %[[SUBI_2]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[DIVUI_4]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[ADDI_6:[^ ,:)]+]] = arith.addi %[[MULI]], %[[MULI_4]] : index
// CHECK-NEXT: scf.for %[[ARG_8:[^ ,:)]+]] = %[[MULI]] to %[[ADDI_6]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[ADDI_7:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[ARG_8]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_7]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <128xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_8]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] : <128xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]], %[[LOAD_2]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_9:[^ ,:)]+]]: f32, %[[ARG_10:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_9]], %[[ARG_10]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ADDI_7]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_3]][%[[CONSTANT_4]]] : !tile.frag<128xf32>, <128xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUBI_3:[^ ,:)]+]] = arith.subi %[[MINSI]], %[[ADDI_6]] : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi sgt, %[[SUBI_3]], %[[CONSTANT_5]] : index
// CHECK-NEXT: scf.if %[[CMPI]] {
// CHECK-NEXT: %[[ADDI_7]] = arith.addi %[[MULI_3]], %[[ADDI_6]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[ADDI_7]] sizes(%[[SUBI_3]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT_5]]] pad %[[CST]] : f32 masked [0] : <?xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[VIEW_2]] = tile.view %[[ARG_2]] offset %[[ADDI_6]] sizes(%[[SUBI_3]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: %[[LOAD_2]] = tile.load %[[VIEW_2]][%[[CONSTANT_5]]] pad %[[CST]] : f32 masked [0] : <?xf32, [1]> -> !tile.frag<128xf32>
// CHECK-NEXT: %[[MAP]] = tile.map %[[LOAD]], %[[LOAD_2]] : !tile.frag<128xf32>, !tile.frag<128xf32> -> !tile.frag<128xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_8]]: f32, %[[ARG_9]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.addf %[[ARG_8]], %[[ARG_9]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_3]] = tile.view %[[ARG_3]] offset %[[ADDI_7]] sizes(%[[SUBI_3]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_3]][%[[CONSTANT_5]]] masked [0] : !tile.frag<128xf32>, <?xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: } {tile.team = 32 : i64}
graph.symbol @n in [1, 600]
graph.symbol @m in [1, 600]
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 231 elements equal
func.func @main(%a0: tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>, %b0: tensor<?xf32, #graph.shape<[m] -> [m]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>, tensor<?xf32, #graph.shape<[m] -> [m]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>> {
    %1 = graph.binary add %a, %b : (tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>, tensor<?xf32, #graph.shape<[m] -> [m]>>) -> tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>
    graph.yield %1 : tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>
  }
  return %k : tensor<?x?xf32, #graph.shape<[m, n] -> [n, m]>>
}
