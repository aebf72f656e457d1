// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Reductions of a warp: by shuffles between threads, then between registers, in the order of the tree.

// A sum ends with every thread.
// CHECK-LABEL: llvm.func @sum(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_2]], %[[CONSTANT]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_2]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_2:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_3:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_4]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_4:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_5]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 16 : i32
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT]] : f32 to i32
// CHECK-NEXT: %[[C_1_I32:[^ ,:)]+]] = arith.constant -1 : i32
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 31 : i32
// CHECK-NEXT: %[[SHFL:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST]], %[[CONSTANT_6]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_2:[^ ,:)]+]] = arith.bitcast %[[SHFL]] : i32 to f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[EXTRACTELEMENT]], %[[BITCAST_2]] : f32
// CHECK-NEXT: %[[BITCAST_3:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT_2]] : f32 to i32
// CHECK-NEXT: %[[SHFL_2:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_3]], %[[CONSTANT_6]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_4:[^ ,:)]+]] = arith.bitcast %[[SHFL_2]] : i32 to f32
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[EXTRACTELEMENT_2]], %[[BITCAST_4]] : f32
// CHECK-NEXT: %[[BITCAST_5:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT_3]] : f32 to i32
// CHECK-NEXT: %[[SHFL_3:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_5]], %[[CONSTANT_6]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_6:[^ ,:)]+]] = arith.bitcast %[[SHFL_3]] : i32 to f32
// CHECK-NEXT: %[[ADDF_3:[^ ,:)]+]] = arith.addf %[[EXTRACTELEMENT_3]], %[[BITCAST_6]] : f32
// CHECK-NEXT: %[[BITCAST_7:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT_4]] : f32 to i32
// CHECK-NEXT: %[[SHFL_4:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_7]], %[[CONSTANT_6]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_8:[^ ,:)]+]] = arith.bitcast %[[SHFL_4]] : i32 to f32
// CHECK-NEXT: %[[ADDF_4:[^ ,:)]+]] = arith.addf %[[EXTRACTELEMENT_4]], %[[BITCAST_8]] : f32
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 8 : i32
// CHECK-NEXT: %[[BITCAST_9:[^ ,:)]+]] = arith.bitcast %[[ADDF]] : f32 to i32
// CHECK-NEXT: %[[SHFL_5:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_9]], %[[CONSTANT_8]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_10:[^ ,:)]+]] = arith.bitcast %[[SHFL_5]] : i32 to f32
// CHECK-NEXT: %[[ADDF_5:[^ ,:)]+]] = arith.addf %[[ADDF]], %[[BITCAST_10]] : f32
// CHECK-NEXT: %[[BITCAST_11:[^ ,:)]+]] = arith.bitcast %[[ADDF_2]] : f32 to i32
// CHECK-NEXT: %[[SHFL_6:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_11]], %[[CONSTANT_8]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_12:[^ ,:)]+]] = arith.bitcast %[[SHFL_6]] : i32 to f32
// CHECK-NEXT: %[[ADDF_6:[^ ,:)]+]] = arith.addf %[[ADDF_2]], %[[BITCAST_12]] : f32
// CHECK-NEXT: %[[BITCAST_13:[^ ,:)]+]] = arith.bitcast %[[ADDF_3]] : f32 to i32
// CHECK-NEXT: %[[SHFL_7:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_13]], %[[CONSTANT_8]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_14:[^ ,:)]+]] = arith.bitcast %[[SHFL_7]] : i32 to f32
// CHECK-NEXT: %[[ADDF_7:[^ ,:)]+]] = arith.addf %[[ADDF_3]], %[[BITCAST_14]] : f32
// CHECK-NEXT: %[[BITCAST_15:[^ ,:)]+]] = arith.bitcast %[[ADDF_4]] : f32 to i32
// CHECK-NEXT: %[[SHFL_8:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_15]], %[[CONSTANT_8]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_16:[^ ,:)]+]] = arith.bitcast %[[SHFL_8]] : i32 to f32
// CHECK-NEXT: %[[ADDF_8:[^ ,:)]+]] = arith.addf %[[ADDF_4]], %[[BITCAST_16]] : f32
// CHECK-NEXT: %[[BITCAST_17:[^ ,:)]+]] = arith.bitcast %[[ADDF_5]] : f32 to i32
// CHECK-NEXT: %[[SHFL_9:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_17]], %[[CONSTANT]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_18:[^ ,:)]+]] = arith.bitcast %[[SHFL_9]] : i32 to f32
// CHECK-NEXT: %[[ADDF_9:[^ ,:)]+]] = arith.addf %[[ADDF_5]], %[[BITCAST_18]] : f32
// CHECK-NEXT: %[[BITCAST_19:[^ ,:)]+]] = arith.bitcast %[[ADDF_6]] : f32 to i32
// CHECK-NEXT: %[[SHFL_10:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_19]], %[[CONSTANT]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_20:[^ ,:)]+]] = arith.bitcast %[[SHFL_10]] : i32 to f32
// CHECK-NEXT: %[[ADDF_10:[^ ,:)]+]] = arith.addf %[[ADDF_6]], %[[BITCAST_20]] : f32
// CHECK-NEXT: %[[BITCAST_21:[^ ,:)]+]] = arith.bitcast %[[ADDF_7]] : f32 to i32
// CHECK-NEXT: %[[SHFL_11:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_21]], %[[CONSTANT]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_22:[^ ,:)]+]] = arith.bitcast %[[SHFL_11]] : i32 to f32
// CHECK-NEXT: %[[ADDF_11:[^ ,:)]+]] = arith.addf %[[ADDF_7]], %[[BITCAST_22]] : f32
// CHECK-NEXT: %[[BITCAST_23:[^ ,:)]+]] = arith.bitcast %[[ADDF_8]] : f32 to i32
// CHECK-NEXT: %[[SHFL_12:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_23]], %[[CONSTANT]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_24:[^ ,:)]+]] = arith.bitcast %[[SHFL_12]] : i32 to f32
// CHECK-NEXT: %[[ADDF_12:[^ ,:)]+]] = arith.addf %[[ADDF_8]], %[[BITCAST_24]] : f32
// CHECK-NEXT: %[[BITCAST_25:[^ ,:)]+]] = arith.bitcast %[[ADDF_9]] : f32 to i32
// CHECK-NEXT: %[[SHFL_13:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_25]], %[[CONSTANT_4]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_26:[^ ,:)]+]] = arith.bitcast %[[SHFL_13]] : i32 to f32
// CHECK-NEXT: %[[ADDF_13:[^ ,:)]+]] = arith.addf %[[ADDF_9]], %[[BITCAST_26]] : f32
// CHECK-NEXT: %[[BITCAST_27:[^ ,:)]+]] = arith.bitcast %[[ADDF_10]] : f32 to i32
// CHECK-NEXT: %[[SHFL_14:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_27]], %[[CONSTANT_4]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_28:[^ ,:)]+]] = arith.bitcast %[[SHFL_14]] : i32 to f32
// CHECK-NEXT: %[[ADDF_14:[^ ,:)]+]] = arith.addf %[[ADDF_10]], %[[BITCAST_28]] : f32
// CHECK-NEXT: %[[BITCAST_29:[^ ,:)]+]] = arith.bitcast %[[ADDF_11]] : f32 to i32
// CHECK-NEXT: %[[SHFL_15:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_29]], %[[CONSTANT_4]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_30:[^ ,:)]+]] = arith.bitcast %[[SHFL_15]] : i32 to f32
// CHECK-NEXT: %[[ADDF_15:[^ ,:)]+]] = arith.addf %[[ADDF_11]], %[[BITCAST_30]] : f32
// CHECK-NEXT: %[[BITCAST_31:[^ ,:)]+]] = arith.bitcast %[[ADDF_12]] : f32 to i32
// CHECK-NEXT: %[[SHFL_16:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_31]], %[[CONSTANT_4]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_32:[^ ,:)]+]] = arith.bitcast %[[SHFL_16]] : i32 to f32
// CHECK-NEXT: %[[ADDF_16:[^ ,:)]+]] = arith.addf %[[ADDF_12]], %[[BITCAST_32]] : f32
// CHECK-NEXT: %[[BITCAST_33:[^ ,:)]+]] = arith.bitcast %[[ADDF_13]] : f32 to i32
// CHECK-NEXT: %[[SHFL_17:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_33]], %[[CONSTANT_3]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_34:[^ ,:)]+]] = arith.bitcast %[[SHFL_17]] : i32 to f32
// CHECK-NEXT: %[[ADDF_17:[^ ,:)]+]] = arith.addf %[[ADDF_13]], %[[BITCAST_34]] : f32
// CHECK-NEXT: %[[BITCAST_35:[^ ,:)]+]] = arith.bitcast %[[ADDF_14]] : f32 to i32
// CHECK-NEXT: %[[SHFL_18:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_35]], %[[CONSTANT_3]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_36:[^ ,:)]+]] = arith.bitcast %[[SHFL_18]] : i32 to f32
// CHECK-NEXT: %[[ADDF_18:[^ ,:)]+]] = arith.addf %[[ADDF_14]], %[[BITCAST_36]] : f32
// CHECK-NEXT: %[[BITCAST_37:[^ ,:)]+]] = arith.bitcast %[[ADDF_15]] : f32 to i32
// CHECK-NEXT: %[[SHFL_19:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_37]], %[[CONSTANT_3]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_38:[^ ,:)]+]] = arith.bitcast %[[SHFL_19]] : i32 to f32
// CHECK-NEXT: %[[ADDF_19:[^ ,:)]+]] = arith.addf %[[ADDF_15]], %[[BITCAST_38]] : f32
// CHECK-NEXT: %[[BITCAST_39:[^ ,:)]+]] = arith.bitcast %[[ADDF_16]] : f32 to i32
// CHECK-NEXT: %[[SHFL_20:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_39]], %[[CONSTANT_3]], %[[CONSTANT_7]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_40:[^ ,:)]+]] = arith.bitcast %[[SHFL_20]] : i32 to f32
// CHECK-NEXT: %[[ADDF_20:[^ ,:)]+]] = arith.addf %[[ADDF_16]], %[[BITCAST_40]] : f32
// CHECK-NEXT: %[[ADDF_21:[^ ,:)]+]] = arith.addf %[[ADDF_17]], %[[ADDF_19]] : f32
// CHECK-NEXT: %[[ADDF_22:[^ ,:)]+]] = arith.addf %[[ADDF_18]], %[[ADDF_20]] : f32
// CHECK-NEXT: %[[ADDF_23:[^ ,:)]+]] = arith.addf %[[ADDF_21]], %[[ADDF_22]] : f32
// CHECK-NEXT: nvvm.bar.warp.sync %[[C_1_I32]] : i32
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[INDEX_CASTUI_2]], %[[CONSTANT_7]] : i32
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi eq, %[[ANDI]], %[[CONSTANT_2]] : i32
// CHECK-NEXT: scf.if %[[CMPI]] {
// CHECK-NEXT: llvm.store %[[ADDF_23]], %[[ARG_2]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @sum(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<128xf32> -> f32
  %r = tile.fill %s : f32 -> !tile.frag<1xf32>
  tile.store %r, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// Rows of 32 elements: shuffles between the eight threads of a row.
// CHECK-LABEL: llvm.func @sum_of_rows(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[SHRUI:[^ ,:)]+]] = arith.shrui %[[INDEX_CASTUI_2]], %[[CONSTANT_2]] : i32
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[SHRUI]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 7 : i32
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[INDEX_CASTUI_2]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 4 : i32
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ANDI]], %[[CONSTANT_5]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_4:[^ ,:)]+]] = arith.index_castui %[[MULI_2]] : i32 to index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[INDEX_CASTUI_4]], %[[MULI_3]] : index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ADDI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_6]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[EXTRACTELEMENT_2:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_3:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_7]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[EXTRACTELEMENT_4:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_2]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT]] : f32 to i32
// CHECK-NEXT: %[[C_1_I32:[^ ,:)]+]] = arith.constant -1 : i32
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 31 : i32
// CHECK-NEXT: %[[SHFL:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST]], %[[CONSTANT_5]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_2:[^ ,:)]+]] = arith.bitcast %[[SHFL]] : i32 to f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[EXTRACTELEMENT]], %[[BITCAST_2]] : f32
// CHECK-NEXT: %[[BITCAST_3:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT_2]] : f32 to i32
// CHECK-NEXT: %[[SHFL_2:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_3]], %[[CONSTANT_5]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_4:[^ ,:)]+]] = arith.bitcast %[[SHFL_2]] : i32 to f32
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[EXTRACTELEMENT_2]], %[[BITCAST_4]] : f32
// CHECK-NEXT: %[[BITCAST_5:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT_3]] : f32 to i32
// CHECK-NEXT: %[[SHFL_3:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_5]], %[[CONSTANT_5]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_6:[^ ,:)]+]] = arith.bitcast %[[SHFL_3]] : i32 to f32
// CHECK-NEXT: %[[ADDF_3:[^ ,:)]+]] = arith.addf %[[EXTRACTELEMENT_3]], %[[BITCAST_6]] : f32
// CHECK-NEXT: %[[BITCAST_7:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT_4]] : f32 to i32
// CHECK-NEXT: %[[SHFL_4:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_7]], %[[CONSTANT_5]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_8:[^ ,:)]+]] = arith.bitcast %[[SHFL_4]] : i32 to f32
// CHECK-NEXT: %[[ADDF_4:[^ ,:)]+]] = arith.addf %[[EXTRACTELEMENT_4]], %[[BITCAST_8]] : f32
// CHECK-NEXT: %[[BITCAST_9:[^ ,:)]+]] = arith.bitcast %[[ADDF]] : f32 to i32
// CHECK-NEXT: %[[SHFL_5:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_9]], %[[CONSTANT_7]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_10:[^ ,:)]+]] = arith.bitcast %[[SHFL_5]] : i32 to f32
// CHECK-NEXT: %[[ADDF_5:[^ ,:)]+]] = arith.addf %[[ADDF]], %[[BITCAST_10]] : f32
// CHECK-NEXT: %[[BITCAST_11:[^ ,:)]+]] = arith.bitcast %[[ADDF_2]] : f32 to i32
// CHECK-NEXT: %[[SHFL_6:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_11]], %[[CONSTANT_7]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_12:[^ ,:)]+]] = arith.bitcast %[[SHFL_6]] : i32 to f32
// CHECK-NEXT: %[[ADDF_6:[^ ,:)]+]] = arith.addf %[[ADDF_2]], %[[BITCAST_12]] : f32
// CHECK-NEXT: %[[BITCAST_13:[^ ,:)]+]] = arith.bitcast %[[ADDF_3]] : f32 to i32
// CHECK-NEXT: %[[SHFL_7:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_13]], %[[CONSTANT_7]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_14:[^ ,:)]+]] = arith.bitcast %[[SHFL_7]] : i32 to f32
// CHECK-NEXT: %[[ADDF_7:[^ ,:)]+]] = arith.addf %[[ADDF_3]], %[[BITCAST_14]] : f32
// CHECK-NEXT: %[[BITCAST_15:[^ ,:)]+]] = arith.bitcast %[[ADDF_4]] : f32 to i32
// CHECK-NEXT: %[[SHFL_8:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_15]], %[[CONSTANT_7]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_16:[^ ,:)]+]] = arith.bitcast %[[SHFL_8]] : i32 to f32
// CHECK-NEXT: %[[ADDF_8:[^ ,:)]+]] = arith.addf %[[ADDF_4]], %[[BITCAST_16]] : f32
// CHECK-NEXT: %[[BITCAST_17:[^ ,:)]+]] = arith.bitcast %[[ADDF_5]] : f32 to i32
// CHECK-NEXT: %[[SHFL_9:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_17]], %[[CONSTANT_3]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_18:[^ ,:)]+]] = arith.bitcast %[[SHFL_9]] : i32 to f32
// CHECK-NEXT: %[[ADDF_9:[^ ,:)]+]] = arith.addf %[[ADDF_5]], %[[BITCAST_18]] : f32
// CHECK-NEXT: %[[BITCAST_19:[^ ,:)]+]] = arith.bitcast %[[ADDF_6]] : f32 to i32
// CHECK-NEXT: %[[SHFL_10:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_19]], %[[CONSTANT_3]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_20:[^ ,:)]+]] = arith.bitcast %[[SHFL_10]] : i32 to f32
// CHECK-NEXT: %[[ADDF_10:[^ ,:)]+]] = arith.addf %[[ADDF_6]], %[[BITCAST_20]] : f32
// CHECK-NEXT: %[[BITCAST_21:[^ ,:)]+]] = arith.bitcast %[[ADDF_7]] : f32 to i32
// CHECK-NEXT: %[[SHFL_11:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_21]], %[[CONSTANT_3]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_22:[^ ,:)]+]] = arith.bitcast %[[SHFL_11]] : i32 to f32
// CHECK-NEXT: %[[ADDF_11:[^ ,:)]+]] = arith.addf %[[ADDF_7]], %[[BITCAST_22]] : f32
// CHECK-NEXT: %[[BITCAST_23:[^ ,:)]+]] = arith.bitcast %[[ADDF_8]] : f32 to i32
// CHECK-NEXT: %[[SHFL_12:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_23]], %[[CONSTANT_3]], %[[CONSTANT_8]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_24:[^ ,:)]+]] = arith.bitcast %[[SHFL_12]] : i32 to f32
// CHECK-NEXT: %[[ADDF_12:[^ ,:)]+]] = arith.addf %[[ADDF_8]], %[[BITCAST_24]] : f32
// CHECK-NEXT: %[[ADDF_13:[^ ,:)]+]] = arith.addf %[[ADDF_9]], %[[ADDF_11]] : f32
// CHECK-NEXT: %[[ADDF_14:[^ ,:)]+]] = arith.addf %[[ADDF_10]], %[[ADDF_12]] : f32
// CHECK-NEXT: %[[ADDF_15:[^ ,:)]+]] = arith.addf %[[ADDF_13]], %[[ADDF_14]] : f32
// CHECK-NEXT: nvvm.bar.warp.sync %[[C_1_I32]] : i32
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi eq, %[[ANDI]], %[[CONSTANT_6]] : i32
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: scf.if %[[CMPI]] {
// CHECK-NEXT: llvm.store %[[ADDF_15]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @sum_of_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x32xf32, [32, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<4x32xf32, [32, 1]> -> !tile.frag<4x32xf32>
  %r = tile.reduce sum %f axis 1 : !tile.frag<4x32xf32> -> !tile.frag<4xf32>
  tile.store %r, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
}
