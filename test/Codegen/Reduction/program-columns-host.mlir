// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=x86-64-v3" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of reductions along columns.

// A sum per column, one position after the other.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <32xf32>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<32xf32>) {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_4:[^ ,:)]+]]: f32, %[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_4]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<32xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FOR]] : !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32):
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 1.280000e+02 : f32
// CHECK-NEXT: %[[MULI]] = arith.divf %[[FOR_2]], %[[CST_0]] : f32
// CHECK-NEXT: tile.yield %[[MULI]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_2]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 32 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 1024 elements equal
func.func @main(%a0: tensor<1x128x32xf32>) -> tensor<1x32xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<1x128x32xf32>) -> tensor<1x32xf32> {
    %1 = graph.reduce mean %a axes [1] : (tensor<1x128x32xf32>) -> tensor<1x32xf32>
    graph.yield %1 : tensor<1x32xf32>
  }
  return %k : tensor<1x32xf32>
}

// -----

// A softmax along columns: three passes over the positions.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (4096)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <16xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<16xf32>) {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]] : !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_4:[^ ,:)]+]]: f32, %[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf ogt, %[[ARG_5]], %[[ARG_4]] : f32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPF]], %[[ARG_5]], %[[ARG_4]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[CST_0]] : f32 -> <16xf32>
// CHECK-NEXT: %[[FOR_4:[^ ,:)]+]] = scf.for %[[FOR_2]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] iter_args(%[[FOR_3]] = %[[FILL_2]]) -> (!tile.frag<16xf32>) {
// CHECK-NEXT: %[[CONSTANT_4]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI]] = arith.muli %[[FOR_2]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP]]:2 = tile.map %[[FOR_3]], %[[LOAD]], %[[FOR]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32>, !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_4]]: f32, %[[ARG_5]]: f32, %[[ARG_6:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.subf %[[ARG_5]], %[[ARG_6]] : f32
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = math.exp %[[SELECT]] : f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_4]], %[[EXP]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]], %[[EXP]] : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CMPF]] = tile.view %[[SCRATCH]] offset %[[MULI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]]#1, %[[CMPF]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: scf.yield %[[MAP]]#0 : !tile.frag<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FOR_4]] : !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_2]]: f32):
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[MULI]] = arith.divf %[[CST_1]], %[[FOR_2]] : f32
// CHECK-NEXT: tile.yield %[[MULI]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %[[FOR_2]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_4]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI]] = arith.muli %[[FOR_2]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[SCRATCH]] offset %[[MULI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP]] = tile.map %[[LOAD]], %[[MAP_2]] : !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_3]]: f32, %[[ARG_4]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.mulf %[[FOR_3]], %[[ARG_4]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CMPF]] = tile.view %[[ARG_2]] offset %[[MULI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[CMPF]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
func.func @main(%a0: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<64x16xf32>) -> tensor<64x16xf32> {
    %1 = graph.softmax %a axis 0 : (tensor<64x16xf32>) -> tensor<64x16xf32>
    graph.yield %1 : tensor<64x16xf32>
  }
  return %k : tensor<64x16xf32>
}
