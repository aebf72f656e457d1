// RUN: kiln-opt --kiln-lower-tile=features=avx512bf16,avx512vl --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Products of bf16 by pairs of steps of K: vdpbf16ps.

// K is even: no step is left behind the loop.
// CHECK-LABEL: llvm.func @even(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<16xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 32 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_4]] to %[[CONSTANT_3]] step %[[CONSTANT_5]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[BROADCAST]]) -> (vector<16xf32>) {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 2 : i64} : !llvm.ptr -> vector<16xi16>
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[FOR_2]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ADDI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[MULI_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 2 : i64} : !llvm.ptr -> vector<16xi16>
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_4]], %[[LOAD_5]] [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31] : vector<16xi16>, vector<16xi16>
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = llvm.bitcast %[[SHUFFLE]] : vector<32xi16> to vector<32xbf16>
// CHECK-NEXT: %[[INDEX_CAST_5:[^ ,:)]+]] = arith.index_cast %[[FOR_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_5]] {alignment = 2 : i64} : !llvm.ptr -> i32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[LOAD_6]] : i32 to vector<16xi32>
// CHECK-NEXT: %[[BITCAST_2:[^ ,:)]+]] = llvm.bitcast %[[BROADCAST_2]] : vector<16xi32> to vector<32xbf16>
// CHECK-NEXT: %[[CALL_INTRINSIC:[^ ,:)]+]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[FOR_3]], %[[BITCAST_2]], %[[BITCAST]]) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK-NEXT: scf.yield %[[CALL_INTRINSIC]] : vector<16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.store %[[FOR]], %[[LOAD_3]] {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @even(%x: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<1x32xbf16, [32, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<32x16xbf16, [16, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<1x16xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x32xbf16, [32, 1]> -> !tile.staged<1x32xbf16>
  %q = tile.stage %u[%c0, %c0] : !tile.view<32x16xbf16, [16, 1]> -> !tile.staged<32x16xbf16>
  %r = tile.mma %l, %q, %s {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<1x32xbf16>, !tile.staged<32x16xbf16>, !tile.frag<1x16xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<1x16xf32>, !tile.view<1x16xf32, [16, 1]>
}

// A short K is unrolled, and its last step has a step of zeros behind it.
// CHECK-LABEL: llvm.func @short(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD_2]] {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_4]], %[[LOAD_5]] [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15] : vector<8xi16>, vector<8xi16>
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = llvm.bitcast %[[SHUFFLE]] : vector<16xi16> to vector<16xbf16>
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 2 : i64} : !llvm.ptr -> i32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[LOAD_6]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[BITCAST_2:[^ ,:)]+]] = llvm.bitcast %[[BROADCAST_2]] : vector<8xi32> to vector<16xbf16>
// CHECK-NEXT: %[[CALL_INTRINSIC:[^ ,:)]+]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.256"(%[[BROADCAST]], %[[BITCAST_2]], %[[BITCAST]]) : (vector<8xf32>, vector<16xbf16>, vector<16xbf16>) -> vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 3 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_7:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 2 : i64} : !llvm.ptr -> i32
// CHECK-NEXT: %[[BROADCAST_3:[^ ,:)]+]] = vector.broadcast %[[LOAD_7]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[BITCAST_3:[^ ,:)]+]] = llvm.bitcast %[[BROADCAST_3]] : vector<8xi32> to vector<16xbf16>
// CHECK-NEXT: %[[CALL_INTRINSIC_2:[^ ,:)]+]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.256"(%[[BROADCAST]], %[[BITCAST_3]], %[[BITCAST]]) : (vector<8xf32>, vector<16xbf16>, vector<16xbf16>) -> vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 16 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_8:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_5]] {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant dense<0> : vector<8xi16>
// CHECK-NEXT: %[[SHUFFLE_2:[^ ,:)]+]] = vector.shuffle %[[LOAD_8]], %[[CST_0]] [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15] : vector<8xi16>, vector<8xi16>
// CHECK-NEXT: %[[BITCAST_4:[^ ,:)]+]] = llvm.bitcast %[[SHUFFLE_2]] : vector<16xi16> to vector<16xbf16>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 2 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_9:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_6]] {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK-NEXT: %[[EXTUI:[^ ,:)]+]] = arith.extui %[[LOAD_9]] : i16 to i32
// CHECK-NEXT: %[[BROADCAST_4:[^ ,:)]+]] = vector.broadcast %[[EXTUI]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[BITCAST_5:[^ ,:)]+]] = llvm.bitcast %[[BROADCAST_4]] : vector<8xi32> to vector<16xbf16>
// CHECK-NEXT: %[[CALL_INTRINSIC_3:[^ ,:)]+]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.256"(%[[CALL_INTRINSIC]], %[[BITCAST_5]], %[[BITCAST_4]]) : (vector<8xf32>, vector<16xbf16>, vector<16xbf16>) -> vector<8xf32>
// CHECK-NEXT: %[[GETELEMENTPTR_7:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_4]][%[[CONSTANT_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_10:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_7]] {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK-NEXT: %[[EXTUI_2:[^ ,:)]+]] = arith.extui %[[LOAD_10]] : i16 to i32
// CHECK-NEXT: %[[BROADCAST_5:[^ ,:)]+]] = vector.broadcast %[[EXTUI_2]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[BITCAST_6:[^ ,:)]+]] = llvm.bitcast %[[BROADCAST_5]] : vector<8xi32> to vector<16xbf16>
// CHECK-NEXT: %[[CALL_INTRINSIC_4:[^ ,:)]+]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.256"(%[[CALL_INTRINSIC_2]], %[[BITCAST_6]], %[[BITCAST_4]]) : (vector<8xf32>, vector<16xbf16>, vector<16xbf16>) -> vector<8xf32>
// CHECK-NEXT: llvm.store %[[CALL_INTRINSIC_3]], %[[LOAD_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_8:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_3]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[CALL_INTRINSIC_4]], %[[GETELEMENTPTR_8]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @short(%x: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<2x3xbf16, [3, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<3x8xbf16, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<2x8xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<2x3xbf16, [3, 1]> -> !tile.staged<2x3xbf16>
  %q = tile.stage %u[%c0, %c0] : !tile.view<3x8xbf16, [8, 1]> -> !tile.staged<3x8xbf16>
  %r = tile.mma %l, %q, %s {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<2x3xbf16>, !tile.staged<3x8xbf16>, !tile.frag<2x8xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x8xf32>, !tile.view<2x8xf32, [8, 1]>
}

// K is known at run time, and neighbours in K are no neighbours in memory.
// CHECK-LABEL: llvm.func @any(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[ARG_2]] {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[LOAD_4]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST_2]] to %[[INDEX_CAST_3]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<4xf32>
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[INDEX_CAST]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[INDEX_CAST]], %[[ANDI]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_3]] to %[[SUBI]] step %[[CONSTANT_4]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[BROADCAST]]) -> (vector<4xf32>) {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 2 : i64} : !llvm.ptr -> vector<4xi16>
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[FOR_2]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[ADDI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_5:[^ ,:)]+]] = arith.index_cast %[[MULI_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 2 : i64} : !llvm.ptr -> vector<4xi16>
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_5]], %[[LOAD_6]] [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xi16>, vector<4xi16>
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = llvm.bitcast %[[SHUFFLE]] : vector<8xi16> to vector<8xbf16>
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_7:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_5]] {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK-NEXT: %[[EXTUI:[^ ,:)]+]] = arith.extui %[[LOAD_7]] : i16 to i32
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 16 : i32
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_8:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_6]] {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK-NEXT: %[[EXTUI_2:[^ ,:)]+]] = arith.extui %[[LOAD_8]] : i16 to i32
// CHECK-NEXT: %[[SHLI:[^ ,:)]+]] = arith.shli %[[EXTUI]], %[[CONSTANT_5]] : i32
// CHECK-NEXT: %[[ORI:[^ ,:)]+]] = arith.ori %[[EXTUI_2]], %[[SHLI]] : i32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[ORI]] : i32 to vector<4xi32>
// CHECK-NEXT: %[[BITCAST_2:[^ ,:)]+]] = llvm.bitcast %[[BROADCAST_2]] : vector<4xi32> to vector<8xbf16>
// CHECK-NEXT: %[[CALL_INTRINSIC:[^ ,:)]+]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.128"(%[[FOR_3]], %[[BITCAST_2]], %[[BITCAST]]) : (vector<4xf32>, vector<8xbf16>, vector<8xbf16>) -> vector<4xf32>
// CHECK-NEXT: scf.yield %[[CALL_INTRINSIC]] : vector<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi ne, %[[SUBI]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[IF:[^ ,:)]+]] = scf.if %[[CMPI]] -> (vector<4xf32>) {
// CHECK-NEXT: %[[MULI]] = arith.muli %[[SUBI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_4]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_5]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 2 : i64} : !llvm.ptr -> vector<4xi16>
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant dense<0> : vector<4xi16>
// CHECK-NEXT: %[[ADDI]] = vector.shuffle %[[LOAD_5]], %[[CST_0]] [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xi16>, vector<4xi16>
// CHECK-NEXT: %[[MULI_2]] = llvm.bitcast %[[ADDI]] : vector<8xi16> to vector<8xbf16>
// CHECK-NEXT: %[[INDEX_CAST_5]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[GETELEMENTPTR_4]] = llvm.load %[[INDEX_CAST_5]] {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK-NEXT: %[[LOAD_6]] = arith.extui %[[GETELEMENTPTR_4]] : i16 to i32
// CHECK-NEXT: %[[SHUFFLE]] = vector.broadcast %[[LOAD_6]] : i32 to vector<4xi32>
// CHECK-NEXT: %[[BITCAST]] = llvm.bitcast %[[SHUFFLE]] : vector<4xi32> to vector<8xbf16>
// CHECK-NEXT: %[[GETELEMENTPTR_5]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.128"(%[[FOR]], %[[BITCAST]], %[[MULI_2]]) : (vector<4xf32>, vector<8xbf16>, vector<8xbf16>) -> vector<4xf32>
// CHECK-NEXT: scf.yield %[[GETELEMENTPTR_5]] : vector<4xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[FOR]] : vector<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.store %[[IF]], %[[LOAD_3]] {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @any(%x: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<bf16> -> !tile.view<1x?xbf16, [1, 4]>
  %u = tile.view %b offset %c0 sizes(%n) strides() : !tile.buffer<bf16> -> !tile.view<?x4xbf16, [4, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x4xf32, [4, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<1x4xf32>
  %l = tile.stage %v[%c0, %c0] sizes(%n) : !tile.view<1x?xbf16, [1, 4]> -> !tile.staged<1x?xbf16>
  %q = tile.stage %u[%c0, %c0] sizes(%n) : !tile.view<?x4xbf16, [4, 1]> -> !tile.staged<?x4xbf16>
  %r = tile.mma %l, %q, %s {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<1x?xbf16>, !tile.staged<?x4xbf16>, !tile.frag<1x4xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<1x4xf32>, !tile.view<1x4xf32, [4, 1]>
}

// A row of two registers.
// CHECK-LABEL: llvm.func @wide(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<32xf32>
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD_2]] {alignment = 2 : i64} : !llvm.ptr -> vector<32xi16>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 32 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 2 : i64} : !llvm.ptr -> vector<32xi16>
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_4]], %[[LOAD_5]] [0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47] : vector<32xi16>, vector<32xi16>
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = llvm.bitcast %[[SHUFFLE]] : vector<32xi16> to vector<32xbf16>
// CHECK-NEXT: %[[SHUFFLE_2:[^ ,:)]+]] = vector.shuffle %[[LOAD_4]], %[[LOAD_5]] [16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55, 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63] : vector<32xi16>, vector<32xi16>
// CHECK-NEXT: %[[BITCAST_2:[^ ,:)]+]] = llvm.bitcast %[[SHUFFLE_2]] : vector<32xi16> to vector<32xbf16>
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 2 : i64} : !llvm.ptr -> i32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[LOAD_6]] : i32 to vector<16xi32>
// CHECK-NEXT: %[[BITCAST_3:[^ ,:)]+]] = llvm.bitcast %[[BROADCAST_2]] : vector<16xi32> to vector<32xbf16>
// CHECK-NEXT: %[[INTR:[^ ,:)]+]] = llvm.intr.vector.extract %[[BROADCAST]][0] : vector<16xf32> from vector<32xf32>
// CHECK-NEXT: %[[CALL_INTRINSIC:[^ ,:)]+]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[INTR]], %[[BITCAST_3]], %[[BITCAST]]) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK-NEXT: %[[INTR_2:[^ ,:)]+]] = llvm.intr.vector.insert %[[CALL_INTRINSIC]], %[[BROADCAST]][0] : vector<16xf32> into vector<32xf32>
// CHECK-NEXT: %[[INTR_3:[^ ,:)]+]] = llvm.intr.vector.extract %[[INTR_2]][16] : vector<16xf32> from vector<32xf32>
// CHECK-NEXT: %[[CALL_INTRINSIC_2:[^ ,:)]+]] = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[INTR_3]], %[[BITCAST_3]], %[[BITCAST_2]]) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK-NEXT: %[[INTR_4:[^ ,:)]+]] = llvm.intr.vector.insert %[[CALL_INTRINSIC_2]], %[[INTR_2]][16] : vector<16xf32> into vector<32xf32>
// CHECK-NEXT: llvm.store %[[INTR_4]], %[[LOAD_3]] {alignment = 4 : i64} : vector<32xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @wide(%x: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<1x2xbf16, [2, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<2x32xbf16, [32, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x32xf32, [32, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<1x32xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x2xbf16, [2, 1]> -> !tile.staged<1x2xbf16>
  %q = tile.stage %u[%c0, %c0] : !tile.view<2x32xbf16, [32, 1]> -> !tile.staged<2x32xbf16>
  %r = tile.mma %l, %q, %s {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<1x2xbf16>, !tile.staged<2x32xbf16>, !tile.frag<1x32xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<1x32xf32>, !tile.view<1x32xf32, [32, 1]>
}
