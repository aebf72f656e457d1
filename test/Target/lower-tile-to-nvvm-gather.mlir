// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Gathers and prefetches.

// Elements by number.
// CHECK-LABEL: llvm.func @gather(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_2]], %[[CONSTANT]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NEXT: %[[EXTSI:[^ ,:)]+]] = arith.extsi %[[LOAD]] : i32 to i64
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 1 : i64
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[EXTSI]], %[[CONSTANT_2]] : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[MULI_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[ARG_3]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.store %[[LOAD_2]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: llvm.return
tile.kernel @gather(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<100xf32, [1]>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<32xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<32xi32, [1]> -> !tile.frag<32xi32>
  %f = tile.gather %v[] at %a : !tile.view<100xf32, [1]>, !tile.frag<32xi32> -> !tile.frag<32xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
}

// With a pad: a branch per element.
// CHECK-LABEL: llvm.func @gather_with_pad(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CASTUI:[^ ,:)]+]] = arith.index_castui %[[READ]] : i32 to index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[INDEX_CASTUI_2:[^ ,:)]+]] = arith.index_castui %[[INDEX_CASTUI]] : index to i32
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[INDEX_CASTUI_2]], %[[CONSTANT]] : i32
// CHECK-NEXT: %[[INDEX_CASTUI_3:[^ ,:)]+]] = arith.index_castui %[[MULI]] : i32 to index
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[INDEX_CASTUI_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG_2]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NEXT: %[[EXTSI:[^ ,:)]+]] = arith.extsi %[[LOAD]] : i32 to i64
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 100 : i64
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi ult, %[[EXTSI]], %[[CONSTANT_2]] : i64
// CHECK-NEXT: %[[IF:[^ ,:)]+]] = scf.if %[[CMPI]] -> (f32) {
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : i64
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[EXTSI]], %[[CONSTANT_3]] : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[MULI_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT: scf.yield %[[LOAD_2]] : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[CST]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[ARG_3]][%[[INDEX_CAST]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.store %[[IF]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK-NEXT: llvm.return
tile.kernel @gather_with_pad(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %p = arith.constant 1.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<100xf32, [1]>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<32xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<32xi32, [1]> -> !tile.frag<32xi32>
  %f = tile.gather %v[] at %a pad %p : f32 : !tile.view<100xf32, [1]>, !tile.frag<32xi32> -> !tile.frag<32xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
}

// A hint to L2.
// CHECK-LABEL: llvm.func @prefetch(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr<1> {llvm.align = 16 : i64},
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>, tile.shared_bytes = 0 : i64} {
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[READ:[^ ,:)]+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK-NEXT: %[[READ_2:[^ ,:)]+]] = nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][%[[INDEX_CAST_2]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.inline_asm has_side_effects "prefetch.global.L2 [$0];", "l,~{memory}" %[[GETELEMENTPTR]] : (!llvm.ptr<1>) -> ()
// CHECK-NEXT: llvm.return
tile.kernel @prefetch(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x", threads = 32,
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  tile.prefetch %v[%n] {locality = 1} : !tile.view<8xf32, [1]>
}
