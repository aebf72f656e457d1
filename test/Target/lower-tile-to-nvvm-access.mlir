// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Loads and stores: widths, masks, scratch.

// A ragged end: an element per thread, and a branch around its access.
// CHECK-LABEL: llvm.func @masked(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_2]], %[[CONSTANT]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[INDEX_CASTUI_3]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[IF:[^ ,:)]+]] = scf.if %[[CMPI]] -> (f32) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: scf.yield %[[LOAD]] : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[CST]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: scf.if %[[CMPI]] {
// CHECK-NEXT: llvm.store %[[IF]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @masked(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x", threads = 32,
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %p = arith.constant 1.0 : f32
  %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %f = tile.load %v[%c0] pad %p : f32 masked [0] : !tile.view<?xf32, [1]> -> !tile.frag<32xf32>
  %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  tile.store %f, %w[%c0] masked [0] : !tile.frag<32xf32>, !tile.view<?xf32, [1]>
}

// Every other element: an access per element.
// CHECK-LABEL: llvm.func @strided(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_2]], %[[CONSTANT_2]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[MULI_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.store %[[LOAD]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: llvm.return
tile.kernel @strided(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [2]>
  %f = tile.load %v[%c0] : !tile.view<32xf32, [2]> -> !tile.frag<32xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
}

// An offset of one element: no access is wider than that, and threads have elements that are 32 apart.
// CHECK-LABEL: llvm.func @unaligned(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[CONSTANT]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_2]], %[[CONSTANT_2]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 32 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_2]][%[[CONSTANT_3]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 64 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_2]][%[[CONSTANT_4]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 96 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_2]][%[[CONSTANT_5]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_5]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.store %[[LOAD]], %[[GETELEMENTPTR_6]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: %[[GETELEMENTPTR_7:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_6]][%[[CONSTANT_3]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.store %[[LOAD_2]], %[[GETELEMENTPTR_7]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: %[[GETELEMENTPTR_8:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_6]][%[[CONSTANT_4]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.store %[[LOAD_3]], %[[GETELEMENTPTR_8]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: %[[GETELEMENTPTR_9:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_6]][%[[CONSTANT_5]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.store %[[LOAD_4]], %[[GETELEMENTPTR_9]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: llvm.return
tile.kernel @unaligned(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view %x offset %c1 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
}

// Four bytes per thread, one access.
// CHECK-LABEL: llvm.func @bytes(
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
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_2]] : i32] : vector<4xi8>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_2:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_3]] : i32] : vector<4xi8>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_3:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_4]] : i32] : vector<4xi8>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_4:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_5]] : i32] : vector<4xi8>
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// CHECK-NEXT: %[[MLIR:[^ ,:)]+]] = llvm.mlir.undef : vector<4xi8>
// CHECK-NEXT: %[[INSERTELEMENT:[^ ,:)]+]] = llvm.insertelement %[[EXTRACTELEMENT]], %[[MLIR]][%[[CONSTANT_2]] : i32] : vector<4xi8>
// CHECK-NEXT: %[[INSERTELEMENT_2:[^ ,:)]+]] = llvm.insertelement %[[EXTRACTELEMENT_2]], %[[INSERTELEMENT]][%[[CONSTANT_3]] : i32] : vector<4xi8>
// CHECK-NEXT: %[[INSERTELEMENT_3:[^ ,:)]+]] = llvm.insertelement %[[EXTRACTELEMENT_3]], %[[INSERTELEMENT_2]][%[[CONSTANT_4]] : i32] : vector<4xi8>
// CHECK-NEXT: %[[INSERTELEMENT_4:[^ ,:)]+]] = llvm.insertelement %[[EXTRACTELEMENT_4]], %[[INSERTELEMENT_3]][%[[CONSTANT_5]] : i32] : vector<4xi8>
// CHECK-NEXT: llvm.store %[[INSERTELEMENT_4]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr<1>
// CHECK-NEXT: llvm.return
tile.kernel @bytes(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<128xi8, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xi8, [1]> -> !tile.frag<128xi8>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<128xi8, [1]>
  tile.store %f, %w[%c0] : !tile.frag<128xi8>, !tile.view<128xi8, [1]>
}

// Scratch is shared memory: a barrier stands between writing it and reading it across.
// CHECK-LABEL: llvm.func @scratch(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[MLIR:[^ ,:)]+]] = llvm.mlir.addressof @kiln_shared : !llvm.ptr<3>
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[MLIR]][0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[SHRUI:[^ ,:)]+]] = arith.shrui %[[INDEX_CASTUI_2]], %[[CONSTANT_2]] : i32
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[SHRUI]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[INDEX_CASTUI_2]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ANDI]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_4:[^ ,:)]+]] = arith.index_castui %[[MULI_2]] : i32 to index
// CHECK-NEXT: %[[MULI_3:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[INDEX_CASTUI_4]], %[[MULI_3]] : index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ADDI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: llvm.store %[[LOAD]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK-NEXT: %[[C_1_I32:[^ ,:)]+]] = arith.constant -1 : i32
// CHECK-NEXT: nvvm.bar.warp.sync %[[C_1_I32]] : i32
// CHECK-NEXT: %[[SHRUI_2:[^ ,:)]+]] = arith.shrui %[[INDEX_CASTUI_2]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[MULI_4:[^ ,:)]+]] = arith.muli %[[SHRUI_2]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_5:[^ ,:)]+]] = arith.index_castui %[[MULI_4]] : i32 to index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 7 : i32
// CHECK-NEXT: %[[ANDI_2:[^ ,:)]+]] = arith.andi %[[INDEX_CASTUI_2]], %[[CONSTANT_5]] : i32
// CHECK-NEXT: %[[MULI_5:[^ ,:)]+]] = arith.muli %[[ANDI_2]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_6:[^ ,:)]+]] = arith.index_castui %[[MULI_5]] : i32 to index
// CHECK-NEXT: %[[MULI_6:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_6]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[MULI_6]], %[[INDEX_CASTUI_5]] : index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ADDI_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR]][%[[INDEX_CAST_2]]] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[MULI_7:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_5]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[INDEX_CASTUI_6]], %[[MULI_7]] : index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ADDI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST_3]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.store %[[LOAD_2]], %[[GETELEMENTPTR_5]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: llvm.return
tile.kernel @scratch(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (128)>} {
  %c0 = arith.constant 0 : index
  %s = tile.scratch %c0 : !tile.buffer<f32>
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x4xf32, [4, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<8x4xf32, [4, 1]> -> !tile.frag<8x4xf32>
  %a = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x4xf32, [4, 1]>
  tile.store %f, %a[%c0, %c0] : !tile.frag<8x4xf32>, !tile.view<8x4xf32, [4, 1]>
  %b = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x8xf32, [1, 4]>
  %g = tile.load %b[%c0, %c0] : !tile.view<4x8xf32, [1, 4]> -> !tile.frag<4x8xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x8xf32, [8, 1]>
  tile.store %g, %w[%c0, %c0] : !tile.frag<4x8xf32>, !tile.view<4x8xf32, [8, 1]>
}
