// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=x86-64-v3" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// A tile program of a window reduction.

// A depthwise convolution: taps are written out, four positions side by side, vectors run along the channels.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @row_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 16, grain = 131072, stage = false, positions = 4>, grid = #map, hero = "row", scratch = #map1, symbols = []} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST_0]] : f32 -> <16xf32>
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_5]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[FILL]], %[[LOAD_2]], %[[LOAD]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: f32, %[[ARG_7:[^ ,:)]+]]: f32, %[[ARG_8:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[ARG_5]], %[[CONSTANT_5]] : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ADDI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = tile.load %[[VIEW_3]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_2:[^ ,:)]+]] = tile.map %[[FILL]], %[[LOAD_3]], %[[LOAD]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[ARG_5]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[ADDI_2]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW_4:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_3]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = tile.load %[[VIEW_4]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_3:[^ ,:)]+]] = tile.map %[[FILL]], %[[LOAD_4]], %[[LOAD]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[ARG_5]], %[[CONSTANT_7]] : index
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[ADDI_3]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW_5:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI_4]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = tile.load %[[VIEW_5]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_4:[^ ,:)]+]] = tile.map %[[FILL]], %[[LOAD_5]], %[[LOAD]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_6:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT_4]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = tile.load %[[VIEW_6]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[ADDI_4:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW_7:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_4]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_7:[^ ,:)]+]] = tile.load %[[VIEW_7]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_5:[^ ,:)]+]] = tile.map %[[MAP]], %[[LOAD_7]], %[[LOAD_6]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[ADDI_5:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW_8:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_5]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_8:[^ ,:)]+]] = tile.load %[[VIEW_8]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_6:[^ ,:)]+]] = tile.map %[[MAP_2]], %[[LOAD_8]], %[[LOAD_6]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[ADDI_6:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW_9:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_6]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_9:[^ ,:)]+]] = tile.load %[[VIEW_9]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_7:[^ ,:)]+]] = tile.map %[[MAP_3]], %[[LOAD_9]], %[[LOAD_6]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[ADDI_7:[^ ,:)]+]] = arith.addi %[[MULI_4]], %[[CONSTANT_4]] : index
// CHECK-NEXT: %[[VIEW_10:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_7]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_10:[^ ,:)]+]] = tile.load %[[VIEW_10]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_8:[^ ,:)]+]] = tile.map %[[MAP_4]], %[[LOAD_10]], %[[LOAD_6]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[VIEW_11:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT_8]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_11:[^ ,:)]+]] = tile.load %[[VIEW_11]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[ADDI_8:[^ ,:)]+]] = arith.addi %[[MULI]], %[[CONSTANT_8]] : index
// CHECK-NEXT: %[[VIEW_12:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_8]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_12:[^ ,:)]+]] = tile.load %[[VIEW_12]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_9:[^ ,:)]+]] = tile.map %[[MAP_5]], %[[LOAD_12]], %[[LOAD_11]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[ADDI_9:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[CONSTANT_8]] : index
// CHECK-NEXT: %[[VIEW_13:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_9]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_13:[^ ,:)]+]] = tile.load %[[VIEW_13]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_10:[^ ,:)]+]] = tile.map %[[MAP_6]], %[[LOAD_13]], %[[LOAD_11]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[ADDI_10:[^ ,:)]+]] = arith.addi %[[MULI_3]], %[[CONSTANT_8]] : index
// CHECK-NEXT: %[[VIEW_14:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_10]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_14:[^ ,:)]+]] = tile.load %[[VIEW_14]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_11:[^ ,:)]+]] = tile.map %[[MAP_7]], %[[LOAD_14]], %[[LOAD_11]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[ADDI_11:[^ ,:)]+]] = arith.addi %[[MULI_4]], %[[CONSTANT_8]] : index
// CHECK-NEXT: %[[VIEW_15:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ADDI_11]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_15:[^ ,:)]+]] = tile.load %[[VIEW_15]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_12:[^ ,:)]+]] = tile.map %[[MAP_8]], %[[LOAD_15]], %[[LOAD_11]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_6]]: f32, %[[ARG_7]]: f32, %[[ARG_8]]: f32):
// CHECK-NEXT: %[[FMA]] = math.fma %[[ARG_7]], %[[ARG_8]], %[[ARG_6]] : f32
// CHECK-NEXT: tile.yield %[[FMA]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_16:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_9]], %[[VIEW_16]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: %[[VIEW_17:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_2]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_10]], %[[VIEW_17]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: %[[VIEW_18:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_3]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_11]], %[[VIEW_18]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: %[[VIEW_19:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[MULI_4]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_12]], %[[VIEW_19]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL_2:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <16xf32>
// CHECK-NEXT: %[[VIEW_20:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_16:[^ ,:)]+]] = tile.load %[[VIEW_20]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[VIEW_21:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT_9]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_17:[^ ,:)]+]] = tile.load %[[VIEW_21]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_13:[^ ,:)]+]] = tile.map %[[FILL_2]], %[[LOAD_17]], %[[LOAD_16]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FILL]] = math.fma %[[ARG_6]], %[[ARG_7]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FILL]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = arith.constant 144 : index
// CHECK-NEXT: %[[VIEW_22:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT_10]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_18:[^ ,:)]+]] = tile.load %[[VIEW_22]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_14:[^ ,:)]+]] = tile.map %[[FILL_2]], %[[LOAD_18]], %[[LOAD_16]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FILL]] = math.fma %[[ARG_6]], %[[ARG_7]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FILL]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_11:[^ ,:)]+]] = arith.constant 160 : index
// CHECK-NEXT: %[[VIEW_23:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT_11]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_19:[^ ,:)]+]] = tile.load %[[VIEW_23]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_15:[^ ,:)]+]] = tile.map %[[FILL_2]], %[[LOAD_19]], %[[LOAD_16]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FILL]] = math.fma %[[ARG_6]], %[[ARG_7]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FILL]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_12:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[VIEW_24:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT_12]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_20:[^ ,:)]+]] = tile.load %[[VIEW_24]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_16:[^ ,:)]+]] = tile.map %[[MAP_13]], %[[LOAD_18]], %[[LOAD_20]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FILL]] = math.fma %[[ARG_6]], %[[ARG_7]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FILL]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAP_17:[^ ,:)]+]] = tile.map %[[MAP_14]], %[[LOAD_19]], %[[LOAD_20]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FILL]] = math.fma %[[ARG_6]], %[[ARG_7]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FILL]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_13:[^ ,:)]+]] = arith.constant 176 : index
// CHECK-NEXT: %[[VIEW_25:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT_13]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_21:[^ ,:)]+]] = tile.load %[[VIEW_25]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_18:[^ ,:)]+]] = tile.map %[[MAP_15]], %[[LOAD_21]], %[[LOAD_20]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FILL]] = math.fma %[[ARG_6]], %[[ARG_7]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FILL]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_14:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[VIEW_26:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT_14]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_22:[^ ,:)]+]] = tile.load %[[VIEW_26]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_19:[^ ,:)]+]] = tile.map %[[MAP_16]], %[[LOAD_19]], %[[LOAD_22]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FILL]] = math.fma %[[ARG_6]], %[[ARG_7]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FILL]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[MAP_20:[^ ,:)]+]] = tile.map %[[MAP_17]], %[[LOAD_21]], %[[LOAD_22]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FILL]] = math.fma %[[ARG_6]], %[[ARG_7]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FILL]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONSTANT_15:[^ ,:)]+]] = arith.constant 192 : index
// CHECK-NEXT: %[[VIEW_27:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT_15]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD_23:[^ ,:)]+]] = tile.load %[[VIEW_27]][%[[CONSTANT]]] : <16xf32, [1]> -> !tile.frag<16xf32>
// CHECK-NEXT: %[[MAP_21:[^ ,:)]+]] = tile.map %[[MAP_18]], %[[LOAD_23]], %[[LOAD_22]] : !tile.frag<16xf32>, !tile.frag<16xf32>, !tile.frag<16xf32> -> !tile.frag<16xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5]]: f32, %[[ARG_6]]: f32, %[[ARG_7]]: f32):
// CHECK-NEXT: %[[FILL]] = math.fma %[[ARG_6]], %[[ARG_7]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[FILL]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_28:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT_9]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_19]], %[[VIEW_28]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: %[[VIEW_29:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT_10]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_20]], %[[VIEW_29]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// CHECK-NEXT: %[[VIEW_30:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT_11]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP_21]], %[[VIEW_30]][%[[CONSTANT]]] : !tile.frag<16xf32>, <16xf32, [1]>
// VALUES-LABEL: func.func @main
// VALUES-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 131072, stage = false, positions = 4>: 1 tasks, 176 elements equal
func.func @main(%a0: tensor<1x13x16xf32>, %b0: tensor<3x16xf32>) -> tensor<1x11x16xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<1x13x16xf32>, tensor<3x16xf32>) -> tensor<1x11x16xf32> {
    %1 = graph.iota axis 0 : tensor<11x3xi64>
    %2 = graph.iota axis 1 : tensor<11x3xi64>
    %3 = graph.binary add %1, %2 : (tensor<11x3xi64>, tensor<11x3xi64>) -> tensor<11x3xi64>
    %4 = graph.gather %a, %3 axis 1 : (tensor<1x13x16xf32>, tensor<11x3xi64>) -> tensor<1x11x3x16xf32>
    %5 = graph.binary mul %4, %b : (tensor<1x11x3x16xf32>, tensor<3x16xf32>) -> tensor<1x11x3x16xf32>
    %6 = graph.reduce sum %5 axes [2] : (tensor<1x11x3x16xf32>) -> tensor<1x11x16xf32>
    graph.yield %6 : tensor<1x11x16xf32>
  }
  return %k : tensor<1x11x16xf32>
}
