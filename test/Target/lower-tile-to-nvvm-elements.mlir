// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Fragments in registers of threads: what each op becomes.

// Four contiguous elements per thread, as many as 16 bytes hold.
// CHECK-LABEL: llvm.func @row(
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
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT]] : f32
// CHECK-NEXT: %[[NEGF_2:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT_2]] : f32
// CHECK-NEXT: %[[NEGF_3:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT_3]] : f32
// CHECK-NEXT: %[[NEGF_4:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT_4]] : f32
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[MLIR:[^ ,:)]+]] = llvm.mlir.undef : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT:[^ ,:)]+]] = llvm.insertelement %[[NEGF]], %[[MLIR]][%[[CONSTANT_2]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_2:[^ ,:)]+]] = llvm.insertelement %[[NEGF_2]], %[[INSERTELEMENT]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_3:[^ ,:)]+]] = llvm.insertelement %[[NEGF_3]], %[[INSERTELEMENT_2]][%[[CONSTANT_4]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_4:[^ ,:)]+]] = llvm.insertelement %[[NEGF_4]], %[[INSERTELEMENT_3]][%[[CONSTANT_5]] : i32] : vector<4xf32>
// CHECK-NEXT: llvm.store %[[INSERTELEMENT_4]], %[[GETELEMENTPTR_2]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NEXT: llvm.return
tile.kernel @row(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  %r = tile.map %f : !tile.frag<128xf32> -> !tile.frag<128xf32> {
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
    tile.yield %b : f32
  }
  tile.store %r, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
}

// Fewer elements than threads: the others hold the same ones again.
// CHECK-LABEL: llvm.func @few(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 7 : i32
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[INDEX_CASTUI_2]], %[[CONSTANT]] : i32
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ANDI]], %[[CONSTANT_2]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[LOAD]] : f32
// CHECK-NEXT: %[[C_1_I32:[^ ,:)]+]] = arith.constant -1 : i32
// CHECK-NEXT: nvvm.bar.warp.sync %[[C_1_I32]] : i32
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 24 : i32
// CHECK-NEXT: %[[ANDI_2:[^ ,:)]+]] = arith.andi %[[INDEX_CASTUI_2]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi eq, %[[ANDI_2]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: scf.if %[[CMPI]] {
// CHECK-NEXT: llvm.store %[[NEGF]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @few(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %r = tile.map %f : !tile.frag<8xf32> -> !tile.frag<8xf32> {
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
    tile.yield %b : f32
  }
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// Numbers of columns, and a range of them.
// CHECK-LABEL: llvm.func @counted(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_2]], %[[CONSTANT]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_2]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_2:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_3:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_4]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_4:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_5]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[INDEX_CASTUI_3]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPI]], %[[EXTRACTELEMENT]], %[[CST]] : f32
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[INDEX_CASTUI_3]], %[[CONSTANT_6]] : index
// CHECK-NEXT: %[[CMPI_2:[^ ,:)]+]] = arith.cmpi slt, %[[ADDI]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = arith.select %[[CMPI_2]], %[[EXTRACTELEMENT_2]], %[[CST]] : f32
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[INDEX_CASTUI_3]], %[[CONSTANT_7]] : index
// CHECK-NEXT: %[[CMPI_3:[^ ,:)]+]] = arith.cmpi slt, %[[ADDI_2]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = arith.select %[[CMPI_3]], %[[EXTRACTELEMENT_3]], %[[CST]] : f32
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[ADDI_3:[^ ,:)]+]] = arith.addi %[[INDEX_CASTUI_3]], %[[CONSTANT_8]] : index
// CHECK-NEXT: %[[CMPI_4:[^ ,:)]+]] = arith.cmpi slt, %[[ADDI_3]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[SELECT_4:[^ ,:)]+]] = arith.select %[[CMPI_4]], %[[EXTRACTELEMENT_4]], %[[CST]] : f32
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[MLIR:[^ ,:)]+]] = llvm.mlir.undef : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT:[^ ,:)]+]] = llvm.insertelement %[[SELECT]], %[[MLIR]][%[[CONSTANT_2]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_2:[^ ,:)]+]] = llvm.insertelement %[[SELECT_2]], %[[INSERTELEMENT]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_3:[^ ,:)]+]] = llvm.insertelement %[[SELECT_3]], %[[INSERTELEMENT_2]][%[[CONSTANT_4]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_4:[^ ,:)]+]] = llvm.insertelement %[[SELECT_4]], %[[INSERTELEMENT_3]][%[[CONSTANT_5]] : i32] : vector<4xf32>
// CHECK-NEXT: llvm.store %[[INSERTELEMENT_4]], %[[GETELEMENTPTR_2]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NEXT: llvm.return
tile.kernel @counted(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x", threads = 32,
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  %p = arith.constant 0.0 : f32
  %r = tile.select_range %f in [%c0, %n) else %p : f32 axis 0 : !tile.frag<128xf32>
  tile.store %r, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
}

// Four threads per row.
// CHECK-LABEL: llvm.func @quads(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[READ]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[SHRUI:[^ ,:)]+]] = arith.shrui %[[READ]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[ANDI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[SHRUI]] : i32 to index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 32 : index
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
// CHECK-NEXT: %[[EXTRACTELEMENT_3:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_4]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[EXTRACTELEMENT_4:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT]] : f32
// CHECK-NEXT: %[[NEGF_2:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT_2]] : f32
// CHECK-NEXT: %[[NEGF_3:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT_3]] : f32
// CHECK-NEXT: %[[NEGF_4:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT_4]] : f32
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_2]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[MLIR:[^ ,:)]+]] = llvm.mlir.undef : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT:[^ ,:)]+]] = llvm.insertelement %[[NEGF]], %[[MLIR]][%[[CONSTANT_7]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_2:[^ ,:)]+]] = llvm.insertelement %[[NEGF_2]], %[[INSERTELEMENT]][%[[CONSTANT_8]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_3:[^ ,:)]+]] = llvm.insertelement %[[NEGF_3]], %[[INSERTELEMENT_2]][%[[CONSTANT_4]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_4:[^ ,:)]+]] = llvm.insertelement %[[NEGF_4]], %[[INSERTELEMENT_3]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: llvm.store %[[INSERTELEMENT_4]], %[[GETELEMENTPTR_4]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @quads(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %len = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %o = arith.muli %i, %len : index
    %v = tile.view %x offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<16xf32, [1]>
    %w = tile.view %y offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<16xf32, [1]>
    %f = tile.load %v[%c0] : !tile.view<16xf32, [1]> -> !tile.frag<16xf32>
    %r = tile.map %f : !tile.frag<16xf32> -> !tile.frag<16xf32> {
    ^bb0(%a: f32):
      %b = arith.negf %a : f32
      tile.yield %b : f32
    }
    tile.store %r, %w[%c0] : !tile.frag<16xf32>, !tile.view<16xf32, [1]>
  } {tile.team = 4 : i64}
}

// A thread per row.
// CHECK-LABEL: llvm.func @threads(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[READ]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[SHRUI:[^ ,:)]+]] = arith.shrui %[[READ]], %[[CONSTANT_3]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[ANDI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[SHRUI]] : i32 to index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: scf.for %[[ARG_3:[^ ,:)]+]] = %[[INDEX_CASTUI_2]] to %[[CONSTANT_2]] step %[[CONSTANT_4]] {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_3]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NEXT: %[[EXTRACTELEMENT:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_2:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_5]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 2 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_3:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_6]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[EXTRACTELEMENT_4:[^ ,:)]+]] = llvm.extractelement %[[LOAD]][%[[CONSTANT_7]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT]] : f32
// CHECK-NEXT: %[[NEGF_2:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT_2]] : f32
// CHECK-NEXT: %[[NEGF_3:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT_3]] : f32
// CHECK-NEXT: %[[NEGF_4:[^ ,:)]+]] = arith.negf %[[EXTRACTELEMENT_4]] : f32
// CHECK-NEXT: %[[MLIR:[^ ,:)]+]] = llvm.mlir.undef : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT:[^ ,:)]+]] = llvm.insertelement %[[NEGF]], %[[MLIR]][%[[CONSTANT_3]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_2:[^ ,:)]+]] = llvm.insertelement %[[NEGF_2]], %[[INSERTELEMENT]][%[[CONSTANT_5]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_3:[^ ,:)]+]] = llvm.insertelement %[[NEGF_3]], %[[INSERTELEMENT_2]][%[[CONSTANT_6]] : i32] : vector<4xf32>
// CHECK-NEXT: %[[INSERTELEMENT_4:[^ ,:)]+]] = llvm.insertelement %[[NEGF_4]], %[[INSERTELEMENT_3]][%[[CONSTANT_7]] : i32] : vector<4xf32>
// CHECK-NEXT: llvm.store %[[INSERTELEMENT_4]], %[[GETELEMENTPTR_2]] {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @threads(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %len = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %o = arith.muli %i, %len : index
    %v = tile.view %x offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
    %w = tile.view %y offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
    %f = tile.load %v[%c0] : !tile.view<4xf32, [1]> -> !tile.frag<4xf32>
    %r = tile.map %f : !tile.frag<4xf32> -> !tile.frag<4xf32> {
    ^bb0(%a: f32):
      %b = arith.negf %a : f32
      tile.yield %b : f32
    }
    tile.store %r, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
  } {tile.team = 1 : i64}
}
