// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=x86-64-v3" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of rows with prologues and several results.

// The sum of both operands is a result, and its norm: the row is stored on the way.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_6:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_6]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_7:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_2]] {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 48 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_7]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <16xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[FILL]]) -> (!tile.frag<16xf32>) {
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FOR_3]], %[[LOAD]], %[[LOAD_2]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_8:[^ ,:)]+]]: f32, %[[ARG_9:[^ ,:)]+]]: f32, %[[ARG_10:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_9]], %[[ARG_10]] : f32
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[ARG_8]], %[[ADDF]] : f32
// CHECK-NEXT: tile.yield %[[ADDF_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[FOR]] axis 0 : <16xf32> -> f32
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 4.800000e+01 : f32
// CHECK-NEXT: %[[ADDI_2]] = arith.divf %[[SUM]], %[[CST_0]] : f32
// CHECK-NEXT: tile.yield %[[ADDI_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_2]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[FOR_4:[^ ,:)]+]] = scf.for %[[FOR_2]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] iter_args(%[[FOR_3]] = %[[FILL]]) -> (!tile.frag<16xf32>) {
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[VIEW_2]] = tile.view %[[ARG_2]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_2]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP]] = tile.map %[[FOR_3]], %[[LOAD]], %[[LOAD_2]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_8]]: f32, %[[ARG_9]]: f32, %[[ARG_10]]: f32):
// CHECK-NEXT: %[[ADDF]] = arith.addf %[[ARG_9]], %[[ARG_10]] : f32
// CHECK-NEXT: %[[ADDF_2]] = arith.subf %[[ADDF]], %[[EXTRACT]] : f32
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[ADDF_2]], %[[ADDF_2]], %[[ARG_8]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[MAP]] : !tile.frag<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM_2:[^ ,:)]+]] = tile.reduce sum %[[FOR_4]] axis 0 : <16xf32> -> f32
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_0]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 4.800000e+01 : f32
// CHECK-NEXT: %[[ADDI_2]] = arith.divf %[[SUM_2]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant 9.99999974E-6 : f32
// CHECK-NEXT: %[[VIEW]] = arith.addf %[[ADDI_2]], %[[CST_2]] : f32
// CHECK-NEXT: %[[LOAD]] = math.sqrt %[[VIEW]] : f32
// CHECK-NEXT: %[[VIEW_2]] = arith.divf %[[CST_0]], %[[LOAD]] : f32
// CHECK-NEXT: tile.yield %[[VIEW_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = tile.extract %[[MAP_3]] [0] : <1xf32> -> f32
// CHECK-NEXT: scf.for %[[FOR_2]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[ADDI_2]] = arith.addi %[[MULI_2]], %[[FOR_2]] : index
// CHECK-NEXT: %[[VIEW]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD]] = tile.load %[[VIEW]][%[[CONSTANT_4]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[VIEW_2]] = tile.view %[[ARG_2]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_2]] = tile.load %[[VIEW_2]][%[[CONSTANT_4]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP]] = tile.view %[[ARG_3]] offset %[[FOR_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[ADDF]] = tile.load %[[MAP]][%[[CONSTANT_4]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[ADDF_2]]:2 = tile.map %[[LOAD]], %[[LOAD_2]], %[[ADDF]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32>, !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[FOR_3]]: f32, %[[ARG_8]]: f32, %[[ARG_9]]: f32):
// CHECK-NEXT: %[[ADDF_3:[^ ,:)]+]] = arith.addf %[[FOR_3]], %[[ARG_8]] : f32
// CHECK-NEXT: %[[SUBF:[^ ,:)]+]] = arith.subf %[[ADDF_3]], %[[EXTRACT]] : f32
// CHECK-NEXT: %[[MULF:[^ ,:)]+]] = arith.mulf %[[SUBF]], %[[EXTRACT_2]] : f32
// CHECK-NEXT: %[[MULF_2:[^ ,:)]+]] = arith.mulf %[[MULF]], %[[ARG_9]] : f32
// CHECK-NEXT: tile.yield %[[ADDF_3]], %[[MULF_2]] : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[FMA]] = tile.view %[[ARG_4]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[ADDF_2]]#0, %[[FMA]][%[[CONSTANT_4]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_5]] offset %[[ADDI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[ADDF_2]]#1, %[[VIEW_3]][%[[CONSTANT_4]]] : !tile.frag<16xf32>, <16xf32, [1]>
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 192 elements equal
// VALUES-NEXT: 192 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 132 elements equal
func.func @main(%a0: tensor<4x48xf32>, %b0: tensor<4x48xf32>, %c0: tensor<48xf32>) -> (tensor<4x48xf32>, tensor<4x48xf32>) {
  %k:2 = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0) : (tensor<4x48xf32>, tensor<4x48xf32>, tensor<48xf32>) -> (tensor<4x48xf32>, tensor<4x48xf32>) {
    %1 = graph.binary add %a, %b : (tensor<4x48xf32>, tensor<4x48xf32>) -> tensor<4x48xf32>
    %2 = graph.layer_norm %1 scale %c axis 1 {epsilon = 1.0e-5 : f64} : (tensor<4x48xf32>, tensor<48xf32>) -> tensor<4x48xf32>
    graph.yield %1, %2 : tensor<4x48xf32>, tensor<4x48xf32>
  }
  return %k#0, %k#1 : tensor<4x48xf32>, tensor<4x48xf32>
}

// -----

// A masked softmax: a boolean selects what takes part.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (192)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i1>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f16>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SCRATCH:[^ ,:)]+]] = tile.scratch %[[CONSTANT]] : <f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[MULI]] to %[[ADDI]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 33 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <32xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI_2]] sizes() strides() : <i1> -> <32xi1, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <32xi1, [1]> -> !tile.frag<32xi1>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f16> -> <32xf16, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]]] : <32xf16, [1]> -> !tile.frag<32xf16>
// CHECK-NEXT: %[[CONVERT:[^ ,:)]+]] = tile.convert %[[LOAD_2]] : <32xf16> -> <32xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FILL]], %[[LOAD]], %[[CONVERT]] : !tile.frag<32xf32>, !tile.frag<32xi1>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32, %[[ARG_7:[^ ,:)]+]]: i1, %[[ARG_8:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CST_2:[^ ,:)]+]] = arith.constant -1.000000e+04 : f32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[ARG_7]], %[[ARG_8]], %[[CST_2]] : f32
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf ogt, %[[SELECT]], %[[ARG_6]] : f32
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = arith.select %[[CMPF]], %[[SELECT]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[SELECT_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ADDI_2]] sizes() strides() : <i1> -> <1xi1, [1]>
// CHECK-NEXT: %[[FALSE:[^ ,:)]+]] = arith.constant false
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] pad %[[FALSE]] : i1 masked [0] : <1xi1, [1]> -> !tile.frag<32xi1>
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_2]] sizes() strides() : <f16> -> <1xf16, [1]>
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 0.000000e+00 : f16
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = tile.load %[[VIEW_4]][%[[CONSTANT]]] pad %[[CST_0]] : f16 masked [0] : <1xf16, [1]> -> !tile.frag<32xf16>
// CHECK-NEXT: %[[CONVERT_2:[^ ,:)]+]] = tile.convert %[[LOAD_4]] : <32xf16> -> <32xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[LOAD_3]], %[[CONVERT_2]] : !tile.frag<32xi1>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: i1, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[CST_2]] = arith.constant -1.000000e+04 : f32
// CHECK-NEXT: %[[SELECT]] = arith.select %[[ARG_6]], %[[ARG_7]], %[[CST_2]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[MAP_2]] in[%[[CONSTANT]], %[[CONSTANT_3]]) else %[[CST]] : f32 axis 0 : <32xf32>
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[MAP]], %[[SELECT_RANGE]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.cmpf ogt, %[[ARG_7]], %[[ARG_6]] : f32
// CHECK-NEXT: %[[CMPF]] = arith.select %[[SELECT]], %[[ARG_7]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[CMPF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[MAP_3]] axis 0 : <32xf32> -> f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[CST_1]] : f32 -> <32xf32>
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]]:2 = tile.map %[[FILL_2]], %[[LOAD]], %[[CONVERT]] : !tile.frag<32xf32>, !tile.frag<32xi1>, !tile.frag<32xf32> -> !tile.frag<32xf32>, !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: i1, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[CST_2]] = arith.constant -1.000000e+04 : f32
// CHECK-NEXT: %[[SELECT]] = arith.select %[[ARG_7]], %[[ARG_8]], %[[CST_2]] : f32
// CHECK-NEXT: %[[CMPF]] = arith.subf %[[SELECT]], %[[MAX]] : f32
// CHECK-NEXT: %[[SELECT_2]] = math.exp %[[CMPF]] : f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[ARG_6]], %[[SELECT_2]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]], %[[SELECT_2]] : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_5:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <32xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_4]]#1, %[[VIEW_5]][%[[CONSTANT]]] : !tile.frag<32xf32>, <32xf32, [1]>
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] pad %[[FALSE]] : i1 masked [0] : <1xi1, [1]> -> !tile.frag<32xi1>
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = tile.load %[[VIEW_4]][%[[CONSTANT]]] pad %[[CST_0]] : f16 masked [0] : <1xf16, [1]> -> !tile.frag<32xf16>
// CHECK-NEXT: %[[CONVERT_3:[^ ,:)]+]] = tile.convert %[[LOAD_6]] : <32xf16> -> <32xf32>
// CHECK-NEXT: %[[MAP_5:[^ ,:)]+]] = tile.map %[[LOAD_5]], %[[CONVERT_3]] : !tile.frag<32xi1>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: i1, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[CST_2]] = arith.constant -1.000000e+04 : f32
// CHECK-NEXT: %[[SELECT]] = arith.select %[[ARG_6]], %[[ARG_7]], %[[CST_2]] : f32
// CHECK-NEXT: %[[CMPF]] = arith.subf %[[SELECT]], %[[MAX]] : f32
// CHECK-NEXT: %[[SELECT_2]] = math.exp %[[CMPF]] : f32
// CHECK-NEXT: tile.yield %[[SELECT_2]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_6:[^ ,:)]+]] = tile.view %[[SCRATCH]] offset %[[CONSTANT_5]] sizes() strides() : <f32> -> <1xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_5]], %[[VIEW_6]][%[[CONSTANT]]] masked [0] : !tile.frag<32xf32>, <1xf32, [1]>
// CHECK-NEXT: %[[SELECT_RANGE_2:[^ ,:)]+]] = tile.select_range %[[MAP_5]] in[%[[CONSTANT]], %[[CONSTANT_3]]) else %[[CST_1]] : f32 axis 0 : <32xf32>
// CHECK-NEXT: %[[MAP_6:[^ ,:)]+]] = tile.map %[[MAP_4]]#0, %[[SELECT_RANGE_2]] : !tile.frag<32xf32>, !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.addf %[[ARG_6]], %[[ARG_7]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[MAP_6]] axis 0 : <32xf32> -> f32
// CHECK-NEXT: %[[MAP_7:[^ ,:)]+]] = tile.map -> !tile.frag<1xf32> {
// CHECK-NEXT: %[[CST_2]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[SELECT]] = arith.divf %[[CST_2]], %[[SUM]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = tile.extract %[[MAP_7]] [0] : <1xf32> -> f32
// CHECK-NEXT: %[[LOAD_7:[^ ,:)]+]] = tile.load %[[VIEW_5]][%[[CONSTANT]]] : <32xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP_8:[^ ,:)]+]] = tile.map %[[LOAD_7]] : !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.mulf %[[ARG_6]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONVERT_4:[^ ,:)]+]] = tile.convert %[[MAP_8]] : <32xf32> -> <32xf16>
// CHECK-NEXT: %[[VIEW_7:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_2]] sizes() strides() : <f16> -> <32xf16, [1]>
// CHECK-NEXT: tile.store %[[CONVERT_4]], %[[VIEW_7]][%[[CONSTANT]]] : !tile.frag<32xf16>, <32xf16, [1]>
// CHECK-NEXT: %[[LOAD_8:[^ ,:)]+]] = tile.load %[[VIEW_6]][%[[CONSTANT]]] pad %[[CST_1]] : f32 masked [0] : <1xf32, [1]> -> !tile.frag<32xf32>
// CHECK-NEXT: %[[MAP_9:[^ ,:)]+]] = tile.map %[[LOAD_8]] : !tile.frag<32xf32> -> !tile.frag<32xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32):
// CHECK-NEXT: %[[SELECT]] = arith.mulf %[[ARG_6]], %[[EXTRACT]] : f32
// CHECK-NEXT: tile.yield %[[SELECT]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONVERT_5:[^ ,:)]+]] = tile.convert %[[MAP_9]] : <32xf32> -> <32xf16>
// CHECK-NEXT: %[[VIEW_8:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ADDI_2]] sizes() strides() : <f16> -> <1xf16, [1]>
// CHECK-NEXT: tile.store %[[CONVERT_5]], %[[VIEW_8]][%[[CONSTANT]]] masked [0] : !tile.frag<32xf16>, <1xf16, [1]>
func.func @main(%a0: tensor<4x33xf16>, %b0: tensor<4x33xi1>) -> tensor<4x33xf16> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<4x33xf16>, tensor<4x33xi1>) -> tensor<4x33xf16> {
    %1 = graph.fill -1.0e4 : f16 : tensor<4x33xf16>
    %2 = graph.select %b, %a, %1 : (tensor<4x33xi1>, tensor<4x33xf16>, tensor<4x33xf16>) -> tensor<4x33xf16>
    %3 = graph.softmax %2 axis 1 : (tensor<4x33xf16>) -> tensor<4x33xf16>
    graph.yield %3 : tensor<4x33xf16>
  }
  return %k : tensor<4x33xf16>
}
