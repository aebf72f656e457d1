// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// A reduction over all warps of a block.

// Sums of four warps meet in shared memory, behind a barrier; every thread adds them.
// CHECK-LABEL: llvm.func @sum_of_block(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, tile.shared_bytes = 2048 : i64} {
// CHECK-NEXT: %[[MLIR:[^ ,:)]+]] = llvm.mlir.addressof @kiln_shared : !llvm.ptr<3>
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[MLIR]][0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_2]], %[[CONSTANT]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_2]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_2:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_3:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_4]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_4:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_5]] : i32] : vector<4xf32>
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_2]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: llvm.store %[[EXTRACTELEMENT]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[CONSTANT_6]], %[[INDEX_CASTUI]] : index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ADDI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_3]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: llvm.store %[[EXTRACTELEMENT_2]], %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 256 : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[CONSTANT_7]], %[[INDEX_CASTUI]] : index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[ADDI_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_4]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: llvm.store %[[EXTRACTELEMENT_3]], %[[GETELEMENTPTR_5]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 384 : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[CONSTANT_8]], %[[INDEX_CASTUI]] : index
// CHECK-NEXT: %[[INDEX_CAST_5:[^ ,:)]+]] = arith.index_cast %[[ADDI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_5]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: llvm.store %[[EXTRACTELEMENT_4]], %[[GETELEMENTPTR_6]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = arith.constant 31 : index
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[INDEX_CASTUI]], %[[CONSTANT_9]] : index
// CHECK-NEXT: %[[INDEX_CAST_6:[^ ,:)]+]] = arith.index_cast %[[ANDI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_7:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_6]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_7]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[ADDI_4:[^ ,:)]+]] = arith.addi %[[ANDI]], %[[CONSTANT_10]] : index
// CHECK-NEXT: %[[INDEX_CAST_7:[^ ,:)]+]] = arith.index_cast %[[ADDI_4]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_8:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_7]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_8]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[CONSTANT_11:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[ADDI_5:[^ ,:)]+]] = arith.addi %[[ANDI]], %[[CONSTANT_11]] : index
// CHECK-NEXT: %[[INDEX_CAST_8:[^ ,:)]+]] = arith.index_cast %[[ADDI_5]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_9:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_8]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_9]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[CONSTANT_12:[^ ,:)]+]] = arith.constant 96 : index
// CHECK-NEXT: %[[ADDI_6:[^ ,:)]+]] = arith.addi %[[ANDI]], %[[CONSTANT_12]] : index
// CHECK-NEXT: %[[INDEX_CAST_9:[^ ,:)]+]] = arith.index_cast %[[ADDI_6]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_10:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_9]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_10]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[LOAD_2]], %[[LOAD_4]] : f32
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[LOAD_3]], %[[LOAD_5]] : f32
// CHECK-NEXT: %[[ADDF_3:[^ ,:)]+]] = arith.addf %[[ADDF]], %[[ADDF_2]] : f32
// CHECK-NEXT: %[[ADDI_7:[^ ,:)]+]] = arith.addi %[[CONSTANT_6]], %[[ANDI]] : index
// CHECK-NEXT: %[[INDEX_CAST_10:[^ ,:)]+]] = arith.index_cast %[[ADDI_7]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_11:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_10]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_11]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDI_8:[^ ,:)]+]] = arith.addi %[[CONSTANT_6]], %[[ADDI_4]] : index
// CHECK-NEXT: %[[INDEX_CAST_11:[^ ,:)]+]] = arith.index_cast %[[ADDI_8]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_12:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_11]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_7:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_12]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDI_9:[^ ,:)]+]] = arith.addi %[[CONSTANT_6]], %[[ADDI_5]] : index
// CHECK-NEXT: %[[INDEX_CAST_12:[^ ,:)]+]] = arith.index_cast %[[ADDI_9]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_13:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_12]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_8:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_13]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDI_10:[^ ,:)]+]] = arith.addi %[[CONSTANT_6]], %[[ADDI_6]] : index
// CHECK-NEXT: %[[INDEX_CAST_13:[^ ,:)]+]] = arith.index_cast %[[ADDI_10]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_14:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_13]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_9:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_14]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDF_4:[^ ,:)]+]] = arith.addf %[[LOAD_6]], %[[LOAD_8]] : f32
// CHECK-NEXT: %[[ADDF_5:[^ ,:)]+]] = arith.addf %[[LOAD_7]], %[[LOAD_9]] : f32
// CHECK-NEXT: %[[ADDF_6:[^ ,:)]+]] = arith.addf %[[ADDF_4]], %[[ADDF_5]] : f32
// CHECK-NEXT: %[[ADDI_11:[^ ,:)]+]] = arith.addi %[[CONSTANT_7]], %[[ANDI]] : index
// CHECK-NEXT: %[[INDEX_CAST_14:[^ ,:)]+]] = arith.index_cast %[[ADDI_11]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_15:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_14]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_10:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_15]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDI_12:[^ ,:)]+]] = arith.addi %[[CONSTANT_7]], %[[ADDI_4]] : index
// CHECK-NEXT: %[[INDEX_CAST_15:[^ ,:)]+]] = arith.index_cast %[[ADDI_12]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_16:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_15]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_11:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_16]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDI_13:[^ ,:)]+]] = arith.addi %[[CONSTANT_7]], %[[ADDI_5]] : index
// CHECK-NEXT: %[[INDEX_CAST_16:[^ ,:)]+]] = arith.index_cast %[[ADDI_13]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_17:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_16]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_12:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_17]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDI_14:[^ ,:)]+]] = arith.addi %[[CONSTANT_7]], %[[ADDI_6]] : index
// CHECK-NEXT: %[[INDEX_CAST_17:[^ ,:)]+]] = arith.index_cast %[[ADDI_14]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_18:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_17]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_13:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_18]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDF_7:[^ ,:)]+]] = arith.addf %[[LOAD_10]], %[[LOAD_12]] : f32
// CHECK-NEXT: %[[ADDF_8:[^ ,:)]+]] = arith.addf %[[LOAD_11]], %[[LOAD_13]] : f32
// CHECK-NEXT: %[[ADDF_9:[^ ,:)]+]] = arith.addf %[[ADDF_7]], %[[ADDF_8]] : f32
// CHECK-NEXT: %[[ADDI_15:[^ ,:)]+]] = arith.addi %[[CONSTANT_8]], %[[ANDI]] : index
// CHECK-NEXT: %[[INDEX_CAST_18:[^ ,:)]+]] = arith.index_cast %[[ADDI_15]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_19:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_18]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_14:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_19]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDI_16:[^ ,:)]+]] = arith.addi %[[CONSTANT_8]], %[[ADDI_4]] : index
// CHECK-NEXT: %[[INDEX_CAST_19:[^ ,:)]+]] = arith.index_cast %[[ADDI_16]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_20:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_19]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_15:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_20]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDI_17:[^ ,:)]+]] = arith.addi %[[CONSTANT_8]], %[[ADDI_5]] : index
// CHECK-NEXT: %[[INDEX_CAST_20:[^ ,:)]+]] = arith.index_cast %[[ADDI_17]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_21:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_20]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_16:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_21]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDI_18:[^ ,:)]+]] = arith.addi %[[CONSTANT_8]], %[[ADDI_6]] : index
// CHECK-NEXT: %[[INDEX_CAST_21:[^ ,:)]+]] = arith.index_cast %[[ADDI_18]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_22:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_21]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_17:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_22]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[ADDF_10:[^ ,:)]+]] = arith.addf %[[LOAD_14]], %[[LOAD_16]] : f32
// CHECK-NEXT: %[[ADDF_11:[^ ,:)]+]] = arith.addf %[[LOAD_15]], %[[LOAD_17]] : f32
// CHECK-NEXT: %[[ADDF_12:[^ ,:)]+]] = arith.addf %[[ADDF_10]], %[[ADDF_11]] : f32
// CHECK-NEXT: %[[CONSTANT_13:[^ ,:)]+]] = arith.constant 16 : i32
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = arith.bitcast %[[ADDF_3]] : f32 to i32
// CHECK-NEXT: %[[C_1_I32:[^ ,:)]+]] = arith.constant -1 : i32
// CHECK-NEXT: %[[CONSTANT_14:[^ ,:)]+]] = arith.constant 31 : i32
// CHECK-NEXT: %[[SHFL:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST]], %[[CONSTANT_13]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_2:[^ ,:)]+]] = arith.bitcast %[[SHFL]] : i32 to f32
// CHECK-NEXT: %[[ADDF_13:[^ ,:)]+]] = arith.addf %[[ADDF_3]], %[[BITCAST_2]] : f32
// CHECK-NEXT: %[[BITCAST_3:[^ ,:)]+]] = arith.bitcast %[[ADDF_6]] : f32 to i32
// CHECK-NEXT: %[[SHFL_2:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_3]], %[[CONSTANT_13]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_4:[^ ,:)]+]] = arith.bitcast %[[SHFL_2]] : i32 to f32
// CHECK-NEXT: %[[ADDF_14:[^ ,:)]+]] = arith.addf %[[ADDF_6]], %[[BITCAST_4]] : f32
// CHECK-NEXT: %[[BITCAST_5:[^ ,:)]+]] = arith.bitcast %[[ADDF_9]] : f32 to i32
// CHECK-NEXT: %[[SHFL_3:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_5]], %[[CONSTANT_13]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_6:[^ ,:)]+]] = arith.bitcast %[[SHFL_3]] : i32 to f32
// CHECK-NEXT: %[[ADDF_15:[^ ,:)]+]] = arith.addf %[[ADDF_9]], %[[BITCAST_6]] : f32
// CHECK-NEXT: %[[BITCAST_7:[^ ,:)]+]] = arith.bitcast %[[ADDF_12]] : f32 to i32
// CHECK-NEXT: %[[SHFL_4:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_7]], %[[CONSTANT_13]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_8:[^ ,:)]+]] = arith.bitcast %[[SHFL_4]] : i32 to f32
// CHECK-NEXT: %[[ADDF_16:[^ ,:)]+]] = arith.addf %[[ADDF_12]], %[[BITCAST_8]] : f32
// CHECK-NEXT: %[[CONSTANT_15:[^ ,:)]+]] = arith.constant 8 : i32
// CHECK-NEXT: %[[BITCAST_9:[^ ,:)]+]] = arith.bitcast %[[ADDF_13]] : f32 to i32
// CHECK-NEXT: %[[SHFL_5:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_9]], %[[CONSTANT_15]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_10:[^ ,:)]+]] = arith.bitcast %[[SHFL_5]] : i32 to f32
// CHECK-NEXT: %[[ADDF_17:[^ ,:)]+]] = arith.addf %[[ADDF_13]], %[[BITCAST_10]] : f32
// CHECK-NEXT: %[[BITCAST_11:[^ ,:)]+]] = arith.bitcast %[[ADDF_14]] : f32 to i32
// CHECK-NEXT: %[[SHFL_6:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_11]], %[[CONSTANT_15]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_12:[^ ,:)]+]] = arith.bitcast %[[SHFL_6]] : i32 to f32
// CHECK-NEXT: %[[ADDF_18:[^ ,:)]+]] = arith.addf %[[ADDF_14]], %[[BITCAST_12]] : f32
// CHECK-NEXT: %[[BITCAST_13:[^ ,:)]+]] = arith.bitcast %[[ADDF_15]] : f32 to i32
// CHECK-NEXT: %[[SHFL_7:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_13]], %[[CONSTANT_15]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_14:[^ ,:)]+]] = arith.bitcast %[[SHFL_7]] : i32 to f32
// CHECK-NEXT: %[[ADDF_19:[^ ,:)]+]] = arith.addf %[[ADDF_15]], %[[BITCAST_14]] : f32
// CHECK-NEXT: %[[BITCAST_15:[^ ,:)]+]] = arith.bitcast %[[ADDF_16]] : f32 to i32
// CHECK-NEXT: %[[SHFL_8:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_15]], %[[CONSTANT_15]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_16:[^ ,:)]+]] = arith.bitcast %[[SHFL_8]] : i32 to f32
// CHECK-NEXT: %[[ADDF_20:[^ ,:)]+]] = arith.addf %[[ADDF_16]], %[[BITCAST_16]] : f32
// CHECK-NEXT: %[[BITCAST_17:[^ ,:)]+]] = arith.bitcast %[[ADDF_17]] : f32 to i32
// CHECK-NEXT: %[[SHFL_9:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_17]], %[[CONSTANT]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_18:[^ ,:)]+]] = arith.bitcast %[[SHFL_9]] : i32 to f32
// CHECK-NEXT: %[[ADDF_21:[^ ,:)]+]] = arith.addf %[[ADDF_17]], %[[BITCAST_18]] : f32
// CHECK-NEXT: %[[BITCAST_19:[^ ,:)]+]] = arith.bitcast %[[ADDF_18]] : f32 to i32
// CHECK-NEXT: %[[SHFL_10:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_19]], %[[CONSTANT]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_20:[^ ,:)]+]] = arith.bitcast %[[SHFL_10]] : i32 to f32
// CHECK-NEXT: %[[ADDF_22:[^ ,:)]+]] = arith.addf %[[ADDF_18]], %[[BITCAST_20]] : f32
// CHECK-NEXT: %[[BITCAST_21:[^ ,:)]+]] = arith.bitcast %[[ADDF_19]] : f32 to i32
// CHECK-NEXT: %[[SHFL_11:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_21]], %[[CONSTANT]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_22:[^ ,:)]+]] = arith.bitcast %[[SHFL_11]] : i32 to f32
// CHECK-NEXT: %[[ADDF_23:[^ ,:)]+]] = arith.addf %[[ADDF_19]], %[[BITCAST_22]] : f32
// CHECK-NEXT: %[[BITCAST_23:[^ ,:)]+]] = arith.bitcast %[[ADDF_20]] : f32 to i32
// CHECK-NEXT: %[[SHFL_12:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_23]], %[[CONSTANT]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_24:[^ ,:)]+]] = arith.bitcast %[[SHFL_12]] : i32 to f32
// CHECK-NEXT: %[[ADDF_24:[^ ,:)]+]] = arith.addf %[[ADDF_20]], %[[BITCAST_24]] : f32
// CHECK-NEXT: %[[BITCAST_25:[^ ,:)]+]] = arith.bitcast %[[ADDF_21]] : f32 to i32
// CHECK-NEXT: %[[SHFL_13:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_25]], %[[CONSTANT_4]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_26:[^ ,:)]+]] = arith.bitcast %[[SHFL_13]] : i32 to f32
// CHECK-NEXT: %[[ADDF_25:[^ ,:)]+]] = arith.addf %[[ADDF_21]], %[[BITCAST_26]] : f32
// CHECK-NEXT: %[[BITCAST_27:[^ ,:)]+]] = arith.bitcast %[[ADDF_22]] : f32 to i32
// CHECK-NEXT: %[[SHFL_14:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_27]], %[[CONSTANT_4]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_28:[^ ,:)]+]] = arith.bitcast %[[SHFL_14]] : i32 to f32
// CHECK-NEXT: %[[ADDF_26:[^ ,:)]+]] = arith.addf %[[ADDF_22]], %[[BITCAST_28]] : f32
// CHECK-NEXT: %[[BITCAST_29:[^ ,:)]+]] = arith.bitcast %[[ADDF_23]] : f32 to i32
// CHECK-NEXT: %[[SHFL_15:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_29]], %[[CONSTANT_4]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_30:[^ ,:)]+]] = arith.bitcast %[[SHFL_15]] : i32 to f32
// CHECK-NEXT: %[[ADDF_27:[^ ,:)]+]] = arith.addf %[[ADDF_23]], %[[BITCAST_30]] : f32
// CHECK-NEXT: %[[BITCAST_31:[^ ,:)]+]] = arith.bitcast %[[ADDF_24]] : f32 to i32
// CHECK-NEXT: %[[SHFL_16:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_31]], %[[CONSTANT_4]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_32:[^ ,:)]+]] = arith.bitcast %[[SHFL_16]] : i32 to f32
// CHECK-NEXT: %[[ADDF_28:[^ ,:)]+]] = arith.addf %[[ADDF_24]], %[[BITCAST_32]] : f32
// CHECK-NEXT: %[[BITCAST_33:[^ ,:)]+]] = arith.bitcast %[[ADDF_25]] : f32 to i32
// CHECK-NEXT: %[[SHFL_17:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_33]], %[[CONSTANT_3]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_34:[^ ,:)]+]] = arith.bitcast %[[SHFL_17]] : i32 to f32
// CHECK-NEXT: %[[ADDF_29:[^ ,:)]+]] = arith.addf %[[ADDF_25]], %[[BITCAST_34]] : f32
// CHECK-NEXT: %[[BITCAST_35:[^ ,:)]+]] = arith.bitcast %[[ADDF_26]] : f32 to i32
// CHECK-NEXT: %[[SHFL_18:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_35]], %[[CONSTANT_3]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_36:[^ ,:)]+]] = arith.bitcast %[[SHFL_18]] : i32 to f32
// CHECK-NEXT: %[[ADDF_30:[^ ,:)]+]] = arith.addf %[[ADDF_26]], %[[BITCAST_36]] : f32
// CHECK-NEXT: %[[BITCAST_37:[^ ,:)]+]] = arith.bitcast %[[ADDF_27]] : f32 to i32
// CHECK-NEXT: %[[SHFL_19:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_37]], %[[CONSTANT_3]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_38:[^ ,:)]+]] = arith.bitcast %[[SHFL_19]] : i32 to f32
// CHECK-NEXT: %[[ADDF_31:[^ ,:)]+]] = arith.addf %[[ADDF_27]], %[[BITCAST_38]] : f32
// CHECK-NEXT: %[[BITCAST_39:[^ ,:)]+]] = arith.bitcast %[[ADDF_28]] : f32 to i32
// CHECK-NEXT: %[[SHFL_20:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_39]], %[[CONSTANT_3]], %[[CONSTANT_14]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_40:[^ ,:)]+]] = arith.bitcast %[[SHFL_20]] : i32 to f32
// CHECK-NEXT: %[[ADDF_32:[^ ,:)]+]] = arith.addf %[[ADDF_28]], %[[BITCAST_40]] : f32
// CHECK-NEXT: %[[ADDF_33:[^ ,:)]+]] = arith.addf %[[ADDF_29]], %[[ADDF_31]] : f32
// CHECK-NEXT: %[[ADDF_34:[^ ,:)]+]] = arith.addf %[[ADDF_30]], %[[ADDF_32]] : f32
// CHECK-NEXT: %[[ADDF_35:[^ ,:)]+]] = arith.addf %[[ADDF_33]], %[[ADDF_34]] : f32
// CHECK-NEXT: %[[CONSTANT_16:[^ ,:)]+]] = arith.constant 127 : i32
// CHECK-NEXT: %[[ANDI_2:[^ ,:)]+]] = arith.andi %[[INDEX_CASTUI_2]], %[[CONSTANT_16]] : i32
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi eq, %[[ANDI_2]], %[[CONSTANT_2]] : i32
// CHECK-NEXT: scf.if %[[CMPI]] {
// CHECK-NEXT: llvm.store %[[ADDF_35]], %[[ARG_2]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @sum_of_block(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<512xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<512xf32, [1]> -> !tile.frag<512xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<512xf32> -> f32
  %r = tile.fill %s : f32 -> !tile.frag<1xf32>
  tile.store %r, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// The maximum of a row by shuffles in its warp.
// CHECK-LABEL: llvm.func @row_maxima(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 31 : i32
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 5 : i32
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[READ]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[SHRUI:[^ ,:)]+]] = arith.shrui %[[READ]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[ANDI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[SHRUI]] : i32 to index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: scf.for %[[ARG_3:[^ ,:)]+]] = %[[INDEX_CASTUI_2]] to %[[CONSTANT_2]] step %[[CONSTANT_5]] {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 4 : i32
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_3]], %[[CONSTANT_6]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_4:[^ ,:)]+]] = arith.index_castui %[[MULI_2]] : i32 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_4]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_7]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_2:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_8]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_9:[^ ,:)]+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_3:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_9]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_10:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_4:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_10]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_11:[^ ,:)]+]] = arith.constant 16 : i32
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT]] : f32 to i32
// CHECK-NEXT: %[[C_1_I32:[^ ,:)]+]] = arith.constant -1 : i32
// CHECK-NEXT: %[[SHFL:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST]], %[[CONSTANT_11]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_2:[^ ,:)]+]] = arith.bitcast %[[SHFL]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF:[^ ,:)]+]] = arith.maximumf %[[EXTRACTELEMENT]], %[[BITCAST_2]] : f32
// CHECK-NEXT: %[[BITCAST_3:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT_2]] : f32 to i32
// CHECK-NEXT: %[[SHFL_2:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_3]], %[[CONSTANT_11]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_4:[^ ,:)]+]] = arith.bitcast %[[SHFL_2]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_2:[^ ,:)]+]] = arith.maximumf %[[EXTRACTELEMENT_2]], %[[BITCAST_4]] : f32
// CHECK-NEXT: %[[BITCAST_5:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT_3]] : f32 to i32
// CHECK-NEXT: %[[SHFL_3:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_5]], %[[CONSTANT_11]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_6:[^ ,:)]+]] = arith.bitcast %[[SHFL_3]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_3:[^ ,:)]+]] = arith.maximumf %[[EXTRACTELEMENT_3]], %[[BITCAST_6]] : f32
// CHECK-NEXT: %[[BITCAST_7:[^ ,:)]+]] = arith.bitcast %[[EXTRACTELEMENT_4]] : f32 to i32
// CHECK-NEXT: %[[SHFL_4:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_7]], %[[CONSTANT_11]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_8:[^ ,:)]+]] = arith.bitcast %[[SHFL_4]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_4:[^ ,:)]+]] = arith.maximumf %[[EXTRACTELEMENT_4]], %[[BITCAST_8]] : f32
// CHECK-NEXT: %[[CONSTANT_12:[^ ,:)]+]] = arith.constant 8 : i32
// CHECK-NEXT: %[[BITCAST_9:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF]] : f32 to i32
// CHECK-NEXT: %[[SHFL_5:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_9]], %[[CONSTANT_12]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_10:[^ ,:)]+]] = arith.bitcast %[[SHFL_5]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_5:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF]], %[[BITCAST_10]] : f32
// CHECK-NEXT: %[[BITCAST_11:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_2]] : f32 to i32
// CHECK-NEXT: %[[SHFL_6:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_11]], %[[CONSTANT_12]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_12:[^ ,:)]+]] = arith.bitcast %[[SHFL_6]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_6:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_2]], %[[BITCAST_12]] : f32
// CHECK-NEXT: %[[BITCAST_13:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_3]] : f32 to i32
// CHECK-NEXT: %[[SHFL_7:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_13]], %[[CONSTANT_12]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_14:[^ ,:)]+]] = arith.bitcast %[[SHFL_7]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_7:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_3]], %[[BITCAST_14]] : f32
// CHECK-NEXT: %[[BITCAST_15:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_4]] : f32 to i32
// CHECK-NEXT: %[[SHFL_8:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_15]], %[[CONSTANT_12]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_16:[^ ,:)]+]] = arith.bitcast %[[SHFL_8]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_8:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_4]], %[[BITCAST_16]] : f32
// CHECK-NEXT: %[[BITCAST_17:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_5]] : f32 to i32
// CHECK-NEXT: %[[SHFL_9:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_17]], %[[CONSTANT_6]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_18:[^ ,:)]+]] = arith.bitcast %[[SHFL_9]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_9:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_5]], %[[BITCAST_18]] : f32
// CHECK-NEXT: %[[BITCAST_19:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_6]] : f32 to i32
// CHECK-NEXT: %[[SHFL_10:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_19]], %[[CONSTANT_6]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_20:[^ ,:)]+]] = arith.bitcast %[[SHFL_10]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_10:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_6]], %[[BITCAST_20]] : f32
// CHECK-NEXT: %[[BITCAST_21:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_7]] : f32 to i32
// CHECK-NEXT: %[[SHFL_11:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_21]], %[[CONSTANT_6]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_22:[^ ,:)]+]] = arith.bitcast %[[SHFL_11]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_11:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_7]], %[[BITCAST_22]] : f32
// CHECK-NEXT: %[[BITCAST_23:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_8]] : f32 to i32
// CHECK-NEXT: %[[SHFL_12:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_23]], %[[CONSTANT_6]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_24:[^ ,:)]+]] = arith.bitcast %[[SHFL_12]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_12:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_8]], %[[BITCAST_24]] : f32
// CHECK-NEXT: %[[BITCAST_25:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_9]] : f32 to i32
// CHECK-NEXT: %[[SHFL_13:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_25]], %[[CONSTANT_9]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_26:[^ ,:)]+]] = arith.bitcast %[[SHFL_13]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_13:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_9]], %[[BITCAST_26]] : f32
// CHECK-NEXT: %[[BITCAST_27:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_10]] : f32 to i32
// CHECK-NEXT: %[[SHFL_14:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_27]], %[[CONSTANT_9]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_28:[^ ,:)]+]] = arith.bitcast %[[SHFL_14]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_14:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_10]], %[[BITCAST_28]] : f32
// CHECK-NEXT: %[[BITCAST_29:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_11]] : f32 to i32
// CHECK-NEXT: %[[SHFL_15:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_29]], %[[CONSTANT_9]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_30:[^ ,:)]+]] = arith.bitcast %[[SHFL_15]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_15:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_11]], %[[BITCAST_30]] : f32
// CHECK-NEXT: %[[BITCAST_31:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_12]] : f32 to i32
// CHECK-NEXT: %[[SHFL_16:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_31]], %[[CONSTANT_9]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_32:[^ ,:)]+]] = arith.bitcast %[[SHFL_16]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_16:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_12]], %[[BITCAST_32]] : f32
// CHECK-NEXT: %[[BITCAST_33:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_13]] : f32 to i32
// CHECK-NEXT: %[[SHFL_17:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_33]], %[[CONSTANT_8]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_34:[^ ,:)]+]] = arith.bitcast %[[SHFL_17]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_17:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_13]], %[[BITCAST_34]] : f32
// CHECK-NEXT: %[[BITCAST_35:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_14]] : f32 to i32
// CHECK-NEXT: %[[SHFL_18:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_35]], %[[CONSTANT_8]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_36:[^ ,:)]+]] = arith.bitcast %[[SHFL_18]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_18:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_14]], %[[BITCAST_36]] : f32
// CHECK-NEXT: %[[BITCAST_37:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_15]] : f32 to i32
// CHECK-NEXT: %[[SHFL_19:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_37]], %[[CONSTANT_8]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_38:[^ ,:)]+]] = arith.bitcast %[[SHFL_19]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_19:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_15]], %[[BITCAST_38]] : f32
// CHECK-NEXT: %[[BITCAST_39:[^ ,:)]+]] = arith.bitcast %[[MAXIMUMF_16]] : f32 to i32
// CHECK-NEXT: %[[SHFL_20:[^ ,:)]+]] = nvvm.shfl.sync  bfly %[[C_1_I32]], %[[BITCAST_39]], %[[CONSTANT_8]], %[[CONSTANT_3]] : i32 -> i32
// CHECK-NEXT: %[[BITCAST_40:[^ ,:)]+]] = arith.bitcast %[[SHFL_20]] : i32 to f32
// CHECK-NEXT: %[[MAXIMUMF_20:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_16]], %[[BITCAST_40]] : f32
// CHECK-NEXT: %[[MAXIMUMF_21:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_17]], %[[MAXIMUMF_19]] : f32
// CHECK-NEXT: %[[MAXIMUMF_22:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_18]], %[[MAXIMUMF_20]] : f32
// CHECK-NEXT: %[[MAXIMUMF_23:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF_21]], %[[MAXIMUMF_22]] : f32
// CHECK-NEXT: %[[SUBF:[^ ,:)]+]] = arith.subf %[[EXTRACTELEMENT]], %[[MAXIMUMF_23]] : f32
// CHECK-NEXT: %[[SUBF_2:[^ ,:)]+]] = arith.subf %[[EXTRACTELEMENT_2]], %[[MAXIMUMF_23]] : f32
// CHECK-NEXT: %[[SUBF_3:[^ ,:)]+]] = arith.subf %[[EXTRACTELEMENT_3]], %[[MAXIMUMF_23]] : f32
// CHECK-NEXT: %[[SUBF_4:[^ ,:)]+]] = arith.subf %[[EXTRACTELEMENT_4]], %[[MAXIMUMF_23]] : f32
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_2]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[MLIR:[^ ,:)]+]] = llvm.mlir.undef : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT:[^ ,:)]+]] = llvm.insertelement %[[SUBF]], %[[MLIR]][%[[CONSTANT_7]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_2:[^ ,:)]+]] = llvm.insertelement %[[SUBF_2]], %[[INSERTELEMENT]][%[[CONSTANT_8]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_3:[^ ,:)]+]] = llvm.insertelement %[[SUBF_3]], %[[INSERTELEMENT_2]][%[[CONSTANT_9]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_4:[^ ,:)]+]] = llvm.insertelement %[[SUBF_4]], %[[INSERTELEMENT_3]][%[[CONSTANT_10]] : i32] : vector<4xf32>
// CHECK-NEXT: llvm.store %[[INSERTELEMENT_4]], %[[GETELEMENTPTR_4]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @row_maxima(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %len = arith.constant 128 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %o = arith.muli %i, %len : index
    %v = tile.view %x offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
    %w = tile.view %y offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
    %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
    %m = tile.reduce max %f axis 0 : !tile.frag<128xf32> -> f32
    %r = tile.map %f : !tile.frag<128xf32> -> !tile.frag<128xf32> {
    ^bb0(%a: f32):
      %b = arith.subf %a, %m : f32
      tile.yield %b : f32
    }
    tile.store %r, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
  } {tile.team = 32 : i64}
}
